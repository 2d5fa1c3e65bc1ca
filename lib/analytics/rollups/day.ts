/** Rolls one day of a workspace: from its slots, or from raw clicks if the slots were dropped. */
import { type Connection, extendTimeout, sql } from "#lib/platform/postgres";
import { recordDailyLinks } from "./busy.ts";
import {
  dayDimensions,
  linkColumns,
  ofLinks,
  ofWorkspace,
  roll,
  rollTimeoutMs,
  selectLinks,
  selectValues,
  slotDimensions,
  valueColumns,
  valueOrder,
  wholeWorkspace,
} from "./dimensions.ts";
import { touchMonth } from "./months.ts";
import { dropOwners, rollOwnersOfDay } from "./owners.ts";

export interface Day {
  workspacePk: number;
  start: Date;
  until: Date;
  zone: string;
}

const clicksOfDay = { workspace: "$1", from: "$2", until: "$3" } as const;

/** The caller holds the lock of the workspace. */
export async function rollDay(tx: Connection, day: Day): Promise<void> {
  await dropDay(tx, day);
  const { workspacePk, start, until, zone } = day;
  // Answered by link_slot_workspace.
  await roll(
    tx,
    `INSERT INTO analytics.link_day (${linkColumns})
    SELECT $2, link_pk, workspace_pk, sum(clicks), sum(visitors), sum(workspace_visitors),
      sum(scans), sum(bots)
    FROM analytics.link_slot
    WHERE workspace_pk = $1 AND start >= $2 AND start < $3
    GROUP BY link_pk, workspace_pk`,
    [workspacePk, start, until],
  );
  await rollOwnersOfDay(tx, workspacePk, start);
  await recordDailyLinks(tx, workspacePk, start);
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
  await roll(
    tx,
    `INSERT INTO analytics.value_day (${valueColumns})
    SELECT $2, link_pk, workspace_pk, dimension, sum(clicks), sum(visitors), sum(scans),
      sum(bots), value
    FROM analytics.value_slot
    WHERE ${ofDay}
      AND dimension = ANY($4::analytics.dimension[])
    GROUP BY link_pk, workspace_pk, dimension, value
    ORDER BY link_pk, dimension`,
    [workspacePk, start, until, slotDimensions],
  );
  await roll(
    tx,
    `INSERT INTO analytics.value_day (${valueColumns})
    SELECT $2, link_pk, workspace_pk, 'hour', sum(clicks), sum(visitors), sum(scans), sum(bots),
      to_char(start AT TIME ZONE $4, 'HH24') AS hour
    FROM analytics.value_slot
    WHERE ${ofDay}
      AND dimension = 'total'
    GROUP BY link_pk, workspace_pk, hour`,
    [workspacePk, start, until, zone],
  );
  const withoutSlots = "(slots_since IS NULL OR slots_since > $2)";
  await roll(tx, insertValuesOfLinks(withoutSlots), [workspacePk, start, until, zone]);
  await recordRolled(tx, day);
}

function insertValuesOfLinks(which: string): string {
  const values = selectValues({
    start: "$2::timestamptz",
    workspacePk: "$1::int",
    ...ofLinks,
    ...clicksOfDay,
    by: ["link_pk"],
    where: `link_pk IN (
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1 AND since <= $2 AND ${which}
        )`,
    zone: "$4",
  });
  return `INSERT INTO analytics.value_day (${valueColumns}) ${values} ${valueOrder}`;
}

const ownersOfValues = `
          SELECT ${wholeWorkspace}::bigint
          UNION ALL
          SELECT link_pk
          FROM analytics.busy_link
          WHERE workspace_pk = $1`;

/** For a day whose slots were dropped. The caller holds the lock of the workspace. */
export async function rollRawDay(tx: Connection, day: Day): Promise<void> {
  const { workspacePk, start, until, zone } = day;
  await dropDay(tx, day);
  const fixed = { ...clicksOfDay, start: "$2::timestamptz", workspacePk: "$1::int" };
  await roll(tx, `INSERT INTO analytics.link_day (${linkColumns}) ${selectLinks(fixed)}`, [
    workspacePk,
    start,
    until,
  ]);
  await rollOwnersOfDay(tx, workspacePk, start);
  await recordDailyLinks(tx, workspacePk, start);
  const everything = selectValues({ ...fixed, ...ofWorkspace, by: [], zone: "$4" });
  const insertEverything = `INSERT INTO analytics.value_day (${valueColumns}) ${everything} ${valueOrder}`;
  for (const text of [insertEverything, insertValuesOfLinks("true")]) {
    await roll(tx, text, [workspacePk, start, until, zone]);
  }
  await recordRolled(tx, day);
}

export async function dropDay(tx: Connection, { workspacePk, start }: Day): Promise<void> {
  await extendTimeout(tx, rollTimeoutMs);
  await tx.query(
    sql`DELETE FROM analytics.link_day WHERE workspace_pk = ${workspacePk} AND start = ${start}`,
  );
  await dropOwners(tx, "owner_day", workspacePk, start);
  await roll(
    tx,
    `DELETE FROM analytics.value_day
    WHERE workspace_pk = $1
      AND link_pk IN (${ownersOfValues})
      AND dimension = ANY($3::analytics.dimension[])
      AND start = $2`,
    [workspacePk, start, dayDimensions],
  );
}

async function recordRolled(
  tx: Connection,
  { workspacePk, start, until, zone }: Day,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO analytics.rolled_day (workspace_pk, start, until, zone)
    VALUES (${workspacePk}, ${start}, ${until}, ${zone})
    ON CONFLICT (workspace_pk, start) DO UPDATE
    SET until = EXCLUDED.until,
      zone = EXCLUDED.zone`);
  await touchMonth(tx, { workspacePk, start, zone });
}
