/** The URL of a list of links: its filters, and the URLs of the neighboring pages. */
import { type ListLinks, listLinksQuery } from "#lib/links/reading/schema";
import { type Order, orderOf, orders } from "../../../../components/links/list-order.ts";

export type LinkSearchParams = Record<string, string | string[] | undefined>;

export const pageSize = 50;
const filterCharsMax = 255;

export interface LinksQuery {
  search: string;
  domain: string;
  /** Ids */
  tag: string;
  folder: string;
  user: string;
  /** Whether they have clicks; empty: either. */
  clicked: "" | "true" | "false";
  archived: boolean;
  order: Order["name"];
  after: string;
  before: string;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

function clickedOf(text: string): LinksQuery["clicked"] {
  return text === "true" || text === "false" ? text : "";
}

export function parseQuery(searchParams: LinkSearchParams): LinksQuery {
  return {
    search: textOf(searchParams["search"]).slice(0, 200),
    domain: textOf(searchParams["domain"]).slice(0, filterCharsMax),
    tag: textOf(searchParams["tag"]).slice(0, filterCharsMax),
    folder: textOf(searchParams["folder"]).slice(0, filterCharsMax),
    user: textOf(searchParams["user"]).slice(0, filterCharsMax),
    clicked: clickedOf(textOf(searchParams["clicked"])),
    order: orderOf(textOf(searchParams["order"])).name,
    archived: searchParams["archived"] === "true",
    after: textOf(searchParams["after"]),
    before: textOf(searchParams["before"]),
  };
}

/** The filters in the form of the API. An invalid id is a filter without matches. */
function filtersOf(query: LinksQuery): Record<string, string> {
  const { search, domain, tag, folder, user, clicked, archived } = query;
  return {
    showArchived: String(archived),
    ...(search ? { search } : {}),
    ...(domain ? { domain } : {}),
    ...(tag ? { tagId: tag } : {}),
    ...(folder ? { folderId: folder } : {}),
    ...(user ? { userId: user } : {}),
    ...(clicked ? { clicked } : {}),
  };
}

/** All of these links as a file. */
export function exportUrl(workspace: string, query: LinksQuery): string {
  return `/api/links/export?${new URLSearchParams({ workspace, ...filtersOf(query) })}`;
}

/** One row more than a page, to detect whether another page follows. */
export function listOf(query: LinksQuery): ListLinks {
  const { order, after, before } = query;
  const { sortBy, sortOrder } = orderOf(order);
  return listLinksQuery.parse({
    pageSize: pageSize + 1,
    sortBy,
    sortOrder,
    ...filtersOf(query),
    ...(after ? { startingAfter: after } : before ? { endingBefore: before } : {}),
  });
}

/** True when the list is filtered. */
export function isFiltered(query: LinksQuery): boolean {
  const { search, domain, tag, folder, user, clicked, archived } = query;
  return [search, domain, tag, folder, user, clicked].some((text) => text !== "") || archived;
}

interface PageOfRows<Row> {
  rows: Row[];
  /** Id of the row that starts or ends the page. */
  before: string | undefined;
  after: string | undefined;
}

/** Removes the additional row, at the end where it is, and returns the available directions. */
export function cutPage<Row extends { id: string }>(
  found: Row[],
  query: LinksQuery,
): PageOfRows<Row> {
  const backwards = query.before !== "" && query.after === "";
  const more = found.length > pageSize;
  const rows = backwards ? found.slice(more ? 1 : 0) : found.slice(0, pageSize);
  const hasBefore = backwards ? more : query.after !== "";
  const hasAfter = backwards || more;
  return {
    rows,
    before: hasBefore ? rows[0]?.id : undefined,
    after: hasAfter ? rows.at(-1)?.id : undefined,
  };
}

/** The URL of the same list at another cursor. */
export function urlOf(path: string, query: LinksQuery, cursor: Record<string, string>): string {
  const params = new URLSearchParams({
    ...(query.search ? { search: query.search } : {}),
    ...(query.domain ? { domain: query.domain } : {}),
    ...(query.tag ? { tag: query.tag } : {}),
    ...(query.folder ? { folder: query.folder } : {}),
    ...(query.user ? { user: query.user } : {}),
    ...(query.clicked ? { clicked: query.clicked } : {}),
    ...(query.order === orders[0].name ? {} : { order: query.order }),
    ...(query.archived ? { archived: "true" } : {}),
    ...cursor,
  });
  return params.size > 0 ? `${path}?${params}` : path;
}
