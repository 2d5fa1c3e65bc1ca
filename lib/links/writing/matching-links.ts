import { chooseForm } from "#lib/links/distribution";
import { type Connection, sql } from "#lib/platform/postgres";
import { findAnyApart } from "./apart.ts";
import type { MatchingDraft } from "./match.ts";

export type MatchedLink = [matching: MatchingDraft, id: string];

const chooseFind = chooseForm({ one: findNewest, apart: findAnyApart });

export async function findAny(
  tx: Connection,
  matchings: readonly MatchingDraft[],
): Promise<MatchedLink[]> {
  const candidates = matchings.filter(({ match }) => match.within === undefined);
  if (candidates.length === 0) return [];
  const find = await chooseFind(tx);
  return await find(tx, candidates);
}

async function findNewest(
  tx: Connection,
  candidates: readonly MatchingDraft[],
): Promise<MatchedLink[]> {
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

/** Finds the link that was last returned for a URL within the period of a match, and restarts its period. */
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
  // Answered by link_reuse_pkey and link_pkey. A link that was changed, expired or hidden since is not reused.
  // defence: key-reuses-links-in-reach
  const rows = await tx.query<{ at: number; id: string }>(sql`
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
    FROM used`);
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
