import { type ClickColumn, type Dimension, dimensionOf } from "#lib/analytics/dimensions/schema";
import { blocksOf, blockTurns, type ClickField, rowsOf } from "#lib/analytics/single-clicks";
import type { Link } from "#lib/links/fields/schema";
import { presentLinks } from "#lib/links/reading";
import { AppError } from "#lib/platform/errors";
import { query, SqlValues, type Statement } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ResolvedQuery } from "./ask.ts";
import { linkFilter, rawCondition } from "./branches.ts";
import { columnsOf, placeRange, readOf, withoutNamed } from "./clicks.ts";
import { pageOfExisting } from "./existing-links.ts";
import type { Period } from "./period.ts";
import type { PresentedClick } from "./schema.ts";
import type { ClickSelection } from "./source.ts";

/** Clicks in the same millisecond are ordered by id. */
export interface ClickPosition {
  at: Date;
  id: string;
}

export interface EventsPage {
  ascending: boolean;
  after: ClickPosition | undefined;
  skip: number;
  limit: number;
}

const shownColumns = [
  "continent",
  "country",
  "region",
  "city",
  "device",
  "browser",
  "os",
  "referer",
  "referer_url",
  "url",
] as const satisfies ClickColumn[];

interface ClickFacts extends ClickPosition, Record<(typeof shownColumns)[number], string | null> {
  qr: boolean;
  ua: string | null;
}

const eventFields = ["at", "id", "link_pk", "qr", ...shownColumns] as const;
export const eventColumns = eventFields.map((name) => `click.${name}`).join(", ");

export interface EventRow extends ClickFacts {
  link_pk: number;
}

const positionPattern =
  /^(\d{1,15})-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

export function idOf({ at, id }: ClickPosition): string {
  return `${at.getTime()}-${id}`;
}

export function parsePosition(text: string): ClickPosition {
  const [, ms, id] = positionPattern.exec(text) ?? [];
  const at = new Date(Number(ms));
  if (id === undefined || Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9_999) {
    const message = "cursor: Use the id of a click from an earlier response.";
    throw new AppError("unprocessable_entity", message);
  }
  return { at, id };
}

export async function findEvents(
  { selection, period }: ResolvedQuery,
  page: EventsPage,
): Promise<EventRow[]> {
  const clicks: ClickSelection = { ...selection, key: { by: "nothing" } };
  return await pageOfExisting(selection.workspacePk, page, (part, join) =>
    query<EventRow>(writeEvents(clicks, period, part, join)),
  );
}

/**
 * The first rows of either table, then the first of these. Rows are in the order of click_workspace or click_link, except within
 * a millisecond. Blocks are opened one after the other, until they have given enough.
 */
export function writeEvents(
  selection: ClickSelection,
  period: Period,
  { ascending, after, skip, limit }: EventsPage,
  join: string,
): Statement {
  const parameters = new SqlValues();
  const { values, links } = selection;
  const compared = ascending ? ">" : "<";
  const place = after
    ? [
        `(click.at, click.id) ${compared} (${parameters.place(after.at, "timestamptz")}, ${parameters.place(after.id, "uuid")})`,
      ]
    : [];
  const onLinks = linkFilter(links, "click.link_pk", selection.workspacePk, parameters);
  const conditions = [
    ...withoutNamed(values).map((condition) => rawCondition(condition, parameters)),
    ...onLinks.conditions,
    "NOT click.bot",
    ...place,
  ];
  const fields: ClickField[] = [
    ...new Set<ClickField>([
      ...(["workspace_pk", "bot", "ua", ...eventFields] as const),
      ...withoutNamed(values).flatMap(({ dimension }) => columnsOf(dimension)),
    ]),
  ];
  const read = readOf(
    fields,
    selection,
    placeRange(restOf(period, after, ascending), parameters),
    parameters,
  );
  const order = ascending ? "ASC" : "DESC";
  const first = parameters.place(skip + limit, "int");
  const part = (clicks: string) => `
      (
        SELECT ${eventColumns}, click.ua
        FROM (${clicks}) AS click
        ${join}
        ${onLinks.joins}
        WHERE ${conditions.join("\n        AND ")}
        ORDER BY click.at ${order}, click.id ${order}
        LIMIT ${first}
      )`;
  const text = `
    SELECT *
    FROM (${part(rowsOf(read))}
      UNION ALL (
        SELECT click.*
        FROM (${blockTurns(read, order)}) AS turn
        CROSS JOIN LATERAL ${part(blocksOf({ ...read, firstAt: "turn.first_at" }))} AS click
        ORDER BY turn.first_at ${order}, click.at ${order}, click.id ${order}
        LIMIT ${first}
      )
    ) AS click
    ORDER BY click.at ${order}, click.id ${order}
    LIMIT ${parameters.place(limit, "int")}
    OFFSET ${parameters.place(skip, "int")}`;
  return { text, values: parameters.list };
}

/** What is left of a period after a position. */
function restOf(
  { from, until }: Period,
  after: ClickPosition | undefined,
  ascending: boolean,
): Period {
  if (!after) return { from, until };
  const at = after.at.getTime();
  return ascending ? { from: Math.max(from, at), until } : { from, until: Math.min(until, at + 1) };
}

export async function presentEvents(
  scope: WorkspaceScope,
  rows: readonly EventRow[],
): Promise<PresentedClick[]> {
  const links = await presentLinks(scope, [...new Set(rows.map(({ link_pk }) => link_pk))]);
  return rows.flatMap((row) => {
    const link = links.get(row.link_pk);
    return link ? [presentEvent(row, link)] : [];
  });
}

function fieldValue(row: ClickFacts, dimension: Dimension & keyof ClickFacts): string {
  return row[dimension] || dimensionOf(dimension).unknown;
}

/** `linkUrl` is used if the click did not store a destination. */
export function presentClick(row: ClickFacts, linkUrl: string): PresentedClick["click"] {
  return {
    id: idOf(row),
    timestamp: row.at.toISOString(),
    ...placeOf(row, linkUrl),
    region: fieldValue(row, "region"),
    ua: row.ua,
    trigger: row.qr ? "qr" : "link",
    referer: fieldValue(row, "referer"),
    refererUrl: fieldValue(row, "referer_url"),
    qr: row.qr,
  };
}

function placeOf(row: ClickFacts, linkUrl: string) {
  return {
    url: row.url ?? linkUrl,
    country: fieldValue(row, "country"),
    city: fieldValue(row, "city"),
    continent: row.continent ?? "",
    device: fieldValue(row, "device"),
    browser: fieldValue(row, "browser"),
    os: fieldValue(row, "os"),
    ip: "",
  };
}

function presentEvent(row: EventRow, link: Link): PresentedClick {
  const click = presentClick(row, link.url);
  return {
    event: "click",
    timestamp: click.timestamp,
    click,
    link,
    click_id: click.id,
    link_id: link.id,
    domain: link.domain,
    key: link.key,
    ...placeOf(row, link.url),
    qr: row.qr ? 1 : 0,
  };
}
