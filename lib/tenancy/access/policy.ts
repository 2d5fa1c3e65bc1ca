import { allScopes, keyPermissions, type Permission, permissions, type Role } from "./schema.ts";

const readPermissions: readonly Permission[] = [
  "links.read",
  "domains.read",
  "tags.read",
  "folders.read",
  "analytics.read",
  "campaigns.read",
  "keys.read",
];
const writePermissions: readonly Permission[] = [
  ...readPermissions,
  "links.write",
  "tags.write",
  "folders.write",
  "campaigns.write",
  "conversions.write",
];

const permissionsOfRole: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  admin: new Set(permissions.filter((name) => name !== "workspace.delete")),
  member: new Set(writePermissions),
  // defence: viewer-permissions
  viewer: new Set(readPermissions),
};

/** All read permissions of keys, including future ones. */
const readScope = "read";

const aliases: Readonly<Record<string, string>> = {
  "apis.all": allScopes,
  "*": allScopes,
  "apis.read": readScope,
  "*.read": readScope,
};

export type ScopesOutcome =
  | { ok: true; scopes: string[] }
  | { ok: false; unknown: string[]; known: readonly string[] };

/** Returns scopes as stored: aliases replaced, `links.*` expanded, without duplicates. */
export function canonicalScopes(given: readonly string[]): ScopesOutcome {
  const known: readonly string[] = [allScopes, readScope, ...keyPermissions];
  const scopes = new Set(given.flatMap((name) => expandScope(aliases[name] ?? name)));
  const unknown = [...scopes].filter((name) => !known.includes(name));
  return unknown.length === 0 ? { ok: true, scopes: [...scopes] } : { ok: false, unknown, known };
}

function expandScope(name: string): string[] {
  if (!name.endsWith(".*")) return [name];
  const verbs = keyPermissions.filter((one) => one.startsWith(name.slice(0, -1)));
  return verbs.length > 0 ? verbs : [name];
}

export function grantOfRole(role: Role): ReadonlySet<Permission> {
  return permissionsOfRole[role];
}

/** Visitors of the public demo: only what their pages show. */
export const guestPermissions: ReadonlySet<Permission> = new Set([
  "links.read",
  "domains.read",
  "tags.read",
  "folders.read",
  "analytics.read",
]);

/** In a banned workspace, members can only read and export. */
export function grantInBanned(grant: ReadonlySet<Permission>): ReadonlySet<Permission> {
  return new Set(
    [...grant].filter((name) => name.endsWith(".read") || name === "workspace.export"),
  );
}

/** A key has the intersection of its scopes and its owner's present permissions. */
export function grantOfKey(role: Role, scopes: readonly string[]): ReadonlySet<Permission> {
  const given = keyPermissions.filter(
    (name) =>
      scopes.includes(allScopes) ||
      scopes.includes(name) ||
      (scopes.includes(readScope) && name.endsWith(".read")),
  );
  return new Set(given.filter((name) => permissionsOfRole[role].has(name)));
}
