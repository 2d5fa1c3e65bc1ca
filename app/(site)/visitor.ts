import { cache } from "react";
import { getSessionUser } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { isStoreAway } from "#lib/platform/instance";
import { openPublicDemo } from "#lib/tenancy/access";
import { demoSlug } from "#lib/tenancy/workspaces/schema";

/** The signed-in user. */
export const findVisitor = cache(
  (): Promise<SessionUser | undefined> => unlessAway(getSessionUser()),
);

/** True if visitors may look around in the demo. */
export async function isDemoPublic(): Promise<boolean> {
  return (await unlessAway(openPublicDemo(demoSlug))) !== undefined;
}

/** Undefined while the database is unavailable, because public pages work without it. */
async function unlessAway<Found>(finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
}
