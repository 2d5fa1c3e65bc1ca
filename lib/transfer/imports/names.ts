/** Tags and folders that rows name. Missing ones are created before the links of a chunk. */

import { parseId } from "#lib/basics/ids";
import { createFolder, listFolders } from "#lib/links/folders";
import { createFolderBody, listFoldersQuery } from "#lib/links/folders/schema";
import { createTag, listTags } from "#lib/links/tags";
import { listTagsQuery, tagBody } from "#lib/links/tags/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { FieldName } from "./fields.ts";
import type { RowBody } from "./rows.ts";

const pageSize = 100;

export interface KnownNames {
  tags: Set<string>;
  folders: Map<string, string>;
}

export async function listNames(
  scope: WorkspaceScope,
  mapping: readonly (FieldName | null)[],
): Promise<KnownNames> {
  const tags = mapping.includes("tagNames")
    ? await allOf((page) => listTags(scope, { ...listTagsQuery.parse({}), page, pageSize }))
    : [];
  const folders = mapping.includes("folder")
    ? await allOf((page) => listFolders(scope, { ...listFoldersQuery.parse({}), page, pageSize }))
    : [];
  return {
    tags: new Set(tags.map(({ name }) => name.toLowerCase())),
    folders: new Map(folders.map(({ name, id }) => [name.toLowerCase(), id])),
  };
}

async function allOf<One>(read: (page: number) => Promise<One[]>): Promise<One[]> {
  const all: One[] = [];
  for (let page = 1; ; page++) {
    const some = await read(page);
    all.push(...some);
    if (some.length < pageSize) return all;
  }
}

/** Tags of a body that do not exist yet and can be created. */
export function newTagsOf(scope: WorkspaceScope, body: RowBody, { tags }: KnownNames): string[] {
  const { tagNames } = body;
  if (!Array.isArray(tagNames) || !scope.permissions.has("tags.write")) return [];
  return tagNames.filter(
    (name) => !tags.has(name.toLowerCase()) && tagBody.safeParse({ name }).success,
  );
}

/** Undefined if a body names no folder, or an existing one. */
export function newFolderOf(scope: WorkspaceScope, { folderId }: RowBody, { folders }: KnownNames) {
  if (typeof folderId !== "string" || !scope.permissions.has("folders.write")) return undefined;
  if (parseId("fold", folderId) !== undefined || folders.has(folderId.toLowerCase()))
    return undefined;
  return createFolderBody.safeParse({ name: folderId }).success ? folderId : undefined;
}

/** Creates the missing tags and folders of bodies. Failures later show up as problems of rows. */
export async function createMissing(
  scope: WorkspaceScope,
  bodies: readonly RowBody[],
  names: KnownNames,
): Promise<void> {
  for (const body of bodies) {
    for (const name of newTagsOf(scope, body, names)) {
      // Add it first, so that even a refused name is not tried again.
      names.tags.add(name.toLowerCase());
      await unlessConflict(createTag(scope, tagBody.parse({ name })));
    }
    const folder = newFolderOf(scope, body, names);
    if (folder === undefined) continue;
    const created = await unlessConflict(
      createFolder(scope, createFolderBody.parse({ name: folder })),
    );
    names.folders.set(folder.toLowerCase(), created?.id ?? folder);
  }
}

/** Ignores a concurrent create, and a used-up quota. */
async function unlessConflict<Created>(creating: Promise<Created>): Promise<Created | undefined> {
  try {
    return await creating;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
}
