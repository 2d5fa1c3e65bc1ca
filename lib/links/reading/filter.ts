/** Resolves the filters of a list to pks, so that the statement compares numbers. */
import { parseId } from "#lib/basics/ids";
import { hasBroken } from "#lib/links/destination-checks";
import { listOf } from "#lib/links/fields/schema";
import { resolveFolder } from "#lib/links/folders";
import { type Domain, findDomain, listDomains } from "#lib/links/hosts";
import { parseKey } from "#lib/links/keys";
import { findByExternalId, findRows } from "#lib/links/presenting";
import { isSearchable, type SearchTerm, searchTerm } from "#lib/links/search";
import { scannedLinksMax } from "#lib/links/search/schema";
import { findTags } from "#lib/links/tags";
import { findCampaignPk, type VisibleLinks, visibleLinks } from "#lib/links/visible-links";
import { pkOfCode } from "#lib/platform/codes";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  findCreatedBounds,
  findImportId,
  findKeyPk,
  findPksByNames,
  findPksByUrl,
  findUserPk,
  type LinkName,
  listClearedPks,
} from "./names.ts";
import {
  type LinkFeature,
  type LinkFilters,
  type LinkStatus,
  noFolder,
  termTooShort,
} from "./schema.ts";

export interface LinkFilter {
  workspacePk: number;
  domainPk: number | undefined;
  /** Null: only links without a folder. */
  folderPk: number | null | undefined;
  clearedDomainPks: number[] | undefined;
  /** What the actor may see. Undefined: everything. */
  visible: VisibleLinks | undefined;
  userPk: number | undefined;
  tenantId: string | undefined;
  url: string | undefined;
  tagPks: number[] | undefined;
  /** Only these links. The other conditions apply as well. */
  pks: number[] | undefined;
  withTags: boolean;
  showArchived: boolean;
  status: LinkStatus | undefined;
  feature: LinkFeature | undefined;
  /** Bounds of ids, which are in the order of creation. */
  createdFrom: string | undefined;
  createdUntil: string | undefined;
  apiKeyPk: number | undefined;
  importId: string | undefined;
  campaignPk: number | undefined;
  clicked: boolean | undefined;
  search: LinkSearch | undefined;
}

export interface LinkSearch {
  /** Links that the term names exactly. They match without a search text. */
  pks: number[];
  /** Undefined: only exact matches. */
  term: SearchTerm | undefined;
}

/** Lists by these states include archived links. */
const shownArchived: readonly (LinkStatus | undefined)[] = ["archived", "retiring", "retired"];

/** Undefined if a named object does not exist in the workspace, so that no link can match. */
export async function resolveFilter(
  scope: WorkspaceScope,
  filters: LinkFilters,
): Promise<LinkFilter | undefined> {
  const [domain, folderPk, userPk, apiKeyPk, importId, campaignPk, seen, cleared] =
    await Promise.all([
      resolveName(filters.domain, (slug) => findDomain(scope, slug)),
      filters.folderId === noFolder
        ? null
        : resolveName(filters.folderId, (id) => findFolderPk(scope, id)),
      resolveName(filters.userId, findUserPk),
      resolveName(filters.apiKeyId, (id) => findKeyPk(scope.workspacePk, id)),
      resolveName(filters.importId, (id) => findImportId(scope, id)),
      resolveName(filters.campaignId, (id) => findCampaignPk(scope, id)),
      visibleLinks(scope),
      listClearedPks(scope.workspacePk),
    ]);
  const [tagPks, pks, search, bounds] = await Promise.all([
    findTagPks(scope, filters),
    findNamed(scope, filters),
    resolveSearch(scope, filters),
    findCreatedBounds(scope.zone, filters),
  ]);
  if (domain === none || folderPk === none || userPk === none) return undefined;
  if (apiKeyPk === none || importId === none || campaignPk === none) return undefined;
  if (tagPks?.length === 0) return undefined;
  return {
    workspacePk: scope.workspacePk,
    domainPk: domain?.pk,
    folderPk,
    clearedDomainPks: cleared.length > 0 ? cleared : undefined,
    visible: seesAll(seen) ? undefined : seen,
    userPk,
    tenantId: filters.tenantId || undefined,
    url: filters.url || undefined,
    tagPks,
    pks,
    withTags: filters.withTags,
    showArchived: filters.showArchived || shownArchived.includes(filters.status),
    status: filters.status,
    feature: filters.feature,
    ...bounds,
    apiKeyPk,
    importId,
    campaignPk,
    clicked: filters.clicked,
    search,
  };
}

function seesAll({ hiddenFolderPks, domainPks, folderPks }: VisibleLinks): boolean {
  return hiddenFolderPks.length === 0 && domainPks === null && folderPks === null;
}

async function findFolderPk(scope: WorkspaceScope, id: string): Promise<number | undefined> {
  const folder = await resolveFolder(scope, id, "read");
  return folder.ok ? folder.pk : undefined;
}

export function isUnfiltered(filter: LinkFilter): boolean {
  const { workspacePk: _workspacePk, showArchived: _showArchived, withTags, ...others } = filter;
  return !withTags && Object.values(others).every((value) => value === undefined);
}

/** A campaign may have millions of links with one URL. The filter `url` pages through them. */
const exactUrlsMax = 100;

const none = Symbol("named, and not there");

async function resolveName<T>(
  name: string | undefined,
  find: (name: string) => Promise<T | undefined>,
): Promise<T | undefined | typeof none> {
  return name ? ((await find(name)) ?? none) : undefined;
}

/** Empty if tags are given, but the workspace has none of them. */
async function findTagPks(scope: WorkspaceScope, { tagId, tagIds, tagNames }: LinkFilters) {
  const ids = [...listOf(tagId), ...listOf(tagIds)];
  const names = listOf(tagNames).map((name) => name.toLowerCase());
  if (ids.length + names.length === 0) return undefined;
  return (await findTags(scope.workspacePk, ids, names)).map(({ pk }) => pk);
}

async function findNamed(scope: WorkspaceScope, { key, externalId, status }: LinkFilters) {
  if (status === "broken" && !(await hasBroken(scope.workspacePk))) return [];
  if (!key && !externalId) return undefined;
  const byKey = key ? await findByKey(scope, key) : undefined;
  const byId = externalId ? await pksOfExternalId(scope, externalId) : undefined;
  if (!byKey || !byId) return byKey ?? byId;
  return byKey.filter((pk) => byId.includes(pk));
}

async function findByKey(scope: WorkspaceScope, key: string): Promise<number[]> {
  const names = (await listDomains(scope)).flatMap((domain) => nameOnDomain(domain, key) ?? []);
  return findPksByNames(scope.workspacePk, names);
}

/** A key in the form of its domain. Undefined if no link there can have it. */
export function nameOnDomain(domain: Domain, key: string): LinkName | undefined {
  const parsed = parseKey(key, domain);
  if (!parsed.ok) return undefined;
  return { domainPk: domain.pk, key: parsed.key, codePk: pkOfCode(parsed.key) };
}

export async function pksOfExternalId(scope: WorkspaceScope, text: string): Promise<number[]> {
  const found = await findByExternalId(scope, text);
  return found ? [found.pk] : [];
}

async function resolveSearch(
  scope: WorkspaceScope,
  { search, searchMode }: LinkFilters,
): Promise<LinkSearch | undefined> {
  if (!search) return undefined;
  const pks = await Promise.all([
    findByKey(scope, search),
    pksOfExternalId(scope, search),
    findPksByUrl(scope.workspacePk, search, exactUrlsMax),
    findByShortLink(scope, search),
    findById(scope, search),
  ]);
  const exact = [...new Set(pks.flat())];
  const term = searchMode === "exact" ? undefined : searchTerm(search);
  if (!term || (await isSearchable(scope.workspacePk, term))) return { pks: exact, term };
  if (exact.length > 0) return { pks: exact, term: undefined };
  throw refuseTerm();
}

function refuseTerm(): AppError {
  const message = `Search for at least three letters or digits in a row: the workspace has more than ${scannedLinksMax} links.`;
  const params = { links: scannedLinksMax };
  return new AppError("unprocessable_entity", message, { problem: termTooShort, params });
}

/** With or without a scheme: `https://go.example/sale`, `go.example/sale`. */
async function findByShortLink(scope: WorkspaceScope, text: string): Promise<number[]> {
  const [, host, path] = /^(?:https?:\/\/)?([^/\s]+)\/([^\s?#]+)/i.exec(text) ?? [];
  if (!host || !path) return [];
  const domain = await findDomain(scope, host.replace(/:\d+$/, "").toLowerCase());
  const name = domain && nameOnDomain(domain, decode(path));
  return name ? findPksByNames(scope.workspacePk, [name]) : [];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function findById(scope: WorkspaceScope, text: string): Promise<number[]> {
  const uuid = parseId("link", text);
  return uuid ? (await findRows(scope.workspacePk, [uuid])).map(({ pk }) => pk) : [];
}
