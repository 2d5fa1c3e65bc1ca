/** Analytics: clicks from the stream into tables, rollups derived from them, and the questions of charts. */

import { z } from "zod";
import { openPlaces } from "#lib/agents";
import { config } from "#lib/config";
import { dayOf, eraseOldDays } from "#lib/days";
import { query, sql } from "#lib/postgres";
import { defineJob, type JobDefinition } from "#lib/queue";
import { assertMay, type WorkspaceScope } from "#lib/workspaces";
import { drainShard } from "./ingest.ts";
import { dropDays, ensureDays } from "./partitions.ts";
import { seriesOf, totalsOf } from "./questions.ts";
import { rollSlots } from "./rollup.ts";
import type { Interval, Point, Totals } from "./schema.ts";

export type { Click } from "./enrich.ts";
export { writeHistory } from "./history.ts";

const ingestEveryMs = 1_000;
const rollEveryMs = 10_000;
const upkeepEveryMs = 3_600_000;
const daysAhead = 3;
const groupsKeptDays = 8;
const visitorsKeptDays = 2;

const nothing = z.object({});

/** Everything that keeps clicks in order by itself. */
export const analyticsJobs: JobDefinition<z.ZodType>[] = [
  defineJob({
    name: "clicks.ingest",
    schema: nothing,
    everyMs: ingestEveryMs,
    handle: () => ingestAll(),
  }),
  defineJob({
    name: "slots.roll",
    schema: nothing,
    everyMs: rollEveryMs,
    handle: () => rollSlots(),
  }),
  defineJob({
    name: "clicks.upkeep",
    schema: nothing,
    everyMs: upkeepEveryMs,
    handle: () => keepUp(),
  }),
];

/** Opens what ingest needs before its first click. */
export async function openAnalytics(): Promise<void> {
  await openPlaces();
  await keepUp();
}

/** Counts what waits in every shard. */
export async function ingestAll(): Promise<void> {
  const shards = Array.from({ length: config().FUXI_CLICK_SHARDS }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => drainShard(shard)));
}

/** Makes the days ahead, forgets secrets, groups and visitors whose time is over. Safe to run twice. */
export async function keepUp(now = Date.now()): Promise<void> {
  const dayMs = 86_400_000;
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => dayOf(now + ahead * dayMs));
  await ensureDays(days);
  await eraseOldDays(now);
  await query(
    sql`
      DELETE FROM analytics.click_group
      WHERE at < now() - ${groupsKeptDays} * interval '1 day'`,
  );
  await dropDays("visitor", dayOf(now - visitorsKeptDays * dayMs));
  await dropDays("click", dayOf(now - config().FUXI_CLICKS_KEPT_DAYS * dayMs));
}

/** Clicks of a link over time, with zeros. The zone defaults to the workspace's. */
export function getSeries(
  scope: WorkspaceScope,
  linkPk: number,
  asked: Interval,
  zone = scope.zone,
): Promise<Point[]> {
  assertMay(scope, "analytics.read");
  return seriesOf(scope.workspacePk, linkPk, asked, zone);
}

/** What was ever counted for a link. */
export function getTotals(scope: WorkspaceScope, linkPk: number): Promise<Totals> {
  assertMay(scope, "analytics.read");
  return totalsOf(scope.workspacePk, linkPk);
}
