/** An invitation is valid for one person, once, for some days, and only while the sender may give the role. */
import { randomBytes } from "node:crypto";
import { newId } from "#lib/basics/ids";
import { config, isMailConfigured } from "#lib/platform/config";
import { AppError, assertRoom } from "#lib/platform/errors";
import { addressSubject, limits, tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { type Role, roleOf } from "#lib/tenancy/access/schema";
import { auditEntryOf, recordAudit } from "#lib/tenancy/audit";
import { mayInvitePeople } from "#lib/tenancy/instance-rules";
import { assertLive } from "#lib/tenancy/live-actors";
import { limitOf, planOf } from "#lib/tenancy/plans";
import { lockMembers } from "#lib/tenancy/workspaces";
import {
  type Invitation,
  invitableRoles,
  type NewInvitation,
  type PublicInvitation,
} from "./schema.ts";
import {
  countInvitations,
  deleteInvitation,
  findByToken,
  insertInvitation,
  insertMembership,
  type LockedInvitation,
  listInvitationRows,
  lockByToken,
  writeInvited,
} from "./store.ts";

export const invitationsMax = 100;
const tokenBytes = 32;

export async function listInvitations(scope: WorkspaceScope): Promise<Invitation[]> {
  assertMay(scope, "members.write");
  return await listInvitationRows(scope.workspacePk);
}

export interface InviteResult {
  address: string;
  /** `no_server`: without a mail server, the inviter has to share the URL. */
  email: "sent" | "refused" | "no_server" | "not_wanted";
}

export async function inviteMember(
  scope: WorkspaceScope,
  body: NewInvitation,
  locale: string,
): Promise<InviteResult> {
  assertMay(scope, "members.write");
  assertConfirmed(scope);
  if (!(await mayInvitePeople(scope.userId))) {
    throw new AppError(
      "forbidden",
      "Only administrators can invite people on this instance. Ask one of them.",
      { problem: "invitations_closed" },
    );
  }
  await takeDailyLimits(scope);
  const token = randomBytes(tokenBytes).toString("base64url");
  const id = newId("inv");
  const { email = null, role, days } = body;
  const names = await transaction(async (tx) => {
    // defence: ended-session-writes-no-invitation
    await assertLive(tx, scope);
    await lockWorkspace(tx, scope.workspacePk);
    assertRoom(await countInvitations(tx, scope.workspacePk), invitationsMax, "invitations", {
      advice: "Revoke one first.",
    });
    const { workspacePk, actor } = scope;
    const details = { email, role, days };
    await recordAudit(tx, [auditEntryOf(scope, "member.invite", id, details)]);
    return await insertInvitation(tx, { id, workspacePk, email, role, token, days, actor });
  });
  const address = `${config().FUXI_URL}/invite?token=${token}`;
  if (email === null) return { address, email: "not_wanted" };
  const sent = await send({ email, locale }, { ...names, address });
  // Without a server, only administrators see the email, in the outbox.
  if (sent && !isMailConfigured()) return { address, email: "no_server" };
  return { address, email: sent ? "sent" : "refused" };
}

async function takeDailyLimits({ workspaceId, userId }: WorkspaceScope): Promise<void> {
  const names = { invitationPerPerson: userId ?? "", invitationPerWorkspace: workspaceId };
  const refunds: (() => Promise<void>)[] = [];
  for (const name of ["invitationPerPerson", "invitationPerWorkspace"] as const) {
    const attempt = await tryLimit(name, names[name]);
    if (attempt.ok) {
      refunds.push(attempt.refund);
      continue;
    }
    await Promise.all(refunds.map((refund) => refund()));
    const { max } = limits[name];
    const hours = Math.min(24, Math.ceil(attempt.retryAfterSeconds / 3_600));
    throw new AppError(
      "rate_limit_exceeded",
      `Up to ${max} invitations can be sent in a day. Try again in ${hours} hours.`,
      {
        retryAfterSeconds: attempt.retryAfterSeconds,
        problem: "too_many_invitations",
        params: { max, hours },
      },
    );
  }
}

/** The invitation stays valid if its email fails: its URL can be shared otherwise. */
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

export async function findInvitation(
  token: string,
  address: string,
): Promise<PublicInvitation | undefined> {
  const attempt = await tryLimit("invitationPerAddress", addressSubject(address));
  if (!attempt.ok) return undefined;
  const found = await findByToken(token);
  if (!found || !mayInvite(found.inviterRole, found.role)) return undefined;
  await attempt.refund();
  const { workspace, role, email, inviter } = found;
  return { workspace, role, email, inviter };
}

/** The inviter's current role decides, so people who were demoted or removed admit nobody. */
function mayInvite(inviterRole: string | null, role: Role): boolean {
  return inviterRole !== null && invitableRoles[roleOf(inviterRole)].includes(role);
}

/** Undefined: it has expired, is for another address, or was used to sign up. */
export async function lockForSignUp(
  tx: Connection,
  token: string,
  email: string,
): Promise<string | undefined> {
  const invitation = await lockByToken(tx, token);
  if (!invitation || !mayInvite(invitation.inviterRole, invitation.role)) return undefined;
  const fits = invitation.email === null || invitation.email === email;
  return fits && invitation.userId === null ? invitation.id : undefined;
}

/** One invitation, one account. */
export async function reserveInvitation(tx: Connection, id: string, userId: string): Promise<void> {
  await writeInvited(tx, id, userId);
}

type AcceptOutcome =
  | { ok: true; slug: string }
  | { ok: false; code: "invitation_over" | "invitation_other" | "workspace_full" };

export async function acceptInvitation(user: InvitedPerson, token: string): Promise<AcceptOutcome> {
  const found = await findByToken(token);
  if (!found) return { ok: false, code: "invitation_over" };
  return await transaction<AcceptOutcome>(async (tx) => {
    const members = await lockMembers(tx, found.workspacePk);
    const invitation = await lockByToken(tx, token);
    if (!invitation) return { ok: false, code: "invitation_over" };
    const { id, workspacePk, slug, role } = invitation;
    if (members.some((one) => one.userPk === user.pk)) return { ok: true, slug };
    const code = refusalOf(invitation, user, members);
    if (code) return { ok: false, code };
    await deleteInvitation(tx, workspacePk, id);
    await insertMembership(tx, workspacePk, user.pk, role);
    await recordAudit(tx, [
      { workspacePk, actor: user.id, action: "member.join", subject: user.id, details: { role } },
    ]);
    return { ok: true, slug };
  });
}

interface InvitedPerson {
  pk: number;
  id: string;
  email: string;
}

function refusalOf(
  { email, role, invitedBy, userId, plan, limits }: LockedInvitation,
  user: InvitedPerson,
  members: readonly { userId: string; role: string }[],
): "invitation_over" | "invitation_other" | "workspace_full" | undefined {
  // defence: invitation-for-one-person
  if (userId !== null && userId !== user.id) return "invitation_over";
  const inviter = members.find((one) => one.userId === invitedBy);
  // defence: inviter-role-on-acceptance
  if (!mayInvite(inviter?.role ?? null, role)) return "invitation_over";
  if (email !== null && email !== user.email) return "invitation_other";
  const max = limitOf({ plan: planOf(plan), limits }, "members");
  return max !== null && members.length >= max ? "workspace_full" : undefined;
}
