/** Workspaces and the scopes of their members. */
import { newId } from "#lib/basics/ids";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
  workspaceEntry,
} from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { limits, tryLimit } from "#lib/platform/limits";
import { assertPhoneCountries } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, scopeOfMember, scopeOfSystem, type WorkspaceScope } from "#lib/tenancy/access";
import { auditEntryOf, changesOf, recordAudit } from "#lib/tenancy/audit";
import { mayCreateWorkspaces } from "#lib/tenancy/instance-rules";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { planOf } from "#lib/tenancy/plans";
import { assertIncluded } from "#lib/tenancy/quotas";
import {
  type DeletedWorkspace,
  type EditWorkspace,
  type NewWorkspace,
  sessionOver,
  ssoRequired,
  type Workspace,
} from "./schema.ts";
import {
  deleteMember,
  findMembership,
  findOwnWorkspace,
  findWorkspaceRow,
  type InstanceWorkspace,
  insertMember,
  insertWorkspace,
  isSlugTaken,
  listDeletedOf,
  listMemberships,
  lockMembers,
  lockSettings,
  markDeleted,
  type OwnWorkspaceRow,
  presentWorkspace,
  unmarkDeleted,
  updateWorkspaceRow,
} from "./store.ts";

export { claimDemo, listWorkspaces, lockMembers } from "./store.ts";

/**
 * Undefined: no such workspace, not a member, or a session of another workspace’s OpenID provider.
 * Throws if the session is over in this workspace, or if it requires a session of its own provider.
 */
export async function openWorkspace(
  userId: string,
  slug: string,
  sessionId: string | null = null,
): Promise<WorkspaceScope | undefined> {
  const found = await findMembership(userId, slug, sessionId);
  // defence: strict-workspace-closed
  if (found?.isSessionOver) {
    throw new AppError(
      "unauthorized",
      "This workspace asks people to sign in more often. Sign in again.",
      { problem: sessionOver },
    );
  }
  if (found?.isSsoMissing) {
    throw new AppError("forbidden", "This workspace requires single sign-on.", {
      problem: ssoRequired,
    });
  }
  return found && scopeOfMember(found.membership, sessionId);
}

export async function getWorkspace(scope: WorkspaceScope): Promise<Workspace> {
  const row = await findWorkspaceRow(scope.workspacePk);
  if (!row) throw new AppError("not_found", "This workspace has been deleted.");
  return presentWorkspace(row, scope.role);
}

/** First segments below /app that Fuxi itself uses. */
const reservedSlugs =
  /^(?:account|admin|api|app|docs|invites?|new|settings|sign(?:in|out|up)|workspaces)$/;

type WorkspaceOutcome =
  | { ok: true; workspace: Workspace }
  | { ok: false; code: "slug_taken" | "slug_reserved" };

type CreateOutcome =
  | WorkspaceOutcome
  | { ok: false; code: "closed" }
  | { ok: false; code: "too_many"; max: number; retryAfterSeconds: number };

export async function createWorkspace(userId: string, body: NewWorkspace): Promise<CreateOutcome> {
  // defence: closed-instance-workspaces
  if (!(await mayCreateWorkspaces(userId))) return { ok: false, code: "closed" };
  const attempt = await tryLimit("workspacePerPerson", userId);
  if (!attempt.ok) {
    return { ...attempt, code: "too_many", max: limits.workspacePerPerson.max };
  }
  const outcome = await setUpWorkspace(userId, body);
  if (!outcome.ok) await attempt.refund();
  return outcome;
}

export async function setUpWorkspace(
  userId: string,
  body: NewWorkspace,
): Promise<WorkspaceOutcome> {
  if (reservedSlugs.test(body.slug)) return { ok: false, code: "slug_reserved" };
  return await transaction(async (tx) => {
    const row = await insertWorkspace(tx, newId("ws"), body);
    if (!row) return { ok: false, code: "slug_taken" };
    await insertMember(tx, row.pk, userId, "owner");
    await recordAudit(tx, [
      { workspacePk: row.pk, actor: userId, action: "workspace.create", subject: row.id },
    ]);
    return { ok: true, workspace: presentWorkspace(row, "owner") };
  });
}

export async function updateWorkspace(
  scope: WorkspaceScope,
  edit: EditWorkspace,
): Promise<WorkspaceOutcome> {
  assertMay(scope, "workspace.write");
  if (edit.slug !== undefined && edit.slug !== scope.slug && reservedSlugs.test(edit.slug)) {
    return { ok: false, code: "slug_reserved" };
  }
  assertPhoneCountries("codeCountries", edit.codeCountries ?? []);
  let changes: CacheChange[] = [];
  const row = await transaction(async (tx) => {
    const before = await lockSettings(tx, scope.workspacePk);
    const updated = await updateWorkspaceRow(tx, scope.workspacePk, edit);
    if (!before || !updated) return undefined;
    if (updated.repeatSeconds !== null && updated.repeatSeconds !== before.repeatSeconds) {
      assertIncluded(scope, "repeatFilter");
    }
    // Cached scopes of keys contain the slug and the zone.
    changes = await recordKeyChanges(tx, scope.workspacePk, null);
    if (updated.forwardQuery !== before.forwardQuery) {
      changes.push(await recordVisitChange(tx, scope.workspacePk));
    }
    const { id: _id, plan: _plan, demo: _demo, createdAt: _createdAt, ...after } = updated;
    const details = changesOf(before, after);
    await recordAudit(tx, [auditEntryOf(scope, "workspace.edit", scope.workspaceId, details)]);
    return updated;
  }).catch((error: unknown) => {
    if (isSlugTaken(error)) return undefined;
    throw error;
  });
  if (!row) return { ok: false, code: "slug_taken" };
  await publishChanges(changes);
  return { ok: true, workspace: presentWorkspace(row, scope.role) };
}

async function recordVisitChange(tx: Connection, workspacePk: number): Promise<CacheChange> {
  const change = { entry: workspaceEntry(workspacePk), revision: await takeRevision(tx) };
  await recordChanges(tx, [change]);
  return change;
}

export const graceDays = 30;

/** Stops its keys at once. Its links keep working, because they may be printed. */
export async function deleteWorkspace(scope: WorkspaceScope): Promise<void> {
  assertMay(scope, "workspace.delete");
  const remove = async (tx: Connection) => {
    await lockMembers(tx, scope.workspacePk);
    if (!(await markDeleted(tx, scope.workspacePk))) {
      throw new AppError("not_found", "This workspace has already been deleted.");
    }
    await recordAudit(tx, [auditEntryOf(scope, "workspace.delete", scope.workspaceId)]);
    return await recordKeyChanges(tx, scope.workspacePk, null);
  };
  const changes = await withFreshProof(scope, () => transaction(remove));
  await publishChanges(changes);
}

export function listDeletedWorkspaces(userId: string): Promise<DeletedWorkspace[]> {
  return listDeletedOf(userId, graceDays);
}

export async function restoreWorkspace(userId: string, id: string): Promise<string> {
  const { slug, changes } = await transaction(async (tx) => {
    const row = await unmarkDeleted(tx, userId, id, graceDays);
    if (!row) throw new AppError("not_found", "This workspace can’t be restored.");
    await recordAudit(tx, [
      { workspacePk: row.pk, actor: userId, action: "workspace.restore", subject: id },
    ]);
    return { slug: row.slug, changes: await recordKeyChanges(tx, row.pk, null) };
  });
  await publishChanges(changes);
  return slug;
}

/** The transaction must have locked the members. Also stops the person's keys. */
export async function dropMember(
  tx: Connection,
  workspacePk: number,
  userPk: number,
): Promise<CacheChange[]> {
  // Do this before listing the keys: a key that is being created locks the membership until it exists.
  await deleteMember(tx, workspacePk, userPk);
  return await recordKeyChanges(tx, workspacePk, userPk);
}

type LeaveOutcome = { ok: true; changes: CacheChange[] } | { ok: false; names: string[] };

/** In the order of pk, so that calls cannot deadlock. A workspace without members is deleted. */
export async function leaveAllWorkspaces(
  tx: Connection,
  person: { pk: number; id: string },
): Promise<LeaveOutcome> {
  const memberships = [];
  for (const membership of await listMemberships(tx, person.pk)) {
    const members = await lockMembers(tx, membership.pk);
    const others = members.filter((one) => one.userPk !== person.pk);
    const owned = others.some((one) => one.role === "owner");
    memberships.push({
      ...membership,
      alone: others.length === 0,
      stuck: others.length > 0 && !owned,
    });
  }
  // Check everything before the first change.
  const stuck = memberships.filter((membership) => membership.stuck && !membership.deleted);
  if (stuck.length > 0) return { ok: false, names: stuck.map(({ name }) => name) };
  const changes: CacheChange[] = [];
  for (const { pk, id, alone } of memberships) {
    if (alone) await markDeleted(tx, pk);
    changes.push(...(await dropMember(tx, pk, person.pk)));
    const action = alone ? "workspace.delete" : "member.leave";
    await recordAudit(tx, [{ workspacePk: pk, actor: person.id, action, subject: id }]);
  }
  return { ok: true, changes };
}

/** Finds or makes a workspace of the instance itself, with no members. Undefined: it was deleted. */
export async function openOwnWorkspace(
  fields: InstanceWorkspace,
): Promise<{ scope: WorkspaceScope; isNew: boolean } | undefined> {
  const found = await findOwnWorkspace(fields.slug);
  if (found) return { scope: scopeOfOwn(found), isNew: false };
  const made = await makeOwnWorkspace(fields);
  if (made) return { scope: made, isNew: true };
  // Another process was faster.
  const other = await findOwnWorkspace(fields.slug);
  return other && { scope: scopeOfOwn(other), isNew: false };
}

function makeOwnWorkspace(fields: InstanceWorkspace): Promise<WorkspaceScope | undefined> {
  return transaction(async (tx) => {
    const row = await insertWorkspace(tx, newId("ws"), fields);
    if (!row) return undefined;
    await recordAudit(tx, [
      { workspacePk: row.pk, actor: "system", action: "workspace.create", subject: row.id },
    ]);
    return scopeOfOwn({ ...row, banned: false });
  });
}

function scopeOfOwn({ pk, id, plan, ...row }: OwnWorkspaceRow): WorkspaceScope {
  return scopeOfSystem({
    workspacePk: pk,
    workspaceId: id,
    slug: row.slug,
    zone: row.zone,
    plan: planOf(plan),
    limits: null,
    reuseSeconds: null,
    lifetimeSeconds: null,
    retireApiDays: null,
    retirePeopleDays: null,
    retireFromCreation: false,
    createdAt: row.createdAt,
    banned: row.banned,
  });
}
