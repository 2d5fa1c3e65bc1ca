/** Resolves filters to pks and texts. Objects that the actor may not see are missing. */

import {
  attributeNames,
  attributeOf,
  type Dimension,
  filterOf,
} from "#lib/analytics/dimensions/schema";
import { aliasDiffers } from "#lib/basics/fields/schema";
import { parseId } from "#lib/basics/ids";
import { resolveFolders } from "#lib/links/folders";
import { findPksByName } from "#lib/links/reading";
import { findCampaignPk, visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type FilterValues, parseFilter } from "./notation.ts";
import { type ClickFilter, filterValuesMax } from "./schema.ts";
import { findDomainPks, findLinkPks, findRootPks, findTagPks } from "./store.ts";

/** `excluded`: clicks without these values. */
export interface ValueCondition {
  dimension: Dimension;
  values: string[];
  excluded: boolean;
}

/** `excluded`: clicks on other links. */
export interface LinkCondition {
  by: "pk" | "tag" | "folder" | "tenant" | "domain" | "campaign";
  values: readonly (number | string)[];
  excluded: boolean;
}

export interface Conditions {
  /** At most one per dimension. */
  values: ValueCondition[];
  links: LinkCondition[];
}

/** Undefined without values. Throws for more values than a filter may have. */
export function parseNames(name: string, text: string | undefined): FilterValues | undefined {
  const parsed = parseFilter(name, text);
  if (parsed && parsed.values.length > filterValuesMax) {
    const message = `${name}: Use at most ${filterValuesMax} values.`;
    throw new AppError("unprocessable_entity", message);
  }
  return parsed;
}

function tagsIn({ tagId, tagIds }: ClickFilter): string | undefined {
  if (tagId === undefined || tagIds === undefined || tagId === tagIds) return tagId ?? tagIds;
  throw new AppError("unprocessable_entity", `tagIds: ${aliasDiffers("tagId")}`);
}

/** Throws a 404 for the first missing id, in a fixed order. */
export async function resolveConditions(
  scope: WorkspaceScope,
  request: ClickFilter,
): Promise<Conditions> {
  const domain =
    request.key === undefined ? await resolveDomains(scope, request.domain) : undefined;
  const seen = [
    await resolveName(scope, request),
    await resolveIds(scope, request.linkId),
    await resolveExternalIds(scope, request.externalId),
    await resolveFolderIds(scope, request.folderId),
  ];
  const others = [
    await resolveTags(scope, tagsIn(request)),
    await resolveCampaigns(scope, request.campaignId),
    await resolveRoots(scope, request.root),
    resolveTenants(request.tenantId),
  ];
  // Links that are named are known to be visible; otherwise hidden folders are excluded.
  const visible = seen.some((condition) => condition && !condition.excluded);
  const links = [...seen, ...others].filter((condition) => condition !== undefined);
  return {
    values: domain ? [...resolveValues(request), domain] : resolveValues(request),
    // defence: key-stats-in-reach
    links: [...links, ...(visible ? [] : await hiddenOf(scope)), ...reachOf(scope)],
  };
}

async function hiddenOf(scope: WorkspaceScope): Promise<LinkCondition[]> {
  const { hiddenFolderPks } = await visibleLinks(scope);
  const condition = { by: "folder", values: hiddenFolderPks, excluded: true } as const;
  return hiddenFolderPks.length > 0 ? [condition] : [];
}

/** The limits of an API key. They always apply, because a visible folder may have links of other domains. */
function reachOf({ reach }: WorkspaceScope): LinkCondition[] {
  const { domains, folderPks } = reach;
  const links: LinkCondition[] = [];
  if (folderPks) links.push({ by: "folder", values: folderPks, excluded: false });
  if (domains) links.push({ by: "domain", values: domains.map(({ pk }) => pk), excluded: false });
  return links;
}

function resolveValues(request: ClickFilter): ValueCondition[] {
  const trigger =
    request.trigger ?? (request.qr === undefined ? undefined : request.qr ? "qr" : "link");
  const asked = { ...request, trigger };
  return attributeNames.flatMap((dimension): ValueCondition[] => {
    const { unknown, spell = (value: string) => value } = attributeOf(dimension);
    const filter = filterOf(dimension);
    const parsed = parseNames(filter, asked[filter]);
    if (!parsed) return [];
    const values = parsed.values.flatMap((value) =>
      value === unknown ? ["", value] : [spell(value)],
    );
    return [{ dimension, values, excluded: parsed.excluded }];
  });
}

function missing(kind: string, name: string): AppError {
  return new AppError("not_found", `This workspace has no ${kind} "${name}".`);
}

function requireAll<T>(kind: string, names: readonly string[], found: ReadonlyMap<string, T>): T[] {
  return names.map((name) => {
    const value = found.get(name);
    if (value === undefined) throw missing(kind, name);
    return value;
  });
}

async function resolveDomains(
  { workspacePk }: WorkspaceScope,
  text: string | undefined,
): Promise<ValueCondition | undefined> {
  const parsed = parseNames("domain", text);
  if (!parsed) return undefined;
  const slugs = parsed.values.map((slug) => slug.toLowerCase());
  const pks = requireAll("domain", slugs, await findDomainPks(workspacePk, slugs));
  return { dimension: "domain", values: pks.flat().map(String), excluded: parsed.excluded };
}

async function resolveName(
  scope: WorkspaceScope,
  { domain, key }: ClickFilter,
): Promise<LinkCondition | undefined> {
  if (key === undefined) return undefined;
  const parsed = parseNames("domain", domain);
  const [slug] = parsed?.values ?? [];
  if (slug === undefined || parsed?.excluded || (parsed?.values.length ?? 0) > 1) {
    throw new AppError("unprocessable_entity", "key: Send exactly one domain together with key.");
  }
  const pks = await findPksByName(scope, slug.toLowerCase(), key);
  const visible = await findLinkPks(scope.workspacePk, { pks }, await visibleLinks(scope));
  if (visible.length === 0) throw missing("link", `${slug}/${key}`);
  return { by: "pk", values: visible.map(({ pk }) => pk), excluded: false };
}

async function resolveIds(
  scope: WorkspaceScope,
  text: string | undefined,
): Promise<LinkCondition | undefined> {
  const parsed = parseNames("linkId", text);
  if (!parsed) return undefined;
  const uuids = parsed.values.map((id) => parseId("link", id));
  const ids = uuids.filter((uuid) => uuid !== undefined);
  const rows = await findLinkPks(scope.workspacePk, { ids }, await visibleLinks(scope));
  const pkOf = new Map(rows.map(({ id, pk }) => [id, pk]));
  const values = parsed.values.map((id, at) => {
    const pk = pkOf.get(uuids[at] ?? "");
    if (pk === undefined) throw missing("link", id);
    return pk;
  });
  return { by: "pk", values, excluded: parsed.excluded };
}

const externalPrefix = "ext_";

async function resolveExternalIds(
  scope: WorkspaceScope,
  text: string | undefined,
): Promise<LinkCondition | undefined> {
  const parsed = parseNames("externalId", text);
  if (!parsed) return undefined;
  const bare = (id: string) =>
    id.startsWith(externalPrefix) ? id.slice(externalPrefix.length) : id;
  const externalIds = parsed.values.flatMap((id) => [id, bare(id)]);
  const rows = await findLinkPks(scope.workspacePk, { externalIds }, await visibleLinks(scope));
  const pkOf = new Map(rows.map((row) => [row.external_id, row.pk]));
  const values = parsed.values.map((id) => {
    // An id may start with the prefix, so the id itself takes precedence.
    const pk = pkOf.get(id) ?? pkOf.get(bare(id));
    if (pk === undefined) throw missing("link", id);
    return pk;
  });
  return { by: "pk", values, excluded: parsed.excluded };
}

async function resolveTags(
  { workspacePk }: WorkspaceScope,
  text: string | undefined,
): Promise<LinkCondition | undefined> {
  const parsed = parseNames("tagId", text);
  if (!parsed) return undefined;
  const values = requireAll("tag", parsed.values, await findTagPks(workspacePk, parsed.values));
  return { by: "tag", values, excluded: parsed.excluded };
}

async function resolveCampaigns(
  scope: WorkspaceScope,
  text: string | undefined,
): Promise<LinkCondition | undefined> {
  const parsed = parseNames("campaignId", text);
  if (!parsed) return undefined;
  // defence: campaign-stats-need-campaigns
  assertMay(scope, "campaigns.read");
  const values: number[] = [];
  for (const id of parsed.values) {
    const pk = await findCampaignPk(scope, id);
    if (pk === undefined) throw missing("campaign", id);
    values.push(pk);
  }
  return { by: "campaign", values, excluded: parsed.excluded };
}

async function resolveFolderIds(
  scope: WorkspaceScope,
  text: string | undefined,
): Promise<LinkCondition | undefined> {
  const parsed = parseNames("folderId", text);
  if (!parsed) return undefined;
  const found = await resolveFolders(scope, parsed.values, "read");
  const values = parsed.values.map((id) => {
    const folder = found.get(id);
    if (!folder?.ok) throw missing("folder", id);
    return folder.pk;
  });
  return { by: "folder", values, excluded: parsed.excluded };
}

async function resolveRoots(
  { workspacePk }: WorkspaceScope,
  root: boolean | undefined,
): Promise<LinkCondition | undefined> {
  if (root === undefined) return undefined;
  return { by: "pk", values: await findRootPks(workspacePk), excluded: !root };
}

function resolveTenants(text: string | undefined): LinkCondition | undefined {
  const parsed = parseNames("tenantId", text);
  return parsed && { by: "tenant", ...parsed };
}
