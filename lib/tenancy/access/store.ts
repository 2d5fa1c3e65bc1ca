/** The SQL of access: the lock of a workspace, and the columns of a scope. */
import { type Connection, sql } from "#lib/platform/postgres";

/** Serializes changes of a workspace until the transaction ends; foreign keys to it do not wait. */
export async function lockWorkspace(tx: Connection, workspacePk: number): Promise<void> {
  await tx.query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR NO KEY UPDATE`);
}

/** What a scope knows of a member, from `workspace` and `app_user`. */
export const memberColumns = `
    workspace.pk AS "workspacePk",
    workspace.id AS "workspaceId",
    workspace.slug,
    workspace.zone,
    workspace.plan,
    workspace.plan_limits AS limits,
    workspace.reuse_seconds AS "reuseSeconds",
    workspace.lifetime_seconds AS "lifetimeSeconds",
    workspace.created_at AS "createdAt",
    workspace.banned_at IS NOT NULL AS banned,
    app_user.pk AS "userPk",
    app_user.id AS "userId",
    app_user.email_proven_at IS NOT NULL AS confirmed`;
