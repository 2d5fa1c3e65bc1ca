/**
 * From the stream to the tables, exactly once.
 *
 * A shard is read by the holder of its lease, and written by the holder of its row lock: the oldest entries, in one
 * transaction with everything derived from them and the ids of their groups. Only then are the entries deleted. A worker
 * that dies in between leaves entries whose groups are recorded, and reading them again changes nothing. There is no
 * position to save or to lose.
 *
 * While PostgreSQL writes a batch, the next one is read and enriched. That is speculative, since another worker may
 * write it first; the group ids make it harmless.
 *
 * A batch that the database refuses is cut in halves, and so is a group that is refused alone; clicks that cannot be
 * written become dead letters in the same transaction. Only values and constraints cause a refusal: a deadlock or a
 * full disk is not about a click, so the batch is tried again.
 */

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { bisectIn } from "#lib/platform/batches";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import type { ClickEvent } from "#lib/redirect/clicks";
import { type Click, enrich, isInTime, momentOf } from "./enrich.ts";
import { type GroupId, hasEntries, readEntries, type StreamEntry } from "./entries.ts";
import type { ShardLeases } from "./leases.ts";
import { findDestinations } from "./links.ts";
import { claimGroups, insertClicks, insertDead, lockShard, nameOfGroup } from "./store.ts";

/** A batch of at least this size makes it worth reading the next one ahead. */
const fullClicks = 4_000;
/** A drain that found this many clicks polls again soon; one that found fewer leaves the rest to the next job. */
const busyClicks = 100;
const lingerMs = 300;
const quietMs = 1_000;
const clicksPerTurn = 500;

const counters = { batches: 0, entries: 0, clicks: 0, bots: 0, dropped: 0, dead: 0, repeated: 0 };
exposeCounters("ingest", "Clicks read, counted, dropped and rejected by ingest.", counters);

/** An entry, prepared for writing. */
interface PreparedEntry {
  id: string;
  group: GroupId;
  clicks: Click[];
  dropped: number;
  dead: DeadLetter[];
  /** The group as a whole is unreadable, so it has no id to record. */
  unnamed: boolean;
}

interface DeadLetter {
  reason: string;
  event: string;
}

/** Counts all waiting entries of a shard. Returns their number. */
export async function drainShard(shard: number): Promise<number> {
  let total = 0;
  for (let next = prepare(shard); ; ) {
    const batch = await next;
    if (batch.length === 0) return total;
    next = prepare(shard, batch.at(-1)?.id);
    // However this loop ends, the batch that was read ahead is not awaited.
    next.catch(() => undefined);
    if (!(await write(shard, batch))) return total;
    total += batch.length;
  }
}

/**
 * Counts waiting entries of the shards that this worker leases, and new ones as long as any shard is busy, for `forMs` or
 * until the signal: then it pauses between batches, because a few large ones cost less than many small ones.
 */
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
      // Quiet shards are polled too while others are busy.
      if (busy.size > 0) await sleep(busy.has(shard) ? lingerMs : quietMs);
    } while (busy.size > 0 && !isOver());
    busy.delete(shard);
  };
  await Promise.all(shards.map(follow));
}

/** Counts batches up to the first that is not full. False: few clicks, or the shard is another worker’s. */
async function drainSome(
  shard: number,
  leases: ShardLeases,
  isOver: () => boolean,
): Promise<boolean> {
  // In this order: an idle instance does not renew leases.
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

/** Reads and enriches the next batch after an id. */
async function prepare(shard: number, behind?: string): Promise<PreparedEntry[]> {
  const entries = await readEntries(shard, behind);
  if (entries.length === 0) return [];
  const pks = new Set(entries.flatMap(({ events }) => events.map(({ linkPk }) => linkPk)));
  const destinations = await findDestinations(pks);
  const now = Date.now();
  for (const { events } of entries) {
    for (const event of events) event.at = momentOf(event.at, now);
  }
  // Before writing, so that no batch waits for a table.
  await ensurePartitions(["click", "visitor", "counted_visit"], daysOf(entries, now));
  const works: PreparedEntry[] = [];
  let clicks = 0;
  for (const entry of entries) {
    works.push(prepareEntry(entry, now, destinations));
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

type Destinations = Awaited<ReturnType<typeof findDestinations>>;

function prepareEntry(entry: StreamEntry, now: number, destinations: Destinations): PreparedEntry {
  const { id, group, events, salt, unreadable } = entry;
  const work: PreparedEntry = { id, group, clicks: [], dropped: 0, dead: [], unnamed: false };
  if (unreadable !== undefined) {
    return { ...work, unnamed: true, dead: [{ reason: unreadable, event: id }] };
  }
  for (const event of events) {
    try {
      const destination = destinations.get(event.linkPk);
      const enriched = enrich(event, { now, salt, destination });
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

/** Writes a batch and deletes its entries. False: another worker writes this shard. */
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

/** Stores a batch; of a group that the database refuses, whatever can be stored. */
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
  // Removed once seen: the same group may appear twice in one batch.
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

/** Stores what can be stored of a group that is refused as a whole. */
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
