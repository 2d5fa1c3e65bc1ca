import { parseId, presentId } from "#lib/basics/ids";
import { hostsOf } from "#lib/links/fields";
import type { Link } from "#lib/links/fields/schema";
import { findDomain, findShortHosts } from "#lib/links/hosts";
import { rootKey } from "#lib/links/keys";
import {
  findByPks,
  findRows,
  missingLink,
  presentFound,
  resolveLinkUuid,
} from "#lib/links/presenting";
import { withoutHidden } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";
import { type LinkCursor, listPks } from "./by-clicks.ts";
import { listCreated } from "./by-creation.ts";
import { countAll, countGroups, countPks } from "./count.ts";
import { isUnfiltered, nameOnDomain, pksOfExternalId, resolveFilter } from "./filter.ts";
import { findPksByNames, findRootPks } from "./names.ts";
import {
  type CountLinks,
  exactTotalMax,
  type LinkCounts,
  type LinkFilters,
  type LinkInfo,
  type ListedLink,
  type ListLinks,
  leadingLinksMax,
  listLinksQuery,
} from "./schema.ts";

export { exportLinks, pagesOfLinks } from "./exports.ts";

/** A link with its pk, named by its id or `ext_` and its externalId. Throws not_found. */
export async function getLink(
  scope: WorkspaceScope,
  id: string,
): Promise<{ pk: number; link: Link }> {
  assertMay(scope, "links.read");
  const rows = await findRows(scope.workspacePk, [await resolveLinkUuid(scope, id)]);
  const [row] = await withoutHidden(scope, rows);
  const [link] = row ? await presentFound(scope, [row]) : [];
  if (!row || !link) throw missingLink(id);
  return { pk: row.pk, link };
}

/** Links in the order of the ids, each once. Throws not_found for the first missing one. */
export async function getLinks(scope: WorkspaceScope, ids: readonly string[]): Promise<Link[]> {
  assertMay(scope, "links.read");
  const uuids = new Map<string, string>();
  for (const id of ids) uuids.set(await resolveLinkUuid(scope, id), id);
  const rows = await withoutHidden(scope, await findRows(scope.workspacePk, [...uuids.keys()]));
  const links = await presentFound(scope, rows);
  const found = new Map(rows.map((row, at) => [row.id, links[at]]));
  return [...uuids].map(([uuid, id]) => {
    const link = found.get(uuid);
    if (!link) throw missingLink(id);
    return link;
  });
}

/** The link that a query names in one of three ways. Throws not_found. */
export async function findLink(scope: WorkspaceScope, filters: LinkInfo): Promise<Link> {
  const { linkId, externalId, domain, key } = filters;
  if (linkId) return (await getLink(scope, linkId)).link;
  assertMay(scope, "links.read");
  const pks = externalId
    ? await pksOfExternalId(scope, externalId)
    : await findPksByAddress(scope, domain ?? "", key || rootKey);
  const rows = await withoutHidden(scope, await findByPks(scope.workspacePk, pks));
  const [link] = await presentFound(scope, rows);
  if (!link) throw missingLink(externalId ?? `${domain}/${key || rootKey}`);
  return link;
}

/** The root link exists before its domain is verified. */
function findPksByAddress(scope: WorkspaceScope, slug: string, key: string): Promise<number[]> {
  return key === rootKey ? findRootPks(scope.workspacePk, slug) : findPksByName(scope, slug, key);
}

/** The link of the workspace with this key, even if the actor cannot see it. */
export async function findPksByName(
  scope: Pick<WorkspaceScope, "workspacePk" | "reach">,
  slug: string,
  key: string,
): Promise<number[]> {
  const domain = await findDomain(scope, slug);
  const name = domain && nameOnDomain(domain, key);
  return name ? findPksByNames(scope.workspacePk, [name]) : [];
}

/** Links by pk, without deleted ones, for callers that already checked access. */
export async function presentLinks(
  scope: WorkspaceScope,
  pks: readonly number[],
): Promise<Map<number, Link>> {
  const rows = await findByPks(scope.workspacePk, pks);
  const links = await presentFound(scope, rows);
  return new Map(rows.flatMap(({ pk }, at) => (links[at] ? [[pk, links[at]]] : [])));
}

export async function listLinks(scope: WorkspaceScope, filters: ListLinks): Promise<Link[]> {
  assertMay(scope, "links.read");
  const sort = filters.sortBy ?? filters.sort ?? "createdAt";
  const [cursor, filter] = await Promise.all([
    findCursor(scope, filters, sort === "createdAt"),
    resolveFilter(scope, filters),
  ]);
  if (!filter) return [];
  const pks = await listPks(filter, {
    sort,
    ascending: filters.sortOrder === "asc",
    skip: ((filters.page ?? 1) - 1) * filters.pageSize,
    size: filters.pageSize,
    cursor,
    backwards: Boolean(filters.endingBefore),
  });
  return presentFound(scope, await findByPks(scope.workspacePk, pks));
}

/** In lists by creation an id is a position, so a list can continue after a deleted link. */
async function findCursor(
  scope: WorkspaceScope,
  { startingAfter, endingBefore }: ListLinks,
  byCreation: boolean,
): Promise<LinkCursor | undefined> {
  const id = startingAfter || endingBefore;
  if (!id) return undefined;
  const uuid = parseId("link", id);
  if (uuid && byCreation)
    return { pk: 0, id: uuid, clicks: 0, last_click_at: null, sale_amount: 0 };
  const rows = uuid ? await findRows(scope.workspacePk, [uuid]) : [];
  // defence: cursor-of-visible-link
  const [row] = await withoutHidden(scope, rows);
  if (row) return row;
  const field = startingAfter ? "startingAfter" : "endingBefore";
  throw new AppError(
    "unprocessable_entity",
    `${field}: Link "${id}" not found in this workspace. Use the id of a link from another page.`,
  );
}

export async function countLinks(
  scope: WorkspaceScope,
  filters: CountLinks,
): Promise<number | LinkCounts> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, filters);
  if (filters.groupBy) return filter ? countGroups(filter, filters.groupBy) : [];
  if (!filter) return 0;
  return isUnfiltered(filter) ? countAll(scope.workspacePk, filter.showArchived) : countPks(filter);
}

/** The next matching links by creation, after this id. `lastId` is undefined at the end. */
export async function listMatching(
  scope: WorkspaceScope,
  filters: LinkFilters,
  { cursorId, limit }: { cursorId: string; limit: number },
): Promise<{ ids: string[]; lastId: string | undefined }> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, filters);
  if (!filter) return { ids: [], lastId: undefined };
  const page = { skip: 0, limit, ascending: false, cursorId, only: undefined };
  const pks = await listCreated(filter, page);
  const rows = await findByPks(scope.workspacePk, pks);
  const lastId = pks.length === limit ? rows.at(-1)?.id : undefined;
  return { ids: rows.map(({ id }) => presentId("link", id)), lastId };
}

export async function countMatching(scope: WorkspaceScope, filters: LinkFilters): Promise<number> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, filters);
  return filter ? countPks(filter) : 0;
}

export async function countShown(scope: WorkspaceScope, filters: LinkFilters): Promise<number> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, filters);
  return filter ? countPks(filter, exactTotalMax + 1) : 0;
}

/** The number of links whose destination is on a host, at most `leadingLinksMax`. */
export async function countLeadingTo(scope: WorkspaceScope, host: string): Promise<number> {
  const filters = { search: `//${host}`, showArchived: "true", pageSize: leadingLinksMax };
  const found = await listLinks(scope, listLinksQuery.parse(filters));
  return found.filter(({ url }) => hostsOf([{ url }]).has(host)).length;
}

interface Creator {
  name: string;
  byKey: boolean;
  /** Null if the key was revoked. */
  key: { id: string; name: string } | null;
}

export async function listCreators(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, Creator>> {
  assertMay(scope, "links.read");
  // defence: guest-sees-no-creators
  if (isGuest(scope)) return new Map();
  const uuids = ids.flatMap((id) => parseId("link", id) ?? []);
  // Answered by link_workspace, then app_user_pkey and api_key_pkey.
  const rows = await query<Creator & { id: string }>(sql`
    SELECT link.id, app_user.name, link.api_key_pk IS NOT NULL AS "byKey",
      CASE WHEN api_key.pk IS NOT NULL
        THEN jsonb_build_object('id', api_key.id, 'name', api_key.name) END AS key
    FROM link
    JOIN app_user ON app_user.pk = link.user_pk
    LEFT JOIN api_key
      ON api_key.pk = link.api_key_pk
      AND api_key.workspace_pk = link.workspace_pk
      AND api_key.revoked_at IS NULL
    WHERE link.workspace_pk = ${scope.workspacePk}
      AND link.id = ANY(${uuids}::uuid[])`);
  return new Map(rows.map(({ id, ...creator }) => [presentId("link", id), creator]));
}

/** Marks links whose destination’s host serves short links now. Hosts are cached. */
export async function markLoops(links: readonly Link[]): Promise<ListedLink[]> {
  const short = await findShortHosts([...hostsOf(links)]);
  if (short.size === 0) return [...links];
  return links.map((link) => {
    const loops = [...hostsOf([link])].some((host) => short.has(host));
    return loops ? { ...link, loops } : link;
  });
}
