/** Workspaces: tenants, their members, and the only place where a `WorkspaceScope` is made. */

import { type Change, publishChanges } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { newId } from "#lib/platform/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, scopeOfSeat, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, type Deed, recordDeeds } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { isReservedSlug } from "./reserved-slugs.ts";
import type { DeletedWorkspace, EditWorkspace, NewWorkspace, Workspace } from "./schema.ts";
import {
  deleteMember,
  findSeat,
  findWorkspaceRow,
  insertMember,
  insertWorkspace,
  isSlugTaken,
  listDeletedOf,
  listOfUser,
  listSeats,
  lockMembers,
  lockSettings,
  markDeleted,
  presentWorkspace,
  unmarkDeleted,
  updateWorkspaceRow,
} from "./store.ts";

export { adoptDemo, makeDemoWorkspace } from "./demo.ts";

export { lockMembers } from "./store.ts";

/** The scope of a person in a workspace; undefined when there is none, or none for them. */
export async function openWorkspace(
  userId: string,
  slug: string,
): Promise<WorkspaceScope | undefined> {
  const seat = await findSeat(userId, slug);
  return seat && scopeOfSeat(seat);
}

/** The workspaces of a person, in the order in which they joined. */
export function listWorkspaces(userId: string): Promise<Workspace[]> {
  return listOfUser(userId);
}

/** The workspace of a scope, as its people see it. */
export async function getWorkspace(scope: WorkspaceScope): Promise<Workspace> {
  const row = await findWorkspaceRow(scope.workspacePk);
  if (!row) throw new AppError("not_found", "This workspace has been deleted.");
  return presentWorkspace(row, scope.role);
}

type WorkspaceOutcome =
  | { ok: true; workspace: Workspace }
  | { ok: false; code: "slug_taken" | "slug_reserved" };

/** Makes a workspace; whoever makes it owns it. */
export async function createWorkspace(
  userId: string,
  body: NewWorkspace,
): Promise<WorkspaceOutcome> {
  if (isReservedSlug(body.slug)) return { ok: false, code: "slug_reserved" };
  return await transaction(async (tx) => {
    const row = await insertWorkspace(tx, newId("ws"), body);
    if (!row) return { ok: false, code: "slug_taken" };
    await insertMember(tx, row.pk, userId, "owner");
    await recordDeeds(tx, [
      { workspacePk: row.pk, actor: userId, action: "workspace.create", subject: row.id },
    ]);
    return { ok: true, workspace: presentWorkspace(row, "owner") };
  });
}

/** Changes name, slug, zone, what is done about repetitions, and how long new links live. */
export async function updateWorkspace(
  scope: WorkspaceScope,
  edit: EditWorkspace,
): Promise<WorkspaceOutcome> {
  assertMay(scope, "workspace.write");
  if (edit.slug !== undefined && edit.slug !== scope.slug && isReservedSlug(edit.slug)) {
    return { ok: false, code: "slug_reserved" };
  }
  let changes: Change[] = [];
  const row = await transaction(async (tx) => {
    const before = await lockSettings(tx, scope.workspacePk);
    const updated = await updateWorkspaceRow(tx, scope.workspacePk, edit);
    if (!before || !updated) return undefined;
    // Cached scopes of keys repeat the slug and the zone.
    changes = await recordKeyChanges(tx, scope.workspacePk, null);
    const { name, slug, zone, reuseSeconds, lifetimeSeconds, repeatSeconds } = updated;
    const after = { name, slug, zone, reuseSeconds, lifetimeSeconds, repeatSeconds };
    const details = changesOf(before, after);
    await recordDeeds(tx, [deed(scope, "workspace.edit", scope.workspaceId, details)]);
    return updated;
  }).catch((error: unknown) => {
    // Another workspace took the slug at the same moment.
    if (isSlugTaken(error)) return undefined;
    throw error;
  });
  if (!row) return { ok: false, code: "slug_taken" };
  await publishChanges(changes);
  return { ok: true, workspace: presentWorkspace(row, scope.role) };
}

/** For so long a workspace that was deleted can be had back. */
export const graceDays = 30;

/**
 * Deletes a workspace: nobody opens it any more and its keys stop at once. Until the grace is over, its owners can have
 * it back as it was. Its links go on, because they may be printed somewhere.
 */
export async function deleteWorkspace(scope: WorkspaceScope): Promise<void> {
  assertMay(scope, "workspace.delete");
  const changes = await transaction(async (tx) => {
    await lockMembers(tx, scope.workspacePk);
    if (!(await markDeleted(tx, scope.workspacePk))) {
      throw new AppError("not_found", "This workspace has already been deleted.");
    }
    await recordDeeds(tx, [deed(scope, "workspace.delete", scope.workspaceId)]);
    return await recordKeyChanges(tx, scope.workspacePk, null);
  });
  await publishChanges(changes);
}

/** The deleted workspaces that a person owns and can have back, the last deleted first. */
export function listDeletedWorkspaces(userId: string): Promise<DeletedWorkspace[]> {
  return listDeletedOf(userId, graceDays);
}

/** Undoes a deletion. Answers the slug; throws a 404 for what is not the person's, not deleted, or over. */
export async function restoreWorkspace(userId: string, id: string): Promise<string> {
  const { slug, changes } = await transaction(async (tx) => {
    const row = await unmarkDeleted(tx, userId, id, graceDays);
    if (!row) throw new AppError("not_found", "This workspace can’t be restored.");
    await recordDeeds(tx, [
      { workspacePk: row.pk, actor: userId, action: "workspace.restore", subject: id },
    ]);
    return { slug: row.slug, changes: await recordKeyChanges(tx, row.pk, null) };
  });
  await publishChanges(changes);
  return slug;
}

/** Takes a person out of a workspace whose members the transaction holds. Their keys stop with them. */
export async function dropMember(
  tx: Connection,
  workspacePk: number,
  userPk: number,
): Promise<Change[]> {
  // Deleted before the keys are listed: a key that is being made holds the membership until it is there.
  await deleteMember(tx, workspacePk, userPk);
  return await recordKeyChanges(tx, workspacePk, userPk);
}

type LeaveOutcome = { ok: true; changes: Change[] } | { ok: false; names: string[] };

/**
 * Takes a person out of all their workspaces, in the order of pk, so that two who leave do not wait for each other. What
 * nobody else is in is deleted; what others are in and nobody else owns keeps them, and is named.
 */
export async function leaveAll(
  tx: Connection,
  person: { pk: number; id: string },
): Promise<LeaveOutcome> {
  const seats = [];
  for (const seat of await listSeats(tx, person.pk)) {
    const members = await lockMembers(tx, seat.pk);
    const others = members.filter((one) => one.userPk !== person.pk);
    const owned = others.some((one) => one.role === "owner");
    seats.push({ ...seat, alone: others.length === 0, stuck: others.length > 0 && !owned });
  }
  // Nothing is changed before everything may be.
  const stuck = seats.filter((seat) => seat.stuck && !seat.deleted);
  if (stuck.length > 0) return { ok: false, names: stuck.map(({ name }) => name) };
  const changes: Change[] = [];
  for (const { pk, id, alone } of seats) {
    if (alone) await markDeleted(tx, pk);
    changes.push(...(await dropMember(tx, pk, person.pk)));
    const action = alone ? "workspace.delete" : "member.leave";
    await recordDeeds(tx, [{ workspacePk: pk, actor: person.id, action, subject: id }]);
  }
  return { ok: true, changes };
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
