/** The SQL of the demo, in batches: what no verb of another room makes yet, and the age of its links. */
import { query, sql } from "#lib/platform/postgres";

export async function insertTags(
  workspacePk: number,
  tags: readonly { id: string; name: string; color: string }[],
): Promise<void> {
  await query(
    sql`
      INSERT INTO tag (id, workspace_pk, name, color)
      SELECT id, ${workspacePk}, name, color
      FROM unnest(
        ${tags.map(({ id }) => id)}::text[],
        ${tags.map(({ name }) => name)}::text[],
        ${tags.map(({ color }) => color)}::text[]
      ) AS new (id, name, color)`,
  );
}

/** False: the host belongs to somebody already. */
export async function insertDomain(
  workspacePk: number,
  id: string,
  slug: string,
): Promise<boolean> {
  const rows = await query(
    sql`
      INSERT INTO domain (id, workspace_pk, slug, "primary", verified_at)
      VALUES (${id}, ${workspacePk}, ${slug}, true, now())
      ON CONFLICT (slug) WHERE verified_at IS NOT NULL DO NOTHING
      RETURNING pk`,
  );
  return rows.length === 1;
}

export interface Dated {
  url: string;
  /** Carries the moment, as every id does. */
  uuid: string;
  at: Date;
}

/** Makes links as old as their clicks. Their ids change with it: nobody knows them yet. */
export function dateLinks(
  workspacePk: number,
  dated: readonly Dated[],
): Promise<{ url: string; linkPk: number; domainPk: number }[]> {
  return query(
    sql`
      UPDATE link
      SET id = new.id,
        created_at = new.at,
        updated_at = new.at
      FROM unnest(
        ${dated.map(({ url }) => url)}::text[],
        ${dated.map(({ uuid }) => uuid)}::uuid[],
        ${dated.map(({ at }) => at)}::timestamptz[]
      ) AS new (url, id, at)
      WHERE link.workspace_pk = ${workspacePk}
        AND link.url = new.url
      RETURNING link.url, link.pk AS "linkPk", link.domain_pk AS "domainPk"`,
  );
}
