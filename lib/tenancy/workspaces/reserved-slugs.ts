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

/** True for a first segment below /app that Fuxi itself uses. */
export function isReservedSlug(slug: string): boolean {
  return reservedSlugs.has(slug);
}
