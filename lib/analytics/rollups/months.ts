/**
 * Months of a workspace in its time zone: sums of their rolled days. A year of a value is then twelve rows instead of 366, and a
 * year of 100,000 links is one million rows instead of six million. The running month is rolled daily, so that only today is read
 * from elsewhere. A month with days of two zones is not rolled: it is read from its days.
 */

import { ensurePartitions } from "#lib/analytics/time-slots";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import {
  linkColumns,
  roll,
  rollTimeoutMs,
  slotDimensions,
  valueColumns,
  wholeWorkspace,
} from "./dimensions.ts";
import { tryLockRollups } from "./lock.ts";
import { dropOwners, rollOwnersOfMonth } from "./owners.ts";

const monthsAtOnce = 100;

export interface Month {
  workspacePk: number;
  start: Date;
  until: Date;
  zone: string;
}

export async function touchMonth(
  tx: Connection,
  { workspacePk, start, zone }: Omit<Month, "until">,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO analytics.touched_month (workspace_pk, start, until, zone)
    SELECT
      ${workspacePk}::int, date_trunc('month', ${start}::timestamptz, ${zone}),
      (date_trunc('month', ${start}::timestamptz AT TIME ZONE ${zone}) + interval '1 month')
        AT TIME ZONE ${zone},
      ${zone}::text
    ON CONFLICT (workspace_pk, start) DO UPDATE
    SET until = EXCLUDED.until,
      zone = EXCLUDED.zone`);
}

/** Safe to run twice, and in several workers. */
export async function rollMonths(): Promise<void> {
  for (let more = true; more; ) {
    more = false;
    for (const month of await listTouchedMonths()) {
      await ensurePartitions(["link_month", "value_month"], [month.start.getTime()]);
      if (await transaction((tx) => rollTouchedMonth(tx, month))) more = true;
    }
  }
}

function listTouchedMonths(): Promise<Month[]> {
  // No index: one row per workspace whose day was just rolled.
  return query<Month>(sql`
    SELECT workspace_pk AS "workspacePk", start, until, zone
    FROM analytics.touched_month
    ORDER BY start
    LIMIT ${monthsAtOnce}`);
}

/** False if it is no longer touched, or another worker rolls it. */
async function rollTouchedMonth(tx: Connection, month: Month): Promise<boolean> {
  const { workspacePk, start } = month;
  if (!(await tryLockRollups(tx, workspacePk))) return false;
  // Days are rolled under the same lock, so later touches of the month come after this.
  const touched = await tx.query(sql`
    DELETE FROM analytics.touched_month
    WHERE workspace_pk = ${workspacePk} AND start = ${start}
    RETURNING start`);
  if (touched.length === 0) return false;
  await rollMonth(tx, month);
  return true;
}

/** The caller holds the lock of the workspace. */
export async function rollMonth(tx: Connection, month: Month): Promise<void> {
  const { workspacePk, start, zone } = month;
  await extendTimeout(tx, rollTimeoutMs);
  await dropMonth(tx, month);
  const until = await lastRolledOf(tx, month);
  if (!until) return;
  const values = [workspacePk, start, until];
  // Answered by link_day_top.
  await roll(
    tx,
    `INSERT INTO analytics.link_month (${linkColumns})
    SELECT $2, link_pk, workspace_pk, sum(clicks), sum(visitors), sum(workspace_visitors),
      sum(scans), sum(bots)
    FROM analytics.link_day
    WHERE workspace_pk = $1 AND start >= $2 AND start < $3
    GROUP BY link_pk, workspace_pk`,
    values,
  );
  await rollOwnersOfMonth(tx, workspacePk, start, until);
  // Answered by value_day_top. Links whose values start within the month get no values for it.
  await roll(
    tx,
    `INSERT INTO analytics.value_month (${valueColumns})
    SELECT $2, link_pk, workspace_pk, dimension, sum(clicks), sum(visitors), sum(scans),
      sum(bots), value
    FROM analytics.value_day
    WHERE workspace_pk = $1
      AND link_pk IN (${ownersOfMonths})
      AND dimension = ANY($4::analytics.dimension[])
      AND start >= $2
      AND start < $3
    GROUP BY link_pk, workspace_pk, dimension, value
    ORDER BY link_pk, dimension`,
    [...values, slotDimensions],
  );
  await tx.query(sql`
    INSERT INTO analytics.rolled_month (workspace_pk, start, until, zone)
    VALUES (${workspacePk}, ${start}, ${until}, ${zone})`);
}

/** `$1` is the workspace, `$2` the start of the month. */
export const ownersOfMonths = `
          SELECT ${wholeWorkspace}::bigint
          UNION ALL
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1 AND since <= $2`;

async function lastRolledOf(
  tx: Connection,
  { workspacePk, start, until, zone }: Month,
): Promise<Date | undefined> {
  // Answered by rolled_day_pkey.
  const [days] = await tx.query<{ until: Date | null; uniform: boolean | null }>(sql`
    SELECT
      CASE WHEN ${until} <= now() THEN ${until}::timestamptz ELSE max(until) END AS until,
      bool_and(zone = ${zone}) AS uniform
    FROM analytics.rolled_day
    WHERE workspace_pk = ${workspacePk}
      AND start >= ${start}
      AND start < ${until}`);
  return days?.uniform && days.until ? days.until : undefined;
}

async function dropMonth(
  tx: Connection,
  { workspacePk, start }: Pick<Month, "workspacePk" | "start">,
): Promise<void> {
  await tx.query(
    sql`DELETE FROM analytics.link_month WHERE workspace_pk = ${workspacePk} AND start = ${start}`,
  );
  await dropOwners(tx, "owner_month", workspacePk, start);
  // Answered by value_month_top.
  await roll(
    tx,
    `DELETE FROM analytics.value_month
    WHERE workspace_pk = $1
      AND link_pk IN (
        SELECT ${wholeWorkspace}::bigint
        UNION ALL
        SELECT link_pk
        FROM analytics.busy_link
        WHERE workspace_pk = $1
      )
      AND dimension = ANY($3::analytics.dimension[])
      AND start = $2`,
    [workspacePk, start, slotDimensions],
  );
  await tx.query(
    sql`DELETE FROM analytics.rolled_month WHERE workspace_pk = ${workspacePk} AND start = ${start}`,
  );
}

/** From `border` on, the workspace has days of another zone. */
export async function dropMonthsBehind(
  tx: Connection,
  workspacePk: number,
  border: Date,
): Promise<void> {
  const months = await tx.query<{ start: Date }>(sql`
    SELECT start
    FROM analytics.rolled_month
    WHERE workspace_pk = ${workspacePk} AND until > ${border}`);
  for (const { start } of months) await dropMonth(tx, { workspacePk, start });
  await tx.query(
    sql`DELETE FROM analytics.touched_month WHERE workspace_pk = ${workspacePk} AND until > ${border}`,
  );
}
