/**
 * Changes read the roles, including the actor's, under the lock of the workspace's row, so a
 * workspace always has an owner. Members who lose a role also lose the invitations that needed it.
 */
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { isGuest, type Role, roleOf } from "#lib/tenancy/access/schema";
import { auditEntryOf, recordAudit } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { dropMember, lockMembers } from "#lib/tenancy/workspaces";
import { invitableRoles, type Member } from "./schema.ts";
import { deleteInvitationsBy, listMemberRows, updateRole } from "./store.ts";

export {
  acceptInvitation,
  findInvitation,
  type InviteResult,
  inviteMember,
  listInvitations,
  lockForSignUp,
  reserveInvitation,
  revokeInvitation,
} from "./invitations.ts";

export { admitByProvider } from "./provider.ts";

export async function listMembers(scope: WorkspaceScope): Promise<Member[]> {
  // defence: guest-sees-no-members
  if (isGuest(scope)) return [];
  return await listMemberRows(scope.workspacePk);
}

export type MemberOutcome =
  | { ok: true }
  | { ok: false; code: "not_found" | "last_owner" | "owner_only" };

export async function changeRole(
  scope: WorkspaceScope,
  userId: string,
  role: Role,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  const change: MemberChange = async (tx, member) => {
    const { ofActor, owners } = member;
    if (role === member.role) return [];
    if (ofActor !== "owner" && (role === "owner" || member.role === "owner")) return "owner_only";
    if (member.role === "owner" && owners === 1) return "last_owner";
    await updateRole(tx, scope.workspacePk, member.userPk, role);
    // defence: invitations-end-with-role
    await deleteInvitationsBy(tx, scope.workspacePk, userId, invitableRoles[role]);
    const details = { role: { from: member.role, to: role } };
    await recordAudit(tx, [auditEntryOf(scope, "member.edit", userId, details)]);
    // Keys have at most their owner's permissions.
    return await recordKeyChanges(tx, scope.workspacePk, member.userPk);
  };
  const write = () => changeMember(scope, userId, change);
  // A new owner can do everything that the current one can.
  return role === "owner" ? await withFreshProof(scope, write) : await write();
}

export async function removeMember(scope: WorkspaceScope, userId: string): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  return await changeMember(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.ofActor !== "owner") return "owner_only";
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId, []);
    await recordAudit(tx, [auditEntryOf(scope, "member.remove", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

export async function leaveWorkspace(scope: WorkspaceScope): Promise<MemberOutcome> {
  const userId = requireUserId(scope);
  return await changeMember(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId, []);
    await recordAudit(tx, [auditEntryOf(scope, "member.leave", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

export async function transferOwnership(
  scope: WorkspaceScope,
  userId: string,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  const ownId = requireUserId(scope);
  const transfer: MemberChange = async (tx, member) => {
    if (member.ofActor !== "owner") return "owner_only";
    if (userId === ownId || scope.userPk === null) return [];
    await updateRole(tx, scope.workspacePk, member.userPk, "owner");
    await updateRole(tx, scope.workspacePk, scope.userPk, "admin");
    await recordAudit(tx, [auditEntryOf(scope, "workspace.transfer", userId)]);
    return await recordKeyChanges(tx, scope.workspacePk, null);
  };
  return await withFreshProof(scope, () => changeMember(scope, userId, transfer));
}

function requireUserId(scope: WorkspaceScope): string {
  if (scope.userId !== null && scope.apiKeyPk === null) return scope.userId;
  throw new AppError("forbidden", "This is only possible in the dashboard, not with an API key.");
}

interface LockedMember {
  userPk: number;
  role: Role;
  ofActor: Role | undefined;
  owners: number;
}

type MemberChange = (
  tx: Connection,
  member: LockedMember,
) => Promise<CacheChange[] | "last_owner" | "owner_only">;

async function changeMember(
  scope: WorkspaceScope,
  userId: string,
  action: MemberChange,
): Promise<MemberOutcome> {
  let changes: CacheChange[] = [];
  const outcome = await transaction<MemberOutcome>(async (tx) => {
    const members = await lockMembers(tx, scope.workspacePk);
    const roleIn = (id: string | null) => {
      const text = members.find((one) => one.userId === id)?.role;
      return text === undefined ? undefined : roleOf(text);
    };
    const member = members.find((one) => one.userId === userId);
    const ofActor = roleIn(scope.userId);
    if (!member || !ofActor) return { ok: false, code: "not_found" };
    // The role may have changed since the request arrived.
    if (ofActor !== scope.role) {
      throw new AppError(
        "forbidden",
        "Your role was changed in the meantime. Reload the page and try again.",
      );
    }
    const owners = members.filter((one) => one.role === "owner").length;
    const role = roleOf(member.role);
    const done = await action(tx, { userPk: member.userPk, role, ofActor, owners });
    if (typeof done === "string") return { ok: false, code: done };
    changes = done;
    return { ok: true };
  });
  await publishChanges(changes);
  return outcome;
}
