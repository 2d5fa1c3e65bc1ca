import { type Connection, query, sql } from "#lib/platform/postgres";
import type { BrokenState, DestinationState } from "./schema.ts";

/** The page of a destination: without its fragment, which servers never see. */
export function pageOf(url: string): string {
  return url.split("#", 1)[0] ?? "";
}

export interface CheckedLink {
  pk: number;
  id: string;
  workspacePk: number;
  url: string;
  externalId: string | null;
  /** Visits reach the destination. */
  isOn: boolean;
}

export async function findLinks(
  pks: readonly number[],
  now: Date,
  tx?: Connection,
): Promise<CheckedLink[]> {
  // Answered by link_pkey.
  return await query.on(tx).query<CheckedLink>(sql`
    SELECT pk, id, workspace_pk AS "workspacePk", url, external_id AS "externalId",
      disabled_at IS NULL AND banned_at IS NULL AND retired_at IS NULL
        AND coalesce(starts_at <= ${now}, true) AND coalesce(expires_at > ${now}, true) AS "isOn"
    FROM link
    WHERE pk = ANY(${pks}::bigint[])
      AND workspace_pk IS NOT NULL`);
}

export interface Walk {
  walkedPk: number;
}

/** Undefined: the next walk is not due, or another worker walks. */
export async function lockWalk(tx: Connection, now: Date): Promise<Walk | undefined> {
  await tx.query(sql`INSERT INTO destination_walk DEFAULT VALUES ON CONFLICT DO NOTHING`);
  return await tx.one<Walk>(sql`
    SELECT walked_pk AS "walkedPk"
    FROM destination_walk
    WHERE walk_at <= ${now}
    FOR UPDATE SKIP LOCKED`);
}

export async function saveWalk(tx: Connection, walkedPk: number, walkAt: Date): Promise<void> {
  await tx.query(sql`UPDATE destination_walk SET walked_pk = ${walkedPk}, walk_at = ${walkAt}`);
}

export interface Visited {
  pk: number;
  lastClickAt: Date | null;
}

export async function listClicked(
  tx: Connection,
  afterPk: number,
  max: number,
): Promise<Visited[]> {
  // Answered by link_stat_pkey, in its order.
  return await tx.query<Visited>(sql`
    SELECT link_pk AS pk, last_click_at AS "lastClickAt"
    FROM link_stat
    WHERE link_pk > ${afterPk}
    ORDER BY link_pk
    LIMIT ${max}`);
}

export interface VisitedPage {
  workspacePk: number;
  /** Identifies the page in its workspace: its URL, or the campaign that it stands for. */
  subject: string;
  campaignPk: number | null;
  url: string;
  host: string;
  linkPk: number;
  visitedAt: Date;
}

/** Adds pages of a workspace up to its limit. Each is given once. A campaign keeps its page, so that two checks can compare it. */
export async function putPages(
  tx: Connection,
  pages: readonly VisitedPage[],
  perWorkspaceMax: number,
): Promise<void> {
  // Answered by destination_check_pkey.
  await tx.query(sql`
    WITH given AS (
      SELECT *, sha256(convert_to(subject, 'UTF8')) AS url_hash
      FROM unnest(
        ${pages.map(({ workspacePk }) => workspacePk)}::int[],
        ${pages.map(({ subject }) => subject)}::text[],
        ${pages.map(({ campaignPk }) => campaignPk)}::int[],
        ${pages.map(({ url }) => url)}::text[],
        ${pages.map(({ host }) => host)}::text[],
        ${pages.map(({ linkPk }) => linkPk)}::bigint[],
        ${pages.map(({ visitedAt }) => visitedAt)}::timestamptz[]
      ) AS one (workspace_pk, subject, campaign_pk, url, host, link_pk, visited_at)
    ), fresh AS (
      SELECT given.workspace_pk, given.url_hash, row_number() OVER (PARTITION BY given.workspace_pk) AS nth
      FROM given
      WHERE NOT EXISTS (
        SELECT
        FROM destination_check AS known
        WHERE known.workspace_pk = given.workspace_pk
          AND known.url_hash = given.url_hash
      )
    ), counted AS (
      SELECT workspace_pk, count(*) AS pages
      FROM destination_check
      WHERE workspace_pk IN (SELECT workspace_pk FROM fresh)
      GROUP BY workspace_pk
    )
    INSERT INTO destination_check AS stored (
      workspace_pk, url_hash, campaign_pk, url, host, link_pk, visited_at
    )
    SELECT given.workspace_pk, given.url_hash, given.campaign_pk, given.url, given.host,
      given.link_pk, given.visited_at
    FROM given
    LEFT JOIN fresh USING (workspace_pk, url_hash)
    LEFT JOIN counted ON counted.workspace_pk = given.workspace_pk
    WHERE fresh.nth IS NULL
      OR fresh.nth + coalesce(counted.pages, 0) <= ${perWorkspaceMax}
    ON CONFLICT (workspace_pk, url_hash) DO UPDATE
    SET link_pk = CASE WHEN stored.campaign_pk IS NULL THEN EXCLUDED.link_pk ELSE stored.link_pk END,
      visited_at = greatest(stored.visited_at, EXCLUDED.visited_at)`);
}

export interface DuePage {
  workspacePk: number;
  urlHash: Buffer;
  url: string;
  host: string;
  linkPk: number;
  campaignPk: number | null;
  visitedAt: Date;
  state: DestinationState;
  failingSince: Date | null;
}

/** Leases due pages. If the worker dies, they are due again when the lease expires. */
export async function takeDue(now: Date, leasedUntil: Date, max: number): Promise<DuePage[]> {
  // Answered by destination_check_due.
  return await query<DuePage>(sql`
    UPDATE destination_check AS taken
    SET next_at = ${leasedUntil}
    WHERE (workspace_pk, url_hash) IN (
      SELECT workspace_pk, url_hash
      FROM destination_check
      WHERE next_at <= ${now}
      ORDER BY next_at
      LIMIT ${max}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING workspace_pk AS "workspacePk", url_hash AS "urlHash", url, host, link_pk AS "linkPk",
      campaign_pk AS "campaignPk", visited_at AS "visitedAt", state, failing_since AS "failingSince"`);
}

type PageKey = Pick<DuePage, "workspacePk" | "urlHash">;

function keysOf(pages: readonly PageKey[]) {
  return sql`
    SELECT *
    FROM unnest(
      ${pages.map(({ workspacePk }) => workspacePk)}::int[],
      ${pages.map(({ urlHash }) => urlHash)}::bytea[]
    )`;
}

/** Pages that no link has any more, unless somebody asked for them meanwhile. */
export async function dropPages(pages: readonly PageKey[], leasedUntil: Date): Promise<void> {
  if (pages.length === 0) return;
  const { text, values } = keysOf(pages);
  // Answered by destination_check_pkey.
  await query({
    text: `
      DELETE FROM destination_check
      WHERE (workspace_pk, url_hash) IN (${text})
        AND next_at = $3`,
    values: [...values, leasedUntil],
  });
}

/** Ends the lease of pages that were not checked. */
export async function postpone(
  pages: readonly PageKey[],
  leasedUntil: Date,
  nextAt: Date,
): Promise<void> {
  if (pages.length === 0) return;
  const { text, values } = keysOf(pages);
  // Answered by destination_check_pkey.
  await query({
    text: `
      UPDATE destination_check
      SET next_at = $4
      WHERE (workspace_pk, url_hash) IN (${text})
        AND next_at = $3`,
    values: [...values, leasedUntil, nextAt],
  });
}

export interface CheckedPage extends DuePage {
  status: number | null;
  redirectsTo: string | null;
  failure: BrokenState | null;
  nextAt: Date;
}

/** Returns the pages that were still leased, so that a check that ran twice counts once. */
export async function saveChecks(
  tx: Connection,
  pages: readonly CheckedPage[],
  at: { now: Date; leasedUntil: Date },
): Promise<{ urlHash: Buffer }[]> {
  // Answered by destination_check_pkey.
  return await tx.query<{ urlHash: Buffer }>(sql`
    UPDATE destination_check AS stored
    SET state = new.state,
      status = new.status,
      redirects_to = new.redirects_to,
      failure = new.failure,
      failing_since = new.failing_since,
      checked_at = ${at.now},
      next_at = new.next_at
    FROM unnest(
      ${pages.map(({ workspacePk }) => workspacePk)}::int[],
      ${pages.map(({ urlHash }) => urlHash)}::bytea[],
      ${pages.map(({ state }) => state)}::text[],
      ${pages.map(({ status }) => status)}::smallint[],
      ${pages.map(({ redirectsTo }) => redirectsTo)}::text[],
      ${pages.map(({ failure }) => failure)}::text[],
      ${pages.map(({ failingSince }) => failingSince)}::timestamptz[],
      ${pages.map(({ nextAt }) => nextAt)}::timestamptz[]
    ) AS new (
      workspace_pk, url_hash, state, status, redirects_to, failure, failing_since, next_at
    )
    WHERE stored.workspace_pk = new.workspace_pk
      AND stored.url_hash = new.url_hash
      AND stored.next_at = ${at.leasedUntil}
    RETURNING stored.url_hash AS "urlHash"`);
}

/** Undefined: the workspace was told about this host today. `isFirst`: it was told about no other host. The workspace is locked. */
export async function noteTold(
  tx: Connection,
  page: DuePage,
  now: Date,
): Promise<{ isFirst: boolean } | undefined> {
  // Answered by destination_check_broken.
  return await tx.one<{ isFirst: boolean }>(sql`
    UPDATE destination_check
    SET told_at = ${now}
    WHERE workspace_pk = ${page.workspacePk}
      AND url_hash = ${page.urlHash}
      AND NOT EXISTS (
        SELECT
        FROM destination_check AS told
        WHERE told.workspace_pk = ${page.workspacePk}
          AND told.host = ${page.host}
          AND told.told_at > ${now}::timestamptz - interval '1 day'
      )
    RETURNING NOT EXISTS (
      SELECT
      FROM destination_check AS earlier
      WHERE earlier.workspace_pk = ${page.workspacePk}
        AND earlier.told_at > ${now}::timestamptz - interval '1 day'
    ) AS "isFirst"`);
}

/** Pages that worked last time: if none of them answers now, this instance has no network. */
export async function listWitnesses(now: Date, max: number): Promise<{ url: string }[]> {
  // Answered by destination_check_due.
  return await query<{ url: string }>(sql`
    SELECT url
    FROM destination_check
    WHERE next_at > ${now}
      AND state IN ('works', 'redirects')
    ORDER BY next_at DESC
    LIMIT ${max}`);
}

export interface CheckRow {
  url: string;
  state: DestinationState;
  status: number | null;
  redirectsTo: string | null;
  checkedAt: Date | null;
  failingSince: Date | null;
}

/** By subject, see VisitedPage. */
export async function findChecks(
  workspacePk: number,
  subjects: readonly string[],
): Promise<Map<string, CheckRow>> {
  // Answered by destination_check_pkey.
  const rows = await query<CheckRow & { subject: string }>(sql`
    SELECT one.subject, url, state, status, redirects_to AS "redirectsTo",
      checked_at AS "checkedAt", failing_since AS "failingSince"
    FROM unnest(${[...new Set(subjects)]}::text[]) AS one (subject)
    JOIN destination_check
      ON workspace_pk = ${workspacePk}
      AND url_hash = sha256(convert_to(one.subject, 'UTF8'))`);
  return new Map(rows.map(({ subject, ...row }) => [subject, row]));
}

/** False if the workspace has as many other pages as are checked. */
export async function askAgain(tx: Connection, page: VisitedPage): Promise<boolean> {
  // Answered by destination_check_pkey.
  return await tx.any(sql`
    UPDATE destination_check
    SET next_at = ${page.visitedAt}
    WHERE workspace_pk = ${page.workspacePk}
      AND url_hash = sha256(convert_to(${page.subject}, 'UTF8'))
    RETURNING url_hash`);
}
