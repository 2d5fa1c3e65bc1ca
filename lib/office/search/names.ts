/** Domains, workspaces and people by id, exact name, or its beginning. SQL: expression indexes answer it. */

import { bareUrl } from "#lib/basics/urls/schema";
import { query, sql } from "#lib/platform/postgres";
import type { FoundByOffice } from "./schema.ts";

const foundMax = 20;

/** The pattern of everything that begins with a text, in lower case as in the indexes. */
function beginningOf(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

type Owned<Row> = Row & { workspacePk: number | null };

interface DomainRow {
  id: string;
  host: string;
  verified: boolean;
  workspacePk: number | null;
  workspaceId: string | null;
  name: string | null;
  slug: string | null;
}

export async function findDomains(
  text: string,
): Promise<Owned<FoundByOffice["domains"][number]>[]> {
  const host = bareUrl(text).replace(/[:/?#].*$/, "");
  if (host === "") return [];
  // Answered by domain_search and domain_id_key.
  const rows = await query<DomainRow>(sql`
    SELECT
      domain.id,
      domain.slug AS host,
      domain.verified_at IS NOT NULL AS verified,
      domain.workspace_pk AS "workspacePk",
      workspace.id AS "workspaceId",
      workspace.name,
      workspace.slug
    FROM domain
    LEFT JOIN workspace ON workspace.pk = domain.workspace_pk
    WHERE lower(domain.slug) LIKE ${beginningOf(host)}
      OR domain.id = ${text}
    ORDER BY lower(domain.slug) = lower(${host}) DESC, verified DESC, domain.slug, domain.pk
    LIMIT ${foundMax}`);
  return rows.map(({ host: slug, workspaceId, ...row }) => ({
    id: row.id,
    slug,
    verified: row.verified,
    workspacePk: row.workspacePk,
    workspace:
      workspaceId === null ? null : { id: workspaceId, name: row.name ?? "", slug: row.slug ?? "" },
  }));
}

export function findWorkspaces(
  text: string,
): Promise<Owned<FoundByOffice["workspaces"][number]>[]> {
  // Answered by workspace_search, workspace_name_search and workspace_id_key.
  return query(sql`
    SELECT id, name, slug, plan, deleted_at IS NOT NULL AS deleted, pk AS "workspacePk"
    FROM workspace
    WHERE lower(slug) LIKE ${beginningOf(text)}
      OR lower(name) LIKE ${beginningOf(text)}
      OR id = ${text}
    ORDER BY lower(slug) = lower(${text}) DESC, lower(name) = lower(${text}) DESC, slug, pk
    LIMIT ${foundMax}`);
}

export function findPeople(text: string): Promise<FoundByOffice["people"]> {
  // Answered by app_user_search, app_user_name_search and app_user_id_key.
  return query(sql`
    SELECT id, name, email, operator
    FROM app_user
    WHERE lower(email) LIKE ${beginningOf(text)}
      OR lower(name) LIKE ${beginningOf(text)}
      OR id = ${text}
    ORDER BY lower(email) = lower(${text}) DESC, lower(name) = lower(${text}) DESC, email
    LIMIT ${foundMax}`);
}
