import { rootKey } from "#lib/links/keys";
import { query } from "#lib/platform/postgres";

/** The newest links with exactly this URL. Answered by link_url. */
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

export interface LinkName {
  domainPk: number;
  key: string;
  /** The pk that the key encodes, if it is a code. */
  codePk: number | undefined;
}

/** The links with one of these names, chosen or generated. */
export async function findPksByNames(
  workspacePk: number,
  names: readonly LinkName[],
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

/** The root link of a domain of the workspace, verified or not. */
export async function findRootPks(workspacePk: number, slug: string): Promise<number[]> {
  // Answered by domain_claim and alias_pkey.
  const rows = await query<{ pk: number }>({
    text: `
      SELECT alias.link_pk AS pk
      FROM domain
      JOIN alias ON alias.domain_pk = domain.pk AND alias.key = $3
      WHERE domain.workspace_pk = $1
        AND domain.slug = $2`,
    values: [workspacePk, slug, rootKey],
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
