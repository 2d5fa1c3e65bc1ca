import { z } from "zod";
import { type Order, orderOf, orders } from "#components/links/list-layout.ts";
import { namesIn } from "#components/links/names.ts";
import { type PageSize, pageSizeOf, usualPageSize } from "#components/links/page-size.ts";
import * as fields from "#lib/links/reading/schema";
import type { SearchParams } from "../../../pages.tsx";

const filterCharsMax = 255;
/** More tags than anyone chooses in one filter. */
const tagsMax = 20;

export interface LinksQuery {
  search: string;
  domain: string;
  tags: string[];
  folder: string;
  user: string;
  apiKey: string;
  importId: string;
  status: string;
  feature: string;
  /** Days, such as 2026-01-31. */
  from: string;
  to: string;
  /** Whether the links have clicks. Empty: with or without. */
  clicked: "" | "true" | "false";
  archived: boolean;
  order: Order["name"];
  after: string;
  before: string;
  size: PageSize;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

function clickedOf(text: string): LinksQuery["clicked"] {
  return text === "true" || text === "false" ? text : "";
}

function optionOf(options: readonly string[], value: string | string[] | undefined): string {
  const text = textOf(value);
  return options.includes(text) ? text : "";
}

function dayOf(value: string | string[] | undefined): string {
  const text = textOf(value);
  return z.iso.date().safeParse(text).success ? text : "";
}

export function parseQuery(searchParams: SearchParams): LinksQuery {
  return {
    search: textOf(searchParams["search"]).slice(0, 200),
    domain: textOf(searchParams["domain"]).slice(0, filterCharsMax),
    tags: namesIn(textOf(searchParams["tag"])).slice(0, tagsMax),
    apiKey: textOf(searchParams["key"]).slice(0, filterCharsMax),
    importId: textOf(searchParams["import"]).slice(0, filterCharsMax),
    status: optionOf(fields.linkStatuses, searchParams["status"]),
    feature: optionOf(fields.linkFeatures, searchParams["feature"]),
    from: dayOf(searchParams["from"]),
    to: dayOf(searchParams["to"]),
    size: pageSizeOf(textOf(searchParams["size"])),
    folder: textOf(searchParams["folder"]).slice(0, filterCharsMax),
    user: textOf(searchParams["user"]).slice(0, filterCharsMax),
    clicked: clickedOf(textOf(searchParams["clicked"])),
    order: orderOf(textOf(searchParams["order"])).name,
    archived: searchParams["archived"] === "true",
    after: textOf(searchParams["after"]),
    before: textOf(searchParams["before"]),
  };
}

/** The filters as the API takes them. An invalid id is a filter that matches nothing. */
function filtersOf(query: LinksQuery): Record<string, string> {
  const { search, domain, tags, folder, user, clicked, archived } = query;
  const given = {
    search,
    domain,
    tagIds: tags.join(","),
    folderId: folder,
    userId: user,
    apiKeyId: query.apiKey,
    importId: query.importId,
    status: query.status,
    feature: query.feature,
    createdAfter: query.from,
    createdBefore: query.to,
    clicked,
  };
  return {
    showArchived: String(archived),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")),
  };
}

/** The filters without the position, for the total and for jobs. */
export function filtersOfList(query: LinksQuery): fields.LinkFilters {
  return fields.countLinksQuery.parse(filtersOf(query));
}

export function exportUrl(workspace: string, query: LinksQuery): string {
  return `/api/links/export?${new URLSearchParams({ workspace, ...filtersOf(query) })}`;
}

/** Requests one row more than a page, to detect whether another page follows. */
export function listOf(query: LinksQuery): fields.ListLinks {
  const { order, after, before, size } = query;
  const { sortBy, sortOrder } = orderOf(order);
  const page = fields.listLinksQuery.parse({
    sortBy,
    sortOrder,
    ...filtersOf(query),
    ...(after ? { startingAfter: after } : before ? { endingBefore: before } : {}),
  });
  return { ...page, pageSize: size + 1 };
}

export function isFiltered(query: LinksQuery): boolean {
  return Object.keys(filtersOf(query)).length > 1 || query.archived;
}

interface PageOfRows<Row> {
  rows: Row[];
  /** Ids of the rows that start and end the page. */
  before: string | undefined;
  after: string | undefined;
}

/** Removes the additional row from the end it is at, and returns the available directions. */
export function cutPage<Row extends { id: string }>(
  found: Row[],
  query: LinksQuery,
): PageOfRows<Row> {
  const backwards = query.before !== "" && query.after === "";
  const more = found.length > query.size;
  const rows = backwards ? found.slice(more ? 1 : 0) : found.slice(0, query.size);
  const hasBefore = backwards ? more : query.after !== "";
  const hasAfter = backwards || more;
  return {
    rows,
    before: hasBefore ? rows[0]?.id : undefined,
    after: hasAfter ? rows.at(-1)?.id : undefined,
  };
}

function paramsOf(query: LinksQuery): Record<string, string> {
  const given = {
    search: query.search,
    domain: query.domain,
    tag: query.tags.join(","),
    folder: query.folder,
    user: query.user,
    key: query.apiKey,
    import: query.importId,
    status: query.status,
    feature: query.feature,
    from: query.from,
    to: query.to,
    clicked: query.clicked,
    order: query.order === orders[0].name ? "" : query.order,
    archived: query.archived ? "true" : "",
    size: query.size === usualPageSize ? "" : String(query.size),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

export function searchOf(query: LinksQuery): string {
  return new URLSearchParams(paramsOf(query)).toString();
}

/** The number of the page’s first row in the list, counted from 1. The URL has it next to the cursor; a wrong one is harmless. */
export function firstRowOf(searchParams: SearchParams): number {
  const row = Number(textOf(searchParams["row"]));
  return Number.isSafeInteger(row) && row > 0 ? row : 1;
}

export function urlOf(path: string, query: LinksQuery, cursor: Record<string, string>): string {
  const params = new URLSearchParams({ ...paramsOf(query), ...cursor });
  return params.size > 0 ? `${path}?${params}` : path;
}
