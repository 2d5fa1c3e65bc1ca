/** The SQL of links that are there already. */
import { areLinksApart } from "#lib/links/distribution";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { MatchingDraft } from "./match.ts";

type MatchedLink = [matching: MatchingDraft, id: string];

/** The newest link with the URL of a match without a time limit. */
export async function findAny(
  tx: Connection,
  matchings: readonly MatchingDraft[],
): Promise<MatchedLink[]> {
  const candidates = matchings.filter(({ match }) => match.within === undefined);
  if (candidates.length === 0) return [];
  if (await areLinksApart(tx)) return await findAnyApart(tx, candidates);
  // Answered by link_url.
  const rows = await tx.query<{ at: number; id: string }>(sql`
    SELECT asked.at, newest.id
    FROM unnest(
      ${candidates.map((_, at) => at)}::int[],
      ${candidates.map(({ draft }) => draft.row.workspace_pk)}::int[],
      ${candidates.map(({ draft }) => draft.row.url)}::text[],
      ${candidates.map(({ match }) => match.domainPk ?? null)}::int[],
      ${candidates.map(({ match }) => match.readerPk)}::int[],
      ${candidates.map(({ match }) => match.onlyDomains)}::text[],
      ${candidates.map(({ match }) => match.onlyFolders)}::text[]
    ) AS asked (at, workspace_pk, url, domain_pk, reader_pk, only_domains, only_folders)
    CROSS JOIN LATERAL (
      SELECT link.id
      FROM link
      WHERE hashtextextended(link.url, link.workspace_pk) =
          hashtextextended(asked.url, asked.workspace_pk)
        AND link.workspace_pk = asked.workspace_pk
        AND link.url = asked.url
        AND link.banned_at IS NULL
        AND link.retired_at IS NULL
        AND EXISTS (SELECT FROM domain WHERE domain.pk = link.domain_pk)
        AND (asked.domain_pk IS NULL OR link.domain_pk = asked.domain_pk)
        AND (asked.only_domains IS NULL OR link.domain_pk = ANY(asked.only_domains::int[]))
        AND (asked.only_folders IS NULL OR link.folder_pk = ANY(asked.only_folders::int[]))
        AND (asked.reader_pk IS NULL OR NOT EXISTS (
          SELECT
          FROM folder
          WHERE folder.pk = link.folder_pk
            AND folder.access_level IS NULL
            AND folder.user_pk IS DISTINCT FROM asked.reader_pk))
      ORDER BY link.id DESC
      LIMIT 1
    ) AS newest`);
  return pairMatches(candidates, rows);
}

/** The same where links are apart from domains and folders: one after another, since Citus has no LATERAL for them. */
async function findAnyApart(
  tx: Connection,
  matchings: readonly MatchingDraft[],
): Promise<MatchedLink[]> {
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

/** The link last returned for a URL within the time of a match; its time is renewed. */
export async function findRecent(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  urls: readonly string[],
): Promise<MatchedLink[]> {
  const candidates = matchings.filter(({ match }) => match.within !== undefined);
  if (candidates.length === 0) return [];
  const digests = matchings.flatMap(({ match }, at) =>
    match.within === undefined ? [] : [urls[at]],
  );
  const rows = await query<{ at: number; id: string }>(
    // Answered by link_reuse_pkey and link_pkey. A link that was changed, expired or hidden since is not reused.
    // defence: key-reuses-links-in-reach
    sql`
      WITH asked AS MATERIALIZED (
        SELECT asked.*, link_reuse.link_pk
        FROM unnest(
          ${candidates.map((_, at) => at)}::int[],
          ${candidates.map(({ draft }) => draft.row.workspace_pk)}::int[],
          ${candidates.map(({ draft }) => draft.row.domain_pk)}::int[],
          ${digests}::uuid[],
          ${candidates.map(({ draft }) => draft.row.url)}::text[],
          ${candidates.map(({ match }) => match.within)}::int[],
          ${candidates.map(({ match }) => match.readerPk)}::int[],
          ${candidates.map(({ match }) => match.onlyDomains)}::text[],
          ${candidates.map(({ match }) => match.onlyFolders)}::text[]
        ) AS asked (
          at, workspace_pk, domain_pk, digest, url, within, reader_pk, only_domains, only_folders
        )
        JOIN link_reuse
          ON link_reuse.workspace_pk = asked.workspace_pk
          AND link_reuse.domain_pk = asked.domain_pk
          AND link_reuse.digest = asked.digest
        WHERE link_reuse.used_at > now() - asked.within * interval '1 second'
      ), usable AS MATERIALIZED (
        SELECT pk, id, workspace_pk, domain_pk, folder_pk, url
        FROM link
        WHERE pk IN (SELECT link_pk FROM asked)
          AND NOT archived
          AND disabled_at IS NULL
          AND banned_at IS NULL
          AND retired_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())
      ), used AS MATERIALIZED (
        SELECT asked.at, link.id, asked.workspace_pk, asked.domain_pk, asked.digest
        FROM asked
        JOIN usable AS link ON link.pk = asked.link_pk
        WHERE link.workspace_pk = asked.workspace_pk
          AND link.domain_pk = asked.domain_pk
          AND link.url = asked.url
          AND (asked.only_domains IS NULL OR link.domain_pk = ANY(asked.only_domains::int[]))
          AND (asked.only_folders IS NULL OR link.folder_pk = ANY(asked.only_folders::int[]))
          AND (asked.reader_pk IS NULL OR NOT EXISTS (
            SELECT
            FROM folder
            WHERE folder.pk = link.folder_pk
              AND folder.access_level IS NULL
              AND folder.user_pk IS DISTINCT FROM asked.reader_pk))
      ), extended AS (
        UPDATE link_reuse
        SET used_at = now()
        FROM (SELECT DISTINCT workspace_pk, domain_pk, digest FROM used) AS again
        WHERE link_reuse.workspace_pk = again.workspace_pk
          AND link_reuse.domain_pk = again.domain_pk
          AND link_reuse.digest = again.digest
      )
      SELECT at, id
      FROM used`,
    tx,
  );
  return pairMatches(candidates, rows);
}

function pairMatches(
  candidates: readonly MatchingDraft[],
  rows: { at: number; id: string }[],
): MatchedLink[] {
  return rows.flatMap(({ at, id }) => {
    const matching = candidates[at];
    return matching ? [[matching, id]] : [];
  });
}
