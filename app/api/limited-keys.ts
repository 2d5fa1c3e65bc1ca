/**
 * What API keys that are limited to domains or folders may call: operations on links whose rooms leave out what the key
 * does not reach. They declare it; everything else is refused, also what is added later: imports, live clicks, and changes
 * of what all links share.
 */
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isLimited } from "#lib/tenancy/reach";
import type { Access } from "./access.ts";

/** Throws a 403: a limited key may know that the operation exists. */
export function assertReachable(needed: Access | undefined, scope: WorkspaceScope): void {
  // defence: limited-keys-by-operation
  if (!isLimited(scope) || needed?.limitedKeys) return;
  throw new AppError(
    "forbidden",
    "This API key is limited to some domains or folders, and only works with their links. Use a key without these limits.",
  );
}
