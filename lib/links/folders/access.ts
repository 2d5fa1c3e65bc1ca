/**
 * Owners, admins and the folder’s creator have full access. For everyone else the access level
 * applies: `write` to add and edit links, `read` to see them, null hides the folder. An API key has
 * the permissions of its user in the folders that it is limited to.
 */
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { reachesFolder } from "#lib/tenancy/reach";

export type FolderAccess = "all" | "write" | "read" | "none";

export interface FolderOwnership {
  pk: number;
  user_pk: number | null;
  access_level: string | null;
}

export function folderAccessOf(scope: WorkspaceScope, folder: FolderOwnership): FolderAccess {
  // defence: key-folders
  if (!reachesFolder(scope, folder.pk)) return "none";
  if (onlyCreatorPk(scope) === null) return "all";
  if (folder.user_pk !== null && folder.user_pk === scope.userPk) return "all";
  if (folder.access_level === "write" || folder.access_level === "read") return folder.access_level;
  return "none";
}
