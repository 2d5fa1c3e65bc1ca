/** Reports and their recipients. */
import { newUuid } from "#lib/basics/ids";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { confirmDays, type Frequency, type ReportKind } from "./schema.ts";

export interface ReportRow {
  pk: number;
  id: string;
  kind: ReportKind;
  subject_id: string | null;
  frequency: Frequency;
  locale: "en" | "zh";
  next_at: Date;
}

export interface RecipientRow {
  pk: number;
  id: string;
  subscription_pk: number;
  user_pk: number | null;
  email: string | null;
  asked_at: Date | null;
  confirmed_at: Date | null;
  stopped_at: Date | null;
  user_id: string | null;
  name: string | null;
  is_member: boolean;
}

/** Null as the creator: those of all members. Uses report_subscription_workspace_pk_idx. */
export function listReportRows(workspacePk: number, creatorPk: number | null) {
  return query<ReportRow>(sql`
    SELECT pk, id, kind, subject_id, frequency, locale, next_at
    FROM report_subscription
    WHERE workspace_pk = ${workspacePk}
      AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})
    ORDER BY pk DESC`);
}

export function listRecipientRows(reportPks: readonly number[]): Promise<RecipientRow[]> {
  // Uses report_recipient_member, app_user_pkey and membership_pkey.
  return query<RecipientRow>(sql`
    SELECT recipient.pk, recipient.id, recipient.subscription_pk, recipient.user_pk,
      recipient.email, recipient.asked_at, recipient.confirmed_at, recipient.stopped_at,
      app_user.id AS user_id, app_user.name, membership.user_pk IS NOT NULL AS is_member
    FROM report_recipient AS recipient
    JOIN report_subscription AS report ON report.pk = recipient.subscription_pk
    LEFT JOIN app_user ON app_user.pk = recipient.user_pk
    LEFT JOIN membership
      ON membership.user_pk = recipient.user_pk
      AND membership.workspace_pk = report.workspace_pk
    WHERE recipient.subscription_pk = ANY(${reportPks}::int[])
    ORDER BY recipient.pk`);
}

export async function countReports(tx: Connection, workspacePk: number): Promise<number> {
  const row = await tx.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM report_subscription WHERE workspace_pk = ${workspacePk}`);
  return row?.count ?? 0;
}

export interface ReportFields {
  kind: ReportKind;
  subjectId: string | null;
  frequency: Frequency;
  locale: string;
  nextAt: Date;
}

export async function insertReport(
  tx: Connection,
  owner: { id: string; workspacePk: number; userPk: number | null },
  { kind, subjectId, frequency, locale, nextAt }: ReportFields,
): Promise<number> {
  const row = await tx.one<{ pk: number }>(sql`
    INSERT INTO report_subscription
      (id, workspace_pk, user_pk, kind, subject_id, frequency, locale, next_at)
    VALUES (
      ${owner.id}, ${owner.workspacePk}, ${owner.userPk}, ${kind}, ${subjectId}, ${frequency},
      ${locale}, ${nextAt}
    )
    RETURNING pk`);
  if (!row) throw new Error("The report was not inserted");
  return row.pk;
}

interface OwnReport {
  workspacePk: number;
  id: string;
  creatorPk: number | null;
}

/** Undefined if the actor has no such report. Uses report_subscription_id_key. */
export async function updateReport(
  tx: Connection,
  { workspacePk, id, creatorPk }: OwnReport,
  { kind, subjectId, frequency, locale, nextAt }: ReportFields,
): Promise<number | undefined> {
  const row = await tx.one<{ pk: number }>(sql`
    UPDATE report_subscription
    SET kind = ${kind}, subject_id = ${subjectId}, frequency = ${frequency}, locale = ${locale},
      next_at = CASE WHEN frequency = ${frequency} THEN next_at ELSE ${nextAt}::timestamptz END
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})
    RETURNING pk`);
  return row?.pk;
}

export async function deleteReportRow(
  tx: Connection,
  { workspacePk, id, creatorPk }: OwnReport,
): Promise<boolean> {
  return await tx.any(sql`
    DELETE FROM report_subscription
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})
    RETURNING pk`);
}

/** The pks of the members among these people. Uses app_user_id_key and membership_pkey. */
export async function findMemberPks(
  tx: Connection,
  workspacePk: number,
  userIds: readonly string[],
): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(sql`
    SELECT app_user.pk
    FROM app_user
    JOIN membership
      ON membership.user_pk = app_user.pk
      AND membership.workspace_pk = ${workspacePk}
    WHERE app_user.id = ANY(${userIds}::text[])`);
  return rows.map(({ pk }) => pk);
}

export interface GivenRecipients {
  userPks: readonly number[];
  emails: readonly string[];
  actorPk: number | null;
}

/**
 * Replaces the recipients. Those who unsubscribed stay, so that nobody subscribes them again: a member does it alone, and
 * another address needs a new confirmation.
 */
export async function putRecipients(
  tx: Connection,
  reportPk: number,
  { userPks, emails, actorPk }: GivenRecipients,
): Promise<void> {
  // Uses report_recipient_member, as all statements here.
  await tx.query(sql`
    DELETE FROM report_recipient
    WHERE subscription_pk = ${reportPk}
      AND stopped_at IS NULL
      AND (user_pk IS NULL OR user_pk <> ALL(${userPks}::int[]))
      AND (email IS NULL OR email <> ALL(${emails}::text[]))`);
  for (const userPk of userPks) {
    await tx.query(sql`
      INSERT INTO report_recipient (id, subscription_pk, user_pk)
      VALUES (${newUuid()}, ${reportPk}, ${userPk})
      ON CONFLICT (subscription_pk, user_pk) DO UPDATE
      SET stopped_at = NULL
      WHERE report_recipient.user_pk = ${actorPk}`);
  }
  for (const email of emails) {
    await tx.query(sql`
      INSERT INTO report_recipient (id, subscription_pk, email, added_by)
      VALUES (${newUuid()}, ${reportPk}, ${email}, ${actorPk})
      ON CONFLICT (subscription_pk, email) DO UPDATE
      SET confirmed_at = NULL, asked_at = NULL, added_by = excluded.added_by
      WHERE report_recipient.stopped_at IS NOT NULL`);
  }
}

/** Addresses whose confirmation was not asked for yet, marked as asked. */
export function takeUnasked(
  tx: Connection,
  reportPk: number,
): Promise<{ id: string; email: string }[]> {
  return tx.query<{ id: string; email: string }>(sql`
    UPDATE report_recipient
    SET asked_at = now()
    WHERE subscription_pk = ${reportPk}
      AND email IS NOT NULL
      AND confirmed_at IS NULL
      AND (asked_at IS NULL OR asked_at < now() - ${confirmDays} * interval '1 day')
    RETURNING id, email`);
}

export interface LinkedRecipient {
  workspace: string;
  state: "unconfirmed" | "active" | "stopped";
}

/** Uses report_recipient_id_key. */
export async function findLinked(ids: readonly string[]): Promise<LinkedRecipient | undefined> {
  return await query.one<LinkedRecipient>(sql`
    SELECT workspace.name AS workspace,
      CASE
        WHEN recipient.email IS NOT NULL AND recipient.confirmed_at IS NULL
          AND recipient.asked_at > now() - ${confirmDays} * interval '1 day' THEN 'unconfirmed'
        WHEN recipient.stopped_at IS NOT NULL THEN 'stopped'
        ELSE 'active'
      END AS state
    FROM report_recipient AS recipient
    JOIN report_subscription AS report ON report.pk = recipient.subscription_pk
    JOIN workspace ON workspace.pk = report.workspace_pk
    WHERE recipient.id = ANY(${ids}::uuid[])
      AND workspace.deleted_at IS NULL`);
}

export async function confirmRow(ids: readonly string[]): Promise<boolean> {
  // defence: report-address-confirmed-in-time
  return await query.any(sql`
    UPDATE report_recipient
    SET confirmed_at = now(), stopped_at = NULL
    WHERE id = ANY(${ids}::uuid[])
      AND email IS NOT NULL
      AND confirmed_at IS NULL
      AND asked_at > now() - ${confirmDays} * interval '1 day'
    RETURNING pk`);
}

export async function stopRow(ids: readonly string[]): Promise<boolean> {
  return await query.any(sql`
    UPDATE report_recipient
    SET stopped_at = coalesce(stopped_at, now())
    WHERE id = ANY(${ids}::uuid[])
    RETURNING pk`);
}
