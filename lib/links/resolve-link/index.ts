/**
 * Expands a short link: returns its destination to callers who may read the links of its workspace. This is not counted as a
 * click. Every result is audited before it is returned. Entries that arrive during a write share the next one, which allows
 * thousands of calls a second.
 */
import { presentId } from "#lib/basics/ids";
import { parseUrl } from "#lib/basics/urls/schema";
import { findDomain, findShortHosts, shortUrl } from "#lib/links/hosts";
import { withoutHidden } from "#lib/links/visible-links";
import { GroupCommit } from "#lib/platform/batches";
import { pkOfCode } from "#lib/platform/codes";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { Connection, pool, query } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type AuditEntry, currentOrigin, recordAudit } from "#lib/tenancy/audit";
import type { ExpandQuery, Expansion } from "./schema.ts";

const auditCommits = new GroupCommit<AuditEntry, true>(
  { batchMax: 1_000, writesMax: 2 },
  async (batch) => {
    await recordAudit(new Connection(pool()), batch);
    return batch.map(() => true);
  },
);
onClose("expansions", () => auditCommits.idle());

interface ShortName {
  domain: string;
  key: string;
}

/** Links that the actor cannot see get the same answer as missing ones. */
export async function expandLink(scope: WorkspaceScope, query: ExpandQuery): Promise<Expansion> {
  assertMay(scope, "links.read");
  const name = nameOf(query);
  const domain = await findDomain(scope, name.domain);
  const exact = name.key.normalize("NFC");
  const key = domain?.caseInsensitive ? exact.toLowerCase().normalize("NFC") : exact;
  const asked = domain && { workspacePk: scope.workspacePk, domainPk: domain.pk, key };
  const found = asked && (await findByName(asked, pkOfCode(key)));
  // defence: hidden-link-not-expanded
  const [row] = found ? await withoutHidden(scope, [found]) : [];
  if (!domain || !row) {
    if (found || (!domain && (await isServed(name.domain)))) await recordMismatch(scope, name);
    throw new AppError("not_found", `Link "${name.key}" not found on ${name.domain}.`);
  }
  const { workspacePk, actor } = scope;
  const expansion = present(row, domain.slug);
  const { id: subject, url } = expansion;
  const details = { url };
  const origin = currentOrigin();
  await auditCommits.add({ workspacePk, actor, action: "link.expand", subject, details, origin });
  return expansion;
}

async function isServed(host: string): Promise<boolean> {
  return (await findShortHosts([host])).size > 0;
}

const mismatchCharsMax = 200;

/**
 * Records that the caller asked for a link that they cannot read: on a domain of another workspace, or out of the reach of their
 * key. Only a few are recorded per caller, so that guessing does not fill the audit log.
 */
async function recordMismatch(scope: WorkspaceScope, { domain, key }: ShortName): Promise<void> {
  const { workspacePk, actor } = scope;
  const attempt = await tryLimit("foreignExpansionPerCaller", `${workspacePk} ${actor}`);
  if (!attempt.ok) return;
  const details = { domain, key: key.slice(0, mismatchCharsMax) };
  const origin = currentOrigin();
  await auditCommits.add({ workspacePk, actor, action: "link.expand_refused", details, origin });
}

function nameOf({ domain, key, url }: ExpandQuery): ShortName {
  if (url !== undefined) {
    if (domain === undefined && key === undefined) return nameInUrl(url);
  } else if (domain !== undefined && key !== undefined) return { domain, key };
  throw new AppError("unprocessable_entity", "Use either domain and key, or url.");
}

const advice = "url: Use a full short link, such as https://go.example.com/spring.";

function nameInUrl(text: string): ShortName {
  const complete = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const parsed = parseUrl(complete);
  if (!parsed) throw new AppError("unprocessable_entity", advice);
  const { hostname, pathname } = parsed;
  const key = decode(pathname.replace(/^\/+|\/+$/g, ""));
  return { domain: hostname, key: key === "" ? "_root" : key };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new AppError("unprocessable_entity", advice);
  }
}

function present(row: ExpandedRow, domain: string): Expansion {
  return {
    id: presentId("link", row.id),
    domain,
    key: row.key,
    shortLink: shortUrl(domain, row.key),
    url: row.url,
    externalId: row.external_id,
    tenantId: row.tenant_id,
    archived: row.archived,
    expiresAt: row.expires_at?.toISOString() ?? null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    createdBy: creatorOf(row),
  };
}

function creatorOf(row: ExpandedRow): Expansion["createdBy"] {
  const { key_id: keyId, key_name: keyName, user_id: userId, user_name: userName } = row;
  if (keyId !== null && keyName !== null) return { id: keyId, name: keyName, type: "api_key" };
  return userId !== null && userName !== null ? { id: userId, name: userName, type: "user" } : null;
}

interface ExpandedRow {
  id: string;
  domain_pk: number;
  folder_pk: number | null;
  key: string;
  url: string;
  external_id: string | null;
  tenant_id: string | null;
  archived: boolean;
  expires_at: Date | null;
  disabled_at: Date | null;
  created_at: Date;
  key_id: string | null;
  key_name: string | null;
  user_id: string | null;
  user_name: string | null;
}

interface AskedName {
  workspacePk: number;
  domainPk: number;
  key: string;
}

async function findByName(asked: AskedName, codePk: number | undefined) {
  const coded = codePk === undefined ? undefined : await findByPk(asked, codePk);
  if (coded) return coded;
  const [chosen] = await query<{ link_pk: number }>({
    name: "expansion-name",
    // Answered by alias_pkey.
    text: `
      SELECT link_pk
      FROM alias
      WHERE domain_pk = $1
        AND key = $2`,
    values: [asked.domainPk, asked.key],
  });
  return chosen && (await findByPk(asked, chosen.link_pk));
}

function findByPk({ workspacePk, domainPk, key }: AskedName, pk: number) {
  return query.one<ExpandedRow>({
    name: "expansion-find",
    // Answered by link_pkey, and names by primary keys. A root link may have no destination.
    text: `
      SELECT link.id, link.domain_pk, link.folder_pk, link.key, link.url, link.external_id,
        link.tenant_id, link.archived, link.expires_at, link.disabled_at, link.created_at,
        api_key.id AS key_id, api_key.name AS key_name,
        app_user.id AS user_id, app_user.name AS user_name
      FROM link
      LEFT JOIN api_key ON api_key.pk = link.api_key_pk
      LEFT JOIN app_user ON app_user.pk = link.user_pk
      WHERE link.pk = $4
        AND link.workspace_pk = $1
        AND link.domain_pk = $2
        AND link.key = $3
        AND link.url <> ''`,
    values: [workspacePk, domainPk, key, pk],
  });
}
