/** The rows of deleted workspaces, until their grace period ends. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { DeletedWorkspace } from "./schema.ts";

/** False: it was already deleted. */
export async function markDeleted(tx: Connection, workspacePk: number): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE workspace
    SET deleted_at = now()
    WHERE pk = ${workspacePk}
      AND deleted_at IS NULL
    RETURNING pk`);
  return rows.length === 1;
}

export async function listDeletedOf(userId: string, days: number): Promise<DeletedWorkspace[]> {
  // The database computes the end, as it does for the purge. Answered by app_user_id_key and membership_user_pk_idx.
  const rows = await query<Omit<DeletedWorkspace, "until"> & { until: Date }>(sql`
    SELECT workspace.id, workspace.name,
      workspace.deleted_at + ${days} * interval '1 day' AS until
    FROM app_user
    JOIN membership ON membership.user_pk = app_user.pk
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE app_user.id = ${userId}
      AND membership.role = 'owner'
      AND workspace.deleted_at > now() - ${days} * interval '1 day'
    ORDER BY workspace.deleted_at DESC`);
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}

/** Undefined: the person has no such workspace that is deleted and within the grace period. */
export async function unmarkDeleted(
  tx: Connection,
  userId: string,
  id: string,
  days: number,
): Promise<{ pk: number; slug: string } | undefined> {
  // Answered by workspace_id_key and membership_pkey.
  return await tx.one<{ pk: number; slug: string }>(sql`
    UPDATE workspace
    SET deleted_at = NULL
    FROM membership
    JOIN app_user ON app_user.pk = membership.user_pk
    WHERE workspace.id = ${id}
      AND workspace.deleted_at > now() - ${days} * interval '1 day'
      AND workspace.removing_at IS NULL
      AND membership.workspace_pk = workspace.pk
      AND membership.role = 'owner'
      AND app_user.id = ${userId}
    RETURNING workspace.pk, workspace.slug`);
}
