/** The SQL of hosts that serve links. */
import { type Connection, query, sql } from "#lib/platform/postgres";

/** The columns of a domain that creates and visits need. */
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

/** Those of the domains that serve a workspace, locked until the transaction ends. */
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

/** The hosts of active primary domains. */
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
