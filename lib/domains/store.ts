import { query, sql } from "#lib/postgres";

export interface DomainRow {
  pk: number;
  slug: string;
  workspace_pk: number | null;
  case_insensitive: boolean;
  revision: number;
}

export function loadRows(slugs: string[]): Promise<DomainRow[]> {
  // Answered by domain_slug_key.
  return query<DomainRow>(
    sql`
      SELECT pk, slug, workspace_pk, case_insensitive, revision
      FROM domain
      WHERE slug = ANY(${slugs}::text[])`,
  );
}

export function listRows(workspacePk: number): Promise<DomainRow[]> {
  // Answered by domain_workspace_pk_idx; the domains of the installation itself are few.
  return query<DomainRow>(
    sql`
      SELECT pk, slug, workspace_pk, case_insensitive, revision
      FROM domain
      WHERE (workspace_pk = ${workspacePk} OR workspace_pk IS NULL)
        AND NOT archived
      ORDER BY workspace_pk NULLS LAST, "primary" DESC, pk`,
  );
}
