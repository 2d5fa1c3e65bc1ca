/** Finds the objects that queries name, and names for their answers. */

import type { ValuesSince } from "#lib/analytics/period-cover";
import { type VisibleLinks, visibleConditions } from "#lib/links/visible-links";
import { query, SqlValues, sql } from "#lib/platform/postgres";

/** Domains that serve, or served, this workspace. Several may share a name. */
export async function findDomainPks(
  workspacePk: number,
  slugs: readonly string[],
): Promise<Map<string, number[]>> {
  // Answered by domain_claim and domain_serving.
  const rows = await query<{ pk: number; slug: string }>(sql`
    SELECT pk, slug
    FROM domain
    WHERE slug = ANY(${slugs}::text[])
      AND (workspace_pk = ${workspacePk} OR workspace_pk IS NULL)`);
  const found = new Map<string, number[]>();
  for (const { pk, slug } of rows) found.set(slug, [...(found.get(slug) ?? []), pk]);
  return found;
}

interface LinkReferences {
  pks?: readonly number[];
  ids?: readonly string[];
  externalIds?: readonly string[];
}

export function findLinkPks(
  workspacePk: number,
  { pks = [], ids = [], externalIds = [] }: LinkReferences,
  seen: VisibleLinks,
): Promise<{ pk: number; id: string; external_id: string | null }[]> {
  // Answered by link_pkey, link_workspace and link_external.
  const { list: values, place } = new SqlValues();
  const where = [
    `link.workspace_pk = ${place(workspacePk)}`,
    `(
        link.pk = ANY(${place(pks, "bigint[]")})
        OR link.id = ANY(${place(ids, "uuid[]")})
        OR link.external_id = ANY(${place(externalIds, "text[]")})
      )`,
    ...visibleConditions(seen, place),
  ];
  const text = `
    SELECT link.pk, link.id, link.external_id
    FROM link
    WHERE ${where.join("\n      AND ")}`;
  return query({ text, values });
}

export async function findRootPks(workspacePk: number): Promise<number[]> {
  // Answered by alias_pkey, for the few domains of a workspace.
  const rows = await query<{ pk: number }>(sql`
    SELECT alias.link_pk AS pk
    FROM domain
    JOIN alias ON alias.domain_pk = domain.pk AND alias.key = '_root'
    WHERE domain.workspace_pk = ${workspacePk}`);
  return rows.map(({ pk }) => pk);
}

export async function findTagPks(
  workspacePk: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  // Answered by tag_id_key.
  const rows = await query<{ pk: number; id: string }>(sql`
    SELECT pk, id
    FROM tag
    WHERE workspace_pk = ${workspacePk} AND id = ANY(${ids}::text[])`);
  return new Map(rows.map(({ pk, id }) => [id, pk]));
}

/** Undefined if the link has no stored values. */
export async function findValuesSince(
  workspacePk: number,
  linkPk: number,
): Promise<ValuesSince | undefined> {
  // Answered by busy_link_pkey.
  const [row] = await query<{ since: Date; slots_since: Date | null }>(sql`
    SELECT since, slots_since
    FROM analytics.busy_link
    WHERE link_pk = ${linkPk} AND workspace_pk = ${workspacePk}`);
  return (
    row && {
      since: row.since.getTime(),
      slotsSince: row.slots_since?.getTime() ?? Number.POSITIVE_INFINITY,
    }
  );
}

export interface LinkSummary {
  pk: number;
  id: string;
  slug: string;
  key: string;
  url: string;
  title: string | null;
  comments: string | null;
  folder_id: string | null;
  created_at: Date;
}

/** Omits deleted links and links of other workspaces. */
export function findLinkSummaries(
  workspacePk: number,
  pks: readonly number[],
): Promise<LinkSummary[]> {
  // Answered by link_pkey.
  return query(sql`
    SELECT
      link.pk, link.id, domain.slug, link.key, link.url, link.title, link.comments,
      folder.id AS folder_id, link.created_at
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    LEFT JOIN folder ON folder.pk = link.folder_pk
    WHERE link.pk = ANY(${pks}::bigint[])
      AND link.workspace_pk = ${workspacePk}`);
}

export function findTagNames(
  workspacePk: number,
  pks: readonly number[],
): Promise<{ pk: number; id: string; name: string; color: string }[]> {
  // Answered by tag_pkey.
  return query(sql`
    SELECT pk, id, name, color
    FROM tag
    WHERE pk = ANY(${pks}::int[])
      AND workspace_pk = ${workspacePk}`);
}

export function findFolderNames(
  workspacePk: number,
  pks: readonly number[],
): Promise<{ pk: number; id: string; name: string }[]> {
  // Answered by folder_pkey.
  return query(sql`
    SELECT pk, id, name
    FROM folder
    WHERE pk = ANY(${pks}::int[])
      AND workspace_pk = ${workspacePk}`);
}

/** Omits domains of other workspaces. */
export function findSlugs(
  workspacePk: number,
  pks: readonly number[],
): Promise<{ pk: number; slug: string }[]> {
  // Answered by domain_pkey.
  return query(sql`
    SELECT pk, slug
    FROM domain
    WHERE pk = ANY(${pks}::int[])
      AND (workspace_pk = ${workspacePk} OR workspace_pk IS NULL)`);
}
