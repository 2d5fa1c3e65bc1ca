/**
 * Who may do what with a folder. Owners and admins everything; so may the person who made it. Everyone else what its
 * access level says: `write` to put links in and change them, `read` to see them, null: for them it does not exist.
 * An API key is the person whose key it is.
 */
import type { WorkspaceScope } from "#lib/tenancy/access";

export type Access = "all" | "write" | "read" | "none";

/** What decides about a folder. */
export interface Ownership {
  user_pk: number | null;
  access_level: string | null;
}

/** True for whom no folder is closed: they need not be asked about any. */
export function seesEverything(scope: WorkspaceScope): boolean {
  return scope.role === "owner" || scope.role === "admin";
}

export function accessTo(scope: WorkspaceScope, folder: Ownership): Access {
  if (seesEverything(scope)) return "all";
  if (folder.user_pk !== null && folder.user_pk === scope.userPk) return "all";
  if (folder.access_level === "write" || folder.access_level === "read") return folder.access_level;
  return "none";
}
