import type { AnalyticsSource } from "#components/analytics/source";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";

/** Where the page gets its numbers: the API, which is closed to visitors of the public demo. */
export function sourceOf(scope: WorkspaceScope): AnalyticsSource {
  const { slug, zone } = scope;
  return isGuest(scope)
    ? { path: `/app/${slug}/analytics/demo`, workspace: undefined, zone, withoutFiles: true }
    : { path: "/api/analytics", workspace: slug, zone };
}
