/**
 * Days of a workspace, in its reporting zone: rolled from their slots once they are over, kept when the slots are gone.
 * A day is named by the moment at which it begins, so that days of two zones can stand side by side: when a workspace
 * changes its zone, days that still have slots are rolled anew, and the older ones stay days of the former zone. The one
 * between them ends where the first day of the new zone begins.
 */

import { dayMs } from "#lib/analytics/time-slots";
import { allowTime, type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { noteKeptLinks } from "./busy.ts";
import {
  dayDimensions,
  linkColumns,
  rollTimeoutMs,
  selectLinks,
  selectValues,
  slotDimensions,
  slowly,
  valueColumns,
  valueOrder,
  wholeWorkspace,
} from "./dimensions.ts";
import { lockRolling } from "./lock.ts";
import { dropMonthsBehind, rollMonths, touchMonth } from "./months.ts";
import { dropOwners, rollOwnersOfDay } from "./owners.ts";

/** Slots of these days are there; their months are dropped later than that. */
export const slotsKeptDays = 93;
/** Where a new zone begins: two days later than the oldest slots, because days of two zones overlap. */
const rezonedDays = slotsKeptDays - 2;

const daysMax = 1_000;
const daysAtOnce = 100;

export interface Day {
  workspacePk: number;
  start: Date;
  until: Date;
  zone: string;
}

/** Marks the day of a slot, in the present zone of its workspace. A workspace that is gone has no days. */
export async function touchDay(tx: Connection, workspacePk: number, slot: Date): Promise<void> {
  await query(
    sql`
      INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
      SELECT
        pk,
        date_trunc('day', ${slot}::timestamptz, zone),
        (date_trunc('day', ${slot}::timestamptz AT TIME ZONE zone) + interval '1 day') AT TIME ZONE zone,
        zone
      FROM workspace
      WHERE pk = ${workspacePk}
      ON CONFLICT (workspace_pk, start) DO UPDATE
      SET marks = touched_day.marks + 1`,
    tx,
  );
}

/** Rolls touched days that are over and whose slots are rolled, and their months. Returns how many. Safe to run twice. */
export async function rollDays(now = new Date()): Promise<number> {
  await rezoneAll(now);
  let rolled = 0;
  while (rolled < daysMax) {
    let some = false;
    for (const day of await listTouchedDays(now)) {
      if (!(await transaction((tx) => rollTouchedDay(tx, day, now)))) continue;
      rolled += 1;
      some = true;
    }
    if (!some) break;
  }
  await rollMonths();
  return rolled;
}

function listTouchedDays(now: Date): Promise<Day[]> {
  // As many rows as workspaces were visited today: no index.
  return query<Day>(
    sql`
      SELECT day.workspace_pk AS "workspacePk", day.start, day.until, day.zone
      FROM analytics.touched_day AS day
      WHERE day.until <= ${now}
        AND NOT EXISTS (
          SELECT
          FROM analytics.touched_slot
          WHERE touched_slot.workspace_pk = day.workspace_pk
            AND touched_slot.slot >= day.start
            AND touched_slot.slot < day.until
        )
      ORDER BY day.start
      LIMIT ${daysAtOnce}`,
  );
}

async function rollTouchedDay(tx: Connection, day: Day, now: Date): Promise<boolean> {
  if (!(await lockRolling(tx, day.workspacePk))) return false;
  const [touched] = await query<{ marks: number }>(
    sql`
      SELECT marks
      FROM analytics.touched_day
      WHERE workspace_pk = ${day.workspacePk} AND start = ${day.start}`,
    tx,
  );
  if (!touched) return false;
  const fromSlots = day.start.getTime() >= now.getTime() - slotsKeptDays * dayMs;
  await (fromSlots ? rollDay(tx, day) : rollRawDay(tx, day));
  await query(
    sql`
      DELETE FROM analytics.touched_day
      WHERE workspace_pk = ${day.workspacePk} AND start = ${day.start} AND marks = ${touched.marks}`,
    tx,
  );
  return true;
}

/** Adds up the slots of a day. Whoever calls this holds the lock of the workspace. */
export async function rollDay(tx: Connection, day: Day): Promise<void> {
  await dropDay(tx, day);
  const { workspacePk, start, until, zone } = day;
  // Answered by link_slot_workspace.
  await query(
    slowly(
      `INSERT INTO analytics.link_day (${linkColumns})
      SELECT $2, link_pk, workspace_pk, sum(clicks), sum(visitors), sum(workspace_visitors),
        sum(scans), sum(bots)
      FROM analytics.link_slot
      WHERE workspace_pk = $1 AND start >= $2 AND start < $3
      GROUP BY link_pk, workspace_pk`,
      [workspacePk, start, until],
    ),
    tx,
  );
  await rollOwnersOfDay(tx, workspacePk, start);
  await noteKeptLinks(tx, workspacePk, start);
  // Both are answered by value_slot_of.
  const ofDay = `workspace_pk = $1
        AND link_pk IN (
          SELECT ${wholeWorkspace}::bigint
          UNION ALL
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1 AND slots_since <= $2
        )
        AND start >= $2
        AND start < $3`;
  await query(
    slowly(
      `INSERT INTO analytics.value_day (${valueColumns})
      SELECT $2, link_pk, workspace_pk, dimension, sum(clicks), sum(visitors), sum(scans),
        sum(bots), value
      FROM analytics.value_slot
      WHERE ${ofDay}
        AND dimension = ANY($4::analytics.dimension[])
      GROUP BY link_pk, workspace_pk, dimension, value
      ORDER BY link_pk, dimension`,
      [workspacePk, start, until, slotDimensions],
    ),
    tx,
  );
  await query(
    slowly(
      `INSERT INTO analytics.value_day (${valueColumns})
      SELECT $2, link_pk, workspace_pk, 'hour', sum(clicks), sum(visitors), sum(scans), sum(bots),
        to_char(start AT TIME ZONE $4, 'HH24') AS hour
      FROM analytics.value_slot
      WHERE ${ofDay}
        AND dimension = 'total'
      GROUP BY link_pk, workspace_pk, hour`,
      [workspacePk, start, until, zone],
    ),
    tx,
  );
  const withoutSlots = "(slots_since IS NULL OR slots_since > $2)";
  await query(slowly(insertValuesOfLinks(withoutSlots), [workspacePk, start, until, zone]), tx);
  await noteRolled(tx, day);
}

/** Counts the values of links in a day from their clicks. Answered by click_workspace, or for few links by click_link. */
function insertValuesOfLinks(which: string): string {
  const values = selectValues({
    start: "$2::timestamptz",
    workspacePk: "$1::int",
    linkPk: "link_pk",
    by: ["link_pk"],
    first: "first_of_link",
    where: `workspace_pk = $1
        AND at >= $2
        AND at < $3
        AND link_pk IN (
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1 AND since <= $2 AND ${which}
        )`,
    zone: "$4",
  });
  return `INSERT INTO analytics.value_day (${valueColumns}) ${values} ${valueOrder}`;
}

/** Who may have values: the workspace and its links with many clicks. */
const ownersOfValues = `
          SELECT ${wholeWorkspace}::bigint
          UNION ALL
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1`;

/** Counts a day whose slots are gone from its raw clicks, as far as they are there. */
export async function rollRawDay(tx: Connection, day: Day): Promise<void> {
  const { workspacePk, start, until, zone } = day;
  await dropDay(tx, day);
  const where = "workspace_pk = $1 AND at >= $2 AND at < $3";
  const fixed = { start: "$2::timestamptz", workspacePk: "$1::int" };
  // Answered by click_workspace.
  await query(
    slowly(`INSERT INTO analytics.link_day (${linkColumns}) ${selectLinks({ ...fixed, where })}`, [
      workspacePk,
      start,
      until,
    ]),
    tx,
  );
  await rollOwnersOfDay(tx, workspacePk, start);
  await noteKeptLinks(tx, workspacePk, start);
  const everything = selectValues({
    ...fixed,
    linkPk: `${wholeWorkspace}`,
    by: [],
    first: "first_of_workspace",
    where,
    zone: "$4",
  });
  const insertEverything = `INSERT INTO analytics.value_day (${valueColumns}) ${everything} ${valueOrder}`;
  for (const text of [insertEverything, insertValuesOfLinks("true")]) {
    await query(slowly(text, [workspacePk, start, until, zone]), tx);
  }
  await noteRolled(tx, day);
}

async function dropDay(tx: Connection, { workspacePk, start }: Day): Promise<void> {
  await allowTime(tx, rollTimeoutMs);
  await query(
    sql`DELETE FROM analytics.link_day WHERE workspace_pk = ${workspacePk} AND start = ${start}`,
    tx,
  );
  await dropOwners(tx, "owner_day", workspacePk, start);
  await query(
    slowly(
      `DELETE FROM analytics.value_day
      WHERE workspace_pk = $1
        AND link_pk IN (${ownersOfValues})
        AND dimension = ANY($3::analytics.dimension[])
        AND start = $2`,
      [workspacePk, start, dayDimensions],
    ),
    tx,
  );
}

async function noteRolled(tx: Connection, { workspacePk, start, until, zone }: Day): Promise<void> {
  await query(
    sql`
      INSERT INTO analytics.rolled_day (workspace_pk, start, until, zone)
      VALUES (${workspacePk}, ${start}, ${until}, ${zone})
      ON CONFLICT (workspace_pk, start) DO UPDATE
      SET until = EXCLUDED.until,
        zone = EXCLUDED.zone`,
    tx,
  );
  await touchMonth(tx, { workspacePk, start, zone });
}

/** Gives the days that still have slots to the new zone of workspaces that changed it. */
async function rezoneAll(now: Date): Promise<void> {
  const since = new Date(now.getTime() - rezonedDays * dayMs);
  const changed = await query<{ workspacePk: number; border: Date }>(
    sql`
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
      )`,
  );
  for (const { workspacePk, border } of changed) {
    await transaction((tx) => rezone(tx, workspacePk, border));
  }
}

async function rezone(tx: Connection, workspacePk: number, border: Date): Promise<void> {
  if (!(await lockRolling(tx, workspacePk))) return;
  await dropMonthsBehind(tx, workspacePk, border);
  // The last day of the former zone ends where the new one begins.
  const [between] = await query<Day>(
    sql`
      SELECT workspace_pk AS "workspacePk", start, ${border}::timestamptz AS until, zone
      FROM analytics.rolled_day
      WHERE workspace_pk = ${workspacePk} AND start < ${border} AND until > ${border}`,
    tx,
  );
  if (between) await rollDay(tx, between);
  const later = await query<Day>(
    sql`
      DELETE FROM analytics.rolled_day
      WHERE workspace_pk = ${workspacePk} AND start >= ${border}
      RETURNING workspace_pk AS "workspacePk", start, until, zone`,
    tx,
  );
  for (const day of later) await dropDay(tx, day);
  await query(
    sql`DELETE FROM analytics.touched_day WHERE workspace_pk = ${workspacePk} AND start >= ${border}`,
    tx,
  );
  await touchDays(tx, workspacePk, border);
}

/** Marks every day that has slots from a moment on, in the present zone of the workspace. */
export async function touchDays(tx: Connection, workspacePk: number, since: Date): Promise<void> {
  // Answered by value_slot_of.
  await query(
    sql`
      INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
      SELECT DISTINCT
        workspace.pk,
        date_trunc('day', slot.start, workspace.zone),
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
      SET marks = touched_day.marks + 1`,
    tx,
  );
}
