/** The statements of questions about unknown messages. */

import { type LinkedRow, withLinkNames } from "#lib/outreach/recipient-links";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { CampaignText } from "./store.ts";

export interface AskedRow extends CampaignText {
  campaign_pk: number;
  position: number;
  workspace_pk: number;
  gateway_pk: number;
  attempts: number;
  attempted_at: Date;
  /** Of the recipient. */
  id: string;
  key_version: number | null;
  sealed: Buffer | null;
  country: string | null;
  variant: number | null;
  slug: string | null;
  key: string | null;
}

/** Messages that are due to be asked about. Each is counted, and due again after the next pause. */
export async function takeUnknown(
  tx: Connection,
  pausesSeconds: readonly number[],
  limit: number,
): Promise<AskedRow[]> {
  // Answered by campaign_send_unknown, in its order; the others by their primary keys.
  const rows = await tx.query<Omit<AskedRow, "slug" | "key"> & LinkedRow>(sql`
    WITH due AS (
      SELECT campaign_pk, position
      FROM campaign_send
      WHERE state = 'unknown'
        AND ask_at <= now()
      ORDER BY ask_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE campaign_send AS send
      SET asked = send.asked + 1,
        ask_at = now() + (${[...pausesSeconds]}::int[])[send.asked + 1] * interval '1 second'
      FROM due
      WHERE send.campaign_pk = due.campaign_pk
        AND send.position = due.position
      RETURNING send.campaign_pk, send.position, send.workspace_pk, send.gateway_pk,
        send.attempts, send.attempted_at
    )
    SELECT taken.*, recipient.id, recipient.key_version, recipient.sealed, recipient.country,
      recipient.variant, recipient.link_pk, recipient.link_id, campaign.kind, campaign.sender_name,
      campaign.opt_out_text, campaign.link_scheme, campaign.columns, campaign.variants
    FROM taken
    JOIN campaign ON campaign.pk = taken.campaign_pk
    JOIN campaign_recipient AS recipient
      ON recipient.campaign_pk = taken.campaign_pk
      AND recipient.position = taken.position
    WHERE campaign.deleted_at IS NULL
      AND taken.gateway_pk IS NOT NULL
      AND taken.attempted_at IS NOT NULL`);
  return await withLinkNames(rows, tx);
}

interface Answer {
  state: "accepted" | "delivered" | "failed";
  code: string | null;
  remoteHash: Buffer | null;
}

/** Unless a receipt or a person was faster. Returns whether it was. */
export async function settleAsked(
  { campaign_pk: campaignPk, position, attempts }: AskedRow,
  { state, code, remoteHash }: Answer,
): Promise<boolean> {
  // Answered by campaign_send_pkey.
  return await query.any(sql`
    UPDATE campaign_send
    SET state = ${state},
      code = ${code},
      remote_hash = coalesce(remote_hash, ${remoteHash}::bytea),
      settled_at = now()
    WHERE campaign_pk = ${campaignPk}
      AND position = ${position}
      AND attempts = ${attempts}
      AND state = 'unknown'
    RETURNING 1`);
}
