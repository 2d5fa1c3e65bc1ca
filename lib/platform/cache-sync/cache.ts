/**
 * A bounded in-memory cache that is never stale for longer than a second.
 *
 * Memory → Redis (when the cache has a codec) → Postgres. With a codec, most of what is in memory is text. There is one
 * lookup per entry at a time; lookups that arrive during a Postgres query are batched into the next one, which does not wait
 * for a query that reads the disk, unless several do.
 *
 * An entry is *fresh* while its age is below the hard maximum (hits do not extend it) and its epoch is the channel's.
 * Otherwise it is looked up again; after the end of its epoch without Redis, which may be as old as the entry. Only
 * when Postgres does not answer either is an old value served, for `staleMaxMs`, and only if the cache allows it for
 * that value. A lookup that started before an invalidation of its entry is returned but not cached.
 */

import { exposeCounters } from "#lib/platform/log";
import { Connection, readOn } from "#lib/platform/postgres";
import { findReplica, findReplicaInOutage, replicaCounters } from "#lib/platform/replicas";
import { BatchLoader, type LoadedValue } from "./batch-loader.ts";
import { channel, isUnchanged, onInvalidation, wasChanged } from "./channel.ts";
import { GenerationCache } from "./generation-cache.ts";
import { Outage } from "./outage.ts";
import { PackedCache, type PackedText, type Stamp } from "./packed-cache.ts";
import { fillShared, findShared, putMissing } from "./shared.ts";

export interface CacheOptions<T> {
  /** Name of its metrics; undefined for a cache of a test. */
  name?: string;
  /** A function: a cache is created before the settings are read. */
  entriesMax: () => number;
  ageMaxMs: number;
  /** Loads many entries from Postgres at once; an entry absent from the result is missing. */
  load: (entries: string[], on?: Connection) => Promise<Map<string, LoadedValue<T>>>;
  /**
   * Whether replicas are asked, for entries that were not changed lately: before the primary, or while it does not
   * answer. Without it, the primary alone is asked.
   */
  replicas?: "first" | "inOutage";
  /** With a codec the entries are shared through Redis. An unreadable one (undefined) is loaded from Postgres. */
  codec?: { encode: (value: T) => string; decode: (payload: string) => T | undefined };
  /** Whether an old value may be served while neither Redis nor Postgres answers. */
  mayServeStale?: (value: T) => boolean;
  /** Shared by caches that query the same Postgres for the same visitors. */
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

/** A missing row is cached this long, so that a new link is seen within a second. */
const missingAgeMs = 400;
/** Missing rows have a cache of their own, so that they cannot evict existing ones. */
const missingMax = 20_000;
/**
 * With a codec, all entries are kept as its texts, and this share of them as values too. Most links are visited less
 * often than once in the age of an entry, and are then looked up again anyway.
 */
const valuesShare = 1 / 16;
const valuesMin = 2_000;
/** While no invalidation can arrive, everything is looked up again this often. */
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

  /** What is known of an entry, as a value or as text. */
  #find(name: string): Known<T> | undefined {
    return this.#known.get(name) ?? this.#texts?.get(name) ?? this.#missing.get(name);
  }

  #valueOf(entry: Known<T>): T | undefined {
    return "text" in entry ? this.#decode(entry.text) : entry.value;
  }

  /** Texts are decoded once, until the value is dropped. */
  #unpack(name: string, { text, epoch, keptAt, ageMaxMs }: PackedText): T | undefined {
    const value = this.#decode(text);
    if (value !== undefined) this.#known.set(name, { value, epoch, keptAt, ageMaxMs });
    return value;
  }

  /** The fresh value in memory; null when it is known to be missing, undefined when it must be looked up. */
  peek(name: string, now: number): T | null | undefined {
    const entry = this.#known.get(name);
    if (entry === undefined) return this.#peekOther(name, now);
    if (!isFresh(entry, now)) return undefined;
    this.counters.hits += 1;
    return entry.value;
  }

  /** The same for what is text, or known to be missing. */
  #peekOther(name: string, now: number): T | null | undefined {
    const packed = this.#texts?.get(name);
    const entry = packed ?? this.#missing.get(name);
    if (entry === undefined || !isFresh(entry, now)) return undefined;
    const value = packed ? this.#unpack(name, packed) : null;
    if (value !== undefined) this.counters.hits += 1;
    return value;
  }

  /** The value, or undefined when it is missing. Throws when neither store answers. */
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
        // Redis is unavailable or late: Postgres is queried.
        const found = await findShared(name).catch(() => {
          this.counters.sharedErrors += 1;
        });
        const value = found?.payload === undefined ? undefined : this.#decode(found.payload);
        if (found && (value !== undefined || found.payload === undefined)) {
          this.counters.sharedHits += 1;
          this.#keep(name, value, found.payload, epoch, lookup);
          return value;
        }
      }
      const wasAway = this.#outage.isAway;
      const loading = this.#loadAndKeep(name, epoch, lookup);
      // The lookup that probes Postgres need not wait for it either, if there is an old value.
      if (wasAway && old && this.#servableOf(old) !== undefined) {
        loading.catch(() => undefined); // still unavailable, as already reported
        throw new Error("PostgreSQL was unavailable a moment ago");
      }
      return await loading;
    } catch (error) {
      return this.#serveStale(old, error);
    } finally {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
    }
  }

  async #loadAndKeep(name: string, epoch: number, lookup: Lookup<T>): Promise<T | undefined> {
    const loaded = await this.#load(name);
    if (!loaded) this.counters.missing += 1;
    const text = loaded && this.#options.codec?.encode(loaded.value);
    this.#keep(name, loaded?.value, text, epoch, lookup);
    this.#fillShared(name, loaded, text);
    return loaded?.value;
  }

  /** Redis is queried only while the channel is subscribed, and not for an entry of an earlier epoch. */
  #mayAskRedis(old: Known<T> | undefined): boolean {
    if (!this.#options.codec || !channel.listening) return false;
    return old === undefined || old.epoch === channel.epoch;
  }

  /** Undefined for a payload of an older version: Postgres has more fields. */
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

  /** An old value, if it may be served unchecked. */
  #servableOf(old: Known<T>): T | undefined {
    if (Math.abs(Date.now() - old.keptAt) >= staleMaxMs) return undefined;
    const value = this.#valueOf(old);
    return value !== undefined && this.#options.mayServeStale?.(value) ? value : undefined;
  }

  /** `text`: the value as the codec writes it. */
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

  /** Whether the entry existed. */
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
      // A row that a replica lacks may exist: only the primary knows.
      const found = wasChanged(entry)
        ? undefined
        : await this.#replica.load(entry).catch(() => undefined);
      if (!found) throw error;
      replicaCounters.reads += 1;
      return found;
    }
  }
}

/** False also when the clock was set back by that much since: the age is unknown then. */
function isFresh({ epoch, keptAt, ageMaxMs }: Stamp, now: number): boolean {
  return epoch === channel.epoch && Math.abs(now - keptAt) < ageMaxMs;
}
