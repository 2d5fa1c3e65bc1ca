/**
 * Clicks of tags and folders, by the links that they have now. For unfiltered queries, sums per day and month are
 * stored (lib/analytics/rollups/owners.ts); younger clicks and filters by link are joined with the links.
 */

import type { Range } from "#lib/analytics/period-cover";
import { type Statement, Values } from "#lib/platform/postgres";
import { branchesOf, type Writing, within } from "./branches.ts";
import type { Key, Parts, Question, Source } from "./source.ts";
import type { Shape } from "./statement.ts";

export function isOwned(key: Key): boolean {
  return key.by === "tag" || key.by === "folder";
}

/** Whether the stored sums answer a query. */
export function hasOwnerSums({ key, values, links }: Question): boolean {
  return isOwned(key) && values.length + links.length === 0;
}

/** Rows as from `writeStatement`. */
export function writeOwnerSums(
  question: Question,
  source: Source,
  parts: Parts,
  { bots, limit }: Shape,
): Statement {
  const parameters = new Values();
  const writing = { question, parameters, bots };
  const young = branchesOf(writing, source, { ...parts, months: [], days: [] });
  const kept = [
    ...keptBranches(writing, "month", parts.months),
    ...keptBranches(writing, "day", parts.days),
  ];
  const text = `
    WITH part AS (${young.join("\n      UNION ALL\n")}
    ), counted AS (
      SELECT owner.pk AS key, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      FROM part
      ${joinOwner(writing)}
      GROUP BY owner.pk
      ${kept.map((branch) => `UNION ALL ${branch}`).join("\n      ")}
    )
    SELECT
      owner.pk AS key,
      sum(clicks)::bigint AS clicks,
      sum(visitors)::bigint AS visitors,
      sum(bots)::bigint AS bots
    FROM counted
    JOIN ${question.key.by} AS owner ON owner.pk = counted.key
      AND owner.workspace_pk = ${parameters.place(question.workspacePk, "int")}
    GROUP BY owner.pk
    HAVING sum(clicks) > 0 ${bots ? "OR sum(bots) > 0" : ""}
    ORDER BY clicks DESC, key
    LIMIT ${parameters.place(limit, "int")}`;
  return { text, values: parameters.list };
}

/**
 * The stored sums, plus links that moved since. Answered by owner_day_pkey, moved_link_workspace and link_day_pkey and
 * their equivalents.
 */
function keptBranches(
  { question: { key, workspacePk }, parameters }: Writing,
  name: "month" | "day",
  ranges: readonly Range[],
): string[] {
  if (ranges.length === 0) return [];
  const workspace = parameters.place(workspacePk, "int");
  const pieces = within("kept.start", ranges, parameters);
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

/**
 * Links have several tags, and at most one folder. Few rows are answered by link_tag_pkey and link_pkey; many are
 * joined with all tags or links of the workspace at once and aggregated by these: adding up a million rows by link
 * first took twice as long.
 */
export function joinOwner({ question: { key, workspacePk }, parameters }: Writing): string {
  if (key.by === "tag") {
    return `JOIN link_tag ON link_tag.link_pk = part.key
    JOIN tag AS owner ON owner.pk = link_tag.tag_pk
      AND owner.workspace_pk = ${parameters.place(workspacePk, "int")}`;
  }
  if (key.by === "folder") {
    return `JOIN link ON link.pk = part.key
      AND link.workspace_pk = ${parameters.place(workspacePk, "int")}
    JOIN folder AS owner ON owner.pk = link.folder_pk`;
  }
  return "";
}
