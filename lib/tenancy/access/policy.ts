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
  admin: new Set(permissions.filter((name) => name !== "workspace.delete")),
  member: new Set(working),
  viewer: new Set(reading),
};

/** What no key may do, whatever it was given: a key must not make or widen a key, nor let people in. */
const forbiddenToKeys: readonly Permission[] = [
  "workspace.write",
  "workspace.delete",
  "members.write",
  "keys.read",
  "keys.write",
];

/** What an API key can be given. */
const keyPermissions = permissions.filter((name) => !forbiddenToKeys.includes(name));

/** The scope of a key that may do all that keys may, also what is added later. */
export const allScopes = "all";
/** The scope of a key that may see all that keys may see, also what is added later. */
const readScope = "read";

/** Other spellings of scopes that people bring along. */
const spellings: Readonly<Record<string, string>> = {
  "apis.all": allScopes,
  "*": allScopes,
  "apis.read": readScope,
  "*.read": readScope,
};

export type ScopesOutcome =
  | { ok: true; scopes: string[] }
  | { ok: false; unknown: string[]; known: readonly string[] };

/** Scopes as they are kept: other spellings replaced, `links.*` written out, each once. */
export function canonicalScopes(given: readonly string[]): ScopesOutcome {
  const known: readonly string[] = [allScopes, readScope, ...keyPermissions];
  const scopes = new Set(given.flatMap((name) => writeOut(spellings[name] ?? name)));
  const unknown = [...scopes].filter((name) => !known.includes(name));
  return unknown.length === 0 ? { ok: true, scopes: [...scopes] } : { ok: false, unknown, known };
}

function writeOut(name: string): string[] {
  if (!name.endsWith(".*")) return [name];
  const verbs = keyPermissions.filter((one) => one.startsWith(name.slice(0, -1)));
  return verbs.length > 0 ? verbs : [name];
}

export function grantOfRole(role: Role): ReadonlySet<Permission> {
  return permissionsOfRole[role];
}

/** A key may do what it was given and what its owner may still do, whichever is less. */
export function grantOfKey(role: Role, scopes: readonly string[]): ReadonlySet<Permission> {
  const given = keyPermissions.filter(
    (name) =>
      scopes.includes(allScopes) ||
      scopes.includes(name) ||
      (scopes.includes(readScope) && name.endsWith(".read")),
  );
  return new Set(given.filter((name) => permissionsOfRole[role].has(name)));
}
