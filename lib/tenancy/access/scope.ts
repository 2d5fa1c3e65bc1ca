import { isMailConfigured } from "#lib/platform/config";
import type { PlanName } from "#lib/platform/config/schema";
import { AppError } from "#lib/platform/errors";
import type { OwnLimits } from "#lib/tenancy/plans/schema";
import { everything, type Reach } from "#lib/tenancy/reach";
import { grantInBanned, grantOfKey, grantOfRole, guestPermissions } from "./policy.ts";
import { guestActor, keyPermissions, type Permission, type Role } from "./schema.ts";

declare const scopeBrand: unique symbol;

export interface WorkspaceScope {
  readonly [scopeBrand]: true;
  readonly workspacePk: number;
  readonly workspaceId: string;
  readonly slug: string;
  readonly zone: string;
  readonly plan: PlanName;
  /** Limits that replace the plan's; null: none. */
  readonly limits: OwnLimits | null;
  readonly reuseSeconds: number | null;
  readonly lifetimeSeconds: number | null;
  readonly retireApiDays: number | null;
  readonly retirePeopleDays: number | null;
  readonly retireFromCreation: boolean;
  /** `user_…`, `key_…` for an API key, `system` for the instance itself. */
  readonly actor: string;
  readonly userPk: number | null;
  readonly userId: string | null;
  readonly apiKeyPk: number | null;
  readonly sessionId: string | null;
  readonly createdAt: Date;
  /** A banned workspace can only be read and exported. */
  readonly banned: boolean;
  readonly confirmed: boolean;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** Domains and folders of the actor. Only keys are limited to some. */
  readonly reach: Reach;
  readonly callsPerMinute: number | null;
}

export interface Membership {
  workspacePk: number;
  workspaceId: string;
  slug: string;
  zone: string;
  plan: PlanName;
  limits: OwnLimits | null;
  reuseSeconds: number | null;
  lifetimeSeconds: number | null;
  retireApiDays: number | null;
  retirePeopleDays: number | null;
  retireFromCreation: boolean;
  createdAt: Date;
  banned: boolean;
  userPk: number;
  userId: string;
  confirmed: boolean;
  role: Role;
}

export interface KeyGrant {
  pk: number;
  id: string;
  scopes: readonly string[];
  reach: Reach;
  callsPerMinute: number | null;
}

const unlimited = { reach: everything, callsPerMinute: null };

/** The only cast to the brand: the membership was read for this person. */
function createScope(fields: Omit<WorkspaceScope, typeof scopeBrand>): WorkspaceScope {
  // defence: banned-workspace-read-only
  const permissions = fields.banned ? grantInBanned(fields.permissions) : fields.permissions;
  return Object.freeze({ ...fields, permissions }) as WorkspaceScope;
}

export function scopeOfMember(
  membership: Membership,
  sessionId: string | null = null,
): WorkspaceScope {
  return createScope({
    ...membership,
    actor: membership.userId,
    apiKeyPk: null,
    sessionId,
    permissions: grantOfRole(membership.role),
    ...unlimited,
  });
}

export function scopeOfKey(membership: Membership, key: KeyGrant): WorkspaceScope {
  return createScope({
    ...membership,
    actor: key.id,
    apiKeyPk: key.pk,
    sessionId: null,
    permissions: grantOfKey(membership.role, key.scopes),
    reach: key.reach,
    callsPerMinute: key.callsPerMinute,
  });
}

export function scopeOfSystem(
  workspace: Omit<Membership, "userPk" | "userId" | "confirmed" | "role">,
): WorkspaceScope {
  return createScope({
    ...workspace,
    actor: "system",
    userPk: null,
    userId: null,
    apiKeyPk: null,
    sessionId: null,
    confirmed: true,
    role: "owner",
    permissions: grantOfRole("owner"),
    ...unlimited,
  });
}

/** Only for lib/analytics/shares, which limits it to what the share shows. */
export function scopeOfShare(
  workspace: Omit<Membership, "userPk" | "userId" | "confirmed" | "role">,
  shareId: string,
): WorkspaceScope {
  return createScope({
    ...workspace,
    actor: shareId,
    userPk: null,
    userId: null,
    apiKeyPk: null,
    sessionId: null,
    confirmed: false,
    // Every folder: the creator of the share may see its subject.
    role: "owner",
    permissions: new Set<Permission>(["analytics.read"]),
    ...unlimited,
  });
}

/** A visitor without an account, in the public demo. */
export function scopeOfGuest(
  workspace: Omit<Membership, "userPk" | "userId" | "confirmed" | "role">,
): WorkspaceScope {
  return createScope({
    ...workspace,
    actor: guestActor,
    userPk: null,
    userId: null,
    apiKeyPk: null,
    sessionId: null,
    confirmed: false,
    role: "viewer",
    // defence: guest-permissions
    permissions: guestPermissions,
    ...unlimited,
  });
}

/** Someone who uses another person's address must leave nothing that still works after its owner signs up. */
export function assertConfirmed({ confirmed }: { confirmed: boolean }): void {
  // defence: nothing-lasting-before-proof
  if (confirmed || !isMailConfigured()) return;
  throw new AppError(
    "forbidden",
    "Confirm your email address first: open Security in the dashboard, choose “Send confirmation email” and open the link in the email.",
    { problem: "email_unconfirmed" },
  );
}

/** The only creator whose records the actor may read; null: all. Nobody has the pk -1. */
export function onlyCreatorPk({ role, userPk }: WorkspaceScope): number | null {
  return role === "owner" || role === "admin" ? null : (userPk ?? -1);
}

export function assertMay(scope: WorkspaceScope, permission: Permission): void {
  if (scope.permissions.has(permission)) return;
  if (scope.banned) {
    throw new AppError(
      "forbidden",
      "This workspace was banned by an administrator. You can view and export it. The email to its owners has the reason.",
      { problem: "workspace_banned" },
    );
  }
  throw new AppError("forbidden", lackOf(scope, permission));
}

/** Says which permission is missing, and whom to ask. */
function lackOf({ apiKeyPk, role }: WorkspaceScope, permission: Permission): string {
  if (apiKeyPk === null) {
    return `Your role in this workspace (${role}) doesn’t include ${permission}. Ask an owner for access.`;
  }
  return keyPermissions.some((one) => one === permission)
    ? `This API key doesn’t have the scope ${permission}. Use a key that has it.`
    : `API keys can’t have the permission ${permission}. Sign in to the dashboard to do this.`;
}
