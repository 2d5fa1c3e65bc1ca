/** The proof that somebody may act in a workspace. Verbs take it first and put its workspace into their WHERE. */
import { AppError } from "#lib/platform/errors";
import type { PlanName } from "#lib/tenancy/plans";
import { grantOfKey, grantOfRole } from "./policy.ts";
import type { Permission, Role } from "./schema.ts";

declare const minted: unique symbol;

export interface WorkspaceScope {
  readonly [minted]: true;
  readonly workspacePk: number;
  readonly workspaceId: string;
  readonly slug: string;
  readonly zone: string;
  readonly plan: PlanName;
  /** Seconds for which a url keeps its link when a caller says nothing of it; null: every call makes a new one. */
  readonly reuseSeconds: number | null;
  /** Seconds after which a new link ends that says nothing of its end; null: links have no end. */
  readonly lifetimeSeconds: number | null;
  /** `user_…`, `key_…` when an API key acts, `system` when the installation itself does. */
  readonly actor: string;
  /** Null when the installation itself acts. */
  readonly userPk: number | null;
  readonly userId: string | null;
  readonly apiKeyPk: number | null;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}

/** A member's place in a workspace, as the database has it. */
export interface Seat {
  workspacePk: number;
  workspaceId: string;
  slug: string;
  zone: string;
  plan: PlanName;
  reuseSeconds: number | null;
  lifetimeSeconds: number | null;
  userPk: number;
  userId: string;
  role: Role;
}

export interface KeyGrant {
  pk: number;
  id: string;
  scopes: readonly string[];
}

/** The only cast to the brand: a seat was read from the membership of this very person. */
function mint(fields: Omit<WorkspaceScope, typeof minted>): WorkspaceScope {
  return Object.freeze(fields) as WorkspaceScope;
}

/** The scope of a person in a workspace. */
export function scopeOfSeat(seat: Seat): WorkspaceScope {
  return mint({
    ...seat,
    actor: seat.userId,
    apiKeyPk: null,
    permissions: grantOfRole(seat.role),
  });
}

/** The scope of an API key: never more than the person's whose key it is. */
export function scopeOfKey(seat: Seat, key: KeyGrant): WorkspaceScope {
  return mint({
    ...seat,
    actor: key.id,
    apiKeyPk: key.pk,
    permissions: grantOfKey(seat.role, key.scopes),
  });
}

/** The scope of the installation itself, for what nobody asked for: the demo. */
export function scopeOfSystem(workspace: Omit<Seat, "userPk" | "userId" | "role">): WorkspaceScope {
  return mint({
    ...workspace,
    actor: "system",
    userPk: null,
    userId: null,
    apiKeyPk: null,
    role: "owner",
    permissions: grantOfRole("owner"),
  });
}

/**
 * The scope of whoever has the address of a share: all clicks of the workspace, nothing else of it, and no change. What
 * of them the share shows is for lib/analytics/shares to say, which alone opens one.
 */
export function scopeOfShare(
  workspace: Omit<Seat, "userPk" | "userId" | "role">,
  shareId: string,
): WorkspaceScope {
  return mint({
    ...workspace,
    actor: shareId,
    userPk: null,
    userId: null,
    apiKeyPk: null,
    // No folder is closed to it: somebody who may see the subject has chosen to show it.
    role: "owner",
    permissions: new Set<Permission>(["analytics.read"]),
  });
}

/** Throws a 403 unless the scope includes the permission. */
export function assertMay(scope: WorkspaceScope, permission: Permission): void {
  if (scope.permissions.has(permission)) return;
  throw new AppError(
    "forbidden",
    scope.apiKeyPk === null
      ? `Your role in this workspace (${scope.role}) doesn’t include ${permission}. Ask an owner for access.`
      : `This API key doesn’t have the scope ${permission}. Use a key that has it.`,
  );
}
