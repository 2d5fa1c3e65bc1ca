import { cache } from "react";
import { getSessionUser } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { isStoreAway } from "#lib/platform/instance";

/** The signed-in user. Undefined while the database is unavailable, because public pages work without it. */
export const findVisitor = cache(async (): Promise<SessionUser | undefined> => {
  try {
    return await getSessionUser();
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
});
