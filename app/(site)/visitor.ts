/** Who looks at the public pages. */
import { cache } from "react";
import { getSessionUser } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { isStoreAway } from "#lib/platform/startup-checks";

/** Whoever is signed in; nobody while the database cannot be asked, because these pages need it for nothing else. */
export const findVisitor = cache(async (): Promise<SessionUser | undefined> => {
  try {
    return await getSessionUser();
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
});
