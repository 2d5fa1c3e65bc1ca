import type { FilterNames, NamedOption } from "#components/links/names.ts";
import { countDaily } from "#lib/analytics/reports";
import { listApiKeys } from "#lib/identity/api-keys";
import { listBroken } from "#lib/links/destination-checks";
import type { Link } from "#lib/links/fields/schema";
import { findFolder, listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { countShown, listCreators, listLinks, markLoops } from "#lib/links/reading";
import { exactTotalMax, type ListedLink, termTooShort } from "#lib/links/reading/schema";
import { listTags } from "#lib/links/tags";
import { listTagsQuery, type Tag } from "#lib/links/tags/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listMembers } from "#lib/tenancy/members";
import { getImport } from "#lib/transfer/imports";
import { cutPage, filtersOfList, type LinksQuery, listOf } from "./query.ts";

/** The number of all matches, counted up to a limit, unless the search term is too short for this workspace. */
export async function readTotal(scope: WorkspaceScope, query: LinksQuery) {
  try {
    const total = await countShown(scope, filtersOfList(query));
    return { total: Math.min(total, exactTotalMax), more: total > exactTotalMax, tooShort: false };
  } catch (error) {
    if (error instanceof AppError && error.problem?.code === termTooShort) {
      return { total: 0, more: false, tooShort: true };
    }
    throw error;
  }
}

/** Marks links whose destination serves short links or is broken. */
export async function markStates(
  scope: WorkspaceScope,
  links: readonly Link[],
): Promise<ListedLink[]> {
  const [marked, broken] = await Promise.all([markLoops(links), listBroken(scope, links)]);
  return marked.map((link) => {
    const state = broken.get(link.id);
    return state ? { ...link, broken: state } : link;
  });
}

/** The links of a page, with their sparklines and creators. */
export async function readPage(scope: WorkspaceScope, query: LinksQuery) {
  const found = await listLinks(scope, listOf(query)).catch(listNone);
  const cut = cutPage(found, query);
  const ids = cut.rows.map(({ id }) => id);
  const folderIds = [...new Set(cut.rows.flatMap(({ folderId }) => folderId ?? []))];
  const [rows, daily, creators, folders] = await Promise.all([
    markStates(scope, cut.rows),
    countDaily(scope, ids),
    listCreators(scope, ids),
    folderIds.length > 0 ? findFolders(scope, { ids: folderIds.join(",") }) : [],
  ]);
  // In the order of the links, because ids would make the page longer.
  return { ...cut, rows, daily: ids.map((id) => daily.get(id) ?? null), creators, folders };
}

async function findFolders(scope: WorkspaceScope, query: object): Promise<NamedOption[]> {
  const pageSize = railFoldersMax;
  const found = await listFolders(scope, listFoldersQuery.parse({ ...query, pageSize }));
  return found.map(({ id, name }) => ({ id, name }));
}

/** As many as one page of folders, and at least as many as a page of links has. */
export const railFoldersMax = 100;

/** The first folders by name. The page of folders has all of them. */
export async function readRail(scope: WorkspaceScope): Promise<NamedOption[]> {
  return await findFolders(scope, {});
}

/**
 * Returns an empty page instead of an error if the cursor’s link was deleted (an old bookmark) or the search term is too short.
 */
function listNone(error: unknown): never[] {
  if (error instanceof AppError && error.code === "unprocessable_entity") return [];
  throw error;
}

export async function readNames(scope: WorkspaceScope, query: LinksQuery): Promise<FilterNames> {
  const [tags, folder, members, keys, imported] = await Promise.all([
    query.tags.length > 0 ? findTags(scope, query.tags) : [],
    query.folder ? findFolder(scope, query.folder) : undefined,
    listMembers(scope),
    scope.permissions.has("keys.read") ? listApiKeys(scope) : [],
    query.importId ? findImport(scope, query.importId) : undefined,
  ]);
  const nameOf = ({ id, name }: NamedOption) => ({ id, name });
  return {
    tags,
    folder: folder && nameOf(folder),
    members: members.map(nameOf),
    keys: keys.map(nameOf),
    imported,
  };
}

async function findTags(scope: WorkspaceScope, ids: readonly string[]): Promise<Tag[]> {
  return await listTags(scope, listTagsQuery.parse({ ids: ids.join(",") }));
}

async function findImport(scope: WorkspaceScope, id: string) {
  try {
    const { name } = await getImport(scope, id);
    return { id, name };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
