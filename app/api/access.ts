/**
 * What an operation requires of its callers, declared once at its route. The caller middleware checks it before the body is read,
 * the API document shows it as `x-fuxi-access`, and the tests that call every operation read it there. The functions in lib check
 * the permission again, because they have other callers too.
 */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { Permission } from "#lib/tenancy/access/schema";
import { assertFreshProof } from "#lib/tenancy/live-actors";

/** A permission; `any`: every member and key; `nobody`: callers without authentication. */
type Needs = Permission | "any" | "nobody";

/** Why an operation on personal data does not need `people.view`. */
export interface MaskedBecause {
  because: string;
}

export const maskedAnswer: MaskedBecause = {
  because: "The answer masks people unless the caller has people.view.",
};
export const ownAnswer: MaskedBecause = {
  because: "The answer has no more about people than the caller has sent.",
};
export const noAnswer: MaskedBecause = { because: "The answer has nothing about people." };

export interface Access {
  needs: Needs;
  also?: Permission;
  /** People in the dashboard only: no API key may call it. */
  people?: true;
  /** Requires a proof from the last few minutes, because the effect of the call outlives the session. */
  fresh?: true;
  /** Reads or changes personal data. */
  personal?: true | MaskedBecause;
  /** Keys that are limited to domains or folders may call it. */
  limitedKeys?: true;
  /** Which rate limit applies: per workspace and key, or per network of the caller. */
  rate: "workspace" | "network";
}

interface Options<All extends Needs> {
  people?: true;
  fresh?: true;
  limitedKeys?: true;
  /** Without `people.view`, this must be the reason why it is not needed. Anything else does not compile. */
  personal?: "people.view" extends All ? true : MaskedBecause;
}

export function access<const Need extends Needs, const Also extends Permission = never>(
  needs: Need,
  { also, ...options }: Options<Need | Also> & { also?: Also } = {},
): { security?: Record<string, string[]>[]; "x-fuxi-access": Access } {
  const security = needs === "nobody" ? [] : options.people ? [{ session: [] }] : undefined;
  const rate = needs === "nobody" ? "network" : "workspace";
  return {
    ...(security ? { security } : {}),
    "x-fuxi-access": { needs, ...(also ? { also } : {}), ...options, rate },
  };
}

const declared = new Map<string, Access>();

export function declareAccess(method: string, path: string, needed: Access): void {
  declared.set(`${method.toUpperCase()} /api${path}`, needed);
}

export function findAccess(route: string): Access | undefined {
  return declared.get(route);
}

/**
 * The declaration of the operation that a request calls; undefined if there is no such operation.
 */
export function accessOf(c: Context): Access | undefined {
  // Middleware matches too, under the method ALL.
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (!route) return undefined;
  const needed = findAccess(`${route.method} ${route.path}`);
  // A route without a declaration is closed.
  // defence: undeclared-route-closed
  if (!needed) throw new Error(`${route.method} ${route.path} doesn’t declare what it needs`);
  return needed;
}

/** Throws a 403 unless the caller may call the operation. */
export async function assertAccess(needed: Access, scope: WorkspaceScope): Promise<void> {
  if (needed.needs === "nobody") return;
  if (needed.needs !== "any") assertMay(scope, needed.needs);
  if (needed.also) assertMay(scope, needed.also);
  if (needed.people && scope.apiKeyPk !== null) {
    throw new AppError("forbidden", "API keys can’t do this. Sign in to the dashboard instead.");
  }
  // defence: fresh-proof-before-body
  if (needed.fresh) await assertFreshProof(scope);
}
