/**
 * Links with many clicks have stored values of their own; other links have few enough clicks to count on demand. A day with a
 * hundred clicks gives a link values for days (with fewer, a year is at most 36,500 clicks to count), a day with a hundred
 * thousand also for slots. A link never loses them.
 */
import { type Connection, sql } from "#lib/platform/postgres";
import { ofLinks, roll, selectValues, valueColumns, valueOrder } from "./dimensions.ts";

/** An object, so that a test can lower it. */
export const busyDay = { clicks: 100_000 };
const dailyClicksPerDay = 100;
const clicksPerSlotMin = 100;

interface RolledSlot {
  workspacePk: number;
  from: Date;
  until: Date;
}

export async function rollBusyLinks(tx: Connection, slot: RolledSlot): Promise<void> {
  const { workspacePk, from, until } = slot;
  // Answered by busy_link_workspace.
  const busy = await tx.query<{ link_pk: number }>(sql`
    SELECT link_pk
    FROM analytics.busy_link
    WHERE workspace_pk = ${workspacePk} AND slots_since <= ${from}`);
  const pks = busy.map(({ link_pk }) => link_pk);
  if (pks.length > 0) await insertValues(tx, workspacePk, pks, { from, until });
  for (const { linkPk, since } of await findNewlyBusy(tx, slot)) {
    await tx.query(sql`
      INSERT INTO analytics.busy_link (link_pk, workspace_pk, since, slots_since)
      VALUES (${linkPk}, ${workspacePk}, ${since}, ${since})
      ON CONFLICT (link_pk) DO UPDATE
      SET slots_since = EXCLUDED.slots_since`);
    await insertValues(tx, workspacePk, [linkPk], {
      from: since,
      until: await lastRolled(tx, workspacePk, until),
    });
  }
}

/** Slots are rolled in any order, so later ones may exist. */
async function lastRolled(tx: Connection, workspacePk: number, until: Date): Promise<Date> {
  // Answered by link_slot_workspace.
  const [row] = await tx.query<{ last: Date | null }>(sql`
    SELECT max(start) + interval '15 minutes' AS last
    FROM analytics.link_slot
    WHERE workspace_pk = ${workspacePk} AND start >= ${until}`);
  return row?.last ?? until;
}

/** Links whose day, in the zone of the workspace, became busy with this slot. */
function findNewlyBusy(
  tx: Connection,
  { workspacePk, from, until }: RolledSlot,
): Promise<{ linkPk: number; since: Date }[]> {
  // Answered by link_slot_workspace, then link_slot_pkey.
  return tx.query(sql`
    WITH day AS MATERIALIZED (
      SELECT date_trunc('day', ${from}::timestamptz, zone) AS start
      FROM workspace
      WHERE pk = ${workspacePk}
    ), visited AS MATERIALIZED (
      SELECT slot.link_pk, day.start
      FROM analytics.link_slot AS slot
      CROSS JOIN day
      WHERE slot.workspace_pk = ${workspacePk}
        AND slot.start = ${from}
        AND slot.clicks >= ${clicksPerSlotMin}
        AND (
          SELECT sum(today.clicks)
          FROM analytics.link_slot AS today
          WHERE today.workspace_pk = ${workspacePk}
            AND today.link_pk = slot.link_pk
            AND today.start >= day.start
            AND today.start < ${until}
        ) >= ${busyDay.clicks}
    )
    SELECT visited.link_pk AS "linkPk", visited.start AS since
    FROM visited
    WHERE NOT EXISTS (
      SELECT
      FROM analytics.busy_link
      WHERE busy_link.link_pk = visited.link_pk
        AND (busy_link.slots_since IS NOT NULL OR busy_link.workspace_pk <> ${workspacePk})
    )`);
}

/** Only for links with enough clicks. Earlier days stay without values. */
export async function recordDailyLinks(
  tx: Connection,
  workspacePk: number,
  start: Date,
): Promise<void> {
  // Answered by link_day_top and rolled_day_pkey.
  await tx.query(sql`
    INSERT INTO analytics.busy_link (link_pk, workspace_pk, since)
    SELECT
      link_pk, workspace_pk,
      greatest(
        start,
        (SELECT max(until) FROM analytics.rolled_day WHERE workspace_pk = ${workspacePk} AND start > ${start})
      )
    FROM analytics.link_day
    WHERE workspace_pk = ${workspacePk}
      AND start = ${start}
      AND clicks >= ${dailyClicksPerDay}
    ON CONFLICT (link_pk) DO NOTHING`);
}

async function insertValues(
  tx: Connection,
  workspacePk: number,
  pks: number[],
  { from, until }: { from: Date; until: Date },
): Promise<void> {
  const values = selectValues({
    start: "date_bin('15 minutes', at, 'epoch')",
    ...ofLinks,
    workspacePk: "$4::int",
    by: ["start", "link_pk"],
    workspace: "$4",
    from: "$2",
    until: "$3",
    links: "$1::bigint[]",
  });
  // Answered by click_link and click_block_values.
  await roll(tx, `INSERT INTO analytics.value_slot (${valueColumns}) ${values} ${valueOrder}`, [
    pks,
    from,
    until,
    workspacePk,
  ]);
}
