/** The creators of links, for lists. */
import { parseId, presentId } from "#lib/platform/ids";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";

export interface Creator {
  name: string;
  /** Created by their API key. */
  byKey: boolean;
}

/** The creators of these links by link id; links of deleted creators have none. */
export async function listCreators(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, Creator>> {
  assertMay(scope, "links.read");
  const uuids = ids.flatMap((id) => parseId("link", id) ?? []);
  const rows = await query<Creator & { id: string }>(
    // Answered by link_workspace, then app_user_pkey.
    sql`
      SELECT link.id, app_user.name, link.api_key_pk IS NOT NULL AS "byKey"
      FROM link
      JOIN app_user ON app_user.pk = link.user_pk
      WHERE link.workspace_pk = ${scope.workspacePk}
        AND link.id = ANY(${uuids}::uuid[])`,
  );
  return new Map(rows.map(({ id, ...creator }) => [presentId("link", id), creator]));
}
