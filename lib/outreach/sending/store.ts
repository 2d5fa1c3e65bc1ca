import type { Prices } from "#lib/outreach/segments/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { SendState } from "./schema.ts";

export interface CampaignText {
  kind: "marketing" | "service";
  sender_name: string | null;
  opt_out_text: string | null;
  link_scheme: boolean;
  columns: { name: string; personal: boolean }[];
  variants: { name: string; template: string; percentage: number }[];
}

export interface CampaignRow extends CampaignText {
  pk: number;
  id: string;
  consent_source: string | null;
  consent_on: string | null;
  prices: Prices | null;
  recipients: number;
  erasing: boolean;
}

export interface Reader {
  workspacePk: number;
  creatorPk: number | null;
}

const textColumns = `
  campaign.kind, campaign.sender_name, campaign.opt_out_text, campaign.link_scheme,
  campaign.columns, campaign.variants`;

/** In a transaction, locks the row until its end. */
export async function findCampaign(
  { workspacePk, creatorPk }: Reader,
  id: string,
  tx?: Connection,
): Promise<CampaignRow | undefined> {
  return await query.on(tx).one<CampaignRow>({
    // Answered by campaign_id_key.
    text: `
      SELECT pk, id, ${textColumns}, consent_source, consent_on::text AS consent_on, prices,
        recipients, erasing_at IS NOT NULL AS erasing
      FROM campaign
      WHERE id = $1
        AND workspace_pk = $2
        AND ($3::int IS NULL OR user_pk = $3)
        AND deleted_at IS NULL
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk, creatorPk],
  });
}

export type SendingState = "scheduled" | "sending" | "paused" | "finished" | "cancelled";

export interface SendingRow {
  campaign_pk: number;
  gateway: string | null;
  gateway_rate: number | null;
  state: SendingState;
  starts_at: Date;
  next_at: Date;
  rate: number;
  quiet_from: number | null;
  quiet_until: number | null;
  reason: string | null;
  started_at: Date | null;
  finished_at: Date | null;
}

/** In a transaction, locks the row until its end. */
export async function findSending(
  campaignPk: number,
  tx?: Connection,
): Promise<SendingRow | undefined> {
  return await query.on(tx).one<SendingRow>({
    // Answered by campaign_sending_pkey.
    text: `
      SELECT campaign_pk, gateway.id AS gateway, gateway.rate AS gateway_rate, state, starts_at,
        campaign_sending.next_at, campaign_sending.rate, quiet_from, quiet_until, reason, started_at,
        finished_at
      FROM campaign_sending
      LEFT JOIN sms_gateway AS gateway ON gateway.pk = campaign_sending.gateway_pk
      WHERE campaign_pk = $1
      ${tx ? "FOR UPDATE OF campaign_sending" : ""}`,
    values: [campaignPk],
  });
}

/** Whether an undo is deleting recipients of the campaign, which must be locked. */
export async function isUndoing(tx: Connection, campaignPk: number): Promise<boolean> {
  // Answered by recipient_source_list.
  return await tx.any(sql`
    SELECT 1
    FROM recipient_source
    WHERE campaign_pk = ${campaignPk}
      AND state = 'undoing'
    LIMIT 1`);
}

export interface NewSending {
  campaignPk: number;
  workspacePk: number;
  gatewayPk: number;
  startsAt: Date;
  rate: number;
  quiet: { from: number; until: number } | null;
}

/** A finished sending starts again, for recipients that were added since. */
export async function putSending(tx: Connection, given: NewSending): Promise<void> {
  const { campaignPk, workspacePk, gatewayPk, startsAt, rate, quiet } = given;
  // Answered by campaign_sending_pkey.
  await tx.query(sql`
    INSERT INTO campaign_sending (
      campaign_pk, workspace_pk, gateway_pk, state, starts_at, rate, quiet_from, quiet_until,
      next_at
    )
    VALUES (
      ${campaignPk}, ${workspacePk}, ${gatewayPk}, 'scheduled', ${startsAt}, ${rate},
      ${quiet?.from ?? null}, ${quiet?.until ?? null}, ${startsAt}
    )
    ON CONFLICT (campaign_pk) DO UPDATE
    SET gateway_pk = excluded.gateway_pk,
      state = excluded.state,
      starts_at = excluded.starts_at,
      rate = excluded.rate,
      quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until,
      next_at = excluded.next_at,
      reason = NULL,
      finished_at = NULL`);
}

/** The sending must be locked. A scheduled one that was paused is due at its start again. */
export async function updateState(
  tx: Connection,
  campaignPk: number,
  state: SendingState,
): Promise<void> {
  // Answered by campaign_sending_pkey.
  await tx.query(sql`
    UPDATE campaign_sending
    SET state = ${state},
      reason = NULL,
      next_at = greatest(now(), starts_at),
      finished_at = CASE WHEN ${state} IN ('finished', 'cancelled') THEN now() END
    WHERE campaign_pk = ${campaignPk}`);
}

export interface StateCount {
  state: SendState;
  code: string | null;
  rows: number;
  /** Attempted in the last minute. */
  recent: number;
}

export async function countSends(campaignPk: number): Promise<StateCount[]> {
  // Answered by campaign_send_pkey: all rows of the campaign.
  return await query<StateCount>(sql`
    SELECT state, code, count(*) AS rows,
      count(*) FILTER (WHERE attempted_at > now() - interval '1 minute') AS recent
    FROM campaign_send
    WHERE campaign_pk = ${campaignPk}
    GROUP BY state, code
    ORDER BY state, code`);
}

export interface SendRow {
  position: number;
  id: string;
  message_id: string;
  state: SendState;
  code: string | null;
  attempts: number;
  attempted_at: Date | null;
  settled_at: Date | null;
}

export async function listSendRows(
  campaignPk: number,
  { state, after, limit }: { state: SendState | null; after: number; limit: number },
): Promise<SendRow[]> {
  // Answered by campaign_send_pkey, in the order of positions, and campaign_recipient_pkey. OFFSET
  // 0 keeps the order: a join would read all of a million messages for each page.
  return await query<SendRow>(sql`
    SELECT send.position, recipient.id, recipient.message_id, send.state, send.code,
      send.attempts, send.attempted_at, send.settled_at
    FROM campaign_send AS send
    CROSS JOIN LATERAL (
      SELECT id, message_id
      FROM campaign_recipient
      WHERE campaign_pk = send.campaign_pk
        AND position = send.position
      OFFSET 0
    ) AS recipient
    WHERE send.campaign_pk = ${campaignPk}
      AND send.position > ${after}
      AND (${state}::text IS NULL OR send.state = ${state})
    ORDER BY send.position
    LIMIT ${limit}`);
}

export async function settleRows(
  tx: Connection,
  campaignPk: number,
  messageIds: readonly string[],
  state: "accepted" | "due",
): Promise<number> {
  // Answered by campaign_recipient_message and campaign_send_pkey.
  const rows = await tx.query(sql`
    UPDATE campaign_send AS send
    SET state = ${state}, code = NULL, due_at = now(), settled_at = now()
    FROM campaign_recipient AS recipient
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.message_id = ANY(${messageIds}::text[])
      AND send.campaign_pk = recipient.campaign_pk
      AND send.position = recipient.position
      AND send.state = 'unknown'
    RETURNING 1`);
  return rows.length;
}
