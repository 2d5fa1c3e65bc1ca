/**
 * Changes that were written to Redis shortly before one of its servers was lost. The replica that takes over, or the
 * append-only file, may lack them, and would serve the earlier value until it expires. So the writer drops their entries
 * again; the next lookups query Postgres.
 */
import { onServerLost, redis } from "#lib/platform/redis";
import { changeShared } from "./shared.ts";

export interface CacheChange {
  entry: string;
  revision: number;
}

/** Longer than replicas of Redis are usually behind, and than its append-only file. */
const keptMs = 5_000;
const keptMax = 50_000;

let published: (CacheChange & { at: number })[] = [];
let isUnsure = false;

export function keepPublished(changes: readonly CacheChange[]): void {
  const at = performance.now();
  const oldest = (published.at(-1)?.at ?? at) - keptMs;
  if ((published[0]?.at ?? at) < oldest || published.length > keptMax) {
    published = published.filter((change) => change.at >= oldest).slice(-keptMax);
  }
  for (const { entry, revision } of changes) published.push({ entry, revision, at });
}

export function watchServers(): void {
  onServerLost(redis("cache"), () => {
    isUnsure = true;
  });
}

/** Drops the entries of recent changes if Redis may have lost them. Throws while it is away. */
export async function republishRecent(): Promise<void> {
  if (!isUnsure) return;
  await changeShared(
    published.map(({ entry, revision }) => ({ entry, revision, payload: undefined })),
  );
  isUnsure = false;
}
