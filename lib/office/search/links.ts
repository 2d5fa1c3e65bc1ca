/** Links by URL, slug, code and id. SQL: lookups in indexes of which each answers for one domain or workspace. */
import { shortUrl } from "#lib/links/hosts";
import { foldKey } from "#lib/links/link-cache";
import { pkOfCode } from "#lib/platform/codes";
import { parseId, presentId } from "#lib/platform/ids";
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
  const bare = text.replace(/^https?:\/\//i, "").replace(/[?#].*$/, "");
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
  const uuid = parseId("link", text) ?? null;
  const { host, key } = partsOf(text);
  const pk = pkOfCode(key) ?? null;
  const folded = foldKey(key);
  // Answered by link_pkey; chosen slugs by alias_pkey, one lookup per domain; ids by link_workspace, one per workspace.
  const rows = await query<LinkRow>(sql`
    WITH found AS (
      SELECT link.pk
      FROM link
      WHERE link.pk = ${pk}::bigint
      UNION
      SELECT alias.link_pk
      FROM domain
      CROSS JOIN LATERAL (
        SELECT link_pk
        FROM alias
        WHERE alias.domain_pk = domain.pk
          AND alias.key = CASE WHEN domain.case_insensitive THEN ${folded} ELSE ${key} END
        LIMIT 1
      ) AS alias
      WHERE ${host}::text IS NULL OR lower(domain.slug) = ${host}::text
      UNION
      SELECT one.pk
      FROM workspace
      CROSS JOIN LATERAL (
        SELECT link.pk
        FROM link
        WHERE link.workspace_pk = workspace.pk
          AND link.id = ${uuid}::uuid
        LIMIT 1
      ) AS one
      WHERE ${uuid}::uuid IS NOT NULL
    )
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
    FROM found
    JOIN link ON link.pk = found.pk
    JOIN domain ON domain.pk = link.domain_pk
    JOIN workspace ON workspace.pk = link.workspace_pk
    WHERE ${host}::text IS NULL OR lower(domain.slug) = ${host}::text
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
  const [row] = await query<CodeRow>(sql`
    SELECT
      link.id AS uuid,
      link.pk IS NOT NULL AND link.workspace_pk IS NULL AS reserved,
      link.pk IS NOT NULL AS alive,
      EXISTS (SELECT FROM deleted_link WHERE link_pk = ${pk}) AS deleted,
      EXISTS (SELECT FROM recycled_code WHERE pk = ${pk}) AS recycled,
      CASE WHEN block.is_called THEN (block.last_value + 1) * ${blockSize}::bigint ELSE 0 END AS leased
    FROM pk_block AS block
    LEFT JOIN link ON link.pk = ${pk}`);
  if (!row) return undefined;
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
