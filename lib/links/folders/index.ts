import { z } from "zod";
import { newId, parseId } from "#lib/basics/ids";
import { unfileBatch } from "#lib/links/link-rows";
import { AppError, assertRoom } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { takeQuota } from "#lib/tenancy/quotas";
import { folderAccessOf } from "./access.ts";
import type { EditFolder, Folder, ListFolders, NewFolder } from "./schema.ts";
import {
  countLinksIn,
  countRows,
  deleteRow,
  endClearing,
  type FolderRow,
  findOthersPks,
  findRows,
  insertRow,
  isNameTaken,
  listRows,
  lockRow,
  takeClearing,
  updateRow,
} from "./store.ts";

/**
 * Deleting the row of a folder frees its name, and its links read as links without a folder. A
 * worker clears them in small transactions, which do not block others. It starts a minute later,
 * when every create that read the folder before its deletion has committed.
 */
const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 2_000;
const stepsMax = 5_000;

export async function clearFolders(size = linksPerStep): Promise<number> {
  for (let step = 0; step < stepsMax; step++) {
    if (!(await clearStep(size))) return step;
  }
  return stepsMax;
}

function clearStep(size: number): Promise<boolean> {
  return transaction(async (tx) => {
    const folderPk = await takeClearing(tx);
    if (folderPk === undefined) return false;
    const cleared = await unfileBatch(tx, folderPk, size);
    if (cleared === 0) await endClearing(tx, folderPk);
    return true;
  });
}

const clearFoldersJob = defineJob({
  name: "folders.clear",
  schema: z.object({}),
  handle: () => clearFolders(),
  everyMs: clearEveryMs,
});

/** Counting all links of every folder would be slow, so lists show "more than" this number. */
export const folderLinksCountedMax = 10_000;
/** Per workspace, in every plan: pages offer all folders in one menu. */
const foldersMax = 5_000;

export const folderJobs = [clearFoldersJob];

export async function createFolder(scope: WorkspaceScope, body: NewFolder): Promise<Folder> {
  // defence: verbs-check-permissions
  assertMay(scope, "folders.write");
  const { workspacePk, userPk, actor } = scope;
  return await transaction(async (tx) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), foldersMax, "folders");
    const quota = await takeQuota(tx, scope, "folders", 1);
    if (!quota.ok) throw new AppError("forbidden", quota.message);
    const row = await insertRow(tx, workspacePk, userPk, newId("fold"), {
      name: body.name,
      description: body.description ?? null,
      access_level: body.accessLevel,
    });
    if (!row) throw nameTaken(body.name);
    await recordAudit(tx, [{ workspacePk, actor, action: "folder.create", subject: row.id }]);
    return presentFolder(row);
  });
}

export async function listFolders(scope: WorkspaceScope, query: ListFolders): Promise<Folder[]> {
  assertMay(scope, "folders.read");
  const ids = query.ids?.filter((id) => parseId("fold", id) !== undefined);
  const seen = { userPk: onlyCreatorPk(scope), onlyPks: scope.reach.folderPks };
  return (await listRows(scope.workspacePk, seen, { ...query, ids })).map(presentFolder);
}

interface FolderUse {
  links: number;
  changeable: boolean;
}

export async function describeFolders(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, FolderUse>> {
  assertMay(scope, "folders.read");
  const found = await findRows(scope.workspacePk, ids);
  const visible = found.filter((row) => folderAccessOf(scope, row) !== "none");
  const writes = scope.permissions.has("folders.write");
  const described = visible.map(async (row): Promise<[string, FolderUse]> => {
    const links = await countLinksIn(row.pk, folderLinksCountedMax + 1);
    return [row.id, { links, changeable: writes && folderAccessOf(scope, row) === "all" }];
  });
  return new Map(await Promise.all(described));
}

export async function findFolder(scope: WorkspaceScope, id: string): Promise<Folder | undefined> {
  assertMay(scope, "folders.read");
  if (parseId("fold", id) === undefined) return undefined;
  const [row] = await findRows(scope.workspacePk, [id]);
  return row && folderAccessOf(scope, row) !== "none" ? presentFolder(row) : undefined;
}

export async function getFolder(scope: WorkspaceScope, id: string): Promise<Folder> {
  const folder = await findFolder(scope, id);
  if (!folder) throw missing(id);
  return folder;
}

export async function editFolder(
  scope: WorkspaceScope,
  id: string,
  body: EditFolder,
): Promise<Folder> {
  assertMay(scope, "folders.write");
  const { workspacePk, actor } = scope;
  return await changeFolder(scope, id, async (tx, folder) => {
    const { name = folder.name, description = folder.description } = body;
    const access_level = body.accessLevel === undefined ? folder.access_level : body.accessLevel;
    const row = await updateRow(tx, folder.pk, { name, description, access_level });
    if (!row) throw missing(id);
    const details = changesOf(settingsOf(folder), settingsOf(row));
    await recordAudit(tx, [{ workspacePk, actor, action: "folder.edit", subject: id, details }]);
    return presentFolder(row);
  }).catch((error: unknown) => {
    // The unique index on names decides between concurrent edits.
    throw isNameTaken(error) ? nameTaken(String(body.name)) : error;
  });
}

export async function deleteFolder(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "folders.write");
  const { workspacePk, actor } = scope;
  return await changeFolder(scope, id, async (tx, { pk, name }) => {
    await deleteRow(tx, workspacePk, pk, clearingDelaySeconds);
    const details = { name };
    await recordAudit(tx, [{ workspacePk, actor, action: "folder.delete", subject: id, details }]);
    return { id };
  });
}

type Transaction = Parameters<Parameters<typeof transaction>[0]>[0];

function changeFolder<T>(
  scope: WorkspaceScope,
  id: string,
  change: (tx: Transaction, folder: FolderRow) => Promise<T>,
): Promise<T> {
  if (parseId("fold", id) === undefined) return Promise.reject(missing(id));
  return transaction(async (tx) => {
    const folder = await lockRow(tx, scope.workspacePk, id);
    const access = folder ? folderAccessOf(scope, folder) : "none";
    if (!folder || access === "none") throw missing(id);
    if (access === "all") return change(tx, folder);
    const message = `Only the creator of the folder "${folder.name}", owners and admins can edit it.`;
    throw new AppError("forbidden", message);
  });
}

type FolderNeed = "read" | "write";

export type ResolvedFolder =
  | { ok: true; pk: number }
  | { ok: false; code: "folder_unknown" | "folder_forbidden"; message: string };

/** Returns one result per id: whether the actor may read or write there, as needed. */
export async function resolveFolders(
  scope: WorkspaceScope,
  ids: readonly string[],
  need: FolderNeed,
): Promise<Map<string, ResolvedFolder>> {
  const valid = ids.filter((id) => parseId("fold", id) !== undefined);
  const rows = valid.length > 0 ? await findRows(scope.workspacePk, valid) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, resolveRow(scope, id, byId.get(id), need)]));
}

export async function resolveFolder(
  scope: WorkspaceScope,
  id: string,
  need: FolderNeed,
): Promise<ResolvedFolder> {
  return (await resolveFolders(scope, [id], need)).get(id) ?? unknownFolder(id);
}

function resolveRow(
  scope: WorkspaceScope,
  id: string,
  row: FolderRow | undefined,
  need: FolderNeed,
): ResolvedFolder {
  const access = row ? folderAccessOf(scope, row) : "none";
  if (!row || access === "none") return unknownFolder(id);
  if (need === "read" || access !== "read") return { ok: true, pk: row.pk };
  const message = `You can view the folder "${row.name}", but not edit its links.`;
  return { ok: false, code: "folder_forbidden", message };
}

function unknownFolder(id: string): ResolvedFolder {
  return { ok: false, code: "folder_unknown", message: missing(id).message };
}

/** pks of the folders hidden from the person. Owners and admins need no query. */
export async function hiddenFolderPks(scope: WorkspaceScope): Promise<number[]> {
  const creatorPk = onlyCreatorPk(scope);
  if (creatorPk === null) return [];
  // defence: guest-sees-open-folders
  return await findOthersPks(scope.workspacePk, creatorPk, null);
}

/** Folders whose links the actor may see but not edit. Owners and admins need no query. */
export async function readOnlyFolderPks(scope: WorkspaceScope): Promise<number[]> {
  const creatorPk = onlyCreatorPk(scope);
  return creatorPk === null ? [] : await findOthersPks(scope.workspacePk, creatorPk, "read");
}

function settingsOf({ name, description, access_level }: FolderRow) {
  return { name, description, accessLevel: access_level };
}

function presentFolder(row: FolderRow): Folder {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: "default",
    accessLevel: levelOf(row.access_level),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function levelOf(text: string | null): Folder["accessLevel"] {
  return text === "write" || text === "read" ? text : null;
}

function missing(id: string): AppError {
  return new AppError("not_found", `Folder "${id}" not found in this workspace.`);
}

function nameTaken(name: string): AppError {
  return new AppError("conflict", `name: A folder "${name}" already exists. Choose another name.`);
}
