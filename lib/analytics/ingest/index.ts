/** Turns clicks of the stream into raw rows and link counters, exactly once. */
import { z } from "zod";
import {
  countWaitingSlots,
  ensureRollups,
  maintainRollups,
  rollPeriod,
} from "#lib/analytics/rollups";
import {
  dropPartitions,
  ensurePartitions,
  slotMs,
  withPartitions,
} from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { exposeGauges, tellStart } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { hasPriorities, onClose } from "#lib/platform/processes";
import { defineJob, type JobDefinition } from "#lib/platform/queue";
import { redis, redisKeys } from "#lib/platform/redis";
import { openDataCenters, openPlaces } from "#lib/platform/request-info";
import { dayOf, eraseOldSecrets } from "#lib/platform/visitor-salts";
import { drainShard, followShards } from "./drain.ts";
import type { Click } from "./enrich.ts";
import { forgetWorkers, ShardLeases } from "./leases.ts";
import { addToStats, insertRaw } from "./store.ts";
import type { FirstVisits } from "./visitors.ts";

export { type Click, unknownClick } from "./enrich.ts";

const ingestEveryMs = 1_000;
const drainMaxMs = 60_000;
const restMaxMs = 5_000;
const upkeepEveryMs = 3_600_000;
const daysAhead = 3;
const groupsKeptDays = 8;
const visitorsKeptDays = 2;

const emptyPayload = z.object({});

export const ingestJobs: JobDefinition<z.ZodType>[] = [
  defineJob({
    name: "clicks.ingest",
    schema: emptyPayload,
    everyMs: ingestEveryMs,
    handle: () => ingest(),
  }),
  defineJob({
    name: "clicks.upkeep",
    schema: emptyPayload,
    everyMs: upkeepEveryMs,
    handle: () => runUpkeep(),
  }),
];

export async function openIngest(): Promise<void> {
  await openPlaces();
  await openDataCenters(config().FUXI_DATA_CENTERS);
  await runUpkeep();
  await maintainRollups();
}

const ending = new AbortController();
let shared: ShardLeases | undefined;

function leases(): ShardLeases {
  shared ??= new ShardLeases(allShards());
  return shared;
}

async function ingest(): Promise<void> {
  await openDataCenters(config().FUXI_DATA_CENTERS);
  const { signal } = ending;
  await followShards(allShards(), leases(), { forMs: drainMaxMs, signal });
}

/** A running job ends after its batch. */
export function stopIngest(): void {
  ending.abort();
}

/** Counts the waiting clicks before a worker ends, and gives up its shards. */
export async function ingestRest(): Promise<void> {
  await followShards(allShards(), leases(), { forMs: restMaxMs });
  await leases().release();
}

export async function ingestAll(): Promise<void> {
  await Promise.all(allShards().map(drainShard));
}

function allShards(): number[] {
  return Array.from({ length: config().FUXI_CLICK_SHARDS }, (_, shard) => shard);
}

/** Creates partitions ahead and deletes expired data. Safe to run twice. */
export async function runUpkeep(now = Date.now()): Promise<void> {
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => now + ahead * dayMs);
  await ensurePartitions(["click", "visitor", "counted_visit"], days);
  await eraseOldSecrets(now);
  await query(sql`
    DELETE FROM analytics.click_group
    WHERE at < now() - ${groupsKeptDays} * interval '1 day'`);
  await forgetWorkers();
  await dropPartitions("visitor", now - visitorsKeptDays * dayMs);
  await dropPartitions("counted_visit", now - visitorsKeptDays * dayMs);
  await dropPartitions("click", now - config().FUXI_CLICKS_KEPT_DAYS * dayMs);
}

const batchMax = 5_000;

/** Writes past clicks of one workspace. They must be enriched, in order of time, and not yet counted. */
export async function writeHistory(
  workspacePk: number,
  clicks: readonly Click[],
  first: FirstVisits,
): Promise<void> {
  const [oldest, newest] = [clicks[0], clicks.at(-1)];
  if (!oldest || !newest) return;
  const days = [...new Set(clicks.map(({ event }) => dayOf(event.at)))].map((day) =>
    Date.parse(day),
  );
  // Past visitors are not counted again, so they need no partition.
  await ensureRollups(days);
  const write = async (tx: Connection) => {
    for (let from = 0; from < clicks.length; from += batchMax) {
      const to = from + batchMax;
      const part = { link: first.link.slice(from, to), workspace: first.workspace.slice(from, to) };
      await insertRaw(tx, clicks.slice(from, to), part);
      await addToStats(tx, clicks.slice(from, to), part);
    }
    const until = new Date(newest.slot + slotMs);
    await rollPeriod(tx, { workspacePk, from: new Date(oldest.slot), until });
  };
  await withPartitions(["click"], days, () => transaction(write));
}

interface Lag {
  entries: number;
  seconds: number;
  slots: number;
}

/** How far counting is behind, also while no worker runs. */
export async function readLag(now = Date.now()): Promise<Lag> {
  const lag = { entries: 0, seconds: 0, slots: await countWaitingSlots(now) };
  for (let shard = 0; shard < config().FUXI_CLICK_SHARDS; shard++) {
    const stream = redisKeys.clickStream(shard);
    lag.entries += await redis("clicks").xlen(stream);
    const [oldest] = await redis("clicks").xrange(stream, "-", "+", "COUNT", 1);
    // The id of an entry starts with the time at which Redis received it.
    if (oldest) lag.seconds = Math.max(lag.seconds, (now - Number.parseInt(oldest[0], 10)) / 1_000);
  }
  return lag;
}

const starvedFromSeconds = 30;
const starvationEveryMs = 10_000;

/**
 * Other programs can take nearly all CPU time from a process with low priority. If counting is far behind twice in a row,
 * `npm start` replaces this process by one with normal priority.
 */
export function watchStarvation(): void {
  if (!hasPriorities()) return;
  let wasBehind = false;
  const timer = setInterval(async () => {
    const { seconds } = await readLag().catch(() => ({ seconds: 0 }));
    const isBehind = seconds > starvedFromSeconds;
    if (isBehind && wasBehind) tellStart({ type: "starved" });
    wasBehind = isBehind;
  }, starvationEveryMs);
  onClose("starvation watch", () => clearInterval(timer));
}

exposeGauges("lag", "How far click counting lags behind, in entries, seconds and slots.", () =>
  readLag(),
);
