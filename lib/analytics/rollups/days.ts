/**
 * Days of a workspace in its time zone: rolled from their slots once they are over, and kept after
 * the slots are dropped. The moment at which a day starts identifies it, so days of two zones can
 * coexist. When a workspace changes its zone, days that still have slots are rolled again, and
 * older ones keep the former zone. The day in between ends where the first day of the new zone
 * starts.
 */

import { dayMs } from "#lib/basics/time/schema";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type Day, dropDay, rollDay, rollRawDay } from "./day.ts";
import { wholeWorkspace } from "./dimensions.ts";
import { tryLockRollups } from "./lock.ts";
import { dropMonthsBehind, rollMonths } from "./months.ts";

export const slotsKeptDays = 93;
/** A new zone starts two days after the oldest slots, because days of two zones overlap. */
const rezonedDays = slotsKeptDays - 2;

const daysMax = 1_000;
const daysAtOnce = 100;

/** In the present zone of the workspace. Deleted workspaces have no days. */
export async function touchDay(tx: Connection, workspacePk: number, slot: Date): Promise<void> {
  await tx.query(sql`
    INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
    SELECT
      pk, date_trunc('day', ${slot}::timestamptz, zone),
      (date_trunc('day', ${slot}::timestamptz AT TIME ZONE zone) + interval '1 day') AT TIME ZONE zone,
      zone
    FROM workspace
    WHERE pk = ${workspacePk}
    ON CONFLICT (workspace_pk, start) DO UPDATE
    SET marks = touched_day.marks + 1`);
}

/** Rolls days that are over, and their months. Returns how many. Safe to run twice. */
export async function rollDays(now = new Date()): Promise<number> {
  await rezoneAll(now);
  let rolled = 0;
  while (rolled < daysMax) {
    let more = false;
    for (const day of await listTouchedDays(now)) {
      if (!(await transaction((tx) => rollTouchedDay(tx, day, now)))) continue;
      rolled += 1;
      more = true;
    }
    if (!more) break;
  }
  await rollMonths();
  return rolled;
}

function listTouchedDays(now: Date): Promise<Day[]> {
  // No index: one row per workspace visited today, and few touched slots.
  return query<Day>(sql`
    WITH waiting AS MATERIALIZED (
      SELECT workspace_pk, slot
      FROM analytics.touched_slot
    )
    SELECT day.workspace_pk AS "workspacePk", day.start, day.until, day.zone
    FROM analytics.touched_day AS day
    WHERE day.until <= ${now}
      AND NOT EXISTS (
        SELECT
        FROM waiting
        WHERE waiting.workspace_pk = day.workspace_pk
          AND waiting.slot >= day.start
          AND waiting.slot < day.until
      )
    ORDER BY day.start
    LIMIT ${daysAtOnce}`);
}

async function rollTouchedDay(tx: Connection, day: Day, now: Date): Promise<boolean> {
  if (!(await tryLockRollups(tx, day.workspacePk))) return false;
  const [touched] = await tx.query<{ marks: number }>(sql`
    SELECT marks
    FROM analytics.touched_day
    WHERE workspace_pk = ${day.workspacePk} AND start = ${day.start}`);
  if (!touched) return false;
  const fromSlots = day.start.getTime() >= now.getTime() - slotsKeptDays * dayMs;
  await (fromSlots ? rollDay(tx, day) : rollRawDay(tx, day));
  await tx.query(sql`
    DELETE FROM analytics.touched_day
    WHERE workspace_pk = ${day.workspacePk} AND start = ${day.start} AND marks = ${touched.marks}`);
  return true;
}

async function rezoneAll(now: Date): Promise<void> {
  const since = new Date(now.getTime() - rezonedDays * dayMs);
  const changed = await query<{ workspacePk: number; border: Date }>(sql`
    SELECT
      workspace.pk AS "workspacePk",
      (date_trunc('day', ${since}::timestamptz AT TIME ZONE workspace.zone) + interval '1 day')
        AT TIME ZONE workspace.zone AS border
    FROM workspace
    WHERE EXISTS (
      SELECT
      FROM analytics.rolled_day
      WHERE rolled_day.workspace_pk = workspace.pk
        AND rolled_day.zone <> workspace.zone
        AND rolled_day.start >= ${new Date(since.getTime() + 2 * dayMs)}
    ) OR EXISTS (
      SELECT
      FROM analytics.touched_day
      WHERE touched_day.workspace_pk = workspace.pk
        AND touched_day.zone <> workspace.zone
        AND touched_day.start >= ${new Date(since.getTime() + 2 * dayMs)}
    )`);
  for (const { workspacePk, border } of changed) {
    await transaction((tx) => rezone(tx, workspacePk, border));
  }
}

async function rezone(tx: Connection, workspacePk: number, border: Date): Promise<void> {
  if (!(await tryLockRollups(tx, workspacePk))) return;
  await dropMonthsBehind(tx, workspacePk, border);
  // The last day of the former zone ends where the new one starts.
  const [between] = await tx.query<Day>(sql`
    SELECT workspace_pk AS "workspacePk", start, ${border}::timestamptz AS until, zone
    FROM analytics.rolled_day
    WHERE workspace_pk = ${workspacePk} AND start < ${border} AND until > ${border}`);
  if (between) await rollDay(tx, between);
  const later = await tx.query<Day>(sql`
    DELETE FROM analytics.rolled_day
    WHERE workspace_pk = ${workspacePk} AND start >= ${border}
    RETURNING workspace_pk AS "workspacePk", start, until, zone`);
  for (const day of later) await dropDay(tx, day);
  await tx.query(
    sql`DELETE FROM analytics.touched_day WHERE workspace_pk = ${workspacePk} AND start >= ${border}`,
  );
  await touchDays(tx, workspacePk, border);
}

export async function touchDays(tx: Connection, workspacePk: number, since: Date): Promise<void> {
  // Answered by value_slot_of.
  await tx.query(sql`
    INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
    SELECT DISTINCT
      workspace.pk, date_trunc('day', slot.start, workspace.zone),
      (date_trunc('day', slot.start AT TIME ZONE workspace.zone) + interval '1 day')
        AT TIME ZONE workspace.zone,
      workspace.zone
    FROM analytics.value_slot AS slot
    JOIN workspace ON workspace.pk = slot.workspace_pk
    WHERE slot.workspace_pk = ${workspacePk}
      AND slot.link_pk = ${wholeWorkspace}
      AND slot.dimension = 'total'
      AND slot.start >= ${since}
    ON CONFLICT (workspace_pk, start) DO UPDATE
    SET marks = touched_day.marks + 1`);
}
