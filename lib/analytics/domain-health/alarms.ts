/**
 * Alarms: an app seems to block a domain.
 *
 *     open ──▶ ended: visits recovered, the checker no longer says so, or the domain was transferred or renamed
 *      └▶ dismissed ──▶ ended: the same, or all compared days come after the dismissal
 *
 * At most one per app is open, so that a domain is reported once.
 */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { AppName } from "#lib/platform/request-info/schema";
import { notifyManagers } from "#lib/tenancy/notifications";
import { addEvent } from "#lib/tenancy/webhook-events";
import { type AlarmEvidence, alarmFacts } from "./schema.ts";
import type { DueDomain } from "./store.ts";

export type AlarmSource = "visits" | "checker";

export interface NewAlarm {
  app: AppName;
  source: AlarmSource;
  since: string;
  evidence: AlarmEvidence | null;
}

export interface OpenAlarm extends NewAlarm {
  pk: number;
  foundAt: Date;
  dismissedAt: Date | null;
}

const endedKeptDays = 400;

export function listOpen(tx: Connection, domainPk: number): Promise<OpenAlarm[]> {
  // Answered by domain_alarm_open.
  return tx.query<OpenAlarm>(sql`
    SELECT pk, app, source, since::text AS since, evidence, found_at AS "foundAt",
      dismissed_at AS "dismissedAt"
    FROM domain_alarm
    WHERE domain_pk = ${domainPk}
      AND ended_at IS NULL
    ORDER BY pk`);
}

/** Notifies owners, admins and webhooks. False if an alarm of the app is open already. */
export async function raise(
  tx: Connection,
  { pk, id, workspacePk, slug }: DueDomain,
  alarm: NewAlarm,
  now: Date,
): Promise<boolean> {
  const { app, source, since, evidence } = alarm;
  const raised = await tx.query(sql`
    INSERT INTO domain_alarm (domain_pk, workspace_pk, slug, app, source, since, evidence, found_at)
    VALUES (
      ${pk}, ${workspacePk}, ${slug}, ${app}, ${source}, ${since}::date,
      ${evidence && JSON.stringify(evidence)}::jsonb, ${now}
    )
    ON CONFLICT (domain_pk, app) WHERE ended_at IS NULL DO NOTHING
    RETURNING pk`);
  if (raised.length === 0) return false;
  const details = { slug, app, source, since, ...evidence };
  await notifyManagers(tx, {
    workspacePk,
    subject: slug,
    kind: "domain.blocked",
    details,
    mail: true,
  });
  const data = { id, domain: slug, ...alarmFacts(alarm) };
  await addEvent(tx, { workspacePk, type: "domain.blocked", data });
  return true;
}

/** Visits are back, or the checker no longer reports a block. */
export async function endRecovered(
  tx: Connection,
  { id, workspacePk, slug }: DueDomain,
  { pk, app, dismissedAt }: OpenAlarm,
  now: Date,
): Promise<void> {
  await endAlarm(tx, pk, now);
  if (dismissedAt) return;
  const details = { slug, app };
  await notifyManagers(tx, { workspacePk, subject: slug, kind: "domain.unblocked", details });
  const data = { id, domain: slug, app };
  await addEvent(tx, { workspacePk, type: "domain.unblocked", data });
}

export async function endAlarm(tx: Connection, pk: number, now: Date): Promise<void> {
  await tx.query(sql`UPDATE domain_alarm SET ended_at = ${now} WHERE pk = ${pk}`);
}

/** Ends alarms of domains that were transferred, renamed or lost, and deletes old ones. */
export async function sweepAlarms(now: Date): Promise<void> {
  // Open alarms are few: no index.
  await query(sql`
    UPDATE domain_alarm AS alarm
    SET ended_at = ${now}
    FROM domain
    WHERE alarm.ended_at IS NULL
      AND domain.pk = alarm.domain_pk
      AND (
        (domain.workspace_pk, domain.slug) IS DISTINCT FROM (alarm.workspace_pk, alarm.slug)
        OR domain.verified_at IS NULL
      )`);
  // Answered by domain_alarm_ended.
  await query(sql`
    DELETE FROM domain_alarm
    WHERE ended_at < ${now}::timestamptz - ${endedKeptDays} * interval '1 day'`);
}

export async function endCheckerAlarms(now: Date): Promise<void> {
  // Open alarms are few: no index.
  await query(sql`
    UPDATE domain_alarm
    SET ended_at = ${now}
    WHERE ended_at IS NULL
      AND source = 'checker'`);
}

/** Only alarms of this workspace and of the present name of the domain. */
export function listAlarms(workspacePk: number, domainId: string): Promise<OpenAlarm[]> {
  // Answered by domain_id_key and domain_alarm_open.
  // defence: domain-alarm-of-workspace
  return query<OpenAlarm>(sql`
    SELECT alarm.pk, alarm.app, alarm.source, alarm.since::text AS since, alarm.evidence,
      alarm.found_at AS "foundAt", alarm.dismissed_at AS "dismissedAt"
    FROM domain
    JOIN domain_alarm AS alarm
      ON alarm.domain_pk = domain.pk
      AND alarm.workspace_pk = domain.workspace_pk
      AND alarm.slug = domain.slug
    WHERE domain.id = ${domainId}
      AND domain.workspace_pk = ${workspacePk}
      AND alarm.ended_at IS NULL
    ORDER BY alarm.pk`);
}

/** False if no alarm is open, or it was dismissed before. */
export async function dismiss(
  tx: Connection,
  workspacePk: number,
  domainPk: number,
  app: AppName,
): Promise<boolean> {
  // Answered by domain_alarm_open.
  return await tx.any(sql`
    UPDATE domain_alarm AS alarm
    SET dismissed_at = now()
    FROM domain
    WHERE domain.pk = ${domainPk}
      AND domain.workspace_pk = ${workspacePk}
      AND alarm.domain_pk = domain.pk
      AND alarm.workspace_pk = domain.workspace_pk
      AND alarm.slug = domain.slug
      AND alarm.app = ${app}
      AND alarm.ended_at IS NULL
      AND alarm.dismissed_at IS NULL
    RETURNING alarm.pk`);
}
