/** Leases: one worker at a time sends a campaign. */
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { addNotification } from "#lib/tenancy/notifications";
import { addEvent } from "#lib/tenancy/webhook-events";
import type { CampaignText } from "./store.ts";

export interface Claim {
  campaignPk: number;
  lease: string;
}

/** Longer than a slice takes, which is a few call timeouts. */
export const leaseSeconds = 60;
export const attemptsMax = 10;

/**
 * Attempts that an earlier worker left open may have been sent. They become unknown, or are sent
 * again if their gateway accepts each message once.
 */
export async function claimDue(lease: string): Promise<Claim | undefined> {
  return await transaction(async (tx) => {
    // Answered by campaign_sending_due.
    const [row] = await tx.query<{ pk: number }>(sql`
      UPDATE campaign_sending
      SET lease = ${lease},
        lease_until = now() + ${leaseSeconds} * interval '1 second',
        state = 'sending',
        started_at = coalesce(started_at, now())
      WHERE campaign_pk = (
        SELECT sending.campaign_pk
        FROM campaign_sending AS sending
        JOIN campaign ON campaign.pk = sending.campaign_pk
        JOIN workspace ON workspace.pk = sending.workspace_pk
        WHERE sending.state IN ('scheduled', 'sending')
          AND sending.next_at <= now()
          AND (sending.lease_until IS NULL OR sending.lease_until < now())
          AND campaign.deleted_at IS NULL
          AND workspace.deleted_at IS NULL
          AND workspace.banned_at IS NULL
        ORDER BY sending.next_at
        LIMIT 1
        FOR UPDATE OF sending SKIP LOCKED
      )
      RETURNING campaign_pk AS pk`);
    if (!row) return undefined;
    // Answered by campaign_send_attempting and sms_gateway_pkey.
    // defence: killed-send-not-repeated
    await tx.query(sql`
      UPDATE campaign_send AS send
      SET state = CASE
          WHEN send.attempts < ${attemptsMax} AND EXISTS (
            SELECT
            FROM sms_gateway
            WHERE pk = send.gateway_pk AND settings ->> 'afterError' = 'resend'
          ) THEN 'later'
          ELSE 'unknown'
        END,
        code = 'worker_ended',
        due_at = now(),
        settled_at = now()
      WHERE campaign_pk = ${row.pk}
        AND state = 'attempting'`);
    return { campaignPk: row.pk, lease };
  });
}

/** The campaign is not taken again before `nextAt`. */
export async function releaseLease(
  { campaignPk, lease }: Claim,
  nextAt: Date | null,
): Promise<void> {
  // Answered by campaign_sending_pkey.
  await query(sql`
    UPDATE campaign_sending
    SET lease = NULL, lease_until = NULL, next_at = coalesce(${nextAt}::timestamptz, next_at)
    WHERE campaign_pk = ${campaignPk}
      AND lease = ${lease}`);
}

export interface HeldRow extends CampaignText {
  workspace_pk: number;
  zone: string;
  gateway_pk: number | null;
  rate: number;
  quiet_from: number | null;
  quiet_until: number | null;
  filled_position: number;
  last_position: number;
}

/** Extends the lease. Undefined if the sending was paused or another worker has it. */
export async function holdSending(tx: Connection, claim: Claim): Promise<HeldRow | undefined> {
  // Answered by campaign_sending_pkey.
  return await tx.one<HeldRow>(sql`
    UPDATE campaign_sending AS sending
    SET lease_until = now() + ${leaseSeconds} * interval '1 second'
    FROM campaign, workspace
    WHERE sending.campaign_pk = ${claim.campaignPk}
      AND sending.lease = ${claim.lease}
      AND sending.state = 'sending'
      AND campaign.pk = sending.campaign_pk
      AND campaign.deleted_at IS NULL
      AND workspace.pk = sending.workspace_pk
      AND workspace.deleted_at IS NULL
      AND workspace.banned_at IS NULL
    RETURNING sending.workspace_pk, workspace.zone, sending.gateway_pk, sending.rate,
      sending.quiet_from, sending.quiet_until, sending.filled_position, campaign.last_position,
      campaign.kind, campaign.sender_name, campaign.opt_out_text, campaign.link_scheme,
      campaign.columns, campaign.variants`);
}

export async function fillSends(tx: Connection, campaignPk: number, until: number): Promise<void> {
  // Answered by campaign_recipient_pkey.
  await tx.query(sql`
    INSERT INTO campaign_send (campaign_pk, position, workspace_pk, state, due_at)
    SELECT recipient.campaign_pk, recipient.position, recipient.workspace_pk, 'due', now()
    FROM campaign_recipient AS recipient
    JOIN campaign_sending AS sending ON sending.campaign_pk = recipient.campaign_pk
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.position > sending.filled_position
      AND recipient.position <= ${until}
      AND recipient.state = 'ready'
    ON CONFLICT (campaign_pk, position) DO NOTHING`);
  await tx.query(sql`
    UPDATE campaign_sending
    SET filled_position = ${until}
    WHERE campaign_pk = ${campaignPk}`);
}

interface EndedRow {
  id: string;
  name: string;
  workspace_pk: number;
  user_pk: number;
  sent: number;
  refused: number;
  unknown: number;
}

/** Notifies the creator of the campaign. The sending must be locked. */
export async function finishSending(tx: Connection, campaignPk: number): Promise<void> {
  // Answered by campaign_sending_pkey, campaign_pkey and campaign_send_pkey: all rows of the campaign.
  const [row] = await tx.query<EndedRow>(sql`
    WITH counted AS (
      SELECT
        count(*) FILTER (WHERE state IN ('accepted', 'delivered', 'failed')) AS sent,
        count(*) FILTER (WHERE state = 'refused') AS refused,
        count(*) FILTER (WHERE state = 'unknown') AS unknown
      FROM campaign_send
      WHERE campaign_pk = ${campaignPk}
    )
    UPDATE campaign_sending AS sending
    SET state = 'finished', finished_at = now()
    FROM campaign, counted
    WHERE sending.campaign_pk = ${campaignPk}
      AND campaign.pk = sending.campaign_pk
    RETURNING campaign.id, campaign.name, campaign.workspace_pk, campaign.user_pk, counted.sent,
      counted.refused, counted.unknown`);
  if (!row) return;
  const { id: subject, name, workspace_pk: workspacePk, user_pk: userPk } = row;
  const { sent, refused, unknown } = row;
  const details = { name, sent, refused, unknown };
  const kind = "campaign.finished";
  await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
  const data = { id: subject, ...details };
  await addEvent(tx, { workspacePk, type: "campaign.finished", data });
}

/** Pauses until a person continues, and notifies the creator of the campaign. */
export async function pauseSending({ campaignPk, lease }: Claim, reason: string): Promise<void> {
  await transaction(async (tx) => {
    // Answered by campaign_sending_pkey and campaign_pkey.
    const [row] = await tx.query<{
      id: string;
      name: string;
      workspace_pk: number;
      user_pk: number;
    }>(sql`
      UPDATE campaign_sending AS sending
      SET state = 'paused', reason = ${reason}
      FROM campaign
      WHERE sending.campaign_pk = ${campaignPk}
        AND sending.lease = ${lease}
        AND sending.state = 'sending'
        AND campaign.pk = sending.campaign_pk
      RETURNING campaign.id, campaign.name, campaign.workspace_pk, campaign.user_pk`);
    if (!row) return;
    const { id: subject, name, workspace_pk: workspacePk, user_pk: userPk } = row;
    const details = { name, reason };
    const kind = "campaign.paused";
    await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
  });
}
