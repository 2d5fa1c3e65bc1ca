/**
 * From the stream to the tables, exactly once.
 *
 * The holder of a shard's lease reads it, and the holder of its row lock writes it: the oldest entries, everything derived
 * from them and the ids of their groups, in one transaction. Only then are the entries deleted. If a worker dies in between,
 * the groups of the remaining entries are recorded, so reading them again changes nothing. There is no position to save or
 * to lose. While PostgreSQL writes a batch, the next one is read and prepared; if another worker writes it first, the group
 * ids make that harmless.
 *
 * A batch that the database refuses is split in half, and so is a group; clicks that cannot be written become dead letters in the
 * same transaction. Only values and constraints count as a refusal: after a deadlock or on a full disk, the batch is tried again.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { atMost } from "#lib/basics/bounds";
import { dayMs } from "#lib/basics/time/schema";
import { bisectIn } from "#lib/platform/batches";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import type { ClickEvent } from "#lib/redirect/clicks";
import { type IsOwnAddress, loadOwnNetworks } from "#lib/tenancy/own-networks";
import {
  type Click,
  type Destination,
  enrich,
  isInTime,
  momentOf,
  queryOf,
  readUtm,
} from "./enrich.ts";
import { type GroupId, hasEntries, readEntries, type StreamEntry } from "./entries.ts";
import type { ShardLeases } from "./leases.ts";
import { claimGroups, insertClicks, insertDead, lockShard, nameOfGroup } from "./store.ts";
import { arrayText, clean, urlMax } from "./text.ts";

/** The next batch is only read ahead after a batch of at least this size. */
const fullClicks = 4_000;
/** A drain that found this many clicks polls again soon; otherwise the next job does. */
const busyClicks = 100;
const lingerMs = 300;
const quietMs = 1_000;
const clicksPerTurn = 500;

const counters = { batches: 0, entries: 0, clicks: 0, bots: 0, dropped: 0, dead: 0, repeated: 0 };
exposeCounters("ingest", "Clicks read, counted, dropped and rejected by ingest.", counters);

interface PreparedEntry {
  id: string;
  group: GroupId;
  clicks: Click[];
  dropped: number;
  dead: DeadLetter[];
  /** The whole group is unreadable, so it has no id to record. */
  unnamed: boolean;
}

interface DeadLetter {
  reason: string;
  event: string;
}

export async function drainShard(shard: number): Promise<number> {
  let total = 0;
  for (let next = prepare(shard); ; ) {
    const batch = await next;
    if (batch.length === 0) return total;
    next = prepare(shard, batch.at(-1)?.id);
    // The loop may end without awaiting the batch that was read ahead.
    next.catch(() => undefined);
    if (!(await write(shard, batch))) return total;
    total += batch.length;
  }
}

/** Pauses between batches, because a few large ones cost less than many small ones. */
export async function followShards(
  shards: readonly number[],
  leases: ShardLeases,
  { forMs, signal }: { forMs: number; signal?: AbortSignal },
): Promise<void> {
  const busy = new Set(shards);
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > forMs || signal?.aborted === true;
  const follow = async (shard: number) => {
    do {
      if (await drainSome(shard, leases, isOver)) busy.add(shard);
      else busy.delete(shard);
      if (busy.size > 0) await sleep(busy.has(shard) ? lingerMs : quietMs);
    } while (busy.size > 0 && !isOver());
    busy.delete(shard);
  };
  await Promise.all(shards.map(follow));
}

/** Stops after a batch that is not full. False if there were few clicks, or no lock. */
async function drainSome(
  shard: number,
  leases: ShardLeases,
  isOver: () => boolean,
): Promise<boolean> {
  // In this order, so that an idle instance renews no leases.
  if (!((await hasEntries(shard)) && (await leases.holds(shard)))) return false;
  for (let next = prepare(shard); ; ) {
    const batch = await next;
    const clicks = batch.reduce((sum, one) => sum + one.clicks.length, 0);
    const isFull = clicks >= fullClicks;
    if (isFull) {
      next = prepare(shard, batch.at(-1)?.id);
      next.catch(() => undefined);
    }
    if (batch.length > 0 && !(await write(shard, batch))) return false;
    if (!isFull || isOver()) return clicks >= busyClicks;
  }
}

async function prepare(shard: number, behind?: string): Promise<PreparedEntry[]> {
  const entries = await readEntries(shard, behind);
  if (entries.length === 0) return [];
  const pks = new Set(entries.flatMap(({ events }) => events.map(({ linkPk }) => linkPk)));
  const [destinations, isOwnAddress] = await Promise.all([
    findDestinations(pks),
    loadOwnNetworks(),
  ]);
  const now = Date.now();
  for (const { events } of entries) {
    for (const event of events) event.at = momentOf(event.at, now);
  }
  // Before writing, so that no batch waits for a table.
  await ensurePartitions(["click", "visitor", "counted_visit"], daysOf(entries, now));
  const works: PreparedEntry[] = [];
  let clicks = 0;
  for (const entry of entries) {
    works.push(prepareEntry(entry, { now, destinations, isOwnAddress }));
    clicks += entry.events.length;
    // Lets other jobs of the worker run in between.
    if (clicks >= clicksPerTurn) {
      clicks = 0;
      await setImmediate();
    }
  }
  return works;
}

function daysOf(entries: readonly StreamEntry[], now: number): number[] {
  const days = new Set<number>();
  for (const { events } of entries) {
    for (const { at } of events) if (isInTime(at, now)) days.add(Math.floor(at / dayMs) * dayMs);
  }
  return [...days];
}

interface BatchContext {
  now: number;
  destinations: Awaited<ReturnType<typeof findDestinations>>;
  isOwnAddress: IsOwnAddress;
}

function prepareEntry(entry: StreamEntry, context: BatchContext): PreparedEntry {
  const { now, destinations, isOwnAddress } = context;
  const { id, group, events, salt, unreadable } = entry;
  const work: PreparedEntry = { id, group, clicks: [], dropped: 0, dead: [], unnamed: false };
  if (unreadable !== undefined) {
    return { ...work, unnamed: true, dead: [{ reason: unreadable, event: id }] };
  }
  for (const event of events) {
    try {
      const destination = destinations.get(event.linkPk);
      const enriched = enrich(event, { now, salt, destination, isOwnAddress });
      if ("click" in enriched) work.clicks.push(enriched.click);
      else work.dropped += 1;
    } catch (error) {
      work.dead.push({ reason: String(error), event: withoutAddress(event) });
    }
  }
  return work;
}

function withoutAddress({ address: _address, ...event }: ClickEvent): string {
  return JSON.stringify(event);
}

async function write(shard: number, batch: readonly PreparedEntry[]): Promise<boolean> {
  const written = await transaction(async (tx) => {
    if (!(await lockShard(tx, shard))) return false;
    await storeBatch(tx, batch);
    return true;
  });
  if (!written) return false;
  await redis("clicks").xdel(redisKeys.clickStream(shard), ...batch.map(({ id }) => id));
  counters.batches += 1;
  counters.entries += batch.length;
  return true;
}

/** If the database refuses a group, stores as much of it as possible. */
async function storeBatch(tx: Connection, batch: readonly PreparedEntry[]): Promise<void> {
  const outcomes = await bisectIn(tx, batch, async (part) => {
    await store(tx, part);
    return [...part];
  });
  for (const [at, work] of batch.entries()) if (!outcomes[at]?.ok) await storeClicks(tx, work);
}

async function store(tx: Connection, batch: readonly PreparedEntry[]): Promise<void> {
  const named = batch.filter(({ unnamed }) => !unnamed);
  const fresh = await claimGroups(
    tx,
    named.map(({ group }) => group),
  );
  // Deleted once seen: a batch may have the same group twice.
  // defence: click-group-once
  const unseen = named.filter(({ group }) => fresh.delete(nameOfGroup(group)));
  const clicks = unseen.flatMap((work) => work.clicks);
  await insertClicks(tx, clicks);
  const dead = [...batch.filter(({ unnamed }) => unnamed), ...unseen].flatMap((work) => work.dead);
  await insertDead(tx, dead);
  counters.repeated += named.length - unseen.length;
  counters.clicks += clicks.length;
  counters.bots += clicks.filter(({ botKind }) => botKind !== null).length;
  counters.dropped += unseen.reduce((sum, { dropped }) => sum + dropped, 0);
  counters.dead += dead.length;
}

async function storeClicks(tx: Connection, { group, clicks, dead }: PreparedEntry): Promise<void> {
  const fresh = await claimGroups(tx, [group]);
  if (fresh.size === 0) return;
  await insertDead(tx, dead);
  const outcomes = await bisectIn(tx, clicks, async (part) => {
    await insertClicks(tx, part);
    return [...part];
  });
  for (const [at, click] of clicks.entries()) {
    const outcome = outcomes[at];
    if (outcome?.ok) {
      counters.clicks += 1;
      continue;
    }
    const reason = String(outcome?.error);
    await insertDead(tx, [{ reason, event: withoutAddress(click.event) }]);
    counters.dead += 1;
    log.error({ event: "click.dead", error: reason });
  }
}

/** Clicks of an edited link may get its former URL for this long. */
const cachedMs = 5_000;
const cachedMax = 50_000;

interface CachedDestination {
  destination: Destination;
  until: number;
}

const cache = new LRUCache<number, CachedDestination>(atMost(cachedMax));

async function findDestinations(
  pks: Iterable<number>,
  now = Date.now(),
): Promise<Map<number, Destination>> {
  const found = new Map<number, Destination>();
  const missingPks: number[] = [];
  for (const pk of new Set(pks)) {
    const cached = cache.get(pk);
    if (!cached || cached.until < now) missingPks.push(pk);
    else found.set(pk, cached.destination);
  }
  if (missingPks.length > 0) await loadDestinations(missingPks, found, now + cachedMs);
  return found;
}

async function loadDestinations(
  pks: readonly number[],
  found: Map<number, Destination>,
  until: number,
): Promise<void> {
  const rows = await loadUrls(pks);
  for (const { pk, url: text, said } of rows) {
    const url = clean(text, urlMax);
    if (url === null) continue;
    const destination = { url, utm: readUtm(said ?? queryOf(url)) };
    cache.set(pk, { destination, until });
    found.set(pk, destination);
  }
}

interface UrlRow {
  pk: number;
  url: string | null;
  /** The campaign parameters, if `url` is cut off; otherwise null. */
  said: string | null;
}

function loadUrls(pks: readonly number[]): Promise<UrlRow[]> {
  // Answered by link_pkey.
  return query<UrlRow>(sql`
    SELECT
      pk, left(url, ${urlMax}) AS url,
      CASE WHEN length(url) > ${urlMax} THEN (
        SELECT coalesce(string_agg(said[1], '&'), '')
        FROM regexp_matches(url, '[?&](utm_[a-z]+=[^&#]*)', 'g') AS said
      ) END AS said
    FROM link
    WHERE pk = ANY(${arrayText(pks)}::bigint[])`);
}
