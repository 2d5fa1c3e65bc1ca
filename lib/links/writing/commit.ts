/**
 * Writing new links. Two lanes, each a group commit:
 *
 * - *plain*: a generated code and a url, nothing else. One INSERT, no transaction around it.
 * - *full*: whatever needs more than one table — a name that someone chose, tags, search text.
 *
 * A pk that turns out to be taken (reserved for an alias that spells its code) is replaced by the next one. When the
 * connection is lost, nobody knows whether the batch was committed: it is written again, and a row that is there with
 * our id is ours. Whoever is answered has a link that is committed.
 */

import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { GroupCommit, type Outcome, writeBatch } from "#lib/platform/batches";
import { prefill, publishChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, isUnavailable, transaction } from "#lib/platform/postgres";
import { insertUnmatched, type Match, type Matched } from "./match.ts";
import { takeCodes } from "./pool.ts";
import type { Draft, LinkRow, Written } from "./row.ts";
import { aliasChanges, insertFull, insertPlain, isExternalIdTaken, RefusedPks } from "./store.ts";

const batchMax = 1_000;
/** Each holds a lock for its url, and PostgreSQL has room for some thousands. */
const matchesMax = 200;
/** While one batch waits for the disk, another is parsed and inserted; the disk then writes both at once. */
const plainWritesMax = 4;
const pkTriesMax = 5;
const drawsMax = 8;
const lostRetriesMs = [100, 400, 1_500];

export const commitCounters = {
  pksRefused: 0,
  keysRedrawn: 0,
  batches: 0,
  links: 0,
  lostConnections: 0,
};
exposeCounters("link_commits", "Links written, and what stood in their way.", commitCounters);

const plainLane = new GroupCommit<Draft, Outcome<Written>>(
  { batchMax, writesMax: plainWritesMax },
  (drafts) => writeThrough(drafts, writePlain),
);
// One at a time: two transactions that claim names would wait for each other's.
const fullLane = new GroupCommit<Draft, Outcome<Written>>({ batchMax, writesMax: 1 }, (drafts) =>
  writeThrough(drafts, writeFull),
);

const matchLane = new GroupCommit<Match, Outcome<Matched>>(
  { batchMax: matchesMax, writesMax: 1 },
  (matches) => writeThrough(matches, writeMatches),
);

/** Writes a link; returns once it is committed. Throws what the database says of this row alone. */
export async function commitLink(draft: Draft): Promise<Written> {
  if (draft.plain) return settle(await plainLane.add(draft));
  return await withDraws(draft, async () => settle(await fullLane.add(draft)));
}

/** Writes a link unless there is one already for its url; returns once it is committed. */
export async function commitMatch(match: Match): Promise<Matched> {
  return await withDraws(match.draft, async () => settle(await matchLane.add(match)));
}

/** Draws another key for a draft while the one that was drawn is taken. */
async function withDraws<Result extends Matched>(
  draft: Draft,
  write: () => Promise<Result | Written>,
): Promise<Result | Written> {
  for (let draws = 1; ; draws++) {
    const written = await write();
    if (written.ok || written.code !== "key_taken" || !draft.draw) return written;
    if (draws === drawsMax) return { ok: false, code: "keys_used_up" };
    commitCounters.keysRedrawn += 1;
    draft.row.key = draft.draw();
  }
}

function settle<Result extends Matched>(outcome: Outcome<Result>): Result | Written {
  if (outcome.ok) return outcome.value;
  if (isExternalIdTaken(outcome.error)) return { ok: false, code: "external_id_taken" };
  throw outcome.error;
}

/** Resolves once nothing waits to be written. */
export async function drainCommits(): Promise<void> {
  await plainLane.idle();
  await matchLane.idle();
  await fullLane.idle();
}

/** Writes a batch, again after a lost connection; a row that the database refuses harms no other. */
async function writeThrough<Item, Result>(
  items: Item[],
  write: (items: readonly Item[]) => Promise<Result[]>,
): Promise<Outcome<Result>[]> {
  commitCounters.batches += 1;
  for (const waitMs of [...lostRetriesMs, undefined]) {
    try {
      return await writeBatch(items, write);
    } catch (error) {
      commitCounters.lostConnections += 1;
      log.warn({ event: "links.lost_connection", links: items.length, error: String(error) });
      if (waitMs === undefined || !isUnavailable(error)) throw unavailable(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  throw new Error("unreachable: the last try returns or throws");
}

function unavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new AppError(
    "service_unavailable",
    "Links cannot be saved right now. Send the request again in a moment.",
    2,
  );
}

/** Replaces the pk (and, for a generated key, the code) of a draft whose pk was taken. */
async function renewPk(draft: Draft): Promise<void> {
  commitCounters.pksRefused += 1;
  const [fresh] = await takeCodes(1);
  if (!fresh) throw new Error("The pool answered no code");
  draft.row.pk = fresh.pk;
  if (!draft.row.alias) draft.row.key = fresh.code;
}

async function writePlain(drafts: readonly Draft[]): Promise<Written[]> {
  let left = drafts;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === pkTriesMax) throw new Error(`No free pk in ${pkTriesMax} tries`);
    const kept = await insertPlain(left.map(({ row }) => row));
    left = left.filter(({ row }) => !kept.has(row.pk));
    for (const draft of left) await renewPk(draft);
  }
  commitCounters.links += drafts.length;
  fillAhead(drafts);
  return drafts.map(({ row }) => ({ ok: true, row, isNew: true }));
}

/** A single link is visited within seconds; links made by the thousand mostly are not. Nobody waits for it. */
function fillAhead(drafts: readonly Draft[]): void {
  const entries = new Map<string, string>();
  for (const { row, prefill: ahead } of drafts) if (ahead) entries.set(...entryOf(row));
  if (entries.size > 0) void prefill(entries, 0);
}

function entryOf(row: LinkRow): [entry: string, payload: string] {
  return [targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row))];
}

async function writeFull(drafts: readonly Draft[]): Promise<Written[]> {
  return await inTransaction(drafts, (tx, revision) => insertFull(tx, drafts, revision));
}

async function writeMatches(matches: readonly Match[]): Promise<Matched[]> {
  const drafts = matches.map(({ draft }) => draft);
  return await inTransaction(drafts, (tx, revision) => insertUnmatched(tx, matches, revision));
}

/** Writes drafts in one transaction, with other pks when some are taken, and publishes those that are new. */
async function inTransaction<Result extends Matched>(
  drafts: readonly Draft[],
  work: (tx: Connection, revision: number) => Promise<Result[]>,
): Promise<Result[]> {
  for (let tries = 0; tries < pkTriesMax; tries++) {
    try {
      const outcomes = await transaction(async (tx) => work(tx, await takeRevision(tx)));
      const written = drafts.filter((_, at) => isNew(outcomes[at]));
      commitCounters.links += written.length;
      await publish(written);
      return outcomes;
    } catch (error) {
      if (!(error instanceof RefusedPks)) throw error;
      await renewPks(drafts, error.pks);
    }
  }
  throw new Error(`No free pk in ${pkTriesMax} tries`);
}

/** Gives other pks to those drafts whose pk was refused. */
export async function renewPks(
  drafts: readonly Draft[],
  refused: ReadonlySet<number>,
): Promise<void> {
  for (const draft of drafts) if (refused.has(draft.row.pk)) await renewPk(draft);
}

function isNew(outcome: Matched | undefined): boolean {
  return outcome?.ok === true && "row" in outcome && outcome.isNew;
}

async function publish(drafts: readonly Draft[]): Promise<void> {
  const entries = new Map(drafts.map(({ row }) => entryOf(row)));
  await publishChanges(aliasChanges(drafts), entries);
  fillAhead(drafts.filter(({ row }) => !row.alias));
}
