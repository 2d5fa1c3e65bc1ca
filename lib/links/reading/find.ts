/** The SQL of links: reading those that are known by name. Every question carries the workspace in its WHERE clause. */

import type { Tag } from "#lib/links/tags/schema";
import { type LinkRow, linkColumns } from "#lib/links/writing";
import { type Connection, query, sql } from "#lib/platform/postgres";

/** A link with what other tables know about it. */
export interface FoundLink extends LinkRow {
  slug: string;
  user_id: string | null;
  folder_id: string | null;
  clicks: number;
  last_click_at: Date | null;
}

const foundColumns = `${linkColumns.map((column) => `link.${column}`).join(", ")},
  domain.slug, app_user.id AS user_id, folder.id AS folder_id,
  coalesce(link_stat.clicks, 0) AS clicks, link_stat.last_click_at`;

const foundJoins = `
  JOIN domain ON domain.pk = link.domain_pk
  LEFT JOIN app_user ON app_user.pk = link.user_pk
  LEFT JOIN folder ON folder.pk = link.folder_pk
  LEFT JOIN link_stat ON link_stat.link_pk = link.pk`;

/** The links with these ids, in the order of their pks, locked when a transaction asks. Answered by link_workspace. */
export function findRows(
  workspacePk: number,
  ids: readonly string[],
  tx?: Connection,
): Promise<FoundLink[]> {
  return query<FoundLink>(
    {
      text: `
        SELECT ${foundColumns}
        FROM link ${foundJoins}
        WHERE link.workspace_pk = $1 AND link.id = ANY($2::uuid[])
        ORDER BY link.pk
        ${tx ? "FOR UPDATE OF link" : ""}`,
      values: [workspacePk, ids],
    },
    tx,
  );
}

/** The links with these pks, in their order; those that are gone meanwhile are left out. Answered by link_pkey. */
export async function findByPks(workspacePk: number, pks: readonly number[]): Promise<FoundLink[]> {
  if (pks.length === 0) return [];
  const rows = await query<FoundLink>({
    text: `
      SELECT ${foundColumns}
      FROM link ${foundJoins}
      WHERE link.workspace_pk = $1 AND link.pk = ANY($2::bigint[])`,
    values: [workspacePk, pks],
  });
  const rowOf = new Map(rows.map((row) => [row.pk, row]));
  return pks.flatMap((pk) => rowOf.get(pk) ?? []);
}

/** Links by the ids that they have elsewhere. Answered by link_external. */
export function findByExternalIds(
  workspacePk: number,
  externalIds: readonly string[],
): Promise<{ pk: number; id: string; external_id: string }[]> {
  return query({
    text: `
      SELECT pk, id, external_id
      FROM link
      WHERE workspace_pk = $1
        AND external_id = ANY($2::text[])`,
    values: [workspacePk, externalIds],
  });
}

/** The newest links with exactly this address. Answered by link_url. */
export async function findPksByUrl(
  workspacePk: number,
  url: string,
  max: number,
): Promise<number[]> {
  const rows = await query<{ pk: number }>({
    text: `
      SELECT pk
      FROM link
      WHERE hashtextextended(url, workspace_pk) = hashtextextended($2, $1::int)
        AND workspace_pk = $1
        AND url = $2
      ORDER BY id DESC
      LIMIT $3`,
    values: [workspacePk, url, max],
  });
  return rows.map(({ pk }) => pk);
}

export interface Name {
  domainPk: number;
  key: string;
  /** The pk that the key spells, if it is a code. */
  codePk: number | undefined;
}

/** The links that have one of these names, chosen or generated. */
export async function findPksByNames(
  workspacePk: number,
  names: readonly Name[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const rows = await query<{ pk: number }>({
    // Answered by alias_pkey and link_pkey.
    text: `
      WITH name AS (
        SELECT *
        FROM unnest($2::int[], $3::text[], $4::bigint[]) AS name (domain_pk, key, code_pk)
      ), hit AS (
        SELECT alias.link_pk AS pk, name.domain_pk, name.key
        FROM name
        JOIN alias ON alias.domain_pk = name.domain_pk AND alias.key = name.key
        UNION
        SELECT name.code_pk, name.domain_pk, name.key
        FROM name
        WHERE name.code_pk IS NOT NULL
      )
      SELECT link.pk
      FROM hit
      JOIN link ON link.pk = hit.pk
      WHERE link.workspace_pk = $1
        AND link.domain_pk = hit.domain_pk
        AND link.key = hit.key`,
    values: [
      workspacePk,
      names.map(({ domainPk }) => domainPk),
      names.map(({ key }) => key),
      names.map(({ codePk }) => codePk ?? null),
    ],
  });
  return rows.map(({ pk }) => pk);
}

export async function findUserPk(id: string): Promise<number | undefined> {
  // Answered by app_user_id_key.
  const [row] = await query<{ pk: number }>({
    text: "SELECT pk FROM app_user WHERE id = $1",
    values: [id],
  });
  return row?.pk;
}

/** The tags of each of these links, by name. */
export async function listTagsOf(pks: number[]): Promise<Map<number, Tag[]>> {
  const rows = await query<Tag & { link_pk: number }>({
    // Answered by link_tag_pkey.
    text: `
      SELECT link_tag.link_pk, tag.id, tag.name, tag.color
      FROM link_tag
      JOIN tag ON tag.pk = link_tag.tag_pk
      WHERE link_tag.link_pk = ANY($1::bigint[])
      ORDER BY tag.name`,
    values: [pks],
  });
  const tags = new Map<number, Tag[]>();
  for (const { link_pk, ...tag } of rows) tags.set(link_pk, [...(tags.get(link_pk) ?? []), tag]);
  return tags;
}

/** The tags of each of these links with their pks, as a transaction sees them. Answered by link_tag_pkey. */
export async function listTagRows(
  pks: readonly number[],
  tx: Connection,
): Promise<Map<number, (Tag & { pk: number })[]>> {
  const rows = await query<Tag & { pk: number; link_pk: number }>(
    sql`
      SELECT link_tag.link_pk, tag.pk, tag.id, tag.name, tag.color
      FROM link_tag
      JOIN tag ON tag.pk = link_tag.tag_pk
      WHERE link_tag.link_pk = ANY(${pks}::bigint[])
      ORDER BY tag.name`,
    tx,
  );
  const tags = new Map<number, (Tag & { pk: number })[]>(pks.map((pk) => [pk, []]));
  for (const { link_pk, ...tag } of rows) tags.get(link_pk)?.push(tag);
  return tags;
}
