/** A `WorkspaceScope` proves access. Functions put its workspace into their WHERE clause. */
import { config } from "#lib/platform/config";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { planOf, retirementColumns } from "#lib/tenancy/plans";
import { type ReachRow, reachColumns, reachOf } from "#lib/tenancy/reach";
import { roleOf } from "./schema.ts";
import {
  type Membership,
  scopeOfGuest,
  scopeOfKey,
  scopeOfMember,
  scopeOfShare,
  type WorkspaceScope,
} from "./scope.ts";

export { canonicalScopes } from "./policy.ts";
export {
  assertConfirmed,
  assertMay,
  type KeyGrant,
  type Membership,
  onlyCreatorPk,
  scopeOfKey,
  scopeOfMember,
  scopeOfSystem,
  type WorkspaceScope,
} from "./scope.ts";

type WorkspaceRow = Omit<Membership, "role" | "plan" | "userPk" | "userId" | "confirmed"> & {
  plan: string;
};

interface StoredActor {
  workspacePk: number;
  userPk: number;
  apiKeyPk: number | null;
}

type StoredActorRow = Omit<Membership, "role" | "plan"> &
  ReachRow & {
    role: string;
    plan: string;
    keyId: string | null;
    scopes: string[] | null;
    callsPerMinute: number | null;
  };

/** Undefined: the person left the workspace, or the key was revoked. */
export async function reopenScope(actor: StoredActor): Promise<WorkspaceScope | undefined> {
  const { workspacePk, userPk, apiKeyPk } = actor;
  // Runs for every chunk of a job. Uses primary keys.
  const [row] = await query<StoredActorRow>({
    text: `
      SELECT
        ${memberColumns},
        membership.role,
        api_key.id AS "keyId",
        api_key.scopes,
        api_key.calls_per_minute AS "callsPerMinute",
        ${reachColumns}
      FROM membership
      JOIN workspace ON workspace.pk = membership.workspace_pk
      JOIN app_user ON app_user.pk = membership.user_pk
      LEFT JOIN api_key
        ON api_key.pk = $3::int
        AND api_key.workspace_pk = membership.workspace_pk
        AND api_key.revoked_at IS NULL
      WHERE membership.workspace_pk = $1
        AND membership.user_pk = $2
        AND app_user.banned_at IS NULL
        AND workspace.deleted_at IS NULL`,
    values: [workspacePk, userPk, apiKeyPk],
  });
  if (!row) return undefined;
  const { keyId, scopes, domains, folderPks, callsPerMinute, role, plan, ...rest } = row;
  const membership = { ...rest, role: roleOf(role), plan: planOf(plan) };
  if (apiKeyPk === null) return scopeOfMember(membership);
  if (!keyId || !scopes) return undefined;
  const reach = reachOf({ domains, folderPks });
  return scopeOfKey(membership, { pk: apiKeyPk, id: keyId, scopes, reach, callsPerMinute });
}

export async function openShareScope(
  workspacePk: number,
  shareId: string,
): Promise<WorkspaceScope | undefined> {
  // Runs for every query to a share. Uses workspace_pkey.
  const [row] = await query<WorkspaceRow>({
    text: `SELECT ${workspaceColumns} FROM workspace WHERE pk = $1 AND deleted_at IS NULL`,
    values: [workspacePk],
  });
  return row && scopeOfShare({ ...row, plan: planOf(row.plan) }, shareId);
}

/** For a visitor without an account. Undefined unless this instance shows its demo to everyone, and this is its slug. */
export async function openPublicDemo(slug: string): Promise<WorkspaceScope | undefined> {
  if (config().FUXI_DEMO !== "public") return undefined;
  // Uses workspace_slug_key.
  const [row] = await query<WorkspaceRow & { demo: boolean }>({
    text: `SELECT ${workspaceColumns}, demo FROM workspace WHERE slug = $1 AND deleted_at IS NULL`,
    values: [slug],
  });
  // defence: guest-only-in-demo
  if (!row?.demo || row.banned) return undefined;
  return scopeOfGuest({ ...row, plan: planOf(row.plan) });
}

/** Serializes changes of a workspace until the transaction ends. Foreign keys do not wait. */
export async function lockWorkspace(tx: Connection, workspacePk: number): Promise<void> {
  await tx.query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR NO KEY UPDATE`);
}

const workspaceColumns = `
    workspace.pk AS "workspacePk",
    workspace.id AS "workspaceId",
    workspace.slug,
    workspace.zone,
    workspace.plan,
    workspace.plan_limits AS limits,
    workspace.reuse_seconds AS "reuseSeconds",
    workspace.lifetime_seconds AS "lifetimeSeconds",
    ${retirementColumns},
    workspace.created_at AS "createdAt",
    workspace.banned_at IS NOT NULL AS banned`;

/** The columns of `Membership`, from `workspace` and `app_user`. */
export const memberColumns = `
    ${workspaceColumns},
    app_user.pk AS "userPk",
    app_user.id AS "userId",
    app_user.email_proven_at IS NOT NULL AS confirmed`;
