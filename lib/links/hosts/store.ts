import { type Connection, query, sql } from "#lib/platform/postgres";

export interface ServingRow {
  pk: number;
  slug: string;
  workspace_pk: number | null;
  case_insensitive: boolean;
  revision: number;
}

export function loadDomainRows(slugs: string[]): Promise<ServingRow[]> {
  // Answered by domain_serving, which contains only verified ones.
  return query<ServingRow>(sql`
    SELECT pk, slug, workspace_pk, case_insensitive, revision
    FROM domain
    WHERE slug = ANY(${slugs}::text[])
      AND verified_at IS NOT NULL`);
}

/** Locks those of the domains that serve the workspace until the transaction ends. */
export async function lockServedDomains(
  tx: Connection,
  workspacePk: number,
  pks: readonly number[],
): Promise<Set<number>> {
  // Answered by domain_pkey. Ordered, so that two transactions cannot deadlock.
  const rows = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM domain
    WHERE pk = ANY(${pks}::int[])
      AND workspace_pk = ${workspacePk}
      AND verified_at IS NOT NULL
    ORDER BY pk
    FOR KEY SHARE`);
  return new Set(rows.map(({ pk }) => pk));
}

export function listServedDomains(workspacePk: number): Promise<ServingRow[]> {
  // Answered by domain_claim; the instance has few domains of its own.
  return query<ServingRow>(sql`
    SELECT pk, slug, workspace_pk, case_insensitive, revision
    FROM domain
    WHERE (workspace_pk = ${workspacePk} OR workspace_pk IS NULL)
      AND verified_at IS NOT NULL
      AND NOT archived
    ORDER BY workspace_pk NULLS LAST, "primary" DESC, pk`);
}

export function loadPrimaries(
  workspacePks: number[],
): Promise<{ workspace_pk: number; slug: string }[]> {
  // Answered by domain_primary.
  return query(sql`
    SELECT workspace_pk, slug
    FROM domain
    WHERE workspace_pk = ANY(${workspacePks}::int[])
      AND "primary"
      AND verified_at IS NOT NULL
      AND NOT archived`);
}
