import { parseId, presentId } from "#lib/basics/ids";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";

export interface Creator {
  name: string;
  byKey: boolean;
  /** Null if the key was revoked. */
  key: { id: string; name: string } | null;
}

/** The creators of these links by link id, without deleted creators. */
export async function listCreators(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<Map<string, Creator>> {
  assertMay(scope, "links.read");
  const uuids = ids.flatMap((id) => parseId("link", id) ?? []);
  // Answered by link_workspace, then app_user_pkey and api_key_pkey.
  const rows = await query<Creator & { id: string }>(sql`
    SELECT link.id, app_user.name, link.api_key_pk IS NOT NULL AS "byKey",
      CASE WHEN api_key.pk IS NOT NULL
        THEN jsonb_build_object('id', api_key.id, 'name', api_key.name) END AS key
    FROM link
    JOIN app_user ON app_user.pk = link.user_pk
    LEFT JOIN api_key
      ON api_key.pk = link.api_key_pk
      AND api_key.workspace_pk = link.workspace_pk
      AND api_key.revoked_at IS NULL
    WHERE link.workspace_pk = ${scope.workspacePk}
      AND link.id = ANY(${uuids}::uuid[])`);
  return new Map(rows.map(({ id, ...creator }) => [presentId("link", id), creator]));
}
