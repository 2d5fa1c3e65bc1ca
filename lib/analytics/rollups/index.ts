/** Rollups: clicks counted per quarter hour, day and month, derived from raw clicks. */
import { z } from "zod";
import { dropPartitions, ensurePartitions } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { defineJob, type JobDefinition } from "#lib/platform/queue";
import { compactDays, doAllReadBlocks, expireBlocks } from "./compaction.ts";
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
/** Longer than a transaction that gives a new link its first tag (analytics.note_tagged). */
const dayOverMs = 60_000;
const eraseEveryMs = 60_000;
const upkeepEveryMs = 3_600_000;
const compactEveryMs = 300_000;
/** Leaves time to others, since the first run after an upgrade finds a year of rows. */
const compactMaxMs = 120_000;
/** Partitions exist for this many days around the present. */
const daysAround = 8;

const emptyPayload = z.object({});

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
  defineJob({
    name: "clicks.compact",
    schema: emptyPayload,
    everyMs: compactEveryMs,
    handle: async () => {
      // defence: blocks-wait-for-readers
      if (!(await doAllReadBlocks())) return;
      await compactDays(Date.now(), Date.now() + compactMaxMs);
    },
  }),
];

/** Creates partitions ahead, and drops old slots and blocks. Safe to run twice. */
export async function maintainRollups(now = Date.now()): Promise<void> {
  const around = [now - daysAround * dayMs, now, now + daysAround * dayMs];
  await ensureRollups(around);
  await dropPartitions("link_slot", now - slotsKeptDays * dayMs);
  await dropPartitions("value_slot", now - slotsKeptDays * dayMs);
  const oldestClick = now - config().FUXI_CLICKS_KEPT_DAYS * dayMs;
  await dropPartitions("click_block", oldestClick);
  await expireBlocks(oldestClick);
}

/** Also creates the adjacent partitions, for other zones. */
export async function ensureRollups(moments: Iterable<number>): Promise<void> {
  const days = [...moments].flatMap((at) => [at - dayMs, at + dayMs]);
  await ensurePartitions(["link_slot", "value_slot", "link_day", "value_day"], days);
}

export async function countWaitingSlots(now = Date.now()): Promise<number> {
  const [row] = await query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM analytics.touched_slot
    WHERE slot <= ${new Date(now - 900_000)}`);
  return row?.count ?? 0;
}
