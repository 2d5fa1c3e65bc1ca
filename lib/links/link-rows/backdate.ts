import { query, sql } from "#lib/platform/postgres";

export interface BackdatedLink {
  url: string;
  /** Contains the moment, as every id does. */
  uuid: string;
  at: Date;
}

/** Gives demo links the age of their clicks. Call it before any id is used. */
export function backdateLinks(
  workspacePk: number,
  dated: readonly BackdatedLink[],
): Promise<{ url: string; linkPk: number; domainPk: number }[]> {
  return query(sql`
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
    RETURNING link.url, link.pk AS "linkPk", link.domain_pk AS "domainPk"`);
}
