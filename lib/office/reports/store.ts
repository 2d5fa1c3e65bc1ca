/** The rows of reports. SQL: races are settled by unique indexes, and decisions are part of transactions. */

import type { AbuseReason } from "#lib/basics/abuse/schema";
import type { NamedLink } from "#lib/office/links";
import { type Connection, query, sql } from "#lib/platform/postgres";

const latestMax = 5;
const linksMax = 100;

export interface NewReport {
  reason: AbuseReason;
  text: string;
  email: string | null;
  locale: string;
  addressHash: Buffer;
}

/** False if this address has an open report of the link. */
export async function insertReport(link: NamedLink, report: NewReport): Promise<boolean> {
  // Answered by link_report_open.
  return await query.any(sql`
    INSERT INTO link_report (workspace_pk, link_id, link_pk, address_hash, reason, text, email, locale)
    VALUES (
      ${link.workspacePk}, ${link.id}, ${link.pk}, ${report.addressHash}, ${report.reason},
      ${report.text}, ${report.email}, ${report.locale}
    )
    ON CONFLICT (link_id, address_hash) WHERE decided_at IS NULL DO NOTHING
    RETURNING 1`);
}

export interface ReportedRow {
  link_id: string;
  reports: number;
  first_at: Date;
  latest: { reason: AbuseReason; text: string; wants_answer: boolean; created_at: string }[];
  slug: string;
  key: string;
  url: string;
  banned: boolean;
  workspace_pk: number;
  workspace_id: string;
  workspace_name: string;
  workspace_slug: string;
  owners: { id: string; name: string; email: string }[] | null;
}

export async function listReported(linkId: string | null): Promise<ReportedRow[]> {
  // Answered by link_report_open, which has open ones only; then by link_pkey, domain_pkey and membership_pkey.
  return await query<ReportedRow>(sql`
    WITH grouped AS MATERIALIZED (
      SELECT link_id, min(link_pk) AS link_pk, count(*)::int AS reports, min(created_at) AS first_at,
        (json_agg(json_build_object(
          'reason', reason, 'text', text, 'wants_answer', email IS NOT NULL,
          'created_at', created_at) ORDER BY pk DESC)) AS latest
      FROM link_report
      WHERE decided_at IS NULL
        AND (${linkId}::uuid IS NULL OR link_id = ${linkId}::uuid)
      GROUP BY link_id
      ORDER BY reports DESC, first_at
      LIMIT ${linksMax}
    ), link AS MATERIALIZED (
      SELECT reported.id, reported.key, reported.url, reported.banned_at, reported.domain_pk,
        reported.workspace_pk
      FROM grouped
      JOIN public.link AS reported
        ON reported.pk = grouped.link_pk
        AND reported.id = grouped.link_id
    )
    SELECT grouped.*, domain.slug, link.key, link.url, link.banned_at IS NOT NULL AS banned,
      workspace.pk AS workspace_pk, workspace.id AS workspace_id, workspace.name AS workspace_name,
      workspace.slug AS workspace_slug, (
        SELECT json_agg(json_build_object(
          'id', app_user.id, 'name', app_user.name, 'email', app_user.email))
        FROM membership
        JOIN app_user ON app_user.pk = membership.user_pk
        WHERE membership.workspace_pk = link.workspace_pk
          AND membership.role = 'owner'
      ) AS owners
    FROM grouped
    JOIN link ON link.id = grouped.link_id
    JOIN domain ON domain.pk = link.domain_pk
    JOIN workspace ON workspace.pk = link.workspace_pk
    ORDER BY grouped.reports DESC, grouped.first_at`).then((rows) =>
    rows.map((row) => ({ ...row, latest: row.latest.slice(0, latestMax) })),
  );
}

/** Reported links that nobody has decided on, up to the number that the queue shows. */
export async function countReported(): Promise<number> {
  // Answered by link_report_open.
  const row = await query.one<{ links: number }>(sql`
    SELECT count(*) AS links
    FROM (SELECT DISTINCT link_id FROM link_report WHERE decided_at IS NULL LIMIT ${linksMax}) AS open`);
  return row?.links ?? 0;
}

/** Returns the workspace of the reports and their number. */
export async function decideRows(
  tx: Connection,
  linkId: string,
  outcome: "dismissed" | "banned",
  actor: string,
): Promise<{ workspacePk: number; reports: number } | undefined> {
  // Answered by link_report_open.
  const rows = await tx.query<{ workspace_pk: number }>(sql`
    UPDATE link_report
    SET decided_at = now(), decided_by = ${actor}, outcome = ${outcome}
    WHERE link_id = ${linkId}::uuid
      AND decided_at IS NULL
    RETURNING workspace_pk`);
  const [first] = rows;
  return first && { workspacePk: first.workspace_pk, reports: rows.length };
}

export async function listUnanswered(max: number): Promise<number[]> {
  // Answered by link_report_unanswered.
  const rows = await query<{ pk: number }>(sql`
    SELECT pk
    FROM link_report
    WHERE decided_at IS NOT NULL
      AND email IS NOT NULL
    LIMIT ${max}`);
  return rows.map(({ pk }) => pk);
}

export interface UnansweredRow {
  email: string;
  locale: string;
  outcome: "dismissed" | "banned";
  slug: string | null;
  key: string | null;
}

export async function findUnanswered(pk: number): Promise<UnansweredRow | undefined> {
  // Answered by link_report_pkey, link_pkey and domain_pkey. The link may have been deleted.
  return await query.one<UnansweredRow>(sql`
    WITH report AS MATERIALIZED (
      SELECT email, locale, outcome, link_pk, link_id
      FROM link_report
      WHERE pk = ${pk}
        AND decided_at IS NOT NULL
        AND email IS NOT NULL
    ), reported AS MATERIALIZED (
      SELECT link.domain_pk, link.key
      FROM report
      JOIN link
        ON link.pk = report.link_pk
        AND link.id = report.link_id
    )
    SELECT report.email, report.locale, report.outcome, domain.slug, reported.key
    FROM report
    LEFT JOIN reported ON true
    LEFT JOIN domain ON domain.pk = reported.domain_pk`);
}

export async function eraseEmail(pk: number): Promise<void> {
  await query(sql`UPDATE link_report SET email = NULL WHERE pk = ${pk}`);
}
