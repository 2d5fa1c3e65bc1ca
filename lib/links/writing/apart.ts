import { type Connection, sql } from "#lib/platform/postgres";
import type { MatchingDraft } from "./match.ts";
import type { MatchedLink } from "./matching-links.ts";

/** One by one: Citus has no LATERAL for links on other servers than domains and folders. */
export async function findAnyApart(tx: Connection, matchings: readonly MatchingDraft[]) {
  const found: MatchedLink[] = [];
  for (const matching of matchings) {
    const { draft, match } = matching;
    const workspacePk = draft.row.workspace_pk;
    // Answered by link_url of each server.
    const [newest] = await tx.query<{ id: string }>(sql`
      SELECT id
      FROM link
      WHERE hashtextextended(url, workspace_pk) =
          hashtextextended(${draft.row.url}, ${workspacePk}::int)
        AND workspace_pk = ${workspacePk}
        AND url = ${draft.row.url}
        AND banned_at IS NULL
        AND retired_at IS NULL
        AND domain_pk = ANY(ARRAY(
          SELECT pk FROM domain WHERE workspace_pk = ${workspacePk} OR workspace_pk IS NULL))
        AND (${match.domainPk ?? null}::int IS NULL OR domain_pk = ${match.domainPk ?? null}::int)
        AND (${match.onlyDomains}::int[] IS NULL OR domain_pk = ANY(${match.onlyDomains}::int[]))
        AND (${match.onlyFolders}::int[] IS NULL OR folder_pk = ANY(${match.onlyFolders}::int[]))
        AND (${match.readerPk}::int IS NULL OR folder_pk IS NULL OR folder_pk <> ALL(ARRAY(
          SELECT pk
          FROM folder
          WHERE workspace_pk = ${workspacePk}
            AND access_level IS NULL
            AND user_pk IS DISTINCT FROM ${match.readerPk}::int)))
      ORDER BY id DESC
      LIMIT 1`);
    if (newest) found.push([matching, newest.id]);
  }
  return found;
}
