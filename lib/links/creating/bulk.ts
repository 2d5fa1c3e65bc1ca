/** Creates thousands of links in slices, between which other requests run. */
import { setImmediate } from "node:timers/promises";
import type { NewLink } from "#lib/links/fields/schema";
import { findWithContext, type LinkWithContext } from "#lib/links/presenting";
import { slicesOf } from "#lib/platform/batches";
import { AppError, type ErrorCode } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type CreateOutcome, existingIds, startCreates } from "./create.ts";
import type { CreateOptions } from "./prepared-link.ts";
import { isFailure, parseRow, type RowFailure } from "./rows.ts";

/** Rows prepared in one turn of the event loop: about three milliseconds. */
const sliceRows = 200;
/** Per call. More would fill every lane to the database and delay single creates. */
const slicesInFlightMax = 6;

export type RowOutcome = CreatedRow | RowFailure;

type CreatedRow = { ok: true; reused?: true } & LinkWithContext;

export async function createLinksInBulk(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  options: CreateOptions,
  firstPart = 0,
): Promise<RowOutcome[]> {
  assertMay(scope, "links.write");
  const slices: Promise<RowOutcome[]>[] = [];
  for (const slice of slicesOf(rows, sliceRows)) {
    slices.push(createSlice(scope, slice, options, firstPart + slices.length * sliceRows));
    await setImmediate();
    await slices.at(-slicesInFlightMax);
  }
  return (await Promise.all(slices)).flat();
}

async function createSlice(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  options: CreateOptions,
  firstPart: number,
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  const bodies: NewLink[] = [];
  const places: number[] = [];
  for (const [at, parsed] of rows.map(parseRow).entries()) {
    if (isFailure(parsed)) outcomes[at] = parsed;
    else {
      bodies.push(parsed);
      places.push(at);
    }
  }
  const parts = places.map((at) => firstPart + at);
  const created = await settle(() => startCreates(scope, bodies, options, parts), bodies.length);
  const existing = await findWithContext(scope, existingIds(created));
  places.forEach((at, index) => {
    const outcome =
      created[index] ?? failureOf(new Error("createLinksInBulk has no outcome for a row"));
    outcomes[at] = "found" in outcome ? presentExisting(existing.get(outcome.found)) : outcome;
  });
  return outcomes;
}

function presentExisting(shown: LinkWithContext | undefined): RowOutcome {
  if (shown) return { ok: true, ...shown };
  return failureOf(new Error("The existing link for a url was just deleted"));
}

async function settle(
  make: () => Promise<Promise<CreateOutcome>[]>,
  count: number,
): Promise<(CreateOutcome | RowFailure)[]> {
  try {
    const created = await Promise.allSettled(await make());
    return created.map((one) => (one.status === "fulfilled" ? one.value : failureOf(one.reason)));
  } catch (error) {
    return Array.from({ length: count }, () => failureOf(error));
  }
}

/** Temporary errors, after which a background job tries again. */
const temporary: ReadonlySet<ErrorCode> = new Set(["service_unavailable", "rate_limit_exceeded"]);

function failureOf(error: unknown): RowFailure {
  if (error instanceof AppError) {
    const code = temporary.has(error.code) ? "unavailable" : "row_invalid";
    return { ok: false, code, message: error.message };
  }
  log.error({ event: "links.row_failed", error: String(error) });
  return { ok: false, code: "failed", message: "This link couldn’t be saved. Send it again." };
}
