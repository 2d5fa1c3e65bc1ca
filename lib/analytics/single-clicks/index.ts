/**
 * Single clicks. Clicks of the last days are rows of `analytics.click`. Older ones are in `analytics.click_block`, where a row
 * has up to about two thousand clicks of one workspace in order of time, and an array for each column. Texts are numbers of a
 * dictionary of the block. That takes a seventh of the space, and a query compares numbers, and only where its rarest value is.
 *
 * A click is in exactly one of the two tables, and moves in one transaction (lib/analytics/rollups/compaction.ts), so a
 * statement that reads both sees each click once. Everything that reads clicks of any age reads them through `clicksOf`.
 *
 * Blocks of a workspace never overlap in time, and a block is within one month (UTC).
 */
import { attributeOf, type ClickColumn } from "#lib/analytics/dimensions/schema";
import {
  arrayOf,
  atPlaces,
  clickValueOf,
  type Flag,
  flags,
  isFlag,
  type keys,
  type Stored,
} from "./columns.ts";

export { arrayOf, clickValueOf, flags, isText, keys, texts } from "./columns.ts";

export type ClickField =
  | Flag
  | "workspace_pk"
  | (typeof keys)[number]
  | ClickColumn
  | "ua"
  | "bot_kind";

/** All texts are SQL that may use parameters. */
export interface ClicksRead {
  fields: readonly ClickField[];
  workspace?: string;
  /** Both or none; `until` is excluded. */
  from?: string;
  until?: string;
  /** The only link that is needed, or an array of several. */
  link?: string;
  links?: string;
  values?: readonly ValuesRead[];
}

/** The values of a column that are needed, without the missing one. */
export interface ValuesRead {
  column: ClickColumn;
  /** An array; `isOne` if it has one. */
  list: string;
  isOne: boolean;
}

interface BlocksRead extends ClicksRead {
  /** In place of a period: a SELECT of the only moments that are needed. */
  moments?: string;
  /** Or `first_at` of the only block that is needed. */
  firstAt?: string;
}

/** The clicks of both tables, for FROM. Conditions on it are applied in each of them. */
export function clicksOf(read: ClicksRead): string {
  return `(${rowsOf(read)}
      UNION ALL
      ${blocksOf(read)}) AS click`;
}

/** Clicks of one millisecond, which are usually one. */
export function clickAt(fields: readonly ClickField[], workspace: string, at: string): string {
  const from = `${at}::timestamptz`;
  return clicksOf({ fields, workspace, from, until: `${from} + interval '1 millisecond'` });
}

/** Answered by click_workspace, or for few links by click_link. */
export function rowsOf({ fields, workspace, from, until, values = [], ...of }: ClicksRead): string {
  return `
        SELECT ${fields.map((name) => `entry.${name}`).join(", ")}
        FROM analytics.click AS entry
        WHERE ${all([
          workspace && `entry.workspace_pk = ${workspace}`,
          from && `entry.at >= ${from}`,
          until && `entry.at < ${until}`,
          of.link && `entry.link_pk = ${of.link}`,
          of.links && `entry.link_pk = ANY(${of.links})`,
          // A single value is compared a third faster than a list of one.
          ...values.map(
            ({ column, list, isOne }) =>
              `entry.${column} = ${isOne ? `(${list})[1]` : `ANY(${list})`}`,
          ),
        ])}`;
}

/** Answered by click_block_pkey, or for few links or values by click_block_values. */
export function blocksOf(read: BlocksRead): string {
  const places = placesOf(read);
  const valueAt = places ? atPlaces.valueAt : clickValueOf;
  return `
        SELECT ${read.fields.map((name) => unpack(name, valueAt)).join(", ")}
        FROM (
          SELECT ${places ? "unnest(part.places)" : "generate_series(1, part.clicks)"} AS place, part.*
          FROM (${places ? atPlacesOf(read, places) : partsOf(read, arrayOf)}
          ) AS part
        ) AS part
        WHERE ${all(clickConditions(read))}`;
}

/** OFFSET 0 makes PostgreSQL unpack each array once, not for every click. */
function partsOf(read: BlocksRead, arrayOf: (name: Stored) => string): string {
  return `
            SELECT ${arraysOf(read, arrayOf).join(", ")}
            FROM analytics.click_block AS block
            WHERE ${all(blockConditions(read))}
            OFFSET 0`;
}

function atPlacesOf(read: BlocksRead, places: string): string {
  return `
            SELECT part.*${atPlaces.jsonOf(storedOf(read.fields))}
            FROM (
              SELECT part.*, ${places} AS places
              FROM (${partsOf(read, atPlaces.arrayOf)}) AS part
              OFFSET 0
            ) AS part
            OFFSET 0`;
}

function storedOf(fields: readonly ClickField[]): Stored[] {
  return [...new Set(fields.flatMap((name) => storedIn(name) ?? []))];
}

/** When each block starts, in order. A query that needs only the first clicks opens blocks one by one, and never sorts them. */
export function blockTurns(read: ClicksRead, order: "ASC" | "DESC"): string {
  return `
        SELECT block.first_at
        FROM analytics.click_block AS block
        WHERE ${all(blockConditions(read))}
        ORDER BY block.first_at ${order}
        OFFSET 0`;
}

/** Where the link or the rarest value is. */
function placesOf(read: ClicksRead): string | undefined {
  if (read.link) return `array_positions(part.link_pk, ${read.link})`;
  const column = rarestOf(read)?.column;
  return column && `array_positions(part.${column}, part.${column}_wanted)`;
}

function rarestOf({ link, values = [] }: ClicksRead): ValuesRead | undefined {
  if (link) return undefined;
  return values.filter(({ isOne }) => isOne).sort((a, b) => shareOf(a) - shareOf(b))[0];
}

/** Roughly how many clicks have one value. */
function shareOf({ column }: ValuesRead): number {
  if (attributeOf(column).wide) return 0;
  return column === "device" || column === "continent" ? 2 : 1;
}

function arraysOf(
  { fields, from, until, link, links, values = [] }: ClicksRead,
  arrayOf: (name: Stored) => string,
): string[] {
  const names = new Set(storedOf(fields));
  if (link || links) names.add("link_pk");
  const isWhole = `block.first_at >= ${from} AND block.last_at < ${until}`;
  const arrays = [...names].map(arrayOf);
  if (from && !names.has("at")) {
    arrays.push(`CASE WHEN NOT (${isWhole}) THEN array_cat(block.at, '{}') END AS at`);
  }
  for (const { column, list, isOne } of values) {
    const number = (value: string) => `array_position(block.${column}_values, ${value})::smallint`;
    const numbers = `ARRAY(SELECT ${number("value")} FROM unnest(${list}) AS value)`;
    if (!names.has(column)) arrays.push(`array_cat(block.${column}, '{}') AS ${column}`);
    arrays.push(`${isOne ? number(`(${list})[1]`) : numbers} AS ${column}_wanted`);
  }
  return ["block.workspace_pk", "block.clicks", ...arrays];
}

function blockConditions(read: BlocksRead): (string | undefined)[] {
  const { workspace, from, until, moments, firstAt, link, links, values = [] } = read;
  if (firstAt)
    return [workspace && `block.workspace_pk = ${workspace}`, `block.first_at = ${firstAt}`];
  return [
    workspace && `block.workspace_pk = ${workspace}`,
    // The table is divided by month.
    from && `block.first_at >= date_trunc('month', ${from}, 'UTC')`,
    until && `block.first_at < ${until}`,
    from && `block.last_at >= ${from}`,
    link && `block.link_pk && ARRAY[${link}]`,
    links && `block.link_pk && ${links}`,
    moments && isOfMoments(moments, workspace),
    ...values.map(({ column, list }) => `block.${column}_values && ${list}`),
  ];
}

/** COALESCE, because PostgreSQL takes a comparison of unknown values for a rare match, and then sorts in place of hashing. */
function clickConditions(read: ClicksRead): (string | undefined)[] {
  const { from, until, links, values = [] } = read;
  const others = values.filter((one) => one !== rarestOf(read));
  const at = "part.at[part.place]";
  const conditions = [
    from && until && `part.at IS NULL OR ${at} >= ${from} AND ${at} < ${until}`,
    links && `part.link_pk[part.place] = ANY(${links})`,
    ...others.map(({ column, isOne }) => {
      const wanted = `part.${column}_wanted`;
      return `part.${column}[part.place] = ${isOne ? wanted : `ANY(${wanted})`}`;
    }),
  ];
  return conditions.map((one) => one && `coalesce(${one}, false)`);
}

/** The last block that begins before a moment is the only one that may have it. */
function isOfMoments(moments: string, workspace = "block.workspace_pk"): string {
  return `block.first_at IN (
              SELECT (
                SELECT last.first_at
                FROM analytics.click_block AS last
                WHERE last.workspace_pk = ${workspace}
                  AND last.first_at >= date_trunc('month', moment.at, 'UTC')
                  AND last.first_at <= moment.at
                ORDER BY last.first_at DESC
                LIMIT 1
              )
              FROM (${moments}) AS moment (at)
            )`;
}

function storedIn(name: ClickField): Stored | undefined {
  if (name === "workspace_pk") return undefined;
  return isFlag(name) ? "flags" : name;
}

function unpack(name: ClickField, valueAt: (name: Stored) => string): string {
  if (isFlag(name)) return `(${valueAt("flags")} & ${flags[name]})::int::boolean AS ${name}`;
  const stored = storedIn(name);
  return stored ? `${valueAt(stored)} AS ${name}` : `part.${name}`;
}

function all(conditions: readonly (string | undefined)[]): string {
  return conditions.filter((one) => one).join("\n          AND ") || "true";
}
