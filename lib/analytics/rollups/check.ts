/** Compares rollups with their raw clicks, each in one snapshot, without touched slots. */
import { clicksOf } from "#lib/analytics/single-clicks";
import { extendTimeout, query, transaction } from "#lib/platform/postgres";
import type { Day } from "./day.ts";
import {
  linkColumns,
  ofLinks,
  ofWorkspace,
  roll,
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
  rows: number;
}

const bySlot = "date_bin('15 minutes', at, 'epoch')";

/** In one statement and pass, so that each shard of Citus compares its rows in one snapshot. */
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

/** `$3` is the workspace: Citus does not infer it from clicks, which are in two tables. */
const isRolled = (table: string, start: string) => `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = ${table}.workspace_pk
          AND touched_slot.workspace_pk = $3
          AND touched_slot.slot = ${start}
      )`;

/** `$1` is the workspace; the period is from `$2` to `$3`. */
const areRolled = (table: string) => `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = ${table}.workspace_pk
          AND touched_slot.workspace_pk = $1
          AND touched_slot.slot >= $2
          AND touched_slot.slot < $3
      )`;

export async function compareSlots(from: Date, until: Date): Promise<Difference[]> {
  const workspaces = await query<{ workspacePk: number }>(
    rollStatement(
      `SELECT workspace_pk AS "workspacePk" FROM ${clicksOf({ fields: ["workspace_pk"], from: "$1", until: "$2" })}
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
  const clicks = { workspace: "$3", from: "$1", until: "$2", where: isRolled("click", bySlot) };
  const keptSlots = (table: "link_slot" | "value_slot") => `
      SELECT *
      FROM analytics.${table}
      WHERE workspace_pk = $3 AND start >= $1 AND start < $2 AND ${isRolled(table, "start")}`;
  const links = compare(
    selectLinks({ ...clicks, start: bySlot }),
    keptSlots("link_slot"),
    linkColumns,
  );
  const fixed = { ...clicks, start: bySlot, workspacePk: "$3::int" };
  const everything = selectValues({ ...fixed, ...ofWorkspace, by: ["start"] });
  const busy = selectValues({
    ...fixed,
    ...ofLinks,
    by: ["start", "link_pk"],
    where: `${clicks.where} AND EXISTS (
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
  const parameters = [from, until, workspacePk];
  return [
    ...(await runComparison("link_slot", links, parameters, workspacePk)),
    ...(await runComparison("value_slot", values, parameters, workspacePk)),
  ];
}

export async function compareDay({ workspacePk, start, until, zone }: Day): Promise<Difference[]> {
  const clicks = { workspace: "$1", from: "$2", until: "$3", where: areRolled("click") };
  const fixed = { ...clicks, start: "$2::timestamptz", workspacePk: "$1::int" };
  const isWanted = `
      NOT EXISTS (SELECT 1 FROM analytics.touched_day WHERE workspace_pk = $1 AND start = $2)`;
  const links = compare(
    selectLinks(fixed),
    `SELECT *
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start = $2 AND ${areRolled("link_day")}`,
    linkColumns,
    isWanted,
  );
  const everything = selectValues({ ...fixed, ...ofWorkspace, by: [], zone: "$4" });
  const busy = selectValues({
    ...fixed,
    ...ofLinks,
    by: ["link_pk"],
    where: `${clicks.where} AND link_pk IN (${busySince})`,
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
  return [
    ...(await runComparison("link_day", links, [workspacePk, start, until], workspacePk)),
    ...(await runComparison("value_day", values, [workspacePk, start, until, zone], workspacePk)),
    ...(await runComparison("owner_day", owners, [workspacePk, start], workspacePk)),
  ];
}

const ownersAt = (table: "owner_day" | "owner_month") => `
      SELECT *
      FROM analytics.${table}
      WHERE workspace_pk = $1
        AND start = $2
        AND (clicks <> 0 OR bots <> 0)`;

/** Sums of deleted tags and folders are never read. */
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
  return [
    ...(await runComparison("link_month", links, [workspacePk, start, until], workspacePk)),
    ...(await runComparison(
      "value_month",
      values,
      [workspacePk, start, until, slotDimensions],
      workspacePk,
    )),
    ...(await runComparison("owner_month", owners, [workspacePk, start, until], workspacePk)),
  ];
}

/** Only links created after the oldest raw click, so that all of their clicks exist. */
export function compareStats(oldest: Date): Promise<Difference[]> {
  return runComparison(
    "link_stat",
    `SELECT link_stat.workspace_pk AS "workspacePk", NULL AS start, count(*) AS rows
      FROM link_stat
      JOIN link ON link.pk = link_stat.link_pk
      LEFT JOIN (
        SELECT
          link_pk, count(*) FILTER (WHERE NOT bot) AS clicks,
          count(*) FILTER (WHERE first_of_link) AS visitors,
          count(*) FILTER (WHERE qr AND NOT bot) AS scans, count(*) FILTER (WHERE bot) AS bots,
          max(at) FILTER (WHERE NOT bot) AS last_click_at
        FROM ${clicksOf({ fields: ["at", "link_pk", "bot", "qr", "first_of_link"] })}
        GROUP BY link_pk
      ) AS raw ON raw.link_pk = link_stat.link_pk
      WHERE link.created_at > $1
        AND (link_stat.clicks, link_stat.visitors, link_stat.scans, link_stat.bots)
          IS DISTINCT FROM (raw.clicks, raw.visitors, raw.scans, raw.bots)
      GROUP BY link_stat.workspace_pk`,
    [oldest],
  );
}

/** Locked against rolling, because marks and sums may be on different servers. */
async function runComparison(
  table: Difference["table"],
  text: string,
  values: unknown[],
  workspacePk?: number,
): Promise<Difference[]> {
  const rows = await transaction(async (tx) => {
    await extendTimeout(tx, rollTimeoutMs);
    if (workspacePk !== undefined) await lockRollups(tx, [workspacePk]);
    return await roll<Omit<Difference, "table">>(tx, text, values);
  });
  return rows.map((row) => ({ table, ...row }));
}
