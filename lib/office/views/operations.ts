/** What administrators did and viewed, in all workspaces. */
import { parseId, presentId } from "#lib/basics/ids";
import { query, sql } from "#lib/platform/postgres";
import type { OperatorScope } from "#lib/tenancy/operators";
import type { OfficeOperation } from "./schema.ts";

/** Per page. */
export const operationsMax = 50;

interface OperationRow {
  id: string;
  at: Date;
  actor: string;
  actorName: string | null;
  action: string;
  subject: string | null;
  subjectName: string | null;
  workspaceId: string | null;
  workspaceName: string | null;
  address: string | null;
  details: Record<string, unknown> | null;
}

/** The latest, newest first; `before` is the last one of the previous page. */
export async function listOperations(
  _: OperatorScope,
  before?: string,
): Promise<OfficeOperation[]> {
  const beforeId = parseId("aud", before ?? "") ?? null;
  // Answered by audit_operator; names by primary keys and unique ids.
  const rows = await query<OperationRow>(sql`
    SELECT
      audit.id,
      audit.at,
      audit.actor,
      actor.name AS "actorName",
      audit.action,
      audit.subject,
      coalesce(person.email, domain.slug) AS "subjectName",
      workspace.id AS "workspaceId",
      workspace.name AS "workspaceName",
      audit.address,
      audit.details
    FROM audit
    LEFT JOIN app_user AS actor ON actor.id = audit.actor
    LEFT JOIN app_user AS person ON person.id = audit.subject
    LEFT JOIN domain ON domain.id = audit.subject
    LEFT JOIN workspace ON workspace.pk = audit.workspace_pk
    WHERE audit.action LIKE 'operator.%'
      AND (${beforeId}::uuid IS NULL OR audit.id < ${beforeId}::uuid)
    ORDER BY audit.id DESC
    LIMIT ${operationsMax}`);
  return rows.map(({ id, at, workspaceId, workspaceName, ...row }) => ({
    ...row,
    id: presentId("aud", id),
    at: at.toISOString(),
    workspace: workspaceId === null ? null : { id: workspaceId, name: workspaceName ?? "" },
  }));
}
