/**
 * Who is in a workspace, and how they got there.
 *
 * Whoever changes members holds the row of the workspace, and looks at the roles as they are then, their own too. So a
 * workspace always has an owner, however many leave, remove and demote each other at once. Only owners make, change and
 * remove owners.
 *
 * An invitation is a token of which the database has the hash: for one person, once, for some days.
 */
import { randomBytes } from "node:crypto";
import { type Change, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { newId } from "#lib/platform/ids";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { sendLetter } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, roleOf, type WorkspaceScope } from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { type Deed, recordDeeds } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { planOf, plans } from "#lib/tenancy/plans";
import { dropMember, lockMembers } from "#lib/tenancy/workspaces";
import type { Invitation, Member, NewInvitation, ShownInvitation } from "./schema.ts";
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

/** That were neither accepted nor are over, of one workspace. */
export const invitationsMax = 100;
const tokenBytes = 32;

/** The members of a workspace, the first first. */
export function listMembers(scope: WorkspaceScope): Promise<Member[]> {
  return listMemberRows(scope.workspacePk);
}

export async function listInvitations(scope: WorkspaceScope): Promise<Invitation[]> {
  assertMay(scope, "members.write");
  return await listInvitationRows(scope.workspacePk);
}

export interface Invited {
  /** Where the invitation is; only this answer has it. */
  address: string;
  /** A letter with it is on its way; false when no server took one, or nobody was named. */
  sent: boolean;
}

export async function inviteMember(
  scope: WorkspaceScope,
  body: NewInvitation,
  locale: string,
): Promise<Invited> {
  assertMay(scope, "members.write");
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
    await recordDeeds(tx, [deed(scope, "member.invite", id, details)]);
    return await insertInvitation(tx, { id, workspacePk, email, role, token, days, actor });
  });
  const address = `${config().FUXI_URL}/invite?token=${token}`;
  const sent = email !== null && (await send({ email, locale }, { ...names, address }));
  return { address, sent };
}

/** An invitation stands although no server takes its letter: its address can be given to the person otherwise. */
async function send(
  to: { email: string; locale: string },
  values: { workspace: string; inviter: string; address: string },
): Promise<boolean> {
  try {
    await sendLetter(to, "invitation", values);
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
    await recordDeeds(tx, [deed(scope, "invitation.revoke", id)]);
  });
}

/** What an invitation says; undefined when it was used, revoked, or is over. Guesses are limited by address. */
export async function findInvitation(
  token: string,
  address: string,
): Promise<ShownInvitation | undefined> {
  const attempt = await tryLimit("invitationPerAddress", addressSubject(address));
  if (!attempt.ok) return undefined;
  const found = await findByToken(token);
  if (found) await attempt.refund();
  return found;
}

export type AcceptOutcome =
  | { ok: true; slug: string }
  | { ok: false; code: "expired" | "other_email" | "full" };

/** Makes a person a member. Whoever is one already stays what they are, and leaves the invitation to others. */
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
    await recordDeeds(tx, [
      { workspacePk, actor: user.id, action: "member.join", subject: user.id, details: { role } },
    ]);
    return { ok: true, slug };
  });
}

export type MemberOutcome =
  | { ok: true }
  | { ok: false; code: "not_found" | "last_owner" | "owner_only" };

/** Gives a member another role. */
export async function changeRole(
  scope: WorkspaceScope,
  userId: string,
  role: Role,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  return await change(scope, userId, async (tx, member) => {
    const { ofActor, owners } = member;
    if (role === member.role) return [];
    if (ofActor !== "owner" && (role === "owner" || member.role === "owner")) return "owner_only";
    if (member.role === "owner" && owners === 1) return "last_owner";
    await updateRole(tx, scope.workspacePk, member.userPk, role);
    const details = { role: { from: member.role, to: role } };
    await recordDeeds(tx, [deed(scope, "member.edit", userId, details)]);
    // Keys may do no more than their owner.
    return await recordKeyChanges(tx, scope.workspacePk, member.userPk);
  });
}

/** Takes a person out of the workspace. Their keys and their invitations stop with them. */
export async function removeMember(scope: WorkspaceScope, userId: string): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  return await change(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.ofActor !== "owner") return "owner_only";
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId);
    await recordDeeds(tx, [deed(scope, "member.remove", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

/** Everyone may leave, whatever their role, but for the last owner. */
export async function leaveWorkspace(scope: WorkspaceScope): Promise<MemberOutcome> {
  const userId = personOf(scope);
  return await change(scope, userId, async (tx, member) => {
    if (member.role === "owner" && member.owners === 1) return "last_owner";
    await deleteInvitationsBy(tx, scope.workspacePk, userId);
    await recordDeeds(tx, [deed(scope, "member.leave", userId)]);
    return await dropMember(tx, scope.workspacePk, member.userPk);
  });
}

/** Makes another member the owner, and an admin of the owner who does so. */
export async function transferOwnership(
  scope: WorkspaceScope,
  userId: string,
): Promise<MemberOutcome> {
  assertMay(scope, "members.write");
  const ownId = personOf(scope);
  return await change(scope, userId, async (tx, member) => {
    if (member.ofActor !== "owner") return "owner_only";
    if (userId === ownId || scope.userPk === null) return [];
    await updateRole(tx, scope.workspacePk, member.userPk, "owner");
    await updateRole(tx, scope.workspacePk, scope.userPk, "admin");
    await recordDeeds(tx, [deed(scope, "workspace.transfer", userId)]);
    return await recordKeyChanges(tx, scope.workspacePk, null);
  });
}

/** A key acts for its workspace and is nobody who could leave it or give it away. */
function personOf(scope: WorkspaceScope): string {
  if (scope.userId !== null && scope.apiKeyPk === null) return scope.userId;
  throw new AppError("forbidden", "This is only possible in the dashboard, not with an API key.");
}

interface HeldMember {
  userPk: number;
  role: Role;
  /** The role that whoever asks has now. */
  ofActor: Role | undefined;
  owners: number;
}

async function change(
  scope: WorkspaceScope,
  userId: string,
  act: (tx: Connection, member: HeldMember) => Promise<Change[] | "last_owner" | "owner_only">,
): Promise<MemberOutcome> {
  let changes: Change[] = [];
  const outcome = await transaction<MemberOutcome>(async (tx) => {
    const members = await lockMembers(tx, scope.workspacePk);
    const roleIn = (id: string | null) => {
      const text = members.find((one) => one.userId === id)?.role;
      return text === undefined ? undefined : roleOf(text);
    };
    const member = members.find((one) => one.userId === userId);
    const ofActor = roleIn(scope.userId);
    if (!member || !ofActor) return { ok: false, code: "not_found" };
    // What they were allowed when the request came, they may no longer be.
    if (ofActor !== scope.role) {
      throw new AppError(
        "forbidden",
        "Your role was changed in the meantime. Reload the page and try again.",
      );
    }
    const owners = members.filter((one) => one.role === "owner").length;
    const role = roleOf(member.role);
    const done = await act(tx, { userPk: member.userPk, role, ofActor, owners });
    if (typeof done === "string") return { ok: false, code: done };
    changes = done;
    return { ok: true };
  });
  await publishChanges(changes);
  return outcome;
}

function deed(
  scope: WorkspaceScope,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
): Deed {
  const { workspacePk, actor } = scope;
  return { workspacePk, actor, action, subject, details };
}
