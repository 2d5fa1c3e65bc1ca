/** Rollups: clicks counted per quarter hour, day and month, derived from raw clicks. */

import { z } from "zod";
import { dropPartitions, ensurePartitions } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import { defineJob, type JobDefinition } from "#lib/platform/queue";
import { indexPastDays } from "./crossing.ts";
import { rollDays, slotsKeptDays } from "./days.ts";
import { eraseDue } from "./erasure.ts";
import { applyMoves } from "./owners.ts";
import { rollSlots } from "./roll.ts";

export type { Difference } from "./check.ts";
export { rollDays, slotsKeptDays } from "./days.ts";
export { expressions as rawExpressions, wholeWorkspace } from "./dimensions.ts";
export { eraseDue } from "./erasure.ts";
export { applyMoves } from "./owners.ts";
export { findDifferences, rebuild } from "./rebuild.ts";
export { rollPeriod, rollSlots } from "./roll.ts";

const rollEveryMs = 10_000;
/**
 * A day is rolled this long after its end: by then, no open transaction remains that gave its first tag to a link of
 * that day when it was seconds old (analytics.note_tagged).
 */
const dayOverMs = 60_000;
const eraseEveryMs = 60_000;
const upkeepEveryMs = 3_600_000;
/** Partitions are created for the given moment and this many days around it. */
const daysAround = 8;

const emptyPayload = z.object({});

/** The jobs that keep rollups up to date. */
export const rollupJobs: JobDefinition<z.ZodType>[] = [
  defineJob({
    name: "slots.roll",
    schema: emptyPayload,
    everyMs: rollEveryMs,
    handle: async () => {
      await rollSlots();
      await rollDays(new Date(Date.now() - dayOverMs));
      await applyMoves();
    },
  }),
  defineJob({
    name: "statistics.erase",
    schema: emptyPayload,
    everyMs: eraseEveryMs,
    handle: () => eraseDue(),
  }),
  defineJob({
    name: "rollups.upkeep",
    schema: emptyPayload,
    everyMs: upkeepEveryMs,
    handle: () => maintainRollups(),
  }),
];

/**
 * Creates the partitions ahead, drops those of slots whose days are kept, and indexes past clicks. Safe to run twice.
 */
export async function maintainRollups(now = Date.now()): Promise<void> {
  const around = [now - daysAround * dayMs, now, now + daysAround * dayMs];
  await ensureRollups(around);
  await dropPartitions("link_slot", now - slotsKeptDays * dayMs);
  await dropPartitions("value_slot", now - slotsKeptDays * dayMs);
  await indexPastDays(now);
}

/** Creates the partitions of slots and days for these moments, and the adjacent ones for other zones. */
export async function ensureRollups(moments: Iterable<number>): Promise<void> {
  const days = [...moments].flatMap((at) => [at - dayMs, at + dayMs]);
  await ensurePartitions(["link_slot", "value_slot", "link_day", "value_day"], days);
}

/** Number of finished slots that wait to be rolled. */
export async function countWaitingSlots(now = Date.now()): Promise<number> {
  const [row] = await query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM analytics.touched_slot
    WHERE slot <= ${new Date(now - 900_000)}`);
  return row?.count ?? 0;
}
