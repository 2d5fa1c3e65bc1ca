/** The parts of a statement: one SELECT per table. */
import { dimensionOf } from "#lib/analytics/dimensions/schema";
import type { Range } from "#lib/analytics/period-cover";
import { rawExpressions } from "#lib/analytics/rollups";
import type { ClickField } from "#lib/analytics/single-clicks";
import { peekLinksApart } from "#lib/links/distribution";
import type { SqlValues } from "#lib/platform/postgres";
import { clicksIn, columnsOf, withoutNamed } from "./clicks.ts";
import type { Conditions, LinkCondition, ValueCondition } from "./filters.ts";
import {
  type ClickSelection,
  type ClickSource,
  type GroupKey,
  type Ranges,
  singleLinkOf,
} from "./source.ts";

export interface StatementContext {
  selection: ClickSelection;
  parameters: SqlValues;
  bots: boolean;
}

export function branchesOf(
  context: StatementContext,
  source: ClickSource,
  parts: Ranges,
): string[] {
  const grain = [
    ["month", parts.months],
    ["day", parts.days],
    ["slot", parts.slots],
  ] as const;
  const branches = [
    ...grain.map(([table, ranges]) => rollupBranch(context, source, table, ranges)),
    rawBranch(context, source, parts.raw),
  ].filter((branch) => branch !== undefined);
  return branches.length > 0
    ? branches
    : [rawBranch(context, source, [{ from: 0, until: 0 }]) ?? ""];
}

type RollupGrain = "month" | "day" | "slot";

function rollupBranch(
  context: StatementContext,
  source: ClickSource,
  grain: RollupGrain,
  ranges: readonly Range[],
): string | undefined {
  if (source.from === "values") return valueBranch(context, source, grain, ranges);
  if (source.from === "links") return linkBranch(context, source.links, grain, ranges);
  return undefined;
}

/** Answered by value_slot_of, value_day_top or value_month_top. */
function valueBranch(
  context: StatementContext,
  { dimension, linkPk }: Extract<ClickSource, { from: "values" }>,
  grain: RollupGrain,
  ranges: readonly Range[],
): string | undefined {
  if (ranges.length === 0) return undefined;
  const { selection, parameters } = context;
  const { key, values, workspacePk } = selection;
  const name = key.by === "hour" && grain === "day" ? "hour" : dimension;
  const conditions = values.map((condition) => valueCondition(condition, "value", parameters));
  return `
      SELECT
        ${keyOf(key, { start: startOf(grain), value: "value", link: "link_pk", grain })} AS key,
        clicks,
        visitors,
        bots
      FROM analytics.value_${grain} AS kept
      ${inRanges("kept.start", ranges, parameters)}
      ${allOf([
        `kept.workspace_pk = ${parameters.place(workspacePk, "int")}`,
        `kept.link_pk = ${parameters.place(linkPk, "bigint")}`,
        `kept.dimension = '${name}'`,
        ...conditions,
      ])}`;
}

/** Answered by link_slot_workspace, link_day_top, link_month_top or the primary keys of these. */
function linkBranch(
  context: StatementContext,
  links: readonly LinkCondition[],
  grain: RollupGrain,
  ranges: readonly Range[],
): string | undefined {
  if (ranges.length === 0) return undefined;
  const { selection, parameters } = context;
  const { key, workspacePk } = selection;
  const { joins, conditions } = linkFilter(links, "kept.link_pk", workspacePk, parameters);
  const visitors = countsLinks(selection) ? "visitors" : "workspace_visitors";
  return `
      SELECT
        ${keyOf(key, { start: startOf(grain), value: "''", link: "link_pk", grain })} AS key,
        clicks,
        ${visitors} AS visitors,
        bots
      FROM analytics.link_${grain} AS kept
      ${joins}
      ${inRanges("kept.start", ranges, parameters)}
      ${allOf([`kept.workspace_pk = ${parameters.place(workspacePk, "int")}`, ...conditions])}`;
}

/** Reads single clicks. */
function rawBranch(
  context: StatementContext,
  source: ClickSource,
  ranges: readonly Range[],
): string | undefined {
  if (ranges.length === 0) return undefined;
  const { selection, parameters, bots } = context;
  const { key, values, workspacePk } = selection;
  const byLinks = source.from === "links";
  const links = byLinks ? source.links : selection.links;
  const request = byLinks ? [] : values;
  const onLinks = linkFilter(links, "click.link_pk", workspacePk, parameters);
  const conditions = [
    ...withoutNamed(request).map((condition) => rawCondition(condition, parameters)),
    ...onLinks.conditions,
    ...(bots ? [] : ["NOT click.bot"]),
  ];
  const value = key.by === "dimension" ? rawExpressions[key.dimension] : "''";
  const first = countsLinks(selection) ? "first_of_link" : "first_of_workspace";
  const asked = { workspacePk, values: request, links };
  return `
      SELECT
        ${keyOf(key, { start: "click.at", value, link: "click.link_pk", grain: "slot" })} AS key,
        ${bots ? "(NOT click.bot)::int" : "1"} AS clicks,
        click.${first}::int AS visitors,
        ${bots ? "click.bot::int" : "0"} AS bots
      FROM ${clicksIn(ranges, ["bot", first, ...fieldsOf(key, asked)], asked, parameters)}
      ${onLinks.joins}
      WHERE ${["true", ...conditions].join("\n        AND ")}`;
}

/** Only what the key and conditions of a statement need, because each column takes time. */
function fieldsOf(key: GroupKey, { values, links }: Conditions): ClickField[] {
  const byTime = key.by === "bucket" || key.by === "hour";
  const byLink = key.by === "link" || key.by === "tag" || key.by === "folder";
  return [
    ...new Set<ClickField>([
      ...(byTime ? (["at"] as const) : []),
      ...(byLink || links.length > 0 ? (["link_pk"] as const) : []),
      ...(key.by === "dimension" ? columnsOf(key.dimension) : []),
      ...withoutNamed(values).flatMap(({ dimension }) => columnsOf(dimension)),
    ]),
  ];
}

/** Visitors of one link are counted per link; all others per workspace. */
export function countsLinks(selection: ClickSelection): boolean {
  return selection.key.by === "link" || singleLinkOf(selection) !== undefined;
}

interface Columns {
  start: string;
  value: string;
  link: string;
  grain: RollupGrain;
}

/** The middle of a day falls on the same day in nearly every zone. */
function startOf(grain: RollupGrain): string {
  return grain === "slot" ? "kept.start" : "kept.start + interval '12 hours'";
}

export function keyOf(key: GroupKey, { start, value, link, grain }: Columns): string {
  if (key.by === "nothing") return "0";
  if (key.by === "event") return "click.event_name";
  if (key.by === "dimension") return value;
  if (key.by === "bucket") {
    return `extract(epoch FROM date_trunc('${key.unit}', ${start}, ${literal(key.zone)}))::bigint`;
  }
  if (key.by === "hour") {
    const local = `(${start}) AT TIME ZONE ${literal(key.zone)}`;
    const hour = grain === "day" ? `${value}::int` : `extract(hour FROM ${local})::int`;
    return `((extract(isodow FROM ${local})::int - 1) * 24 + ${hour})`;
  }
  return link;
}

/** Zone names are already validated. A parameter would appear twice in the key, with two types. */
function literal(zone: string): string {
  return `'${zone.replaceAll("'", "''")}'`;
}

/** Several ranges are joined with OR; their common bounds let the planner skip partitions. */
export function inRanges(column: string, ranges: readonly Range[], parameters: SqlValues): string {
  const [first] = ranges;
  if (ranges.length === 1 && first) return `WHERE ${between(column, first, parameters)}`;
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const moments = (pick: (range: Range) => number) =>
    parameters.place(
      sorted.map((range) => new Date(pick(range))),
      "timestamptz[]",
    );
  const bounds = {
    from: sorted[0]?.from ?? 0,
    until: Math.max(...sorted.map(({ until }) => until)),
  };
  return `JOIN unnest(${moments(({ from }) => from)}, ${moments(({ until }) => until)}) AS piece (begin, until)
        ON ${column} >= piece.begin AND ${column} < piece.until
      WHERE ${between(column, bounds, parameters)}`;
}

function between(column: string, { from, until }: Range, parameters: SqlValues): string {
  const begin = parameters.place(new Date(from), "timestamptz");
  const end = parameters.place(new Date(until), "timestamptz");
  return `${column} >= ${begin} AND ${column} < ${end}`;
}

export function allOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `AND ${condition}`).join("\n        ");
}

function valueCondition(
  { dimension, values, excluded }: ValueCondition,
  value: string,
  parameters: SqlValues,
): string {
  const { prefixed } = dimensionOf(dimension);
  const compared = prefixed ? `substr(${value}, strpos(${value}, '/') + 1)` : value;
  const list = parameters.place(values, "text[]");
  return excluded ? `${compared} <> ALL(${list})` : `${compared} = ANY(${list})`;
}

/** Compares the column itself, so that the planner's statistics apply. */
export function rawCondition(condition: ValueCondition, parameters: SqlValues): string {
  const { dimension, values, excluded } = condition;
  const { column, object } = dimensionOf(dimension);
  const compare = (value: string, list: string) => {
    // A single value is compared a third faster than a list of one.
    if (values.length === 1) return `${value} ${excluded ? "<>" : "="} (${list})[1]`;
    return excluded ? `${value} <> ALL(${list})` : `${value} = ANY(${list})`;
  };
  if (object) {
    return compare(`click.${object.column}`, parameters.place(values.map(Number), "int[]"));
  }
  const list = parameters.place(values, "text[]");
  if (!column) return compare(rawExpressions[dimension], list);
  const isNullable = excluded || values.includes("");
  return compare(isNullable ? `coalesce(click.${dimension}, '')` : `click.${dimension}`, list);
}

export interface LinkFilter {
  joins: string;
  conditions: string[];
}

/**
 * Citus may keep links and clicks on different servers. It then refuses NOT EXISTS, and a subquery of links unless
 * OFFSET 0 keeps PostgreSQL from merging it into the statement.
 */
export function linkFilter(
  links: readonly LinkCondition[],
  link: string,
  workspacePk: number,
  parameters: SqlValues,
): LinkFilter {
  const joins: string[] = [];
  const conditions = links.map(({ by, values, excluded }) => {
    if (by === "pk") {
      const list = parameters.place(values, "bigint[]");
      return excluded ? `${link} <> ALL(${list})` : `${link} = ANY(${list})`;
    }
    const found = fittingLinks(by, values, workspacePk, parameters);
    const fitting = peekLinksApart() ? `SELECT pk FROM (${found} OFFSET 0) AS fitting` : found;
    if (!excluded) return `${link} IN (${fitting})`;
    const name = `excluded_${joins.length}`;
    joins.push(`LEFT JOIN (${fitting}) AS ${name} ON ${name}.pk = ${link}`);
    return `${name}.pk IS NULL`;
  });
  return { joins: joins.join("\n      "), conditions };
}

function fittingLinks(
  by: Exclude<LinkCondition["by"], "pk">,
  values: LinkCondition["values"],
  workspacePk: number,
  parameters: SqlValues,
): string {
  if (by === "tag") {
    const list = parameters.place(values, "int[]");
    return `SELECT link_pk AS pk FROM link_tag WHERE tag_pk = ANY(${list})`;
  }
  if (by === "campaign") {
    const list = parameters.place(values, "int[]");
    // Another link may have the pk of a deleted one.
    return `SELECT link.pk FROM campaign_recipient AS recipient JOIN link ON link.pk = recipient.link_pk AND link.id = recipient.link_id WHERE recipient.campaign_pk = ANY(${list})`;
  }
  const [column, type] = linkColumns[by];
  const workspace = parameters.place(workspacePk, "int");
  const list = parameters.place(values, type);
  return `SELECT pk FROM link WHERE workspace_pk = ${workspace} AND ${column} = ANY(${list})`;
}

const linkColumns = {
  folder: ["folder_pk", "int[]"],
  tenant: ["tenant_id", "text[]"],
  domain: ["domain_pk", "int[]"],
} as const;
