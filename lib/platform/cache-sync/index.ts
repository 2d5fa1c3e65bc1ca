/**
 * Keeps links, domains and API keys the same in every process.
 *
 * A change takes a revision from one sequence and writes `cache_change` rows in its own transaction (the outbox). After
 * the commit the writer replaces the entries in Redis, notifies every process, and deletes its outbox rows. Rows of a
 * writer that died are replayed by any other process within `sweepEveryMs`.
 */

import { log } from "#lib/platform/log";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { nextRevision } from "#lib/platform/sequences";
import { broadcast, channel, invalidateHere, openChannel } from "./channel.ts";
import { type CacheChange, keepPublished, republishRecent, watchServers } from "./republishing.ts";
import { changeShared } from "./shared.ts";

export type { LoadedValue } from "./batch-loader.ts";
export { CoherentCache } from "./cache.ts";
export { channel } from "./channel.ts";
export { Outage } from "./outage.ts";
export type { CacheChange } from "./republishing.ts";

const sweepEveryMs = 500;
/** A younger row is left to its writer. */
const sweepAgeMs = 250;
const sweepMax = 500;

/** The cache entry of what visits need to know about a workspace. */
export function workspaceEntry(workspacePk: number): string {
  return `q:${workspacePk}`;
}

export function workspaceOfEntry(entry: string): number {
  return Number(entry.slice(2));
}

/** The cache entries of the bans of destination hosts and workspaces, and of suspected destinations. */
export const trustEntries = { bans: "bans", reputation: "reputation" } as const;

/** The cache entry of the destination lists of a workspace, or of the instance (null). */
export function listsEntry(workspacePk: number | null): string {
  return `destinations:${workspacePk ?? 0}`;
}

/** Takes the next revision in a transaction. */
export async function takeRevision(tx: Connection): Promise<number> {
  return await nextRevision(tx);
}

/** Writes the outbox rows of a change, in its transaction. The revision is that of the changed row. */
export async function recordChanges(
  tx: Connection,
  changes: readonly CacheChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(sql`
    INSERT INTO cache_change (revision, entry)
    SELECT *
    FROM unnest(
      ${changes.map((change) => change.revision)}::bigint[],
      ${changes.map((change) => change.entry)}::text[]
    )`);
}

/**
 * Publishes committed changes: the entries in Redis, the processes, the outbox. `values` replaces an entry instead of
 * dropping it. Never throws: unpublished changes are replayed from the outbox.
 */
export async function publishChanges(
  changes: readonly CacheChange[],
  values?: ReadonlyMap<string, string>,
): Promise<void> {
  if (changes.length === 0) return;
  invalidateHere(changes.map((change) => change.entry));
  try {
    await changeShared(
      changes.map(({ entry, revision }) => ({ entry, revision, payload: values?.get(entry) })),
    );
    keepPublished(changes);
    await broadcast(changes.map((change) => change.entry));
    await query(sql`
      DELETE FROM cache_change
      USING unnest(
        ${changes.map((change) => change.revision)}::bigint[],
        ${changes.map((change) => change.entry)}::text[]
      ) AS told (revision, entry)
      WHERE cache_change.revision = told.revision
        AND cache_change.entry = told.entry`);
  } catch (error) {
    log.warn({ event: "coherence.deferred", changes: changes.length, error: String(error) });
  }
}

/** Writes new values to Redis ahead of their first visit. Losing them only costs speed. */
export async function prefill(
  entries: ReadonlyMap<string, string>,
  revision: number,
): Promise<void> {
  if (!channel.listening) return;
  const values = [...entries].map(([entry, payload]) => ({ entry, revision, payload }));
  await changeShared(values).catch(() => undefined); // the first visit queries Postgres instead
}

/** Replays changes of writers that died or lost Redis. Returns their number. */
export async function sweepChanges(): Promise<number> {
  const left = await query<CacheChange>(sql`
    SELECT entry, revision
    FROM cache_change
    WHERE created_at < now() - ${sweepAgeMs} * interval '1 millisecond'
    ORDER BY revision
    LIMIT ${sweepMax}`);
  if (left.length > 0) await publishChanges(left);
  return left.length;
}

let sweeping: NodeJS.Timeout | undefined;

/** Starts the subscription and the replay in this process. */
export function openCoherence(): void {
  if (sweeping) return;
  openChannel();
  watchServers();
  let busy = false;
  sweeping = setInterval(() => {
    if (busy || !channel.listening) return;
    busy = true;
    republishRecent()
      .then(sweepChanges)
      .catch(() => undefined) // Postgres is unavailable; the next run finds the same rows
      .finally(() => {
        busy = false;
      });
  }, sweepEveryMs);
  onClose("coherence sweep", () => clearInterval(sweeping));
}
