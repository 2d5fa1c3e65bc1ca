/**
 * Clicks by tag and folder. All clicks of a link count for the tags and folder that it has now. Unfiltered queries use stored
 * sums.
 */

import type { Range } from "#lib/analytics/period-cover";
import { query, SqlValues, type Statement } from "#lib/platform/postgres";
import { branchesOf, inRanges, type StatementContext } from "./branches.ts";
import { searchRows } from "./searching.ts";
import type { ClickSelection, ClickSource, GroupKey, Parts } from "./source.ts";
import type { StatementOptions } from "./statement.ts";

export function isByOwner(key: GroupKey): boolean {
  return key.by === "tag" || key.by === "folder";
}

/** The tags or folders of a workspace, if clicks are grouped by these. */
export async function listOwners({ key, workspacePk }: ClickSelection): Promise<number[]> {
  if (!isByOwner(key)) return [];
  const rows = await query<{ pk: number }>({
    // Answered by tag_name or folder_name, which start with the workspace.
    text: `SELECT pk FROM ${key.by} WHERE workspace_pk = $1`,
    values: [workspacePk],
  });
  return rows.map(({ pk }) => pk);
}

export function hasOwnerSums({ key, values, links }: ClickSelection): boolean {
  return isByOwner(key) && values.length + links.length === 0;
}

export function writeOwnerSums(
  selection: ClickSelection,
  source: ClickSource,
  parts: Parts,
  { bots, limit, search, owners }: StatementOptions,
): Statement {
  const parameters = new SqlValues();
  const context = { selection, parameters, bots };
  const young = branchesOf(context, source, { ...parts, months: [], days: [] });
  const kept = [
    ...ownerBranches(context, "month", parts.months),
    ...ownerBranches(context, "day", parts.days),
  ];
  const rows = `
    WITH part AS (${young.join("\n      UNION ALL\n")}
    ), counted AS (
      SELECT ${ownerColumn(selection.key)} AS key, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      FROM part
      ${joinOwner(context, owners)}
      GROUP BY 1
      ${kept.map((branch) => `UNION ALL ${branch}`).join("\n      ")}
    )
    SELECT
      counted.key, sum(clicks)::bigint AS clicks, sum(visitors)::bigint AS visitors,
      sum(bots)::bigint AS bots
    FROM counted
    WHERE counted.key = ANY(${parameters.place(owners, "int[]")})
    GROUP BY counted.key
    HAVING sum(clicks) > 0 ${bots ? "OR sum(bots) > 0" : ""}`;
  const found = searchRows(rows, search, selection, parameters);
  const text = `${found}
    ORDER BY clicks DESC, key
    LIMIT ${parameters.place(limit, "int")}`;
  return { text, values: parameters.list };
}

/** Answered by owner_day_pkey, moved_link_workspace, link_day_pkey and their equivalents. */
function ownerBranches(
  { selection: { key, workspacePk }, parameters }: StatementContext,
  name: "month" | "day",
  ranges: readonly Range[],
): string[] {
  if (ranges.length === 0) return [];
  const workspace = parameters.place(workspacePk, "int");
  const pieces = inRanges("kept.start", ranges, parameters);
  return [
    `
      SELECT owner_pk, clicks, visitors, bots
      FROM analytics.owner_${name} AS kept
      ${pieces}
        AND kept.workspace_pk = ${workspace}
        AND kept.kind = '${key.by}'`,
    `
      SELECT moved.owner_pk, moved.step * kept.clicks, moved.step * kept.workspace_visitors, moved.step * kept.bots
      FROM analytics.moved_link AS moved
      JOIN analytics.link_${name} AS kept ON kept.link_pk = moved.link_pk
      ${pieces}
        AND kept.workspace_pk = ${workspace}
        AND moved.workspace_pk = ${workspace}
        AND moved.kind = '${key.by}'`,
  ];
}

/** Joins before adding up, because adding up a million rows by link first took twice as long. */
export function joinOwner(
  { selection: { key, workspacePk }, parameters }: StatementContext,
  owners: readonly number[],
): string {
  if (!isByOwner(key)) return "";
  const isOwned = `${ownerColumn(key)} = ANY(${parameters.place(owners, "int[]")})`;
  if (key.by === "tag") {
    return `JOIN link_tag ON link_tag.link_pk = part.key
      AND ${isOwned}`;
  }
  return `JOIN link ON link.pk = part.key
      AND link.workspace_pk = ${parameters.place(workspacePk, "int")}
      AND ${isOwned}`;
}

export function ownerColumn({ by }: GroupKey): string {
  return by === "tag" ? "link_tag.tag_pk" : "link.folder_pk";
}
