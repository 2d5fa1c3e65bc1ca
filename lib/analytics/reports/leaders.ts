/**
 * Finds the links or URLs with the most clicks in a period without adding up all of them. Each month and day of the period
 * contributes its leaders, in index order. A key that is in none of these lists has at most as many clicks as the last leaders of
 * all lists together. For a year of 100,000 links, this reads 6,000 rows and looks up each candidate, instead of reading a
 * million rows. If the leaders change from day to day, the lists may be too short to be certain. Then rows are marked as not
 * exact, and everything is added up.
 */

import { dimensionOf } from "#lib/analytics/dimensions/schema";
import type { Range } from "#lib/analytics/period-cover";
import { SqlValues, type Statement } from "#lib/platform/postgres";
import { branchesOf, countsLinks, inRanges, type StatementContext } from "./branches.ts";
import type { CountedRow } from "./counts.ts";
import type { ClickSelection, ClickSource, Parts } from "./source.ts";
import { nameUnknown } from "./statement.ts";

export interface Leader extends CountedRow {
  exact: boolean;
}

/** Each month and day contributes this multiple of the requested rows. */
const leadersFactor = 2;

/** Whether a query over the whole workspace has enough rows for leaders to pay off. */
export function hasLeaders(selection: ClickSelection, source: ClickSource, parts: Parts): boolean {
  const { key, values, links } = selection;
  // Leaders among URLs say nothing about sums without query parameters.
  if (key.by === "dimension" && key.base) return false;
  if (values.length + links.length > 0 || parts.months.length + parts.days.length === 0)
    return false;
  if (source.from === "links") return key.by === "link";
  return source.from === "values" && key.by === "dimension" && dimensionOf(key.dimension).wide;
}

export function writeLeaders(
  selection: ClickSelection,
  source: ClickSource,
  parts: Parts,
  { bots, limit }: { bots: boolean; limit: number },
): Statement {
  const parameters = new SqlValues();
  const context = { selection, parameters, bots };
  const rest = branchesOf(context, source, { ...parts, months: [], days: [] });
  const tables = [
    leaderTableOf(context, source, "month", parts.months),
    leaderTableOf(context, source, "day", parts.days),
  ].filter((table) => table !== undefined);
  const rows = parameters.place(limit, "int");
  const sum = (column: string) =>
    ["rest", ...tables.map(({ name }) => name)]
      .map((name) => `coalesce(${name}.${column}, 0)`)
      .join(" + ");
  const { key } = selection;
  const ofDimension = key.by === "dimension";
  const named = ofDimension ? nameUnknown(key.dimension, parameters, "key") : "key";
  // Unknown values share a row with values of that name, so both keys are always chosen.
  const alsoChosen = ofDimension
    ? `UNION
      SELECT unnest(ARRAY['', ${parameters.place(dimensionOf(key.dimension).unknown, "text")}])`
    : "";
  const text = `
    WITH head AS MATERIALIZED (${tables.map((table) => leadersOf(table, rows)).join("\n      UNION ALL\n")}
    ), rest AS MATERIALIZED (
      SELECT key, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      FROM (${rest.join("\n      UNION ALL\n")}
      ) AS part
      GROUP BY key
    ), seen AS MATERIALIZED (
      SELECT key, sum(clicks) AS least, sum(clicks - last) AS ahead
      FROM (
        SELECT key, clicks, last FROM head
        UNION ALL
        SELECT key, clicks::int, 0 FROM rest
      ) AS part
      GROUP BY key
    ), bound AS MATERIALIZED (
      SELECT
        coalesce((SELECT sum(last) FROM head WHERE place = 1), 0) AS unseen,
        coalesce((SELECT least FROM seen ORDER BY least DESC OFFSET ${rows} LIMIT 1), 0) AS wanted,
        coalesce((SELECT bool_and(complete) FROM head), true) AS complete
    ), chosen AS MATERIALIZED (
      SELECT seen.key
      FROM seen, bound
      WHERE bound.unseen + seen.ahead >= bound.wanted
      ${alsoChosen}
    ), counted AS (
      SELECT
        chosen.key, (${sum("clicks")})::bigint AS clicks, (${sum("visitors")})::bigint AS visitors,
        (${sum("bots")})::bigint AS bots
      FROM chosen
      LEFT JOIN rest ON rest.key = chosen.key
      ${tables.map(sumsOf).join("\n      ")}
    )
    SELECT
      ${named} AS key, sum(clicks)::bigint AS clicks, sum(visitors)::bigint AS visitors,
      sum(bots)::bigint AS bots,
      (SELECT complete OR wanted > unseen FROM bound) AS exact
    FROM counted
    WHERE clicks > 0 ${bots ? "OR bots > 0" : ""}
    GROUP BY 1
    ORDER BY clicks DESC, key
    LIMIT ${rows}`;
  return { text, values: parameters.list };
}

interface LeaderTable {
  name: "month" | "day";
  workspace: string;
  key: string;
  visitors: string;
  where: string;
  isKey: string;
  pieces: string;
  grain: string;
}

function leaderTableOf(
  { selection, parameters }: StatementContext,
  source: ClickSource,
  name: LeaderTable["name"],
  ranges: readonly Range[],
): LeaderTable | undefined {
  if (ranges.length === 0 || source.from === "raw") return undefined;
  const shared = {
    name,
    workspace: parameters.place(selection.workspacePk, "int"),
    pieces: inRanges("rolled.start", ranges, parameters),
    grain: inRanges("kept.start", ranges, parameters),
  };
  if (source.from === "links") {
    return {
      ...shared,
      key: "link_pk",
      visitors: countsLinks(selection) ? "visitors" : "workspace_visitors",
      where: "",
      isKey: "kept.link_pk = chosen.key",
    };
  }
  return {
    ...shared,
    key: "value",
    visitors: "visitors",
    where: `AND kept.link_pk = ${parameters.place(source.linkPk, "bigint")}
          AND kept.dimension = '${source.dimension}'`,
    isKey:
      "hashtextextended(kept.value, 0) = hashtextextended(chosen.key, 0) AND kept.value = chosen.key",
  };
}

function nameOf({ name, key }: LeaderTable): string {
  return `analytics.${key === "value" ? "value" : "link"}_${name}`;
}

/** Answered by link_day_top, value_day_top and their equivalents for months. */
function leadersOf(table: LeaderTable, rows: string): string {
  const { name, workspace, key, where, pieces } = table;
  return `
      SELECT
        first.key, first.clicks, row_number() OVER piece AS place,
        count(*) OVER piece < ${leadersFactor} * ${rows} AS complete,
        CASE WHEN count(*) OVER piece < ${leadersFactor} * ${rows} THEN 0 ELSE min(first.clicks) OVER piece END AS last
      FROM (
        SELECT rolled.start
        FROM analytics.rolled_${name} AS rolled
        ${pieces}
          AND rolled.workspace_pk = ${workspace}
      ) AS rolled
      CROSS JOIN LATERAL (
        SELECT ${key} AS key, clicks
        FROM ${nameOf(table)} AS kept
        WHERE kept.workspace_pk = ${workspace}
          ${where}
          AND kept.start = rolled.start
        ORDER BY kept.clicks DESC
        LIMIT ${leadersFactor} * ${rows}
      ) AS first
      WINDOW piece AS (PARTITION BY rolled.start)`;
}

/** Answered by link_day_pkey, value_day_hash and their equivalents for months. */
function sumsOf(table: LeaderTable): string {
  const { name, workspace, visitors, where, isKey, grain } = table;
  return `CROSS JOIN LATERAL (
        SELECT sum(clicks) AS clicks, sum(${visitors}) AS visitors, sum(bots) AS bots
        FROM ${nameOf(table)} AS kept
        ${grain}
          AND kept.workspace_pk = ${workspace}
          ${where}
          AND ${isKey}
      ) AS ${name}`;
}
