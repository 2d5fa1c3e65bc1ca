/** Domains: the hosts that serve links, and which workspace may use which. */
import { CoherentCache } from "#lib/coherence";
import { config } from "#lib/config";
import { newId } from "#lib/ids";
import { query, sql } from "#lib/postgres";
import { hostEntry, hostOfEntry } from "#lib/targets";
import type { WorkspaceScope } from "#lib/workspaces";
import { type DomainRow, listRows, loadRows } from "./store.ts";

export interface Domain {
  pk: number;
  slug: string;
  /** undefined: the installation's own, open to every workspace */
  workspacePk: number | undefined;
  caseInsensitive: boolean;
}

const domainsMax = 50_000;
const domainAgeMaxMs = 60_000;

// The same entry names as the redirect's: one invalidation reaches both.
const domains = new CoherentCache<Domain>({
  entriesMax: domainsMax,
  ageMaxMs: domainAgeMaxMs,
  load: async (entries) => {
    const rows = await loadRows(entries.map(hostOfEntry));
    return new Map(
      rows.map((row) => [hostEntry(row.slug), { revision: row.revision, value: domainOfRow(row) }]),
    );
  },
});

function domainOfRow(row: DomainRow): Domain {
  return {
    pk: row.pk,
    slug: row.slug,
    workspacePk: row.workspace_pk ?? undefined,
    caseInsensitive: row.case_insensitive,
  };
}

/** The host of the installation's own short domain. */
export function defaultHost(): string {
  const { FUXI_SHORT_HOST, FUXI_URL } = config();
  return FUXI_SHORT_HOST ?? new URL(FUXI_URL).hostname;
}

/** Makes the row of the installation's own domain. Safe to run in every process at every start. */
export async function openDomains(): Promise<void> {
  await query(
    sql`
      INSERT INTO domain (id, slug, verified_at)
      VALUES (${newId("dom")}, ${defaultHost()}, now())
      ON CONFLICT (slug) DO NOTHING`,
  );
}

/** The domain by that name if this workspace may make links on it; without a name the installation's own. */
export async function findDomain(
  scope: WorkspaceScope,
  slug: string | undefined,
): Promise<Domain | undefined> {
  const domain = await domains.find(hostEntry(slug ?? defaultHost()));
  if (!domain) return undefined;
  const mine = domain.workspacePk === undefined || domain.workspacePk === scope.workspacePk;
  return mine ? domain : undefined;
}

/** Those of the hosts that serve short links, whoever's they are: a link to one would lead in a circle. */
export async function findShortHosts(names: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(names.map((name) => domains.find(hostEntry(name))));
  return new Set(names.filter((_, at) => found[at] !== undefined));
}

/** The domains on which this workspace may make links: its own first. */
export async function listDomains(scope: WorkspaceScope): Promise<Domain[]> {
  return (await listRows(scope.workspacePk)).map(domainOfRow);
}

/** The address that people see and click. Port and scheme are the installation's. */
export function shortUrl(slug: string, key: string): string {
  const { protocol, port } = new URL(config().FUXI_URL);
  const path = key === "_root" ? "" : key.split("/").map(encodeURIComponent).join("/");
  return `${protocol}//${slug}${port ? `:${port}` : ""}/${path}`;
}
