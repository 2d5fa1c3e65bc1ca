/**
 * Members and invitations.
 *
 * Changes of members lock the row of the workspace, and read the roles under that lock, including the actor's own. So a
 * workspace always has an owner, however many members leave, remove and demote each other at once. Only owners add,
 * change and remove owners.
 *
 * An invitation is a token whose hash is in the database: for one person, once, for some days.
 */
import { randomBytes } from "node:crypto";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { newId } from "#lib/platform/ids";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  roleOf,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { type AuditEntry, recordAudit } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { planOf, plans } from "#lib/tenancy/plans";
import { dropMember, lockMembers } from "#lib/tenancy/workspaces";
import type { Invitation, Member, NewInvitation, PublicInvitation } from "./schema.ts";
import {
  countInvitations,
  deleteInvitation,
  deleteInvitationsBy,
  findByToken,
  insertInvitation,
  insertMembership,
  listInvitationRows,
  listMemberRows,
  lockByToken,
  updateRole,
} from "./store.ts";

/** Open invitations per workspace. */
export const invitationsMax = 100;
const tokenBytes = 32;

/** The members of a workspace, in the order in which they joined. */
export function listMembers(scope: WorkspaceScope): Promise<Member[]> {
  return listMemberRows(scope.workspacePk);
}

export async function listInvitations(scope: WorkspaceScope): Promise<Invitation[]> {
  assertMay(scope, "members.write");
  return await listInvitationRows(scope.workspacePk);
}

export interface InviteResult {
  /** The URL of the invitation; only this result has it. */
  address: string;
  /** The invitation was emailed; false when the server refused it, or no address was given. */
  sent: boolean;
}

export async function inviteMember(
  scope: WorkspaceScope,
  body: NewInvitation,
  locale: string,
): Promise<InviteResult> {
  assertMay(scope, "members.write");
  assertConfirmed(scope);
  const attempt = await tryLimit("invitationPerWorkspace", scope.workspaceId);
  if (!attempt.ok) {
    throw new AppError(
      "rate_limit_exceeded",
      "Too many invitations in one day. Try again tomorrow.",
    );
  }
  const token = randomBytes(tokenBytes).toString("base64url");
  const id = newId("inv");
  const { email = null, role, days } = body;
  const names = await transaction(async (tx) => {
    await lockWorkspace(tx, scope.workspacePk);
    if ((await countInvitations(tx, scope.workspacePk)) >= invitationsMax) {
      throw new AppError(
        "forbidden",
        `A workspace can have up to ${invitationsMax} invitations. Revoke one first.`,
      );
    }
    const { workspacePk, actor } = scope;
    const details = { email, role, days };
    await recordAudit(tx, [auditEntryOf(scope, "member.invite", id, details)]);
    return await insertInvitation(tx, { id, workspacePk, email, role, token, days, actor });
  });
  const address = `${config().FUXI_URL}/invite?token=${token}`;
  const sent = email !== null && (await send({ email, locale }, { ...names, address }));
  return { address, sent };
}

/** An invitation remains valid when its email fails: its URL can be sent otherwise. */
async function send(
  to: { email: string; locale: string },
  values: { workspace: string; inviter: string; address: string },
): Promise<boolean> {
  try {
    await sendEmail(to, "invitation", values);
    return true;
  } catch (error) {
    log.warn({ event: "invitation.not_sent", error: String(error) });
    return false;
  }
}

export async function revokeInvitation(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "members.write");
  await transaction(async (tx) => {
    if (!(await deleteInvitation(tx, scope.workspacePk, id))) {
      throw new AppError(
        "not_found",
        "This invitation has expired, was revoked or has already been accepted.",
      );
    }
    await recordAudit(tx, [auditEntryOf(scope, "invitation.revoke", id)]);
  });
}

/** The contents of an invitation; undefined when it was used, revoked, or expired. Guesses are limited by address. */
export async function findInvitation(
  token: string,
  address: string,
): Promise<PublicInvitation | undefined> {
  const attempt = await tryLimit("invitationPerAddress", addressSubject(address));
  if (!attempt.ok) return undefined;
  const found = await findByToken(token);
  if (found) await attempt.refund();
  return found;
}

export type AcceptOutcome =
  | { ok: true; slug: string }
  | { ok: false; code: "expired" | "other_email" | "full" };

/** Makes a person a member. An existing member keeps their role, and the invitation stays open. */
export async function acceptInvitation(
  user: { pk: number; id: string; email: string },
  token: string,
): Promise<AcceptOutcome> {
  const found = await findByToken(token);
  if (!found) return { ok: false, code: "expired" };
  return await transaction<AcceptOutcome>(async (tx) => {
    const members = await lockMembers(tx, found.workspacePk);
    const invitation = await lockByToken(tx, token);
    if (!invitation) return { ok: false, code: "expired" };
    const { id, workspacePk, slug, email, role } = invitation;
    if (members.some((one) => one.userPk === user.pk)) return { ok: true, slug };
    if (email !== null && email !== user.email) return { ok: false, code: "other_email" };
    const max = plans[planOf(invitation.plan)].quotas.members;
    if (max !== null && members.length >= max) return { ok: false, code: "full" };
    await deleteInvitation(tx, workspacePk, id);
    await insertMembership(tx, workspacePk, user.pk, role);
    await recordAudit(tx, [
      { workspacePk, actor: user.id, action: "member.join", subject: user.id, details: { role } },
    ]);
    return { ok: true, slug };
  });
}

export type MemberOutcome =
  | { ok: true }
  | { ok: false; code: "not_found" | "last_owner" | "owner_only" };

/** Changes the role of a member. */
export async function changeRole(
  scope: WorkspaceScope,
  userId: string,
  role: Role,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  return await changeMember(scope, userId, async (tx, member) => {
    const { ofActor, owners } = member;
    if (role === member.role) return [];
    if (ofActor !== "owner" && (role === "owner" || member.role === "owner")) return "owner_only";
    if (member.role === "owner" && owners === 1) return "last_owner";
    await updateRole(tx, scope.workspacePk, member.userPk, role);
    const details = { role: { from: member.role, to: role } };
    await recordAudit(tx, [auditEntryOf(scope, "member.edit", userId, details)]);
    // Keys are limited to the permissions of their owner.
    return await recordKeyChanges(tx, scope.workspacePk, member.userPk);
  });
}

/** Removes a person from the workspace, with their keys and invitations. */
export async function removeMember(scope: WorkspaceScope, userId: string): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  return await changeMember(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.ofActor !== "owner") return "owner_only";
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId);
    await recordAudit(tx, [auditEntryOf(scope, "member.remove", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

/** Everyone may leave, except the last owner. */
export async function leaveWorkspace(scope: WorkspaceScope): Promise<MemberOutcome> {
  const userId = requireUserId(scope);
  return await changeMember(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId);
    await recordAudit(tx, [auditEntryOf(scope, "member.leave", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

/** Makes another member the owner, and the present owner an admin. */
export async function transferOwnership(
  scope: WorkspaceScope,
  userId: string,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  const ownId = requireUserId(scope);
  return await changeMember(scope, userId, async (tx, member) => {
    if (member.ofActor !== "owner") return "owner_only";
    if (userId === ownId || scope.userPk === null) return [];
    await updateRole(tx, scope.workspacePk, member.userPk, "owner");
    await updateRole(tx, scope.workspacePk, scope.userPk, "admin");
    await recordAudit(tx, [auditEntryOf(scope, "workspace.transfer", userId)]);
    return await recordKeyChanges(tx, scope.workspacePk, null);
  });
}

/** An API key has no membership to end or transfer. */
function requireUserId(scope: WorkspaceScope): string {
  if (scope.userId !== null && scope.apiKeyPk === null) return scope.userId;
  throw new AppError("forbidden", "This is only possible in the dashboard, not with an API key.");
}

interface LockedMember {
  userPk: number;
  role: Role;
  /** The actor's present role. */
  ofActor: Role | undefined;
  owners: number;
}

async function changeMember(
  scope: WorkspaceScope,
  userId: string,
  action: (
    tx: Connection,
    member: LockedMember,
  ) => Promise<CacheChange[] | "last_owner" | "owner_only">,
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
    // The actor's role may have changed since the request arrived.
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

function auditEntryOf(
  scope: WorkspaceScope,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
): AuditEntry {
  const { workspacePk, actor } = scope;
  return { workspacePk, actor, action, subject, details };
}
