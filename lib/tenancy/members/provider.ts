import type { CacheChange } from "#lib/platform/cache-sync";
import type { Connection } from "#lib/platform/postgres";
import { type Role, roleOf } from "#lib/tenancy/access/schema";
import { recordAudit } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { limitOf, planOf } from "#lib/tenancy/plans";
import { lockMembers } from "#lib/tenancy/workspaces";
import { invitableRoles } from "./schema.ts";
import { deleteInvitationsBy, findPlan, insertMembership, updateRole } from "./store.ts";

export interface ProviderAdmission {
  workspacePk: number;
  user: { pk: number; id: string };
  /** As its groups say; undefined: they say nothing. Never owner. */
  role: Exclude<Role, "owner"> | undefined;
  /** The role of somebody who is not a member yet; undefined: they may not join. */
  joinsAs: Exclude<Role, "owner"> | undefined;
}

export type AdmissionOutcome =
  | { ok: true; changes: CacheChange[] }
  | { ok: false; code: "sso_no_member" | "workspace_full" };

/** What a sign-in at the workspace’s OpenID provider changes. Owners stay owners, whatever their groups. */
export async function admitByProvider(
  tx: Connection,
  { workspacePk, user, role, joinsAs }: ProviderAdmission,
): Promise<AdmissionOutcome> {
  const members = await lockMembers(tx, workspacePk);
  const known = members.find(({ userPk }) => userPk === user.pk);
  const details = { via: "sso" };
  if (!known) {
    // defence: sso-join-only-if-on
    const joined = joinsAs && (role ?? joinsAs);
    if (!joined) return { ok: false, code: "sso_no_member" };
    const { plan, limits } = await findPlan(tx, workspacePk);
    const max = limitOf({ plan: planOf(plan), limits }, "members");
    if (max !== null && members.length >= max) return { ok: false, code: "workspace_full" };
    await insertMembership(tx, workspacePk, user.pk, joined);
    const entry = { workspacePk, actor: user.id, action: "member.join", subject: user.id } as const;
    await recordAudit(tx, [{ ...entry, details: { ...details, role: joined } }]);
    return { ok: true, changes: [] };
  }
  const before = roleOf(known.role);
  // defence: sso-owners-stay
  if (before === "owner" || role === undefined || role === before) return { ok: true, changes: [] };
  await updateRole(tx, workspacePk, user.pk, role);
  await deleteInvitationsBy(tx, workspacePk, user.id, invitableRoles[role]);
  const entry = { workspacePk, actor: user.id, action: "member.edit", subject: user.id } as const;
  await recordAudit(tx, [{ ...entry, details: { ...details, role: { from: before, to: role } } }]);
  return { ok: true, changes: await recordKeyChanges(tx, workspacePk, user.pk) };
}
