/** Writes the statement of a question: a part for each table that it is read from, added up. */
import type { Statement } from "#lib/postgres";
import { type Range, rawExpressions } from "#lib/rollups";
import type { Page as EventsPage } from "./events.ts";
import type { LinkCondition, ValueCondition } from "./filters.ts";
import { unknownName } from "./filters.ts";
import type { Period } from "./period.ts";
import type { Dimension } from "./schema.ts";
import { type Key, onlyLink, type Parts, type Question, type Source } from "./source.ts";

/** The parameters of a statement: every value becomes one, never text. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

export interface Shape {
  /** With what only programs did. */
  bots: boolean;
  /** At most so many; null: all of them. */
  limit: number | null;
}

interface Writing {
  question: Question;
  parameters: Parameters;
  bots: boolean;
}

/** Rows of `key`, `clicks`, `visitors` and `bots`, those with the most clicks first. */
export function writeStatement(
  question: Question,
  source: Source,
  parts: Parts,
  { bots, limit }: Shape,
): Statement {
  const parameters = new Parameters();
  const writing = { question, parameters, bots };
  const branches = branchesOf(writing, source, parts);
  const { key } = question;
  const named = key.by === "dimension" ? nameUnknown(key.dimension, parameters) : "part.key";
  const text = `
    WITH part AS (${partOf(key, branches)}
    )
    SELECT
      ${isOwned(key) ? "owner.pk" : named} AS key,
      sum(part.clicks)::bigint AS clicks,
      sum(part.visitors)::bigint AS visitors,
      sum(part.bots)::bigint AS bots
    FROM part
    ${joinOwner(writing)}
    GROUP BY 1
    HAVING sum(part.clicks) > 0 ${bots ? "OR sum(part.bots) > 0" : ""}
    ORDER BY clicks DESC, key
    LIMIT ${parameters.add(limit, "int")}`;
  return { text, values: parameters.values };
}

function isOwned(key: Key): boolean {
  return key.by === "tag" || key.by === "folder";
}

/**
 * The rows of all tables, which are added up once: sums of sums are numerics, which take three times as long. Only what
 * links belong to is looked up for each link instead of for each of its rows.
 */
function partOf(key: Key, branches: readonly string[]): string {
  const rows = branches.join("\n      UNION ALL\n");
  return isOwned(key)
    ? `
      SELECT key, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      FROM (${rows}
      ) AS kept
      GROUP BY key`
    : rows;
}

/** What is unknown has a name, which somebody may have sent as well. */
function nameUnknown(dimension: Dimension, parameters: Parameters): string {
  // Of these the value is taken apart afterwards.
  if (["continent", "region", "city", "domain"].includes(dimension)) return "part.key";
  const name = unknownName(dimension);
  return `coalesce(nullif(part.key, ''), ${parameters.add(name, "text")})`;
}

/** Links have several tags, and at most one folder. Answered by link_tag_pkey and link_pkey. */
function joinOwner({ question: { key, workspacePk }, parameters }: Writing): string {
  if (key.by === "tag") {
    return `JOIN link_tag ON link_tag.link_pk = part.key
    JOIN tag AS owner ON owner.pk = link_tag.tag_pk
      AND owner.workspace_pk = ${parameters.add(workspacePk, "int")}`;
  }
  if (key.by === "folder") {
    return `JOIN link ON link.pk = part.key
      AND link.workspace_pk = ${parameters.add(workspacePk, "int")}
    JOIN folder AS owner ON owner.pk = link.folder_pk`;
  }
  return "";
}

function branchesOf(writing: Writing, source: Source, parts: Parts): string[] {
  const branches = [
    source.from === "values" && valueBranch(writing, source, "day", parts.days),
    source.from === "values" && valueBranch(writing, source, "slot", parts.slots),
    source.from === "links" && linkBranch(writing, source.links, "day", parts.days),
    source.from === "links" && linkBranch(writing, source.links, "slot", parts.slots),
    rawBranch(writing, source, parts.raw),
  ].filter((branch) => branch !== undefined && branch !== false);
  // A statement has at least one part: of a moment without clicks.
  return branches.length > 0
    ? branches
    : [rawBranch(writing, source, [{ from: 0, until: 0 }]) ?? ""];
}

type Kept = "day" | "slot";

/** Answered by value_slot_of, or its like of days. */
function valueBranch(
  writing: Writing,
  { dimension, linkPk }: Extract<Source, { from: "values" }>,
  kept: Kept,
  ranges: readonly Range[],
): string | undefined {
  if (ranges.length === 0) return undefined;
  const { question, parameters } = writing;
  const { key, values, workspacePk } = question;
  // Days know the hours of everything.
  const name = key.by === "hour" && kept === "day" ? "hour" : dimension;
  const conditions = values.map((condition) => valueCondition(condition, "value", parameters));
  return `
      SELECT
        ${keyOf(key, { start: startOf(kept), value: "value", link: "link_pk", kept })} AS key,
        clicks,
        visitors,
        bots
      FROM analytics.value_${kept} AS kept
      ${within("kept.start", ranges, parameters)}
      ${allOf([
        `kept.workspace_pk = ${parameters.add(workspacePk, "int")}`,
        `kept.link_pk = ${parameters.add(linkPk, "bigint")}`,
        `kept.dimension = '${name}'`,
        ...conditions,
      ])}`;
}

/** Answered by link_slot_workspace or link_slot_pkey, or their likes of days. */
function linkBranch(
  writing: Writing,
  links: readonly LinkCondition[],
  kept: Kept,
  ranges: readonly Range[],
): string | undefined {
  if (ranges.length === 0) return undefined;
  const { question, parameters } = writing;
  const { key, workspacePk } = question;
  const conditions = links.map((condition) =>
    linkCondition(condition, "kept.link_pk", workspacePk, parameters),
  );
  const visitors = countsLinks(question) ? "visitors" : "workspace_visitors";
  return `
      SELECT
        ${keyOf(key, { start: startOf(kept), value: "''", link: "link_pk", kept })} AS key,
        clicks,
        ${visitors} AS visitors,
        bots
      FROM analytics.link_${kept} AS kept
      ${within("kept.start", ranges, parameters)}
      ${allOf([`kept.workspace_pk = ${parameters.add(workspacePk, "int")}`, ...conditions])}`;
}

/** Answered by click_workspace, or for few links by click_link. */
function rawBranch(writing: Writing, source: Source, ranges: readonly Range[]): string | undefined {
  if (ranges.length === 0) return undefined;
  const { question, parameters, bots } = writing;
  const { key, values, workspacePk } = question;
  const byLinks = source.from === "links";
  const links = byLinks ? source.links : question.links;
  const asked = byLinks ? [] : values;
  const conditions = [
    ...asked.map((condition) => rawCondition(condition, parameters)),
    ...links.map((condition) => linkCondition(condition, "click.link_pk", workspacePk, parameters)),
    ...(bots ? [] : ["NOT click.bot"]),
  ];
  const value = key.by === "dimension" ? rawExpressions[key.dimension] : "''";
  const first = countsLinks(question) ? "first_of_link" : "first_of_workspace";
  return `
      SELECT
        ${keyOf(key, { start: "click.at", value, link: "click.link_pk", kept: "slot" })} AS key,
        (NOT click.bot)::int AS clicks,
        click.${first}::int AS visitors,
        click.bot::int AS bots
      FROM analytics.click
      ${within("click.at", ranges, parameters)}
      ${allOf([`click.workspace_pk = ${parameters.add(workspacePk, "int")}`, ...conditions])}`;
}

/**
 * Single clicks of people, a page of them, whose links are still there. Answered by click_workspace, or for few links by
 * click_link; their order is that of the index but for clicks of one millisecond.
 */
export function writeEvents(question: Question, period: Period, page: EventsPage): Statement {
  const parameters = new Parameters();
  const workspace = parameters.add(question.workspacePk, "int");
  const { values, links, workspacePk } = question;
  const { ascending, after, skip, limit } = page;
  const compared = ascending ? ">" : "<";
  const place = after
    ? [
        `(click.at, click.id) ${compared} (${parameters.add(after.at, "timestamptz")}, ${parameters.add(after.id, "uuid")})`,
        // What the planner can leave out partitions by.
        `click.at ${compared}= ${parameters.add(after.at, "timestamptz")}`,
      ]
    : [];
  const conditions = [
    ...values.map((condition) => rawCondition(condition, parameters)),
    ...links.map((condition) => linkCondition(condition, "click.link_pk", workspacePk, parameters)),
    "NOT click.bot",
    ...place,
  ];
  const order = ascending ? "" : "DESC";
  const text = `
    SELECT
      click.at,
      click.id,
      click.link_pk,
      click.qr,
      click.continent,
      click.country,
      click.region,
      click.city,
      click.device,
      click.browser,
      click.os,
      click.referer,
      click.referer_url,
      click.url,
      click.ua
    FROM analytics.click
    JOIN link AS shown ON shown.pk = click.link_pk
      AND shown.workspace_pk = ${workspace}
    ${within("click.at", [period], parameters)}
    ${allOf([`click.workspace_pk = ${workspace}`, ...conditions])}
    ORDER BY click.at ${order}, click.id ${order}
    LIMIT ${parameters.add(limit, "int")}
    OFFSET ${parameters.add(skip, "int")}`;
  return { text, values: parameters.values };
}

/** Visitors of one link are counted by the link; of anything else by the workspace. */
function countsLinks(question: Question): boolean {
  return question.key.by === "link" || onlyLink(question) !== undefined;
}

interface Columns {
  start: string;
  value: string;
  link: string;
  kept: Kept;
}

/** A day is told by its middle, which is the same day in nearly every zone. */
function startOf(kept: Kept): string {
  return kept === "day" ? "kept.start + interval '12 hours'" : "kept.start";
}

function keyOf(key: Key, { start, value, link, kept }: Columns): string {
  if (key.by === "nothing") return "0";
  if (key.by === "dimension") return value;
  if (key.by === "bucket") {
    return `extract(epoch FROM date_trunc('${key.unit}', ${start}, ${literal(key.zone)}))::bigint`;
  }
  if (key.by === "hour") {
    const local = `(${start}) AT TIME ZONE ${literal(key.zone)}`;
    const hour = kept === "day" ? `${value}::int` : `extract(hour FROM ${local})::int`;
    return `((extract(isodow FROM ${local})::int - 1) * 24 + ${hour})`;
  }
  return link;
}

/** Names of zones were seen to be known; as a part of the key they cannot be parameters of two types. */
function literal(zone: string): string {
  return `'${zone.replaceAll("'", "''")}'`;
}

/** Several ranges are joined; what bounds all of them lets the planner leave out partitions. */
function within(column: string, ranges: readonly Range[], parameters: Parameters): string {
  const [first] = ranges;
  if (ranges.length === 1 && first) return `WHERE ${between(column, first, parameters)}`;
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const moments = (pick: (range: Range) => number) =>
    parameters.add(
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

function between(column: string, { from, until }: Range, parameters: Parameters): string {
  const begin = parameters.add(new Date(from), "timestamptz");
  const end = parameters.add(new Date(until), "timestamptz");
  return `${column} >= ${begin} AND ${column} < ${end}`;
}

function allOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `AND ${condition}`).join("\n        ");
}

function valueCondition(
  { dimension, values, excluded }: ValueCondition,
  value: string,
  parameters: Parameters,
): string {
  // The name of a city follows its region: `US-OR/Portland`.
  const compared = dimension === "city" ? `substr(${value}, strpos(${value}, '/') + 1)` : value;
  const list = parameters.add(values, "text[]");
  return excluded ? `${compared} <> ALL(${list})` : `${compared} = ANY(${list})`;
}

/** Of a click's own column, so that what the planner knows of it counts. */
function rawCondition(condition: ValueCondition, parameters: Parameters): string {
  const { dimension, values, excluded } = condition;
  if (dimension === "domain") {
    const list = parameters.add(values.map(Number), "int[]");
    return excluded ? `click.domain_pk <> ALL(${list})` : `click.domain_pk = ANY(${list})`;
  }
  const column = dimension === "trigger" ? rawExpressions.trigger : `click.${dimension}`;
  const list = parameters.add(values, "text[]");
  if (dimension === "trigger") {
    return excluded ? `${column} <> ALL(${list})` : `${column} = ANY(${list})`;
  }
  if (excluded) return `coalesce(${column}, '') <> ALL(${list})`;
  return values.includes("")
    ? `coalesce(${column}, '') = ANY(${list})`
    : `${column} = ANY(${list})`;
}

function linkCondition(
  { by, values, excluded }: LinkCondition,
  link: string,
  workspacePk: number,
  parameters: Parameters,
): string {
  if (by === "pk") {
    const list = parameters.add(values, "bigint[]");
    return excluded ? `${link} <> ALL(${list})` : `${link} = ANY(${list})`;
  }
  const not = excluded ? "NOT " : "";
  if (by === "tag") {
    const list = parameters.add(values, "int[]");
    return `${not}EXISTS (
          SELECT FROM link_tag WHERE link_tag.link_pk = ${link} AND link_tag.tag_pk = ANY(${list})
        )`;
  }
  const [column, type] = linkColumns[by];
  const list = parameters.add(values, type);
  return `${not}EXISTS (
          SELECT
          FROM link
          WHERE link.pk = ${link}
            AND link.workspace_pk = ${parameters.add(workspacePk, "int")}
            AND link.${column} = ANY(${list})
        )`;
}

const linkColumns = {
  folder: ["folder_pk", "int[]"],
  tenant: ["tenant_id", "text[]"],
  domain: ["domain_pk", "int[]"],
} as const;
