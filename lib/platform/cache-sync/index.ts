/**
 * Keeps links, domains and API keys the same in every process. A change writes `cache_change` rows
 * with a revision in its transaction (the outbox). After the commit the writer updates Redis,
 * notifies every process, and deletes them; rows of a dead writer are replayed.
 */
import { log } from "#lib/platform/log";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { onServerLost, redis } from "#lib/platform/redis";
import { nextRevision } from "#lib/platform/sequences";
import {
  announceSweep,
  broadcast,
  channel,
  invalidateHere,
  isSweepDue,
  openChannel,
} from "./channel.ts";
import { changeShared } from "./shared.ts";

export type { LoadedValue } from "./batch-loader.ts";
export { CoherentCache } from "./cache.ts";
export { channel } from "./channel.ts";
export { Outage } from "./outage.ts";

export interface CacheChange {
  entry: string;
  revision: number;
}

/** Longer than Redis replicas and the append-only file usually lag. */
const keptMs = 5_000;
const keptMax = 50_000;

let published: (CacheChange & { at: number })[] = [];
let isUnsure = false;

function keepPublished(changes: readonly CacheChange[]): void {
  const at = performance.now();
  const oldest = (published.at(-1)?.at ?? at) - keptMs;
  if ((published[0]?.at ?? at) < oldest || published.length > keptMax) {
    published = published.filter((change) => change.at >= oldest).slice(-keptMax);
  }
  for (const { entry, revision } of changes) published.push({ entry, revision, at });
}

function watchServers(): void {
  onServerLost(redis("cache"), () => {
    isUnsure = true;
  });
}

/** Drops the entries of recent changes if Redis may have lost them. Throws while Redis is away. */
async function republishRecent(): Promise<void> {
  if (!isUnsure) return;
  await changeShared(
    published.map(({ entry, revision }) => ({ entry, revision, payload: undefined })),
  );
  isUnsure = false;
}

/** Younger rows are left to their writer. */
const sweepAgeMs = 250;
const sweepMax = 500;

export function workspaceEntry(workspacePk: number): string {
  return `q:${workspacePk}`;
}

export function workspaceOfEntry(entry: string): number {
  return Number(entry.slice(2));
}

export const trustEntries = { bans: "bans", reputation: "reputation" } as const;

export function listsEntry(workspacePk: number | null): string {
  return `destinations:${workspacePk ?? 0}`;
}

export async function takeRevision(tx: Connection): Promise<number> {
  return await nextRevision(tx);
}

/** Writes the outbox rows of a change, in its transaction, with the revision of the changed row. */
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

/** Announces committed changes; `values` replaces entries. Never throws: the outbox is replayed. */
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
  await changeShared(values).catch(() => undefined);
}

export async function sweepChanges(): Promise<number> {
  const left = await query<CacheChange>({
    ...sql`
    SELECT entry, revision
    FROM cache_change
    WHERE created_at < now() - ${sweepAgeMs} * interval '1 millisecond'
    ORDER BY revision
    LIMIT ${sweepMax}`,
    name: "coherence.sweep",
  });
  if (left.length > 0) await publishChanges(left);
  return left.length;
}

let isOpen = false;

export function openCoherence(): void {
  if (isOpen) return;
  isOpen = true;
  watchServers();
  let busy = false;
  openChannel(() => {
    const isDue = isSweepDue();
    if (busy || !channel.listening || !(isUnsure || isDue)) return false;
    busy = true;
    republishRecent()
      .then(sweepInTurn)
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
    return isDue;
  });
}

/** One process sweeps for all. */
async function sweepInTurn(): Promise<void> {
  if (!isSweepDue()) return;
  await sweepChanges();
  await announceSweep();
}
