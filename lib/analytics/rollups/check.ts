/**
 * Compares rollups with their raw clicks. A difference is a slot, a day or a counter with another value; there must be
 * none. Each comparison is one statement with one snapshot, so that it is correct while clicks arrive; touched slots
 * that wait to be rolled are excluded.
 */
import { extendTimeout, query, type Statement, transaction } from "#lib/platform/postgres";
import type { Day } from "./day.ts";
import {
  linkColumns,
  rollStatement,
  rollTimeoutMs,
  selectLinks,
  selectValues,
  slotDimensions,
  valueColumns,
  wholeWorkspace,
} from "./dimensions.ts";
import { lockRollups } from "./lock.ts";
import { type Month, ownersOfMonths } from "./months.ts";
import { ownerColumns, sumsOfDay, sumsOfMonth } from "./owners.ts";

export interface Difference {
  table:
    | "link_slot"
    | "value_slot"
    | "link_day"
    | "value_day"
    | "link_month"
    | "value_month"
    | "owner_day"
    | "owner_month"
    | "link_stat";
  workspacePk: number;
  start: Date | null;
  /** Missing or superfluous rows. */
  rows: number;
}

const bySlot = "date_bin('15 minutes', at, 'epoch')";

/**
 * Rows of either side that the other side lacks, by slot. Both sides are counted together, one of them negatively: with
 * Citus, each shard then compares its own rows in one snapshot.
 */
function compare(expected: string, kept: string, columns: string, wanted = "true"): string {
  return `
    SELECT workspace_pk AS "workspacePk", start, sum(abs(balance))::bigint AS rows
    FROM (
      SELECT ${columns}, sum(side) AS balance
      FROM (
        SELECT ${columns}, 1 AS side
        FROM (${expected}) AS expected
        UNION ALL
        SELECT ${columns}, -1
        FROM (${kept}) AS kept
      ) AS side
      GROUP BY ${columns}
      HAVING sum(side) <> 0
    ) AS different
    WHERE ${wanted}
    GROUP BY workspace_pk, start
    ORDER BY start, workspace_pk`;
}

/** Whether a slot of a table is rolled. */
const isRolled = (table: string, start: string) => `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = ${table}.workspace_pk
          AND touched_slot.slot = ${start}
      )`;

/** Whether all slots of a period `$2` to `$3` are rolled. */
const areRolled = (table: string) => `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = ${table}.workspace_pk
          AND touched_slot.slot >= $2
          AND touched_slot.slot < $3
      )`;

/** Compares the slots of a period, workspace by workspace. */
export async function compareSlots(from: Date, until: Date): Promise<Difference[]> {
  const workspaces = await query<{ workspacePk: number }>(
    rollStatement(
      `SELECT workspace_pk AS "workspacePk" FROM analytics.click WHERE at >= $1 AND at < $2
  UNION
  SELECT workspace_pk FROM analytics.link_slot WHERE start >= $1 AND start < $2
  UNION
  SELECT workspace_pk FROM analytics.value_slot WHERE start >= $1 AND start < $2
  ORDER BY 1`,
      [from, until],
    ),
  );
  const found: Difference[] = [];
  for (const { workspacePk } of workspaces) {
    found.push(...(await compareSlotsOf(workspacePk, from, until)));
  }
  return found;
}

async function compareSlotsOf(workspacePk: number, from: Date, until: Date): Promise<Difference[]> {
  const where = `workspace_pk = $3 AND at >= $1 AND at < $2 AND ${isRolled("click", bySlot)}`;
  const keptSlots = (table: "link_slot" | "value_slot") => `
      SELECT *
      FROM analytics.${table}
      WHERE workspace_pk = $3 AND start >= $1 AND start < $2 AND ${isRolled(table, "start")}`;
  const links = compare(selectLinks({ start: bySlot, where }), keptSlots("link_slot"), linkColumns);
  const fixed = { start: bySlot, workspacePk: "$3::int" };
  const everything = selectValues({
    ...fixed,
    linkPk: `${wholeWorkspace}::bigint`,
    by: ["start"],
    first: "first_of_workspace",
    where,
  });
  const busy = selectValues({
    ...fixed,
    linkPk: "link_pk",
    by: ["start", "link_pk"],
    first: "first_of_link",
    where: `${where} AND EXISTS (
        SELECT
        FROM (
          SELECT link_pk, slots_since
          FROM analytics.busy_link
          WHERE workspace_pk = $3
        ) AS busy
        WHERE busy.link_pk = click.link_pk AND busy.slots_since <= ${bySlot}
      )`,
  });
  const values = compare(`${everything} UNION ALL ${busy}`, keptSlots("value_slot"), valueColumns);
  return [
    ...(await runComparison(
      "link_slot",
      rollStatement(links, [from, until, workspacePk]),
      workspacePk,
    )),
    ...(await runComparison(
      "value_slot",
      rollStatement(values, [from, until, workspacePk]),
      workspacePk,
    )),
  ];
}

/** Compares a rolled day. */
export async function compareDay({ workspacePk, start, until, zone }: Day): Promise<Difference[]> {
  const where = `workspace_pk = $1 AND at >= $2 AND at < $3 AND ${areRolled("click")}`;
  const fixed = { start: "$2::timestamptz", workspacePk: "$1::int" };
  const isWanted = `
      NOT EXISTS (SELECT 1 FROM analytics.touched_day WHERE workspace_pk = $1 AND start = $2)`;
  const links = compare(
    selectLinks({ start: fixed.start, where }),
    `SELECT *
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start = $2 AND ${areRolled("link_day")}`,
    linkColumns,
    isWanted,
  );
  const everything = selectValues({
    ...fixed,
    linkPk: `${wholeWorkspace}::bigint`,
    by: [],
    first: "first_of_workspace",
    where,
    zone: "$4",
  });
  const busy = selectValues({
    ...fixed,
    linkPk: "link_pk",
    by: ["link_pk"],
    first: "first_of_link",
    where: `${where} AND link_pk IN (${busySince})`,
    zone: "$4",
  });
  const values = compare(
    `${everything} UNION ALL ${busy}`,
    `SELECT *
      FROM analytics.value_day
      WHERE workspace_pk = $1
        AND start = $2
        AND ${areRolled("value_day")}
        AND (link_pk = ${wholeWorkspace} OR link_pk IN (${busySince}))`,
    valueColumns,
    isWanted,
  );
  const owners = compare(
    sumsOfDay,
    ownersAt("owner_day"),
    ownerColumns,
    `${isWanted} AND ${hasOwner}`,
  );
  const run = (table: Difference["table"], text: string, values: unknown[]) =>
    runComparison(table, rollStatement(text, values), workspacePk);
  return [
    ...(await run("link_day", links, [workspacePk, start, until])),
    ...(await run("value_day", values, [workspacePk, start, until, zone])),
    ...(await run("owner_day", owners, [workspacePk, start])),
  ];
}

const ownersAt = (table: "owner_day" | "owner_month") => `
      SELECT *
      FROM analytics.${table}
      WHERE workspace_pk = $1
        AND start = $2
        AND (clicks <> 0 OR bots <> 0)`;

/** Sums of a deleted tag or folder are never read. */
const hasOwner = `
      (kind, owner_pk) IN (
        SELECT 'tag'::analytics.owner_kind, pk FROM tag WHERE workspace_pk = $1
        UNION ALL
        SELECT 'folder', pk FROM folder WHERE workspace_pk = $1
      )`;

const busySince = `
        SELECT link_pk
        FROM analytics.busy_link
        WHERE workspace_pk = $1 AND since <= $2`;

/** Compares a rolled month with its days, which were compared with raw clicks. */
export async function compareMonth({ workspacePk, start, until }: Month): Promise<Difference[]> {
  const isWanted = `
      NOT EXISTS (SELECT 1 FROM analytics.touched_month WHERE workspace_pk = $1 AND start = $2)`;
  const sums = (columns: string) =>
    columns.replace(/\b(clicks|visitors|workspace_visitors|scans|bots)\b/g, "sum($1)::int AS $1");
  const links = compare(
    `SELECT ${sums(linkColumns.replace("start", "$2::timestamptz AS start"))}
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start >= $2 AND start < $3
      GROUP BY link_pk, workspace_pk`,
    `SELECT * FROM analytics.link_month WHERE workspace_pk = $1 AND start = $2`,
    linkColumns,
    isWanted,
  );
  const values = compare(
    `SELECT ${sums(valueColumns.replace("start", "$2::timestamptz AS start"))}
      FROM analytics.value_day
      WHERE workspace_pk = $1
        AND link_pk IN (${ownersOfMonths})
        AND dimension = ANY($4::analytics.dimension[])
        AND start >= $2
        AND start < $3
      GROUP BY link_pk, workspace_pk, dimension, value`,
    `SELECT *
      FROM analytics.value_month
      WHERE workspace_pk = $1
        AND link_pk IN (${ownersOfMonths})
        AND start = $2`,
    valueColumns,
    isWanted,
  );
  const owners = compare(
    sumsOfMonth,
    ownersAt("owner_month"),
    ownerColumns,
    `${isWanted} AND ${hasOwner}`,
  );
  const run = (table: Difference["table"], text: string, values: unknown[]) =>
    runComparison(table, rollStatement(text, values), workspacePk);
  return [
    ...(await run("link_month", links, [workspacePk, start, until])),
    ...(await run("value_month", values, [workspacePk, start, until, slotDimensions])),
    ...(await run("owner_month", owners, [workspacePk, start, until])),
  ];
}

/** Compares the counters of links that were created after the oldest raw click, which covers all of their clicks. */
export function compareStats(oldest: Date): Promise<Difference[]> {
  return runComparison(
    "link_stat",
    rollStatement(
      `SELECT link_stat.workspace_pk AS "workspacePk", NULL AS start, count(*) AS rows
      FROM link_stat
      JOIN link ON link.pk = link_stat.link_pk
      LEFT JOIN (
        SELECT
          link_pk,
          count(*) FILTER (WHERE NOT bot) AS clicks,
          count(*) FILTER (WHERE first_of_link) AS visitors,
          count(*) FILTER (WHERE qr AND NOT bot) AS scans,
          count(*) FILTER (WHERE bot) AS bots,
          max(at) FILTER (WHERE NOT bot) AS last_click_at
        FROM analytics.click
        GROUP BY link_pk
      ) AS raw ON raw.link_pk = link_stat.link_pk
      WHERE link.created_at > $1
        AND (link_stat.clicks, link_stat.visitors, link_stat.scans, link_stat.bots)
          IS DISTINCT FROM (raw.clicks, raw.visitors, raw.scans, raw.bots)
      GROUP BY link_stat.workspace_pk`,
      [oldest],
    ),
  );
}

/** Nothing of the workspace is rolled meanwhile: its marks and its sums may be on different servers. */
async function runComparison(
  table: Difference["table"],
  statement: Statement,
  workspacePk?: number,
): Promise<Difference[]> {
  const rows = await transaction(async (tx) => {
    await extendTimeout(tx, rollTimeoutMs);
    if (workspacePk !== undefined) await lockRollups(tx, [workspacePk]);
    return await tx.query<Omit<Difference, "table">>(statement);
  });
  return rows.map((row) => ({ table, ...row }));
}
