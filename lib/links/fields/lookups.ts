/** What bodies reference, loaded for a whole batch, so that preparing a link needs no query. */
import { type DestinationRules, loadDestinationRules } from "#lib/destinations/lists";
import { type ResolvedFolder, resolveFolders } from "#lib/links/folders";
import { type Domain, findDomain, findShortHosts } from "#lib/links/hosts";
import { findOrigins } from "#lib/links/link-rows";
import { findLogos } from "#lib/links/qr-design";
import { findTags } from "#lib/links/tags";
import type { Tag } from "#lib/links/tags/schema";
import { AppError } from "#lib/platform/errors";
import { hashPasswords } from "#lib/platform/passwords";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { findWebhookIds } from "#lib/tenancy/webhook-events";
import { type EditLink, isUrlOnly, listOf, type NewLink, passwordMask } from "./schema.ts";

/** A hash takes a quarter of a second on purpose. */
const passwordsPerCallMax = 20;

export interface Lookups {
  /** By the name in a body; "" is the default domain. */
  domains: ReadonlyMap<string, Domain>;
  tagsById: ReadonlyMap<string, Tag & { pk: number }>;
  tagsByName: ReadonlyMap<string, Tag & { pk: number }>;
  folders: ReadonlyMap<string, ResolvedFolder>;
  shortHosts: ReadonlySet<string>;
  destinations: DestinationRules;
  passwordHashes: ReadonlyMap<string, string>;
  logos: ReadonlySet<string>;
  forms: ReadonlySet<string>;
  webhooks: ReadonlySet<string>;
  /** Short links of other systems that the workspace has already imported. */
  origins: ReadonlySet<string>;
}

export function tagIdsOf(body: EditLink): string[] {
  return body.tagId ? [...listOf(body.tagIds), body.tagId] : listOf(body.tagIds);
}

export type Destinations = Pick<
  EditLink,
  "url" | "expiredUrl" | "ios" | "android" | "geo" | "testVariants" | "rules"
>;

export function urlsOf(body: Destinations): string[] {
  if (isUrlOnly(body)) return body.url ? [body.url] : [];
  const found = [body.url, body.expiredUrl, body.ios, body.android];
  if (body.geo) found.push(...Object.values(body.geo));
  for (const { url } of body.testVariants ?? []) found.push(url);
  for (const { url } of body.rules ?? []) found.push(url);
  // Only a root link may have an empty URL.
  return found.filter((url) => typeof url === "string").filter((url) => url !== "");
}

/** A host as browsers write it. The last label starts with a letter, so it is not an IP address. */
const plainHostPattern = /^https?:\/\/([a-z0-9.-]+\.[a-z][a-z0-9-]*)(?:[/?#]|$)/;

/** The host of a URL. Parsing every URL took longer than all other checks of a create. */
export function hostOf(url: string): string {
  // A final dot marks a fully qualified name of the same host.
  return plainHostPattern.exec(url)?.[1] ?? new URL(url).hostname.replace(/\.$/, "");
}

export function hostsOf(bodies: readonly Destinations[]): Set<string> {
  const hosts = new Set<string>();
  for (const body of bodies) for (const url of urlsOf(body)) hosts.add(hostOf(url));
  return hosts;
}

function collect(bodies: readonly EditLink[], read: (body: EditLink) => string[]): string[] {
  const found = new Set<string>();
  for (const body of bodies) for (const text of read(body)) found.add(text);
  return [...found];
}

function asList(text: string | null | undefined): string[] {
  return text ? [text] : [];
}

const emptyLookups = {
  tagsById: new Map(),
  tagsByName: new Map(),
  folders: new Map(),
  passwordHashes: new Map(),
  logos: new Set<string>(),
  forms: new Set<string>(),
  webhooks: new Set<string>(),
  origins: new Set<string>(),
};

export async function loadLookups(
  scope: WorkspaceScope,
  bodies: readonly (EditLink & Pick<NewLink, "origin">)[],
): Promise<Lookups> {
  const [domains, shortHosts, destinations] = await Promise.all([
    findDomains(scope, bodies),
    findShortHosts([...hostsOf(bodies)]),
    loadDestinationRules(scope.workspacePk),
  ]);
  const basic = { domains, shortHosts, destinations };
  if (bodies.every(isUrlOnly)) return { ...emptyLookups, ...basic };
  const passwords = collect(bodies, (body) => asList(body.password)).filter(
    (p) => p !== passwordMask,
  );
  if (passwords.length > passwordsPerCallMax) {
    throw new AppError(
      "unprocessable_entity",
      `password: A request can have up to ${passwordsPerCallMax} different passwords. Split it into several requests.`,
    );
  }
  const logoIds = collect(bodies, (body) => asList(body.qr?.logoId));
  const webhookIds = collect(bodies, (body) => body.webhookIds ?? []);
  const formIds = collect(bodies, (body) => asList(body.formId));
  const origins = bodies.flatMap(({ origin }) => origin?.shortLink ?? []);
  const owner = { group: `${scope.workspacePk}`, member: `${scope.userPk} ${scope.apiKeyPk}` };
  const [tags, folders, logos, forms, webhooks, known, passwordHashes] = await Promise.all([
    findNamedTags(scope, bodies),
    findFolders(scope, bodies),
    logoIds.length === 0 ? new Set<string>() : findLogos(scope.workspacePk, logoIds),
    formIds.length === 0 ? new Set<string>() : findFormIds(scope.workspacePk, formIds),
    webhookIds.length === 0 ? new Set<string>() : findWebhookIds(scope.workspacePk, webhookIds),
    findOrigins(scope.workspacePk, origins),
    hashPasswords(passwords, owner),
  ]);
  return {
    ...basic,
    tagsById: new Map(tags.map((tag) => [tag.id, tag])),
    tagsByName: new Map(tags.map((tag) => [tag.name.toLowerCase(), tag])),
    ...{ folders, passwordHashes, logos, forms, webhooks, origins: known },
  };
}

async function findDomains(scope: WorkspaceScope, bodies: readonly EditLink[]) {
  const found = new Map<string, Domain>();
  for (const slug of new Set(bodies.map((body) => body.domain ?? ""))) {
    const domain = await findDomain(scope, slug || undefined);
    // defence: public-host-takes-no-links
    if (domain && (!domain.isPublic || scope.actor === "system")) found.set(slug, domain);
  }
  return found;
}

async function findNamedTags(scope: WorkspaceScope, bodies: readonly EditLink[]) {
  const ids = collect(bodies, tagIdsOf);
  const names = collect(bodies, (body) => listOf(body.tagNames)).map((name) => name.toLowerCase());
  return ids.length + names.length === 0 ? [] : await findTags(scope.workspacePk, ids, names);
}

async function findFolders(
  scope: WorkspaceScope,
  bodies: readonly EditLink[],
): Promise<Lookups["folders"]> {
  const ids = collect(bodies, (body) => asList(body.folderId));
  return ids.length === 0 ? new Map() : await resolveFolders(scope, ids, "write");
}

/** Answered by form_id_key. */
async function findFormIds(workspacePk: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(sql`
    SELECT id
    FROM form
    WHERE id = ANY(${ids}::text[])
      AND workspace_pk = ${workspacePk}
      AND deleted_at IS NULL`);
  return new Set(rows.map(({ id }) => id));
}
