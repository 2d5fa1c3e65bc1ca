/** Finds domains for links. Every create needs them, so they are cached. */
import { newId } from "#lib/basics/ids";
import { hostEntry, hostOfEntry } from "#lib/links/link-cache";
import { CoherentCache } from "#lib/platform/cache-sync";
import { ConfigError, config } from "#lib/platform/config";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { reachesDomain } from "#lib/tenancy/reach";
import { defaultHost, publicHost } from "./names.ts";

export {
  dashboardHost,
  defaultHost,
  isLocal,
  isOwnAddress,
  isOwnHost,
  isTrusted,
  parseHost,
} from "./names.ts";

export interface Domain {
  pk: number;
  slug: string;
  /** Undefined for the instance’s own domain, which every workspace can use. */
  workspacePk: number | undefined;
  caseInsensitive: boolean;
  /** Only for links that visitors create without an account. */
  isPublic: boolean;
}

const domainsMax = 50_000;
const domainAgeMaxMs = 60_000;

// The redirect uses the same entry names, so one invalidation reaches both caches.
const domains = new CoherentCache<Domain>({
  entriesMax: () => domainsMax,
  ageMaxMs: domainAgeMaxMs,
  load: async (entries) => {
    const rows = await loadDomainRows(entries.map(hostOfEntry));
    return new Map(
      rows.map((row) => [hostEntry(row.slug), { revision: row.revision, value: domainOfRow(row) }]),
    );
  },
});

export function primaryEntry(workspacePk: number): string {
  return `p:${workspacePk}`;
}

// Also stores that a workspace has no primary domain, which would otherwise be queried too often.
const primaries = new CoherentCache<{ host: string | undefined }>({
  entriesMax: () => domainsMax,
  ageMaxMs: domainAgeMaxMs,
  load: async (entries) => {
    const rows = await loadPrimaries(entries.map((entry) => Number(entry.slice(2))));
    const hosts = new Map(rows.map((row) => [primaryEntry(row.workspace_pk), row.slug]));
    return new Map(
      entries.map((entry) => [entry, { revision: 0, value: { host: hosts.get(entry) } }]),
    );
  },
});

function domainOfRow(row: ServingRow): Domain {
  return {
    pk: row.pk,
    slug: row.slug,
    workspacePk: row.workspace_pk ?? undefined,
    caseInsensitive: row.case_insensitive,
    isPublic: row.public_links,
  };
}

/** Creates the rows of the instance’s own domains. Every process runs it at its start. */
export async function openDomains(): Promise<void> {
  await addOwnDomain(defaultHost(), false);
  const shortener = publicHost();
  if (shortener === undefined) return;
  await addOwnDomain(shortener, true);
  const [row] = await loadDomainRows([shortener]);
  // defence: public-host-unused
  if (row?.public_links) return;
  throw new ConfigError([
    `FUXI_PUBLIC_SHORTENER must be a host of its own, but ${shortener} already serves other links.`,
  ]);
}

/** A host that was public stays so, because other links must not depend on its reputation. */
async function addOwnDomain(slug: string, isPublic: boolean): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, slug, verified_at, public_links)
    VALUES (${newId("dom")}, ${slug}, now(), ${isPublic})
    ON CONFLICT (slug) WHERE verified_at IS NOT NULL DO NOTHING`);
}

type DomainScope = Pick<WorkspaceScope, "workspacePk" | "reach">;

/**
 * The domain with this name, if the actor may create links on it. Without a name: the primary
 * domain of the workspace, then the instance’s own, then the first one that an API key may use.
 */
export async function findDomain(
  scope: DomainScope,
  slug: string | undefined,
): Promise<Domain | undefined> {
  if (slug === undefined) return await findDefault(scope);
  const domain = await domains.find(hostEntry(slug));
  if (!domain) return undefined;
  const mine = domain.workspacePk === undefined || domain.workspacePk === scope.workspacePk;
  return mine && reachesDomain(scope, domain.pk) ? domain : undefined;
}

async function findDefault(scope: DomainScope): Promise<Domain | undefined> {
  const primary = await primaries.find(primaryEntry(scope.workspacePk));
  const own = primary?.host === undefined ? undefined : await findDomain(scope, primary.host);
  const usual = own ?? (await findDomain(scope, defaultHost()));
  if (usual || !scope.reach.domains) return usual;
  for (const { slug } of scope.reach.domains) {
    const reached = await findDomain(scope, slug);
    if (reached) return reached;
  }
  return undefined;
}

/** The hosts among these that serve short links of any workspace. A link to one would be a loop. */
export async function findShortHosts(names: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(names.map((name) => domains.find(hostEntry(name))));
  return new Set(names.filter((_, at) => found[at] !== undefined));
}

/** The domains where the actor may create links, beginning with the primary one. */
export async function listDomains(scope: WorkspaceScope): Promise<Domain[]> {
  const served = await listServedDomains(scope.workspacePk);
  return served.map(domainOfRow).filter(({ pk }) => reachesDomain(scope, pk));
}

let origin: { url: string; protocol: string; port: string } | undefined;

function ownOrigin(): { protocol: string; port: string } {
  const { FUXI_URL: url } = config();
  if (origin?.url !== url) {
    const { protocol, port } = new URL(url);
    origin = { url, protocol, port };
  }
  return origin;
}

export function shortUrl(slug: string, key: string): string {
  const { protocol, port } = ownOrigin();
  const path = key === "_root" ? "" : key.split("/").map(encodeURIComponent).join("/");
  return `${protocol}//${slug}${port ? `:${port}` : ""}/${path}`;
}

interface ServingRow {
  pk: number;
  slug: string;
  workspace_pk: number | null;
  case_insensitive: boolean;
  public_links: boolean;
  revision: number;
}

function loadDomainRows(slugs: string[]): Promise<ServingRow[]> {
  // Answered by domain_serving, which contains only verified ones.
  return query<ServingRow>(sql`
    SELECT pk, slug, workspace_pk, case_insensitive, public_links, revision
    FROM domain
    WHERE slug = ANY(${slugs}::text[])
      AND verified_at IS NOT NULL`);
}

/** Locks the domains among these that serve the workspace, until the transaction ends. */
export async function lockServedDomains(
  tx: Connection,
  workspacePk: number,
  pks: readonly number[],
): Promise<Set<number>> {
  // Answered by domain_pkey. Ordered, so that two transactions cannot deadlock.
  const rows = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM domain
    WHERE pk = ANY(${pks}::int[])
      AND workspace_pk = ${workspacePk}
      AND verified_at IS NOT NULL
    ORDER BY pk
    FOR KEY SHARE`);
  return new Set(rows.map(({ pk }) => pk));
}

function listServedDomains(workspacePk: number): Promise<ServingRow[]> {
  // Answered by domain_claim; the instance has few domains of its own.
  return query<ServingRow>(sql`
    SELECT pk, slug, workspace_pk, case_insensitive, public_links, revision
    FROM domain
    WHERE (workspace_pk = ${workspacePk} OR workspace_pk IS NULL)
      AND verified_at IS NOT NULL
      AND NOT archived
      AND NOT public_links
    ORDER BY workspace_pk NULLS LAST, "primary" DESC, pk`);
}

function loadPrimaries(workspacePks: number[]): Promise<{ workspace_pk: number; slug: string }[]> {
  // Answered by domain_primary.
  return query(sql`
    SELECT workspace_pk, slug
    FROM domain
    WHERE workspace_pk = ANY(${workspacePks}::int[])
      AND "primary"
      AND verified_at IS NOT NULL
      AND NOT archived`);
}
