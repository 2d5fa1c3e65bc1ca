/**
 * One row per email, so that nobody gets a report twice, and whatever was not sent is shown.
 *
 *     due ──claim──▶ sending ──▶ sent, refused
 *      ▲ │              ├──▶ due again: the server did not take it; after `attemptsMax` attempts failed
 *      │ └─▶ skipped    └──▶ unknown: the answer of the server is missing. It may have been sent, and is not repeated.
 *
 * `sending` is committed before the mail server gets the email. A worker that is killed leaves it, and `giveUpSilent` turns it
 * into `unknown`.
 */
import { hash } from "node:crypto";
import type { MailOutcome } from "#lib/platform/mail";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import {
  type DeliveryState,
  deliveriesShown,
  type Frequency,
  mailsPerDayMax,
  type ReportKind,
  type SkipReason,
  sendHour,
} from "./schema.ts";

const batchMax = 50;
const attemptsMax = 6;
const retryMs = 300_000;
/** Longer than any wait for an answer of the server. */
const silentMinutes = 10;
const units: Readonly<Record<Frequency, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

export interface ReportPeriod {
  /** Days in the zone, the last one included. */
  startsOn: string;
  endsOn: string;
}

interface PeriodRow extends ReportPeriod {
  nextAt: Date;
}

/** The latest period whose report is due, and when the next one is. Weeks start on Monday. */
export async function periodAt(
  now: Date,
  zone: string,
  frequency: Frequency,
  tx?: Connection,
): Promise<PeriodRow> {
  const unit = units[frequency];
  const row = await query.on(tx).one<PeriodRow>(sql`
    SELECT
      (bound - step)::date::text AS "startsOn",
      (bound - interval '1 day')::date::text AS "endsOn",
      (bound + step + make_interval(hours => ${sendHour})) AT TIME ZONE ${zone} AS "nextAt"
    FROM (
      SELECT
        date_trunc(${unit}, (${now}::timestamptz AT TIME ZONE ${zone}) - make_interval(hours => ${sendHour})) AS bound,
        ${`1 ${unit}`}::interval AS step
    ) AS latest`);
  if (!row) throw new Error("A SELECT without FROM returned no row");
  return row;
}

interface DueReport {
  pk: number;
  frequency: Frequency;
  nextAt: Date;
  zone: string;
}

/** Adds the emails of one due report. False if none is due. */
export async function planOne(now: Date): Promise<boolean> {
  return await transaction(async (tx) => {
    // Uses report_subscription_next_at_idx and workspace_pkey.
    const due = await tx.one<DueReport>(sql`
      SELECT report.pk, report.frequency, report.next_at AS "nextAt", workspace.zone
      FROM report_subscription AS report
      JOIN workspace ON workspace.pk = report.workspace_pk
      WHERE report.next_at <= ${now}
        AND workspace.deleted_at IS NULL
        AND workspace.banned_at IS NULL
      ORDER BY report.next_at
      LIMIT 1
      FOR NO KEY UPDATE OF report SKIP LOCKED`);
    if (!due) return false;
    const latest = await periodAt(now, due.zone, due.frequency, tx);
    const missed = await periodAt(due.nextAt, due.zone, due.frequency, tx);
    // Uses report_delivery_once.
    await tx.query(sql`
      UPDATE report_delivery
      SET state = 'skipped', reason = 'late'
      WHERE subscription_pk = ${due.pk}
        AND state = 'due'`);
    if (missed.endsOn < latest.endsOn) {
      const until = await dayBefore(tx, latest.startsOn);
      const late = { startsOn: missed.startsOn, endsOn: until, now };
      await insertDeliveries(tx, due.pk, late, "skipped");
    }
    await insertDeliveries(tx, due.pk, { ...latest, now }, "due");
    await tx.query(sql`
      UPDATE report_subscription SET next_at = ${latest.nextAt} WHERE pk = ${due.pk}`);
    return true;
  });
}

async function dayBefore(tx: Connection, day: string): Promise<string> {
  const row = await tx.one<{ day: string }>(sql`SELECT (${day}::date - 1)::text AS day`);
  return row?.day ?? day;
}

interface Addressee {
  pk: number;
  address: string;
}

async function insertDeliveries(
  tx: Connection,
  reportPk: number,
  { startsOn, endsOn, now }: ReportPeriod & { now: Date },
  state: "due" | "skipped",
): Promise<void> {
  // Uses report_recipient_member and app_user_pkey.
  const addressees = await tx.query<Addressee>(sql`
    SELECT recipient.pk, coalesce(recipient.email, app_user.email) AS address
    FROM report_recipient AS recipient
    LEFT JOIN app_user ON app_user.pk = recipient.user_pk
    WHERE recipient.subscription_pk = ${reportPk}
      AND recipient.stopped_at IS NULL
      AND (recipient.email IS NULL OR recipient.confirmed_at IS NOT NULL)
    ORDER BY recipient.pk`);
  for (const { pk, address } of addressees) {
    // defence: one-report-per-address
    await tx.query(sql`
      INSERT INTO report_delivery
        (subscription_pk, recipient_pk, address_hash, starts_on, ends_on, state, reason, due_at)
      VALUES (
        ${reportPk}, ${pk}, ${hash("sha256", address.toLowerCase(), "buffer")}, ${startsOn}::date,
        ${endsOn}::date, ${state}, ${state === "skipped" ? "late" : null}, ${now}
      )
      ON CONFLICT (subscription_pk, address_hash, starts_on, ends_on) DO NOTHING`);
  }
}

export interface DueDelivery extends ReportPeriod {
  pk: number;
  recipientId: string;
  workspacePk: number;
  workspace: string;
  kind: ReportKind;
  subjectId: string | null;
  frequency: Frequency;
  locale: "en" | "zh";
  userPk: number | null;
  email: string;
  addedBy: number | null;
}

export function listDue(now: Date): Promise<DueDelivery[]> {
  // Uses report_delivery_open and primary keys. Removed recipients have no row here.
  return query<DueDelivery>(sql`
    SELECT delivery.pk, delivery.starts_on::text AS "startsOn", delivery.ends_on::text AS "endsOn",
      recipient.id AS "recipientId", report.workspace_pk AS "workspacePk",
      workspace.name AS workspace, report.kind, report.subject_id AS "subjectId",
      report.frequency, report.locale, recipient.user_pk AS "userPk",
      coalesce(recipient.email, app_user.email) AS email, recipient.added_by AS "addedBy"
    FROM report_delivery AS delivery
    JOIN report_subscription AS report ON report.pk = delivery.subscription_pk
    JOIN report_recipient AS recipient ON recipient.pk = delivery.recipient_pk
    JOIN workspace ON workspace.pk = report.workspace_pk
    LEFT JOIN app_user ON app_user.pk = recipient.user_pk
    WHERE delivery.state = 'due'
      AND delivery.due_at <= ${now}
    ORDER BY delivery.due_at, delivery.pk
    LIMIT ${batchMax}`);
}

/** False: another worker has it, or the recipient unsubscribed meanwhile. */
export async function claim(pk: number): Promise<boolean> {
  // defence: report-noted-before-sending
  return await query.any(sql`
    UPDATE report_delivery
    SET state = 'sending', attempted_at = now()
    FROM report_recipient AS recipient
    WHERE report_delivery.pk = ${pk}
      AND report_delivery.state = 'due'
      AND recipient.pk = report_delivery.recipient_pk
      AND recipient.stopped_at IS NULL
    RETURNING report_delivery.pk`);
}

export async function settle(pk: number, outcome: MailOutcome): Promise<void> {
  if (outcome === "deferred") return await putBack(pk);
  await query(sql`
    UPDATE report_delivery
    SET state = ${outcome}
    WHERE pk = ${pk}
      AND state IN ('sending', 'unknown')`);
}

/** Waits twice as long after each attempt, also after one that failed before the email was complete. */
export async function putBack(pk: number): Promise<void> {
  await query(sql`
    UPDATE report_delivery
    SET state = CASE WHEN attempts + 1 >= ${attemptsMax} THEN 'failed' ELSE 'due' END,
      attempts = attempts + 1,
      due_at = now() + ${retryMs} * power(2, attempts) * interval '1 millisecond'
    WHERE pk = ${pk}
      AND state IN ('due', 'sending')`);
}

export async function skip(pk: number, reason: SkipReason): Promise<void> {
  await query(sql`
    UPDATE report_delivery
    SET state = 'skipped', reason = ${reason}
    WHERE pk = ${pk}
      AND state = 'due'`);
}

/** Emails of killed workers, and those of recipients who left before they were sent. */
export async function giveUpSilent(now: Date): Promise<void> {
  // Uses report_delivery_open.
  await query(sql`
    UPDATE report_delivery
    SET state = 'unknown'
    WHERE state = 'sending'
      AND attempted_at < ${now}::timestamptz - ${silentMinutes} * interval '1 minute'`);
  await query(sql`
    UPDATE report_delivery AS delivery
    SET state = 'skipped', reason = 'left'
    WHERE delivery.state = 'due'
      AND NOT EXISTS (
        SELECT
        FROM report_recipient AS recipient
        WHERE recipient.pk = delivery.recipient_pk
          AND recipient.stopped_at IS NULL
      )`);
}

/** Whether the workspace sent as many emails in the last 24 hours as it may. */
export async function isExhausted(workspacePk: number): Promise<boolean> {
  // Uses report_subscription_workspace_pk_idx and report_delivery_once.
  const row = await query.one<{ count: number }>(sql`
    SELECT count(*)::int AS count
    FROM report_subscription AS report
    JOIN report_delivery AS delivery ON delivery.subscription_pk = report.pk
    WHERE report.workspace_pk = ${workspacePk}
      AND delivery.attempted_at > now() - interval '1 day'`);
  // defence: reports-per-day
  return (row?.count ?? 0) >= mailsPerDayMax;
}

export interface DeliveryRow extends ReportPeriod {
  pk: number;
  reportId: string;
  recipient: string | null;
  state: DeliveryState;
  reason: SkipReason | null;
  at: Date;
}

export function listDeliveryRows(
  workspacePk: number,
  creatorPk: number | null,
): Promise<DeliveryRow[]> {
  // Uses report_subscription_workspace_pk_idx and report_delivery_once: a workspace has few.
  return query<DeliveryRow>(sql`
    SELECT delivery.pk, report.id AS "reportId", coalesce(recipient.email, app_user.name) AS recipient,
      delivery.starts_on::text AS "startsOn", delivery.ends_on::text AS "endsOn", delivery.state,
      delivery.reason, coalesce(delivery.attempted_at, delivery.created_at) AS at
    FROM report_subscription AS report
    JOIN report_delivery AS delivery ON delivery.subscription_pk = report.pk
    LEFT JOIN report_recipient AS recipient ON recipient.pk = delivery.recipient_pk
    LEFT JOIN app_user ON app_user.pk = recipient.user_pk
    WHERE report.workspace_pk = ${workspacePk}
      AND (${creatorPk}::int IS NULL OR report.user_pk = ${creatorPk})
    ORDER BY delivery.pk DESC
    LIMIT ${deliveriesShown}`);
}
