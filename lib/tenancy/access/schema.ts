export const roles = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

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
  "audit.read",
  "workspace.write",
  "workspace.delete",
  "members.write",
  "keys.read",
  "keys.write",
] as const;
export type Permission = (typeof permissions)[number];
