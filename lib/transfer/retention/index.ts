/**
 * Deletes what is kept no longer, by the one list of periods (periods.ts).
 *
 * Each table is read once a run, some blocks at a time, each part a transaction of its own: the sweep needs no index
 * that every insert would pay for, and blocks nobody for longer than a part takes.
 */
import { z } from "zod";
import { defineJob } from "#lib/platform/queue";
import { deadClickDays, sweptRows } from "./periods.ts";
import { sweepDeadClicks, sweepTable } from "./sweeping.ts";

export { privacyPeriods } from "./periods.ts";

const sweepEveryMs = 3_600_000;

/** Deletes everything that is due. Returns the number of rows. Safe to run twice. */
export async function sweep(now = new Date()): Promise<number> {
  let swept = 0;
  for (const rows of sweptRows) swept += await sweepTable(rows, now);
  return swept + (await sweepDeadClicks(deadClickDays, now));
}

export const retentionJobs = [
  defineJob({
    name: "retention.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => sweep(),
  }),
];
