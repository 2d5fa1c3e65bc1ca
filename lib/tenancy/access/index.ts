/**
 * Authorization: a `WorkspaceScope` proves access to a workspace. Functions take it first and put its workspace into
 * their WHERE clause. policy.ts maps roles and the scopes of API keys to permissions.
 */
import { query, sql } from "#lib/platform/postgres";
import { planOf } from "#lib/tenancy/plans";
import { type ReachRow, reachColumns, reachOf } from "#lib/tenancy/reach";
import { roleOf } from "./schema.ts";
import {
  type Membership,
  scopeOfKey,
  scopeOfMember,
  scopeOfShare,
  type WorkspaceScope,
} from "./scope.ts";
import { memberColumns } from "./store.ts";

export { allScopes, canonicalScopes } from "./policy.ts";
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
export { lockWorkspace, memberColumns } from "./store.ts";

/** The actor of a job, as stored columns. */
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

/** Undefined when the person left the workspace, or the key was revoked. */
export async function reopenScope(actor: StoredActor): Promise<WorkspaceScope | undefined> {
  const { workspacePk, userPk, apiKeyPk } = actor;
  // SQL: runs for every chunk of a job. Answered by primary keys.
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

/** The scope of a share; undefined when its workspace was deleted. */
export async function openShareScope(
  workspacePk: number,
  shareId: string,
): Promise<WorkspaceScope | undefined> {
  // SQL: runs for every query to a share. Answered by workspace_pkey.
  const [row] = await query<
    Omit<Membership, "role" | "plan" | "userPk" | "userId" | "confirmed"> & { plan: string }
  >(sql`
  SELECT
    pk AS "workspacePk",
    id AS "workspaceId",
    slug,
    zone,
    plan,
    plan_limits AS limits,
    reuse_seconds AS "reuseSeconds",
    lifetime_seconds AS "lifetimeSeconds",
    created_at AS "createdAt",
    banned_at IS NOT NULL AS banned
  FROM workspace
  WHERE pk = ${workspacePk}
    AND deleted_at IS NULL`);
  return row && scopeOfShare({ ...row, plan: planOf(row.plan) }, shareId);
}
