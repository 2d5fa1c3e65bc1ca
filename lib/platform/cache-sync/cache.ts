/**
 * A bounded in-memory cache that is never stale for longer than a second.
 *
 * Lookups go from memory to Redis (if the cache has a codec) to Postgres. With a codec, most
 * entries in memory are packed texts. Each entry has one lookup at a time; lookups that arrive
 * during a Postgres query join the next one.
 *
 * An entry is *fresh* while its age is below the maximum (hits do not extend it) and its epoch is
 * the channel's. Otherwise it is looked up again, without Redis if its epoch has ended, because
 * Redis may have missed the same change. Only when Postgres does not answer either is an old value
 * served, for up to `staleMaxMs`, and only if the cache allows it for that value. If an entry is
 * invalidated during its lookup, the result is returned but not cached.
 *
 * Redis forgets an entry after an hour, which bounds the effect of a lost invalidation. An entry that
 * is in use is read from Postgres again shortly before, and nobody waits for that read.
 */
import { exposeCounters } from "#lib/platform/log";
import { Connection, readOn } from "#lib/platform/postgres";
import { findReplica, findReplicaInOutage, replicaCounters } from "#lib/platform/replicas";
import { BatchLoader, type LoadedValue } from "./batch-loader.ts";
import { channel, isUnchanged, onInvalidation, wasChanged } from "./channel.ts";
import { GenerationCache } from "./generation-cache.ts";
import { Outage } from "./outage.ts";
import { PackedCache, type PackedText, type Stamp } from "./packed-cache.ts";
import { endsWithin, fillShared, findShared, putMissing } from "./shared.ts";

export interface CacheOptions<T> {
  name?: string;
  /** A function, because a cache is created before the settings are read. */
  entriesMax: () => number;
  ageMaxMs: number;
  load: (entries: string[], on?: Connection) => Promise<Map<string, LoadedValue<T>>>;
  /** Replicas answer for entries without recent changes: before the primary, or only while it is away. */
  replicas?: "first" | "inOutage";
  /** Shares entries through Redis. Unreadable ones (undefined) are loaded from Postgres. */
  codec?: { encode: (value: T) => string; decode: (payload: string) => T | undefined };
  /** Whether an old value may be served while neither Redis nor Postgres answers. */
  mayServeStale?: (value: T) => boolean;
  /** Caches that query the same Postgres for the same visitors share one. */
  outage?: Outage;
}

interface CacheEntry<T> extends Stamp {
  value: T | undefined;
}

type Known<T> = CacheEntry<T> | PackedText;

interface Lookup<T> {
  promise: Promise<T | undefined>;
  invalidated: boolean;
}

/** Short, so that a new link is seen within a second. */
const missingAgeMs = 400;
/** Missing rows have their own cache, so that they cannot evict existing ones. */
const missingMax = 20_000;
/** This share of all entries is kept as values too. It is small, because most are rarely needed again. */
const valuesShare = 1 / 16;
const valuesMin = 2_000;
/** While no invalidation can arrive, entries live only this long. */
const unsubscribedAgeMs = 500;
const staleMaxMs = 3_600_000;

export class CoherentCache<T> {
  readonly counters = {
    hits: 0,
    sharedHits: 0,
    sharedErrors: 0,
    loads: 0,
    loadErrors: 0,
    missing: 0,
    stale: 0,
    invalidations: 0,
  };
  readonly #options: CacheOptions<T>;
  #entries: GenerationCache<CacheEntry<T>> | undefined;
  #texts: PackedCache | undefined;
  readonly #missing = new GenerationCache<CacheEntry<T>>(missingMax);
  readonly #lookups = new Map<string, Lookup<T>>();
  readonly #outage: Outage;
  readonly #primary: BatchLoader<T>;
  readonly #replica: BatchLoader<T>;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
    this.#outage = options.outage ?? new Outage();
    this.#primary = new BatchLoader<T>(
      (entries) => readOn(undefined, () => options.load(entries)),
      this.#outage,
      this.counters,
    );
    this.#replica = new BatchLoader<T>(async (entries) => {
      const replica = findReplica() ?? (await findReplicaInOutage());
      if (!replica) throw new Error("No replica is fresh");
      return await options.load(entries, new Connection(replica));
    }, new Outage());
    onInvalidation((entry) => this.#invalidate(entry));
    if (options.name) {
      exposeCounters(
        `cache_${options.name}`,
        `Lookups in the ${options.name} cache, by result.`,
        this.counters,
      );
    }
  }

  get size(): number {
    return (this.#texts ?? this.#known).size + this.#missing.size;
  }

  get #known(): GenerationCache<CacheEntry<T>> {
    this.#entries ??= this.#open();
    return this.#entries;
  }

  #open(): GenerationCache<CacheEntry<T>> {
    const max = this.#options.entriesMax();
    if (!this.#options.codec) return new GenerationCache(max);
    this.#texts = new PackedCache(max);
    return new GenerationCache(Math.min(max, Math.max(valuesMin, Math.floor(max * valuesShare))));
  }

  #find(name: string): Known<T> | undefined {
    return this.#known.get(name) ?? this.#texts?.get(name) ?? this.#missing.get(name);
  }

  #valueOf(entry: Known<T>): T | undefined {
    return "text" in entry ? this.#decode(entry.text) : entry.value;
  }

  #unpack(name: string, { text, epoch, keptAt, ageMaxMs }: PackedText): T | undefined {
    const value = this.#decode(text);
    if (value !== undefined) this.#known.set(name, { value, epoch, keptAt, ageMaxMs });
    return value;
  }

  /** Null: known to be missing. Undefined: must be looked up. */
  peek(name: string, now: number): T | null | undefined {
    const entry = this.#known.get(name);
    if (entry === undefined) return this.#peekOther(name, now);
    if (!isFresh(entry, now)) return undefined;
    this.counters.hits += 1;
    return entry.value;
  }

  #peekOther(name: string, now: number): T | null | undefined {
    const packed = this.#texts?.get(name);
    const entry = packed ?? this.#missing.get(name);
    if (entry === undefined || !isFresh(entry, now)) return undefined;
    const value = packed ? this.#unpack(name, packed) : null;
    if (value !== undefined) this.counters.hits += 1;
    return value;
  }

  /** Returns undefined if the entry is missing. Throws when neither store answers. */
  find(name: string): Promise<T | undefined> {
    const fresh = this.peek(name, Date.now());
    if (fresh !== undefined) return Promise.resolve(fresh === null ? undefined : fresh);
    const underway = this.#lookups.get(name);
    if (underway) return underway.promise;
    const lookup: Lookup<T> = { promise: Promise.resolve(undefined), invalidated: false };
    this.#lookups.set(name, lookup);
    lookup.promise = this.#lookUp(name, lookup);
    return lookup.promise;
  }

  async #lookUp(name: string, lookup: Lookup<T>): Promise<T | undefined> {
    const epoch = channel.epoch;
    const old = this.#find(name);
    try {
      if (this.#mayAskRedis(old)) {
        const found = await this.#askRedis(name, epoch, lookup);
        if (found && old && found.value !== undefined)
          void this.#renew(name).catch(() => undefined);
        if (found) return found.value;
      }
      const wasAway = this.#outage.isAway;
      const loading = this.#loadAndKeep(name, epoch, lookup);
      // Even the lookup that probes Postgres need not wait for it if there is an old value.
      if (wasAway && old && this.#servableOf(old) !== undefined) {
        loading.catch(() => undefined);
        throw new Error("PostgreSQL was unavailable a moment ago");
      }
      return await loading;
    } catch (error) {
      return this.#serveStale(old, error);
    } finally {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
    }
  }

  async #askRedis(
    name: string,
    epoch: number,
    lookup: Lookup<T>,
  ): Promise<{ value: T | undefined } | undefined> {
    const found = await findShared(name).catch(() => {
      this.counters.sharedErrors += 1;
    });
    const value = found?.payload === undefined ? undefined : this.#decode(found.payload);
    if (!found || (value === undefined && found.payload !== undefined)) return undefined;
    this.counters.sharedHits += 1;
    this.#keep(name, value, found.payload, epoch, lookup);
    return { value };
  }

  async #loadAndKeep(name: string, epoch: number, lookup: Lookup<T>): Promise<T | undefined> {
    const loaded = await this.#load(name);
    if (!loaded) this.counters.missing += 1;
    const text = loaded && this.#options.codec?.encode(loaded.value);
    this.#keep(name, loaded?.value, text, epoch, lookup);
    this.#fillShared(name, loaded, text);
    return loaded?.value;
  }

  /** A lookup like others: an invalidation during the read keeps its result out of memory, and its revision out of Redis. */
  async #renew(name: string): Promise<void> {
    if (!(await endsWithin(name, 2 * this.#options.ageMaxMs)) || this.#lookups.has(name)) return;
    const lookup: Lookup<T> = { promise: Promise.resolve(undefined), invalidated: false };
    this.#lookups.set(name, lookup);
    const old = this.#find(name);
    lookup.promise = this.#loadAndKeep(name, channel.epoch, lookup)
      .catch((error: unknown) => this.#serveStale(old, error))
      .finally(() => {
        if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
      });
    await lookup.promise;
  }

  /** Redis may have missed changes of an earlier epoch. */
  #mayAskRedis(old: Known<T> | undefined): boolean {
    if (!this.#options.codec || !channel.listening) return false;
    return old === undefined || old.epoch === channel.epoch;
  }

  #decode(payload: string): T | undefined {
    return this.#options.codec?.decode(payload);
  }

  #fillShared(name: string, loaded: LoadedValue<T> | undefined, text: string | undefined): void {
    if (!this.#options.codec || !channel.listening) return;
    if (loaded && text !== undefined) fillShared(name, loaded.revision, text);
    else putMissing(name).catch(() => undefined); // the next lookup queries Postgres again
  }

  #serveStale(old: Known<T> | undefined, error: unknown): T | undefined {
    const value = old && this.#servableOf(old);
    if (value === undefined) throw error;
    this.counters.stale += 1;
    return value;
  }

  #servableOf(old: Known<T>): T | undefined {
    if (Math.abs(Date.now() - old.keptAt) >= staleMaxMs) return undefined;
    const value = this.#valueOf(old);
    return value !== undefined && this.#options.mayServeStale?.(value) ? value : undefined;
  }

  #keep(
    name: string,
    value: T | undefined,
    text: string | undefined,
    epoch: number,
    lookup: Lookup<T>,
  ): void {
    if (lookup.invalidated) return;
    const ageMax = channel.listening ? this.#options.ageMaxMs : unsubscribedAgeMs;
    const keptAt = Date.now();
    if (value === undefined) {
      const ageMaxMs = Math.min(ageMax, missingAgeMs);
      this.#drop(name);
      this.#missing.set(name, { value, epoch, keptAt, ageMaxMs });
    } else {
      const entry = { value, epoch, keptAt, ageMaxMs: ageMax };
      this.#known.set(name, entry);
      if (text !== undefined) this.#texts?.set(name, text, entry);
    }
  }

  #invalidate(name: string): void {
    const lookup = this.#lookups.get(name);
    if (lookup) {
      lookup.invalidated = true;
      // Later callers must not join a lookup that may have read the old row.
      this.#lookups.delete(name);
    }
    const wasKnown = this.#drop(name);
    if (this.#missing.delete(name) || wasKnown || lookup) this.counters.invalidations += 1;
  }

  #drop(name: string): boolean {
    const wasKnown = this.#known.delete(name);
    const wasPacked = this.#texts?.delete(name) ?? false;
    return wasKnown || wasPacked;
  }

  async #load(entry: string): Promise<LoadedValue<T> | undefined> {
    const { replicas } = this.#options;
    if (replicas === undefined) return await this.#primary.load(entry);
    if (replicas === "first" && isUnchanged(entry) && findReplica()) {
      const found = await this.#replica.load(entry).catch(() => undefined);
      if (found) {
        replicaCounters.reads += 1;
        return found;
      }
      replicaCounters.toPrimary += 1;
    }
    try {
      return await this.#primary.load(entry);
    } catch (error) {
      // A row that a replica lacks may still exist, so "missing" counts only from the primary.
      const found = wasChanged(entry)
        ? undefined
        : await this.#replica.load(entry).catch(() => undefined);
      if (!found) throw error;
      replicaCounters.reads += 1;
      return found;
    }
  }
}

/** A clock that was set back makes the age unknown: then the entry is not fresh. */
function isFresh({ epoch, keptAt, ageMaxMs }: Stamp, now: number): boolean {
  return epoch === channel.epoch && Math.abs(now - keptAt) < ageMaxMs;
}
