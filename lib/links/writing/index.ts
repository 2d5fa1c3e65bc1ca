/**
 * Writes links. Callers pass drafts; both entry points share the same steps (insert.ts):
 *
 * - `commitLink` joins a group commit. Plain drafts (a generated code and a URL) are one INSERT
 *   without a transaction. Drafts that may reuse a link have their own lane, because each holds a lock.
 * - `commitTogether` is one transaction with other rows of its caller: an import stores its position
 *   and outcomes with the links themselves, so that they never disagree.
 *
 * A refused row does not affect others. After a lost connection, it is unknown whether a batch was
 * committed: it is written again, and existing rows with the same id are accepted. Returned links
 * are committed.
 */
import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { insertPlainRows, isExternalIdTaken, type LinkRow, pkTriesMax } from "#lib/links/link-rows";
import { bisect, bisectIn, GroupCommit, type RowResult } from "#lib/platform/batches";
import { prefill, publishChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError, isUnavailable } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import type { Draft, WriteOutcome } from "./drafts.ts";
import { aliasChanges, commitCounters, insertLinks, renewPk, TakenPks } from "./insert.ts";

export type { Draft, IdempotentCall, ReuseRule, WriteOutcome } from "./drafts.ts";
export { deleteExpiredRepeats, digestOf, isOtherCall } from "./idempotency.ts";
export { commitCounters } from "./insert.ts";

const batchMax = 1_000;
/** Each holds a lock for its URL, and PostgreSQL has room for a few thousand. */
const matchesMax = 200;
/** While one batch waits for the disk, another is inserted. The disk writes both at once. */
const plainWritesMax = 4;
const lostRetriesMs = [100, 400, 1_500];

type Lane = GroupCommit<Draft, RowResult<WriteOutcome>>;

const plainLane: Lane = new GroupCommit({ batchMax, writesMax: plainWritesMax }, (drafts) =>
  writeThrough(drafts, async (batch) => {
    const rows = batch.map(({ row }) => row);
    await insertPlainRows(rows, renewPk);
    commitCounters.links += batch.length;
    prefillNew(batch);
    return rows.map((row) => ({ ok: true, row, isNew: true }));
  }),
);
// One at a time: two transactions that claim names would wait for each other.
const fullLane: Lane = new GroupCommit({ batchMax, writesMax: 1 }, (drafts) =>
  writeThrough(drafts, insertAlone),
);
const matchLane: Lane = new GroupCommit({ batchMax: matchesMax, writesMax: 1 }, (drafts) =>
  writeThrough(drafts, insertAlone),
);

/** Returns once the link is committed. Throws the database error of this link alone. */
export async function commitLink(draft: Draft): Promise<WriteOutcome> {
  const lane = draft.match ? matchLane : draft.plain ? plainLane : fullLane;
  const outcome = await lane.add(draft);
  if (outcome.ok) return outcome.value;
  if (isExternalIdTaken(outcome.error)) return { ok: false, code: "external_id_taken" };
  throw outcome.error;
}

export async function drainCommits(): Promise<void> {
  for (const lane of [plainLane, matchLane, fullLane]) await lane.idle();
}

/** Writes again after a lost connection. A refused row does not affect the others. */
async function writeThrough(
  drafts: Draft[],
  write: (drafts: readonly Draft[]) => Promise<WriteOutcome[]>,
): Promise<RowResult<WriteOutcome>[]> {
  commitCounters.batches += 1;
  for (const waitMs of [...lostRetriesMs, undefined]) {
    try {
      return await bisect(drafts, write);
    } catch (error) {
      commitCounters.lostConnections += 1;
      log.warn({ event: "links.lost_connection", links: drafts.length, error: String(error) });
      if (waitMs === undefined || !isUnavailable(error)) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  throw new Error("Unreachable: the last attempt returns or throws");
}

function unavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new AppError(
    "service_unavailable",
    "The service is temporarily unavailable, so the link wasn’t saved. Try again in a moment.",
    { retryAfterSeconds: 2 },
  );
}

function insertAlone(drafts: readonly Draft[]): Promise<WriteOutcome[]> {
  return inTransaction(async (tx, revision, record) => {
    const outcomes = await insertLinks(tx, drafts, revision);
    record(drafts, outcomes);
    return outcomes;
  });
}

export type InsertDrafts = (drafts: readonly Draft[]) => Promise<RowResult<WriteOutcome>[]>;

export function commitTogether<T>(
  work: (tx: Connection, insert: InsertDrafts) => Promise<T>,
): Promise<T> {
  return inTransaction((tx, revision, record) =>
    work(tx, async (drafts) => {
      const outcomes = await bisectIn(tx, drafts, (part) => insertLinks(tx, part, revision));
      const written = outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
      record(drafts, written);
      return outcomes;
    }),
  );
}

type RecordOutcomes = (
  drafts: readonly Draft[],
  outcomes: readonly (WriteOutcome | undefined)[],
) => void;

/** Retries with other pks if some are taken. Publishes the new links after the commit. */
async function inTransaction<T>(
  work: (tx: Connection, revision: number, record: RecordOutcomes) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < pkTriesMax; tries++) {
    const written: Draft[] = [];
    const record: RecordOutcomes = (drafts, outcomes) => {
      written.push(...drafts.filter((_, at) => isNew(outcomes[at])));
    };
    try {
      const result = await transaction(async (tx) => work(tx, await takeRevision(tx), record));
      await publish(written);
      return result;
    } catch (error) {
      if (!(error instanceof TakenPks)) throw error;
      await error.renew();
    }
  }
  throw new Error(`No free pk in ${pkTriesMax} tries`);
}

function isNew(outcome: WriteOutcome | undefined): boolean {
  return outcome?.ok === true && "row" in outcome && outcome.isNew;
}

async function publish(drafts: readonly Draft[]): Promise<void> {
  commitCounters.links += drafts.length;
  const values = drafts.filter(({ prefill }) => prefill).map(({ row }) => entryOf(row));
  await publishChanges(aliasChanges(drafts), new Map(values));
  prefillNew(drafts.filter(({ row, recycled }) => !row.alias && !recycled));
}

/** A single link is visited within seconds, links created by the thousand usually are not. */
function prefillNew(drafts: readonly Draft[]): void {
  const entries = new Map<string, string>();
  for (const { row, prefill: ahead } of drafts) if (ahead) entries.set(...entryOf(row));
  if (entries.size > 0) void prefill(entries, 0);
}

function entryOf(row: LinkRow): [entry: string, payload: string] {
  return [targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row))];
}
