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

/** Rows of either side that the other side lacks, by slot. */
function compare(expected: string, kept: string, columns: string, ignored: string): string {
  return `
    WITH expected AS (${expected}), kept AS (${kept})
    SELECT workspace_pk AS "workspacePk", start, count(*) AS rows
    FROM (
      (SELECT ${columns} FROM expected EXCEPT ALL SELECT ${columns} FROM kept)
      UNION ALL
      (SELECT ${columns} FROM kept EXCEPT ALL SELECT ${columns} FROM expected)
    ) AS different
    WHERE ${ignored}
    GROUP BY workspace_pk, start
    ORDER BY start, workspace_pk`;
}

const isUntouched = `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = different.workspace_pk
          AND touched_slot.slot = different.start
      )`;

/** Compares the slots of a period. */
export async function compareSlots(from: Date, until: Date): Promise<Difference[]> {
  const where = "at >= $1 AND at < $2";
  const links = compare(
    selectLinks({ start: bySlot, where }),
    `SELECT * FROM analytics.link_slot WHERE start >= $1 AND start < $2`,
    linkColumns,
    isUntouched,
  );
  const workspaces = selectValues({
    start: bySlot,
    linkPk: `${wholeWorkspace}::bigint`,
    workspacePk: "workspace_pk",
    by: ["start", "workspace_pk"],
    first: "first_of_workspace",
    where,
  });
  const busy = selectValues({
    start: bySlot,
    linkPk: "link_pk",
    workspacePk: "workspace_pk",
    by: ["start", "link_pk", "workspace_pk"],
    first: "first_of_link",
    where: `${where} AND EXISTS (
        SELECT
        FROM analytics.busy_link
        WHERE busy_link.link_pk = click.link_pk
          AND busy_link.workspace_pk = click.workspace_pk
          AND busy_link.slots_since <= date_bin('15 minutes', at, 'epoch')
      )`,
  });
  const values = compare(
    `${workspaces} UNION ALL ${busy}`,
    `SELECT * FROM analytics.value_slot WHERE start >= $1 AND start < $2`,
    valueColumns,
    isUntouched,
  );
  return [
    ...(await runComparison("link_slot", rollStatement(links, [from, until]))),
    ...(await runComparison("value_slot", rollStatement(values, [from, until]))),
  ];
}

/** Compares a rolled day. */
export async function compareDay({ workspacePk, start, until, zone }: Day): Promise<Difference[]> {
  const where = "workspace_pk = $1 AND at >= $2 AND at < $3";
  const fixed = { start: "$2::timestamptz", workspacePk: "$1::int" };
  const ignored = `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_day
        WHERE touched_day.workspace_pk = different.workspace_pk
          AND touched_day.start = different.start
      ) AND NOT EXISTS (
        SELECT
        FROM analytics.touched_slot
        WHERE touched_slot.workspace_pk = different.workspace_pk
          AND touched_slot.slot >= $2
          AND touched_slot.slot < $3
      )`;
  const links = compare(
    selectLinks({ start: fixed.start, where }),
    `SELECT * FROM analytics.link_day WHERE workspace_pk = $1 AND start = $2`,
    linkColumns,
    ignored,
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
        AND (link_pk = ${wholeWorkspace} OR link_pk IN (${busySince}))`,
    valueColumns,
    ignored,
  );
  const owners = compare(
    sumsOfDay,
    ownersAt("owner_day"),
    ownerColumns,
    `${ignored} AND ${hasOwner}`,
  );
  return [
    ...(await runComparison("link_day", rollStatement(links, [workspacePk, start, until]))),
    ...(await runComparison("value_day", rollStatement(values, [workspacePk, start, until, zone]))),
    ...(await runComparison("owner_day", rollStatement(owners, [workspacePk, start, until]))),
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
      CASE kind
        WHEN 'tag' THEN EXISTS (SELECT FROM tag WHERE tag.pk = different.owner_pk)
        ELSE EXISTS (SELECT FROM folder WHERE folder.pk = different.owner_pk)
      END`;

const busySince = `
        SELECT link_pk
        FROM analytics.busy_link
        WHERE workspace_pk = $1 AND since <= $2`;

/** Compares a rolled month with its days, which were compared with raw clicks. */
export async function compareMonth({ workspacePk, start, until }: Month): Promise<Difference[]> {
  const ignored = `
      NOT EXISTS (
        SELECT
        FROM analytics.touched_month
        WHERE touched_month.workspace_pk = different.workspace_pk
          AND touched_month.start = different.start
      )`;
  const sums = (columns: string) =>
    columns.replace(/\b(clicks|visitors|workspace_visitors|scans|bots)\b/g, "sum($1)::int AS $1");
  const links = compare(
    `SELECT ${sums(linkColumns.replace("start", "$2::timestamptz AS start"))}
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start >= $2 AND start < $3
      GROUP BY link_pk, workspace_pk`,
    `SELECT * FROM analytics.link_month WHERE workspace_pk = $1 AND start = $2`,
    linkColumns,
    ignored,
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
    ignored,
  );
  const owners = compare(
    sumsOfMonth,
    ownersAt("owner_month"),
    ownerColumns,
    `${ignored} AND ${hasOwner}`,
  );
  return [
    ...(await runComparison("link_month", rollStatement(links, [workspacePk, start, until]))),
    ...(await runComparison(
      "value_month",
      rollStatement(values, [workspacePk, start, until, slotDimensions]),
    )),
    ...(await runComparison("owner_month", rollStatement(owners, [workspacePk, start, until]))),
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

async function runComparison(
  table: Difference["table"],
  statement: Statement,
): Promise<Difference[]> {
  const rows = await transaction(async (tx) => {
    await extendTimeout(tx, rollTimeoutMs);
    return await query<Omit<Difference, "table">>(statement, tx);
  });
  return rows.map((row) => ({ table, ...row }));
}
