/**
 * Ingest: clicks from the stream into raw rows and link counters, exactly once. Rollups are computed from raw rows in
 * lib/analytics/rollups; lib/analytics/reports lists all tables.
 */

import { z } from "zod";
import { maintainRollups } from "#lib/analytics/rollups";
import { dropPartitions, ensurePartitions } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { defineJob, type JobDefinition } from "#lib/platform/queue";
import { openDataCenters, openPlaces } from "#lib/platform/request-info";
import { eraseOldSecrets } from "#lib/platform/visitor-salts";
import { drainShard, followShards } from "./drain.ts";
import { forgetWorkers, ShardLeases } from "./leases.ts";

export { type Click, unknownClick } from "./enrich.ts";
export { writeHistory } from "./history.ts";
export { readLag } from "./lag.ts";

const ingestEveryMs = 1_000;
/** A job that keeps finding clicks ends after this time, or when its worker ends. */
const drainMaxMs = 60_000;
/** What waits is counted for this long before a worker ends: while visits go on there is always more. */
const restMaxMs = 5_000;
const upkeepEveryMs = 3_600_000;
const daysAhead = 3;
const groupsKeptDays = 8;
const visitorsKeptDays = 2;

const emptyPayload = z.object({});

/** The jobs that keep clicks in order. */
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

/** Opens the dependencies of ingest. */
export async function openIngest(): Promise<void> {
  await openPlaces();
  await openDataCenters(config().FUXI_DATA_CENTERS);
  await runUpkeep();
  await maintainRollups();
}

const ending = new AbortController();
let shared: ShardLeases | undefined;

/** Of this process. */
function leases(): ShardLeases {
  shared ??= new ShardLeases(allShards());
  return shared;
}

async function ingest(): Promise<void> {
  await openDataCenters(config().FUXI_DATA_CENTERS);
  const { signal } = ending;
  await followShards(allShards(), leases(), { forMs: drainMaxMs, signal });
}

/** Ends a job that counts after its batch. */
export function stopIngest(): void {
  ending.abort();
}

/** Counts what waits before a worker ends, and leaves its shards to others. */
export async function ingestRest(): Promise<void> {
  await followShards(allShards(), leases(), { forMs: restMaxMs });
  await leases().release();
}

/** Counts all waiting entries of every shard. */
export async function ingestAll(): Promise<void> {
  await Promise.all(allShards().map(drainShard));
}

function allShards(): number[] {
  return Array.from({ length: config().FUXI_CLICK_SHARDS }, (_, shard) => shard);
}

/** Creates partitions ahead and deletes expired secrets, groups, visitors and clicks. Safe to run twice. */
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
