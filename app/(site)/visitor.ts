/** Who looks at the public pages. */
import { cache } from "react";
import { getSessionUser } from "#lib/auth";
import type { SessionUser } from "#lib/auth/schema";
import { isStoreAway } from "#lib/installation";

/** Whoever is signed in; nobody while the database cannot be asked, because these pages need it for nothing else. */
export const findVisitor = cache(async (): Promise<SessionUser | undefined> => {
  try {
    return await getSessionUser();
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
});
