/** Who may do what in a workspace, and which slugs no workspace may have. */
import { type Permission, permissions, type Role } from "./schema.ts";

const reading: readonly Permission[] = [
  "links.read",
  "domains.read",
  "tags.read",
  "folders.read",
  "analytics.read",
  "keys.read",
];
const working: readonly Permission[] = [...reading, "links.write", "tags.write", "folders.write"];

const permissionsOfRole: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  admin: new Set(permissions),
  member: new Set(working),
  viewer: new Set(reading),
};

/** What no key may do, whatever it was given: a key must not make or widen a key, nor let people in. */
const forbiddenToKeys: readonly Permission[] = [
  "workspace.write",
  "members.write",
  "keys.read",
  "keys.write",
];

/** What an API key can be given. */
export const keyPermissions = permissions.filter((name) => !forbiddenToKeys.includes(name));

/** The scope of a key that may do all that keys may, also what is added later. */
export const allScopes = "all";

export function grantOfRole(role: Role): ReadonlySet<Permission> {
  return permissionsOfRole[role];
}

/** A key may do what it was given and what its owner may still do, whichever is less. */
export function grantOfKey(role: Role, scopes: readonly string[]): ReadonlySet<Permission> {
  const given = scopes.includes(allScopes) ? keyPermissions : keyPermissions.filter(inside(scopes));
  return new Set(given.filter((name) => permissionsOfRole[role].has(name)));
}

function inside(scopes: readonly string[]): (name: Permission) => boolean {
  return (name) => scopes.includes(name);
}

const reservedSlugs = new Set([
  "account",
  "admin",
  "api",
  "app",
  "docs",
  "invite",
  "invites",
  "new",
  "settings",
  "signin",
  "signout",
  "signup",
  "workspaces",
]);

/** True for a first segment below /app that belongs to Fuxi itself. */
export function isReservedSlug(slug: string): boolean {
  return reservedSlugs.has(slug);
}
