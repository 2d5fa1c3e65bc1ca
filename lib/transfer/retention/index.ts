/**
 * Deletes rows whose retention period is over. All periods are in one list (periods.ts).
 *
 * A run reads each table once, some blocks at a time, each in its own transaction. So the sweep needs no index that every
 * insert would pay for, and blocks nobody for longer than one such part takes.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { query, sql } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { deadClickDays, sweptRows } from "./periods.ts";

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

/** 16 MB. */
const blocksPerPart = 2_000;
const pauseMs = 20;

/** The sweep deletes rows this many days after the time in one of their columns. */
export interface SweptRows {
  table:
    | "announcement"
    | "bulk_job"
    | "demo_message"
    | "destination_check"
    | "factor_undo"
    | "instance_day"
    | "invitation"
    | "key_app"
    | "key_use"
    | "link_report"
    | "public_link"
    | "link_reuse"
    | "list_job"
    | "missed_day"
    | "missed_link"
    | "notice"
    | "phone_code"
    | "phone_code_hour"
    | "plan_warning"
    | "proof"
    | "quota_use"
    | "refused_job"
    | "report_delivery"
    | "session"
    | "webhook_event"
    | "webhook_outbox"
    | "wechat_code";
  column: string;
  days: number;
}

async function sweepTable({ table, column, days }: SweptRows, now: Date): Promise<number> {
  const [size] = await query<{ blocks: number }>(sql`
    SELECT pg_relation_size(${table}::regclass) / current_setting('block_size')::int AS blocks`);
  let swept = 0;
  for (let from = 0; from < (size?.blocks ?? 0); from += blocksPerPart) {
    if (from > 0) await sleep(pauseMs);
    swept += (
      await query({
        // A range of blocks; the names are from periods.ts.
        text: `
          DELETE FROM ${table}
          WHERE ctid >= $1::tid
            AND ctid < $2::tid
            AND ${column} < $3::timestamptz - $4 * interval '1 day'
          RETURNING 1`,
        values: [`(${from},0)`, `(${from + blocksPerPart},0)`, now, days],
      })
    ).length;
  }
  return swept;
}

async function sweepDeadClicks(days: number, now: Date): Promise<number> {
  // Answered by dead_click_pkey: they are in the order of their time, and few.
  const rows = await query(sql`
    DELETE FROM analytics.dead_click
    WHERE at < ${now}::timestamptz - ${days} * interval '1 day'
    RETURNING 1`);
  return rows.length;
}
