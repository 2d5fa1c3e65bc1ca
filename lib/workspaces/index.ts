/** Workspaces: tenants, their members, and the only place where a `WorkspaceScope` is made. */
import { changesOf, type Deed, recordDeeds } from "#lib/audit";
import { type Change, publishChanges, recordChanges, takeRevision } from "#lib/coherence";
import { AppError } from "#lib/errors";
import { newId } from "#lib/ids";
import { type Connection, transaction } from "#lib/postgres";
import { isReservedSlug } from "./policy.ts";
import type { EditWorkspace, NewWorkspace, Workspace } from "./schema.ts";
import { assertMay, scopeOfSeat, type WorkspaceScope } from "./scope.ts";
import {
  deleteMember,
  findSeat,
  findWorkspaceRow,
  insertMember,
  insertWorkspace,
  isSlugTaken,
  listKeyHashes,
  listOfUser,
  lockMembers,
  lockSettings,
  presentWorkspace,
  updateWorkspaceRow,
} from "./store.ts";

export { listAudit } from "./audit.ts";
export { adoptDemo, makeDemoWorkspace } from "./demo.ts";
export {
  type CountedName,
  countedNames,
  type MonthlyName,
  planOf,
  plans,
} from "./plans.ts";
export { allScopes, canonicalScopes } from "./policy.ts";
export { openForShare, reopenScope } from "./reopen.ts";
export { assertMay, type KeyGrant, type Seat, scopeOfKey, type WorkspaceScope } from "./scope.ts";
export { lockWorkspace, roleOf } from "./store.ts";

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
  if (!row) throw new AppError("not_found", "This workspace was deleted.");
  return presentWorkspace(row, scope.role);
}

export type WorkspaceOutcome =
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

/** Changes name, slug, zone, and what is done about repetitions. */
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
    const { name, slug, zone, reuseSeconds, repeatSeconds } = updated;
    const details = changesOf(before, { name, slug, zone, reuseSeconds, repeatSeconds });
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

export type RemovalOutcome = { ok: true } | { ok: false; code: "not_found" | "last_owner" };

/** Takes a person out of the workspace. Their keys stop with them. */
export async function removeMember(scope: WorkspaceScope, userId: string): Promise<RemovalOutcome> {
  assertMay(scope, "members.write");
  let changes: Change[] = [];
  const outcome = await transaction<RemovalOutcome>(async (tx) => {
    const members = await lockMembers(tx, scope.workspacePk);
    const member = members.find((one) => one.userId === userId);
    if (!member) return { ok: false, code: "not_found" };
    const owners = members.filter((one) => one.role === "owner");
    if (member.role === "owner" && owners.length === 1) return { ok: false, code: "last_owner" };
    // Deleted before the keys are listed: a key that is being made holds the membership until it is there.
    await deleteMember(tx, scope.workspacePk, member.userPk);
    changes = await recordKeyChanges(tx, scope.workspacePk, member.userPk);
    await recordDeeds(tx, [deed(scope, "member.remove", userId)]);
    return { ok: true };
  });
  await publishChanges(changes);
  return outcome;
}

async function recordKeyChanges(
  tx: Connection,
  workspacePk: number,
  userPk: number | null,
): Promise<Change[]> {
  const revision = await takeRevision(tx);
  const hashes = await listKeyHashes(tx, workspacePk, userPk);
  const changes = hashes.map((hash) => ({ entry: keyEntry(hash), revision }));
  await recordChanges(tx, changes);
  return changes;
}

/** The name under which caches keep an API key, by the hexadecimal SHA-256 of its text. */
export function keyEntry(hash: string): string {
  return `k:${hash}`;
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
