import { firstUuidAt, parseId } from "#lib/basics/ids";
import { rootKey } from "#lib/links/keys";
import { query, sql } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import type { LinkFilters } from "./schema.ts";

/** The newest links with exactly this URL. Answered by link_url. */
export async function findPksByUrl(workspacePk: number, url: string, max: number) {
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
  codePk: number | undefined;
}

export async function findPksByNames(workspacePk: number, names: readonly LinkName[]) {
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

export async function findKeyPk(workspacePk: number, id: string): Promise<number | undefined> {
  // Answered by api_key_id_key.
  const [row] = await query<{ pk: number }>(
    sql`SELECT pk FROM api_key WHERE id = ${id} AND workspace_pk = ${workspacePk}`,
  );
  return row?.pk;
}

/** An import that the actor may see, by the rule of `getImport`. */
export async function findImportId(scope: WorkspaceScope, id: string): Promise<string | undefined> {
  if (parseId("imp", id) === undefined) return undefined;
  const creatorPk = onlyCreatorPk(scope);
  // Answered by import_pkey.
  const [row] = await query<{ id: string }>(
    // defence: import-filter-of-uploader
    sql`
      SELECT id
      FROM import
      WHERE id = ${id}
        AND workspace_pk = ${scope.workspacePk}
        AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})`,
  );
  return row?.id;
}

interface CreatedBounds {
  createdFrom: string | undefined;
  createdUntil: string | undefined;
}

/** The first ids of these moments. A date means the start or end of its day in the zone. */
export async function findCreatedBounds(
  zone: string,
  { createdAfter, createdBefore }: Pick<LinkFilters, "createdAfter" | "createdBefore">,
): Promise<CreatedBounds> {
  if (!createdAfter && !createdBefore) return { createdFrom: undefined, createdUntil: undefined };
  // A moment contains a T and has an offset, so the zone does not matter.
  const [bounds] = await query<{ from: Date | null; until: Date | null }>(sql`
    SELECT
      CASE WHEN strpos(after, 'T') > 0 THEN after::timestamptz
        ELSE after::timestamp AT TIME ZONE ${zone} END AS "from",
      CASE WHEN strpos(before, 'T') > 0 THEN before::timestamptz
        ELSE (before::timestamp + interval '1 day') AT TIME ZONE ${zone} END AS "until"
    FROM (
      SELECT ${createdAfter ?? null}::text AS after, ${createdBefore ?? null}::text AS before
    ) AS given`);
  return { createdFrom: firstIdOf(bounds?.from), createdUntil: firstIdOf(bounds?.until) };
}

function firstIdOf(moment: Date | null | undefined): string | undefined {
  return moment ? firstUuidAt(moment.getTime()) : undefined;
}

export async function listClearedPks(workspacePk: number): Promise<number[]> {
  // One row per domain deleted in the last minutes: no index.
  const rows = await query<{ domain_pk: number }>(
    sql`SELECT domain_pk FROM domain_clearing WHERE workspace_pk = ${workspacePk}`,
  );
  return rows.map(({ domain_pk }) => domain_pk);
}
