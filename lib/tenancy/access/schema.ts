export const roles = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

export function roleOf(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === undefined) throw new Error(`Unknown role "${text}"`);
  return role;
}

export const permissions = [
  "links.read",
  "links.write",
  "domains.read",
  "domains.write",
  "tags.read",
  "tags.write",
  "folders.read",
  "folders.write",
  "analytics.read",
  "conversions.write",
  "audit.read",
  "destinations.read",
  "destinations.write",
  "campaigns.read",
  "campaigns.write",
  "people.view",
  "webhooks.read",
  "webhooks.write",
  "workspace.write",
  "workspace.export",
  "workspace.delete",
  "members.write",
  "keys.read",
  "keys.write",
] as const;
export type Permission = (typeof permissions)[number];

/** The scope of keys with all permissions that their owner has. */
export const allScopes = "all";

export const guestActor = "guest";

/** Guests of the public demo do not see who works in it, because these are the names of real people. */
export function isGuest({ actor }: { actor: string }): boolean {
  return actor === guestActor;
}

/** Keys must not create or extend keys, or add members. */
const forbiddenToKeys = [
  "workspace.write",
  "workspace.export",
  "workspace.delete",
  "members.write",
  "keys.read",
  "keys.write",
] as const;

export const keyPermissions = permissions.filter(isForKeys);
type KeyPermission = Exclude<Permission, (typeof forbiddenToKeys)[number]>;

function isForKeys(name: Permission): name is KeyPermission {
  return !forbiddenToKeys.some((one) => one === name);
}
