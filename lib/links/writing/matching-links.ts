/** The SQL of links that are there already. */
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
  const [domains, hiddenFrom] = await Promise.all([
    listDomains(tx, candidates),
    findHiddenFolders(tx, candidates),
  ]);
  const rows = await query<{ at: number; id: string }>(
    // Answered by link_url.
    sql`
      SELECT DISTINCT ON (asked.at) asked.at, link.id
      FROM unnest(
        ${candidates.map((_, at) => at)}::int[],
        ${candidates.map(({ draft }) => draft.row.workspace_pk)}::int[],
        ${candidates.map(({ draft }) => draft.row.url)}::text[],
        ${candidates.map(({ match }) => match.domainPk ?? null)}::int[],
        ${candidates.map(({ match }) => match.onlyDomains)}::text[],
        ${candidates.map(({ match }) => match.onlyFolders)}::text[],
        ${candidates.map((one) => `{${[...hiddenFrom(one)].join()}}`)}::text[]
      ) AS asked (at, workspace_pk, url, domain_pk, only_domains, only_folders, hidden_folders)
      JOIN link
        ON hashtextextended(link.url, link.workspace_pk) =
          hashtextextended(asked.url, asked.workspace_pk)
        AND link.workspace_pk = asked.workspace_pk
        AND link.url = asked.url
      WHERE link.banned_at IS NULL
        AND link.retired_at IS NULL
        AND link.domain_pk = ANY(${domains}::int[])
        AND (asked.domain_pk IS NULL OR link.domain_pk = asked.domain_pk)
        AND (asked.only_domains IS NULL OR link.domain_pk = ANY(asked.only_domains::int[]))
        AND (asked.only_folders IS NULL OR link.folder_pk = ANY(asked.only_folders::int[]))
        AND (link.folder_pk IS NULL OR link.folder_pk <> ALL(asked.hidden_folders::int[]))
      ORDER BY asked.at, link.id DESC`,
    tx,
  );
  return rows.flatMap(({ at, id }) => {
    const matching = candidates[at];
    return matching ? [[matching, id]] : [];
  });
}

function workspacesOf(matchings: readonly MatchingDraft[]): number[] {
  return [...new Set(matchings.flatMap(({ draft }) => draft.row.workspace_pk ?? []))];
}

/** The domains that links of these workspaces may be on: a deleted one keeps its links for a while. */
async function listDomains(tx: Connection, matchings: readonly MatchingDraft[]): Promise<number[]> {
  const rows = await query<{ pk: number }>(
    // Answered by domain_claim; shared domains are few.
    sql`
      SELECT pk
      FROM domain
      WHERE workspace_pk = ANY(${workspacesOf(matchings)}::int[])
        OR workspace_pk IS NULL`,
    tx,
  );
  return rows.map(({ pk }) => pk);
}

/** The folders that the author of a draft may not open. */
async function findHiddenFolders(
  tx: Connection,
  matchings: readonly MatchingDraft[],
): Promise<(matching: MatchingDraft) => ReadonlySet<number>> {
  const limited = matchings.filter(({ match }) => match.readerPk !== null);
  const hidden = new Map<string, Set<number>>();
  if (limited.length === 0) return () => new Set();
  const folders = await query<{ pk: number; workspace_pk: number; user_pk: number | null }>(
    // Answered by folder_name, which starts with the workspace.
    sql`
      SELECT pk, workspace_pk, user_pk
      FROM folder
      WHERE workspace_pk = ANY(${workspacesOf(limited)}::int[])
        AND access_level IS NULL`,
    tx,
  );
  const nameOf = ({ draft, match }: MatchingDraft) =>
    `${draft.row.workspace_pk} ${match.readerPk ?? ""}`;
  for (const one of limited) {
    if (hidden.has(nameOf(one))) continue;
    const closed = folders.filter(
      (folder) =>
        folder.workspace_pk === one.draft.row.workspace_pk && folder.user_pk !== one.match.readerPk,
    );
    hidden.set(nameOf(one), new Set(closed.map(({ pk }) => pk)));
  }
  return (one) => hidden.get(nameOf(one)) ?? new Set();
}

interface UsedLink {
  pk: number;
  id: string;
  workspace_pk: number;
  domain_pk: number;
  folder_pk: number | null;
  url: string;
}

/** The link last returned for a URL within the time of a match; its time is renewed. */
export async function findRecent(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  urls: readonly string[],
): Promise<MatchedLink[]> {
  const candidates = matchings.flatMap((one, at) => {
    const digest = urls[at];
    return one.match.within === undefined || digest === undefined ? [] : [{ one, digest }];
  });
  if (candidates.length === 0) return [];
  const reused = await query<{ at: number; link_pk: number }>(
    // Answered by link_reuse_pkey.
    sql`
      SELECT asked.at, link_reuse.link_pk
      FROM unnest(
        ${candidates.map((_, at) => at)}::int[],
        ${candidates.map(({ one }) => one.draft.row.workspace_pk)}::int[],
        ${candidates.map(({ one }) => one.draft.row.domain_pk)}::int[],
        ${candidates.map(({ digest }) => digest)}::uuid[],
        ${candidates.map(({ one }) => one.match.within)}::int[]
      ) AS asked (at, workspace_pk, domain_pk, digest, within)
      JOIN link_reuse
        ON link_reuse.workspace_pk = asked.workspace_pk
        AND link_reuse.domain_pk = asked.domain_pk
        AND link_reuse.digest = asked.digest
      WHERE link_reuse.used_at > now() - asked.within * interval '1 second'`,
    tx,
  );
  if (reused.length === 0) return [];
  const [linkOf, hiddenFrom] = await Promise.all([
    findUsable(
      tx,
      reused.map(({ link_pk }) => link_pk),
    ),
    findHiddenFolders(
      tx,
      candidates.map(({ one }) => one),
    ),
  ]);
  const used = reused.flatMap(({ at, link_pk }) => {
    const candidate = candidates[at];
    const link = linkOf.get(link_pk);
    if (!candidate || !link || !isMatch(candidate.one, link, hiddenFrom(candidate.one))) return [];
    return [{ ...candidate, id: link.id }];
  });
  await renewUses(tx, used);
  return used.map(({ one, id }) => [one, id]);
}

/** A link that was changed, expired or hidden since is not reused. */
async function findUsable(tx: Connection, pks: readonly number[]): Promise<Map<number, UsedLink>> {
  const links = await query<UsedLink>(
    // Answered by link_pkey.
    sql`
      SELECT pk, id, workspace_pk, domain_pk, folder_pk, url
      FROM link
      WHERE pk = ANY(${pks}::bigint[])
        AND NOT archived
        AND disabled_at IS NULL
        AND banned_at IS NULL
        AND retired_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())`,
    tx,
  );
  return new Map(links.map((link) => [link.pk, link]));
}

function isMatch(
  { draft: { row }, match }: MatchingDraft,
  link: UsedLink,
  hiddenFolders: ReadonlySet<number>,
): boolean {
  const isSame =
    link.workspace_pk === row.workspace_pk &&
    link.domain_pk === row.domain_pk &&
    link.url === row.url;
  return (
    isSame &&
    isAmong(match.onlyDomains, link.domain_pk) &&
    isAmong(match.onlyFolders, link.folder_pk) &&
    (link.folder_pk === null || !hiddenFolders.has(link.folder_pk))
  );
}

/** Of the numbers of an array as PostgreSQL writes it; null: all. */
function isAmong(list: string | null, pk: number | null): boolean {
  return list === null || (pk !== null && list.slice(1, -1).split(",").includes(String(pk)));
}

async function renewUses(
  tx: Connection,
  used: readonly { one: MatchingDraft; digest: string }[],
): Promise<void> {
  if (used.length === 0) return;
  await query(
    // Answered by link_reuse_pkey.
    sql`
      UPDATE link_reuse
      SET used_at = now()
      FROM (
        SELECT DISTINCT *
        FROM unnest(
          ${used.map(({ one }) => one.draft.row.workspace_pk)}::int[],
          ${used.map(({ one }) => one.draft.row.domain_pk)}::int[],
          ${used.map(({ digest }) => digest)}::uuid[]
        )
      ) AS again (workspace_pk, domain_pk, digest)
      WHERE link_reuse.workspace_pk = again.workspace_pk
        AND link_reuse.domain_pk = again.domain_pk
        AND link_reuse.digest = again.digest`,
    tx,
  );
}
