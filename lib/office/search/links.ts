/** Links by URL, slug, code and id. SQL: lookups in indexes of which each answers for one domain or workspace. */

import { parseId, presentId } from "#lib/basics/ids";
import { bareUrl } from "#lib/basics/urls/schema";
import { shortUrl } from "#lib/links/hosts";
import { foldKey } from "#lib/links/link-cache";
import { pkOfCode } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import type { FoundCode, FoundOfficeLink } from "./schema.ts";

const linksMax = 20;
/** As leased by lib/links/keys. */
const blockSize = 65_536;

interface LinkRow {
  uuid: string;
  workspacePk: number;
  host: string;
  key: string;
  url: string;
  state: FoundOfficeLink["state"];
  workspaceId: string;
  name: string;
  slug: string;
}

/** Of a link or a host with a slug: both parts, otherwise only the slug. */
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

/** The links with this URL, slug, code or id, newest first. */
export async function findLinks(
  text: string,
): Promise<(FoundOfficeLink & { workspacePk: number })[]> {
  const uuid = parseId("link", text);
  const { host, key } = partsOf(text);
  const pk = pkOfCode(key);
  const [named, own] = await Promise.all([findNamed(host, key), findById(uuid)]);
  const pks = [...named, ...own, ...(pk === undefined ? [] : [pk])];
  // Answered by link_pkey.
  const rows = await query<LinkRow>(sql`
    SELECT
      link.id AS uuid,
      link.workspace_pk AS "workspacePk",
      domain.slug AS host,
      link.key,
      link.url,
      CASE
        WHEN link.banned_at IS NOT NULL THEN 'banned'
        WHEN link.retired_at IS NOT NULL THEN 'retired'
        WHEN link.disabled_at IS NOT NULL THEN 'disabled'
        WHEN link.expires_at <= now() THEN 'expired'
        WHEN link.starts_at > now() THEN 'scheduled'
        WHEN link.archived THEN 'archived'
        ELSE 'active'
      END AS state,
      workspace.id AS "workspaceId",
      workspace.name,
      workspace.slug
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    JOIN workspace ON workspace.pk = link.workspace_pk
    WHERE link.pk = ANY(${pks}::bigint[])
      AND (${host}::text IS NULL OR lower(domain.slug) = ${host}::text)
    ORDER BY link.pk DESC
    LIMIT ${linksMax}`);
  return rows.map(
    ({ uuid: id, host: domain, key: linkKey, url, state, workspacePk, ...owner }) => ({
      id: presentId("link", id),
      shortLink: shortUrl(domain, linkKey),
      url,
      state,
      workspacePk,
      workspace: { id: owner.workspaceId, name: owner.name, slug: owner.slug },
    }),
  );
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

/** Answered by link_workspace, one lookup per workspace. */
async function findById(uuid: string | undefined): Promise<number[]> {
  if (uuid === undefined) return [];
  const rows = await query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE workspace_pk = ANY(ARRAY(SELECT pk FROM workspace))
      AND id = ${uuid}::uuid`);
  return rows.map(({ pk }) => pk);
}

interface CodeRow {
  uuid: string | null;
  reserved: boolean;
  alive: boolean;
  deleted: boolean;
  recycled: boolean;
  leased: number;
}

/** What became of a code, whichever link has it. */
export async function findCode(text: string): Promise<FoundCode | undefined> {
  const { key: code } = partsOf(text);
  const pk = pkOfCode(code);
  if (pk === undefined) return undefined;
  // Answered by the primary keys; the sequence is one row.
  const [links, codes] = await Promise.all([
    query<{ uuid: string | null; reserved: boolean }>(
      sql`SELECT id AS uuid, workspace_pk IS NULL AS reserved FROM link WHERE pk = ${pk}`,
    ),
    query<Pick<CodeRow, "deleted" | "recycled" | "leased">>(sql`
      SELECT
        EXISTS (SELECT 1 FROM deleted_link WHERE link_pk = ${pk}) AS deleted,
        EXISTS (SELECT 1 FROM recycled_code WHERE pk = ${pk}) AS recycled,
        CASE WHEN is_called THEN (last_value + 1) * ${blockSize}::bigint ELSE 0 END AS leased
      FROM pk_block`),
  ]);
  const [link] = links;
  const [state] = codes;
  if (!state) return undefined;
  const row: CodeRow = {
    ...state,
    uuid: link?.uuid ?? null,
    reserved: link?.reserved ?? false,
    alive: link !== undefined,
  };
  return {
    code,
    pk,
    state: stateOf(row, pk),
    recycled: row.recycled,
    link: row.uuid === null ? null : presentId("link", row.uuid),
  };
}

function stateOf(row: CodeRow, pk: number): FoundCode["state"] {
  if (row.reserved) return "reserved";
  if (row.alive) return "in_use";
  if (row.deleted || row.recycled) return "deleted";
  return pk < row.leased ? "unused" : "not_issued";
}
