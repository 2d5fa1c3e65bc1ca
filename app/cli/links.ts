import { CliFailure } from "./failures.ts";
import { type Session, take } from "./session.ts";

interface Link {
  id: string;
  shortLink: string;
  url: string;
}

/** Finds a link by id, `ext_` and an external id, short link with or without its scheme, or a slug that only one domain has. */
export async function findLink({ fuxi }: Session, named: string): Promise<Link> {
  if (/^(link|ext)_/.test(named)) {
    return await take(fuxi.GET("/api/links/{id}", { params: { path: { id: named } } }));
  }
  const text = named.replace(/^https?:\/\//i, "").replace(/[?#].*$/, "");
  const slash = text.indexOf("/");
  if (slash >= 0) {
    // A port belongs to the address of the instance, not to the domain.
    const domain = text.slice(0, slash).replace(/:\d+$/, "");
    const query = { domain, key: text.slice(slash + 1) };
    return await take(fuxi.GET("/api/links/info", { params: { query } }));
  }
  const query = { key: text, pageSize: 2, showArchived: "true" };
  const [only, other] = await take(fuxi.GET("/api/links", { params: { query } }));
  if (!only) throw new CliFailure("refused", `There is no link ${named}.`, "not_found");
  if (other) {
    const names = `${only.shortLink}, ${other.shortLink}`;
    throw new CliFailure("usage", `More than one domain has this slug. Name the link: ${names}`);
  }
  return only;
}

/** The id of a folder, given its id or its name. */
export async function folderIdOf({ fuxi }: Session, named: string): Promise<string> {
  if (named.startsWith("fold_")) return named;
  const folders = await take(
    fuxi.GET("/api/folders", { params: { query: { search: named, pageSize: 50 } } }),
  );
  const found = folders.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (!found) {
    throw new CliFailure("refused", `There is no folder “${named}”.`, "not_found");
  }
  return found.id;
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * A date, a time, or a period from now such as 12h, 30d or 2w. A date means the end of that day, in the zone of this computer.
 */
export function momentOf(text: string, now: Date): string {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(now.getTime() + Number(count) * (unitMs[unit] ?? 0)).toISOString();
  }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const date = new Date(isDay ? `${text}T23:59:59.999` : text);
  if (Number.isNaN(date.getTime()) || !/^\d{4}-/.test(text)) {
    throw new CliFailure(
      "usage",
      `${text} is not a date. Use 2026-01-31, a time, or 12h, 30d, 2w.`,
    );
  }
  return date.toISOString();
}
