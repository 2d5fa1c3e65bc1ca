/** The SQL of the sweep. */
import { setTimeout as sleep } from "node:timers/promises";
import { query, sql } from "#lib/platform/postgres";

/** 16 MB. */
const blocksPerPart = 2_000;
const pauseMs = 20;

/** Rows that the sweeper deletes this long after a moment of theirs. */
export interface SweptRows {
  table:
    | "announcement"
    | "bulk_job"
    | "factor_undo"
    | "instance_day"
    | "invitation"
    | "key_app"
    | "key_use"
    | "link_report"
    | "link_reuse"
    | "list_job"
    | "notice"
    | "phone_code"
    | "phone_code_hour"
    | "plan_warning"
    | "proof"
    | "quota_use"
    | "refused_job"
    | "session"
    | "webhook_event"
    | "webhook_outbox"
    | "wechat_code";
  column: string;
  days: number;
}

export async function sweepTable({ table, column, days }: SweptRows, now: Date): Promise<number> {
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

export async function sweepDeadClicks(days: number, now: Date): Promise<number> {
  // Answered by dead_click_pkey: they are in the order of their time, and few.
  const rows = await query(sql`
    DELETE FROM analytics.dead_click
    WHERE at < ${now}::timestamptz - ${days} * interval '1 day'
    RETURNING 1`);
  return rows.length;
}
