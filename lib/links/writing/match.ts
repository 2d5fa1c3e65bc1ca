/**
 * Links that are created only if there is none yet for their URL. An advisory lock per (workspace, URL) serializes
 * concurrent callers: the second finds what the first committed.
 */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Draft, ReuseRule, WriteOutcome } from "./drafts.ts";
import { digestOf } from "./idempotency.ts";

/** A draft with its condition. */
export interface MatchingDraft {
  draft: Draft;
  match: ReuseRule;
}

/** Inserts drafts without a match; one outcome each, in order. */
type InsertUnmatched = (drafts: readonly Draft[]) => Promise<WriteOutcome[]>;

/** Gives each draft its matching link or a new one; one outcome each, in order. */
export async function insertUnmatched(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  insert: InsertUnmatched,
): Promise<WriteOutcome[]> {
  const urls = matchings.map(({ draft }) => digestOf(`${draft.row.workspace_pk} ${draft.row.url}`));
  await lockUrls(tx, urls);
  const found = new Map([
    ...(await findAny(tx, matchings)),
    ...(await findRecent(tx, matchings, urls)),
  ]);
  // Of equal drafts in this batch, the first is created and returned for the others who may see it.
  const firsts = new Map<string, MatchingDraft>();
  const firstOf = matchings.map((one, at) => {
    const name = `${urls[at]} ${one.match.domainPk ?? ""}`;
    const first = found.has(one) ? one : (firsts.get(name) ?? one);
    if (!found.has(one)) firsts.set(name, first);
    return first;
  });
  const unsure = matchings.filter((one, at) => !seesLinkOf(one, firstOf[at] ?? one));
  const wanted = [...firsts.values()];
  const written = await insert(wanted.map(({ draft }) => draft));
  await recordUses(tx, wanted, written);
  const outcomeOf = new Map(wanted.map((one, at) => [one, written[at]]));
  // The links of the first ones exist now, with their folders.
  const later = unsure.length > 0 ? await insertUnmatched(tx, unsure, insert) : [];
  for (const [at, one] of unsure.entries()) outcomeOf.set(one, later[at]);
  return matchings.map((one, at) => {
    const id = found.get(one);
    if (id !== undefined) return { ok: true, found: id };
    const first = outcomeOf.has(one) ? one : (firstOf[at] ?? one);
    const outcome = outcomeOf.get(first);
    if (!outcome) throw new Error("An insert returned too few outcomes");
    if (first === one || !outcome.ok || "found" in outcome) return outcome;
    return { ok: true, found: outcome.row.id };
  });
}

/** Whether the author of a draft may surely see the link that another draft becomes. */
function seesLinkOf({ match }: MatchingDraft, { draft, match: other }: MatchingDraft): boolean {
  const limited = match.onlyDomains !== null || match.onlyFolders !== null;
  const sameLimits =
    match.onlyDomains === other.onlyDomains && match.onlyFolders === other.onlyFolders;
  if (limited && !sameLimits) return false;
  return (
    draft.row.folder_pk === null || match.readerPk === null || match.readerPk === other.readerPk
  );
}

/** Waits for concurrent creates with these URLs. Sorted, so that transactions cannot deadlock. */
async function lockUrls(tx: Connection, digests: readonly string[]): Promise<void> {
  const numbers = new Set(digests.map((digest) => BigInt.asIntN(64, BigInt(`0x${digest}`))));
  const sorted = [...numbers].sort((a, b) => (a < b ? -1 : 1)).map(String);
  await query(
    sql`
      SELECT pg_advisory_xact_lock(number)
      FROM unnest(${sorted}::bigint[]) AS number`,
    tx,
  );
}

type MatchedLink = [matching: MatchingDraft, id: string];

/** The newest link with the URL of a match without a time limit. */
async function findAny(
  tx: Connection,
  matchings: readonly MatchingDraft[],
): Promise<MatchedLink[]> {
  const candidates = matchings.filter(({ match }) => match.within === undefined);
  if (candidates.length === 0) return [];
  const rows = await query<{ at: number; id: string }>(
    // Answered by link_url.
    sql`
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
      ) AS newest`,
    tx,
  );
  return pairMatches(candidates, rows);
}

/** The link last returned for a URL within the time of a match; its time is renewed. */
async function findRecent(
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
    sql`
      WITH asked AS (
        SELECT *
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
      ), used AS (
        SELECT asked.at, link.id, asked.workspace_pk, asked.domain_pk, asked.digest
        FROM asked
        JOIN link_reuse
          ON link_reuse.workspace_pk = asked.workspace_pk
          AND link_reuse.domain_pk = asked.domain_pk
          AND link_reuse.digest = asked.digest
        JOIN link ON link.pk = link_reuse.link_pk
        WHERE link_reuse.used_at > now() - asked.within * interval '1 second'
          AND link.workspace_pk = asked.workspace_pk
          AND link.domain_pk = asked.domain_pk
          AND link.url = asked.url
          AND (asked.only_domains IS NULL OR link.domain_pk = ANY(asked.only_domains::int[]))
          AND (asked.only_folders IS NULL OR link.folder_pk = ANY(asked.only_folders::int[]))
          AND NOT link.archived
          AND link.disabled_at IS NULL
          AND link.banned_at IS NULL
          AND link.retired_at IS NULL
          AND (link.expires_at IS NULL OR link.expires_at > now())
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

async function recordUses(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  written: readonly WriteOutcome[],
): Promise<void> {
  const created = matchings.filter(
    ({ match }, at) => match.within !== undefined && written[at]?.ok,
  );
  if (created.length === 0) return;
  const rows = created.map(({ draft }) => draft.row);
  await query(
    sql`
      INSERT INTO link_reuse (workspace_pk, domain_pk, digest, link_pk)
      SELECT *
      FROM unnest(
        ${rows.map((row) => row.workspace_pk)}::int[],
        ${rows.map((row) => row.domain_pk)}::int[],
        ${rows.map((row) => digestOf(`${row.workspace_pk} ${row.url}`))}::uuid[],
        ${rows.map((row) => row.pk)}::bigint[]
      )
      ON CONFLICT (workspace_pk, domain_pk, digest) DO UPDATE
      SET link_pk = excluded.link_pk, used_at = now()`,
    tx,
  );
}
