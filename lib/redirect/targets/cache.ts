import { CoherentCache, type LoadedValue, Outage } from "#lib/platform/cache-sync";
import type { Connection } from "#lib/platform/postgres";

export const entryAgeMaxMs = 60_000;

/** Shared, because one failing query is enough evidence for all caches. */
export const outage = new Outage();

interface VisitCache<T> {
  name: string;
  entriesMax: number;
  load: (entries: string[], on?: Connection) => Promise<Map<string, LoadedValue<T>>>;
}

/** Opens a cache in this process. Any replica may fill it, and old values are better than none. */
export function openCache<T>({ name, entriesMax, load }: VisitCache<T>): CoherentCache<T> {
  return new CoherentCache<T>({
    name,
    entriesMax: () => entriesMax,
    ageMaxMs: entryAgeMaxMs,
    load,
    mayServeStale: () => true,
    replicas: "first",
    outage,
  });
}
