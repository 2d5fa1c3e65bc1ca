import type { FormAnswer } from "#components/forms/form";
import { AppError, type ErrorCode } from "#lib/platform/errors";
import type { SearchParams } from "../../pages.tsx";

const rowsPerPage = 50;
const searchCharsMax = 100;
const pageMax = 1_000;

export interface Listing {
  search: string;
  page: number;
}

export function parseListing(searchParams: SearchParams): Listing {
  const text = (name: string) => {
    const value = searchParams[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const page = Number(text("page"));
  return {
    // Ignores characters that no name contains.
    search: text("search")
      .replace(/[\p{Cc}\p{Cs}]/gu, "")
      .slice(0, searchCharsMax),
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  };
}

interface ListQuery {
  search: string | undefined;
  page: number;
  pageSize: number;
}

/** The rows of a page. One more row is requested, to detect whether another page follows. */
export async function readPage<Row>(
  { search, page }: Listing,
  list: (searchParams: ListQuery) => Promise<Row[]>,
): Promise<{ rows: Row[]; found: number }> {
  const text = search || undefined;
  const [rows, following] = await Promise.all([
    list({ search: text, page, pageSize: rowsPerPage }),
    list({ search: text, page: page * rowsPerPage + 1, pageSize: 1 }),
  ]);
  return { rows, found: rows.length + following.length };
}

export function neighborPages(
  path: string,
  { search, page }: Listing,
  found: number,
  filters: Readonly<Record<string, string>> = {},
) {
  const address = (to: number) => {
    const params = new URLSearchParams({
      ...filters,
      ...(search ? { search } : {}),
      ...(to > 1 ? { page: String(to) } : {}),
    });
    return params.size > 0 ? `${path}?${params}` : path;
  };
  return {
    previous: page > 1 ? address(page - 1) : undefined,
    next: found > rowsPerPage && page < pageMax ? address(page + 1) : undefined,
  };
}

type FormErrors = Omit<Extract<FormAnswer<never>, { ok: false }>, "ok">;

/** Runs an action, and turns expected errors into form errors. */
export async function withFormErrors<Done>(
  run: () => Promise<Done>,
  refusals: Partial<Record<ErrorCode, FormErrors>>,
): Promise<FormAnswer<Done>> {
  try {
    return { ok: true, done: await run() };
  } catch (error) {
    // A feature that is turned off has the same message everywhere.
    const isOff = error instanceof AppError && error.problem?.code === "feature_off";
    const message = error instanceof AppError && !isOff ? refusals[error.code] : undefined;
    if (!message) throw error;
    return { ok: false, ...message };
  }
}
