/**
 * One field that finds any link, code, domain, workspace or person of the instance.
 *
 * Links are found exactly: by their URL, slug, code or id. Domains, workspaces and people are found exactly or by the
 * beginning of a name, exact ones first. Every workspace of the results gets an entry in its audit log.
 */

import { parseId, presentId } from "#lib/basics/ids";
import { bareUrl } from "#lib/basics/urls/schema";
import { foldKey } from "#lib/links/link-cache";
import { findLinkById, type OwnedLink, presentFound, readLinks } from "#lib/office/links";
import { pkOfCode } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { auditLooks, type OperatorScope } from "#lib/tenancy/operators";
import type { FoundByOffice, FoundCode } from "./schema.ts";

export async function searchOffice(operator: OperatorScope, text: string): Promise<FoundByOffice> {
  const [links, code, domains, workspaces, people] = await Promise.all([
    findLinks(text),
    findCode(text),
    findDomains(text),
    findWorkspaces(text),
    findPeople(text),
  ]);
  const owners = [...links, ...domains, ...workspaces].flatMap(({ workspacePk }) =>
    workspacePk === null ? [] : [workspacePk],
  );
  await auditLooks(operator, [null], { action: "operator.find", details: { text } });
  // defence: operator-searches-recorded
  await auditLooks(operator, owners, { action: "operator.find" });
  return {
    links: links.map(presentFound),
    codes: code ? [code] : [],
    domains: domains.map(({ workspacePk: _, ...domain }) => domain),
    workspaces: workspaces.map(({ workspacePk: _, ...workspace }) => workspace),
    people,
  };
}

const foundMax = 20;

function beginningOf(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

type Owned<Row> = Row & { workspacePk: number | null };

interface DomainRow {
  id: string;
  host: string;
  verified: boolean;
  workspacePk: number | null;
  workspaceId: string | null;
  name: string | null;
  slug: string | null;
}

async function findDomains(text: string): Promise<Owned<FoundByOffice["domains"][number]>[]> {
  const host = bareUrl(text).replace(/[:/?#].*$/, "");
  if (host === "") return [];
  // Answered by domain_search and domain_id_key.
  const rows = await query<DomainRow>(sql`
    SELECT
      domain.id, domain.slug AS host, domain.verified_at IS NOT NULL AS verified,
      domain.workspace_pk AS "workspacePk", workspace.id AS "workspaceId", workspace.name,
      workspace.slug
    FROM domain
    LEFT JOIN workspace ON workspace.pk = domain.workspace_pk
    WHERE lower(domain.slug) LIKE ${beginningOf(host)}
      OR domain.id = ${text}
    ORDER BY lower(domain.slug) = lower(${host}) DESC, verified DESC, domain.slug, domain.pk
    LIMIT ${foundMax}`);
  return rows.map(({ host: slug, workspaceId, ...row }) => ({
    id: row.id,
    slug,
    verified: row.verified,
    workspacePk: row.workspacePk,
    workspace:
      workspaceId === null ? null : { id: workspaceId, name: row.name ?? "", slug: row.slug ?? "" },
  }));
}

function findWorkspaces(text: string): Promise<Owned<FoundByOffice["workspaces"][number]>[]> {
  // Answered by workspace_search, workspace_name_search and workspace_id_key.
  return query(sql`
    SELECT id, name, slug, plan, deleted_at IS NOT NULL AS deleted, pk AS "workspacePk"
    FROM workspace
    WHERE lower(slug) LIKE ${beginningOf(text)}
      OR lower(name) LIKE ${beginningOf(text)}
      OR id = ${text}
    ORDER BY lower(slug) = lower(${text}) DESC, lower(name) = lower(${text}) DESC, slug, pk
    LIMIT ${foundMax}`);
}

function findPeople(text: string): Promise<FoundByOffice["people"]> {
  // Answered by app_user_search, app_user_name_search and app_user_id_key.
  return query(sql`
    SELECT id, name, email, operator
    FROM app_user
    WHERE lower(email) LIKE ${beginningOf(text)}
      OR lower(name) LIKE ${beginningOf(text)}
      OR id = ${text}
    ORDER BY lower(email) = lower(${text}) DESC, lower(name) = lower(${text}) DESC, email
    LIMIT ${foundMax}`);
}

const linksMax = 20;
const blockSize = 65_536;

/** Reads host and slug of a link, otherwise only the slug. */
function partsOf(text: string): { host: string | null; key: string } {
  const bare = bareUrl(text).replace(/[?#].*$/, "");
  const at = bare.indexOf("/");
  if (at < 0) return { host: null, key: bare };
  return {
    host: bare.slice(0, at).toLowerCase().replace(/:\d+$/, ""),
    key: decode(bare.slice(at + 1)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).replace(/\/+$/, "");
  } catch {
    return text;
  }
}

async function findLinks(text: string): Promise<OwnedLink[]> {
  const uuid = parseId("link", text);
  const { host, key } = partsOf(text);
  const pk = pkOfCode(key);
  const [named, own] = await Promise.all([
    findNamed(host, key),
    uuid === undefined ? undefined : findLinkById(uuid),
  ]);
  const pks = [...named, ...(own ? [own.pk] : []), ...(pk === undefined ? [] : [pk])];
  const links = await readLinks(pks);
  return links.filter((link) => host === null || link.host === host).slice(0, linksMax);
}

/** Links with a chosen slug. Answered by alias_pkey, one lookup per domain. */
async function findNamed(host: string | null, key: string): Promise<number[]> {
  const rows = await query<{ pk: number }>(sql`
    SELECT alias.link_pk AS pk
    FROM domain
    CROSS JOIN LATERAL (
      SELECT link_pk
      FROM alias
      WHERE alias.domain_pk = domain.pk
        AND alias.key = CASE WHEN domain.case_insensitive THEN ${foldKey(key)} ELSE ${key} END
      LIMIT 1
    ) AS alias
    WHERE ${host}::text IS NULL OR lower(domain.slug) = ${host}::text`);
  return rows.map(({ pk }) => pk);
}

interface CodeRow {
  deleted: boolean;
  recycled: boolean;
  leased: number;
}

async function findCode(text: string): Promise<FoundCode | undefined> {
  const { key: code } = partsOf(text);
  const pk = pkOfCode(code);
  if (pk === undefined) return undefined;
  // Answered by the primary keys; the sequence is one row.
  const [links, codes] = await Promise.all([
    query<{ uuid: string | null; reserved: boolean }>(
      sql`SELECT id AS uuid, workspace_pk IS NULL AS reserved FROM link WHERE pk = ${pk}`,
    ),
    query<CodeRow>(sql`
      SELECT
        EXISTS (SELECT 1 FROM deleted_link WHERE link_pk = ${pk}) AS deleted,
        EXISTS (SELECT 1 FROM recycled_code WHERE pk = ${pk}) AS recycled,
        CASE WHEN is_called THEN (last_value + 1) * ${blockSize}::bigint ELSE 0 END AS leased
      FROM pk_block`),
  ]);
  const [link] = links;
  const [state] = codes;
  if (!state) return undefined;
  return {
    code,
    pk,
    state: link ? (link.reserved ? "reserved" : "in_use") : stateOf(state, pk),
    recycled: state.recycled,
    link: link?.uuid ? presentId("link", link.uuid) : null,
  };
}

function stateOf({ deleted, recycled, leased }: CodeRow, pk: number): FoundCode["state"] {
  if (deleted || recycled) return "deleted";
  return pk < leased ? "unused" : "not_issued";
}
