import { type LinkFailure, linkFailure } from "#lib/links/fields";
import { renameLink } from "#lib/links/link-rows";
import type { FoundLink } from "#lib/links/presenting";
import { type Connection, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { limitsFirstLinks, takeFirstLinks } from "#lib/tenancy/quotas";
import { outOfReach } from "#lib/tenancy/reach";

/**
 * Claims the domain, key and folder of an edited link. After a failure the link keeps its old ones.
 */
export async function refusePlace(
  tx: Connection,
  scope: WorkspaceScope,
  before: FoundLink,
  after: FoundLink,
  requestedKey = before.key,
): Promise<LinkFailure | undefined> {
  const unreached = outOfReach(scope, after);
  if (unreached) return linkFailure("folder_forbidden", unreached);
  if (!(await renameLink(tx, before, after))) return keyTaken(requestedKey, after.slug);
  // defence: moved-link-counts-as-first
  const overLimit = await takeSharedMove(tx, scope, before, after);
  if (overLimit) await renameLink(tx, after, before);
  return overLimit;
}

/** Moving a link to a shared domain counts against the same limit as creating it there. */
async function takeSharedMove(
  tx: Connection,
  scope: WorkspaceScope,
  before: FoundLink,
  after: FoundLink,
): Promise<LinkFailure | undefined> {
  if (after.domain_pk === before.domain_pk || !limitsFirstLinks(scope)) return undefined;
  // Answered by domain_pkey.
  const shared = await tx.query(
    sql`SELECT FROM domain WHERE pk = ${after.domain_pk} AND workspace_pk IS NULL`,
  );
  const taken = await takeFirstLinks(tx, scope, shared.length);
  return taken.ok ? undefined : linkFailure("first_links_used_up", taken.message, taken.details);
}

function keyTaken(key: string, slug: string): LinkFailure {
  return linkFailure("key_taken", `key: "${key}" is already taken on ${slug}. Choose another one.`);
}
