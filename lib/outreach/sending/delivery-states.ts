/**
 * Asks gateways about messages whose response was lost: 2 minutes after the attempt, then after 5
 * and 30 minutes and after 2 and 12 hours. Nothing is sent. If the gateway is certain about a
 * message, it is settled as accepted, delivered or failed; otherwise it stays unknown until a
 * receipt or a person settles it. A question is counted before it is asked, so that a crash of the
 * worker cannot cause more of them.
 */
import { openGatewayByPk } from "#lib/outreach/gateway-accounts";
import type { SentState } from "#lib/outreach/gateways/schema";
import { optOutBySystem } from "#lib/outreach/opt-outs";
import { type LinkedRow, withLinkNames } from "#lib/outreach/recipient-links";
import { slicesOf } from "#lib/platform/batches";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { storableCode } from "./gateway-calls.ts";
import { openText, UnknownColumn, writeMessage } from "./message-text.ts";
import { pausesSeconds } from "./slice-store.ts";
import type { CampaignText } from "./store.ts";

const rowsPerRun = 50;
const questionsAtOnce = 5;

const counters = { settled: 0, uncertain: 0 };
exposeCounters("campaign_questions", "Questions about unknown messages by outcome.", counters);

/** Returns the number of questions. Safe to run twice, and concurrently. */
export async function askGateways(): Promise<number> {
  const rows = await transaction((tx) => takeUnknown(tx, pausesSeconds, rowsPerRun));
  for (const group of slicesOf(rows, questionsAtOnce)) {
    await Promise.all(
      group.map((row) =>
        ask(row).catch((error: unknown) => {
          log.warn({ event: "sending.question_failed", error: String(error) });
        }),
      ),
    );
  }
  return rows.length;
}

async function ask(row: AskedRow): Promise<void> {
  const { workspace_pk: workspacePk, gateway_pk: gatewayPk, attempted_at: attemptedAt } = row;
  const gateway = await openGatewayByPk(workspacePk, gatewayPk);
  const { sealed, key_version: version, slug, key } = row;
  if (!gateway || !sealed || version === null || slug === null || key === null) return;
  const keys = await openPeopleKeys(workspacePk);
  const recipient = { ...row, sealed, key_version: version, slug, key };
  let message: ReturnType<typeof writeMessage>;
  try {
    message = writeMessage(openText(row, gateway.settings), keys, recipient);
  } catch (error) {
    // A variable was changed since the attempt, so the text that was sent is unknown.
    if (error instanceof UnknownColumn) return;
    throw error;
  }
  const found = message && (await gateway.client.find(message, attemptedAt));
  if (!found) {
    counters.uncertain += 1;
    return;
  }
  const remoteHash = found.gatewayId === null ? null : keys.hash(found.gatewayId);
  const isSettled = await settleAsked(row, { ...stored(found), remoteHash });
  if (isSettled) counters.settled += 1;
  if (found.state === "optedOut" && message) {
    await optOutBySystem(workspacePk, [message.phone], "gateway");
  }
}

function stored({ state, code }: SentState): {
  state: "accepted" | "delivered" | "failed";
  code: string | null;
} {
  if (state === "optedOut") return { state: "failed", code: "opted_out" };
  return { state, code: storableCode(code) };
}

interface AskedRow extends CampaignText {
  campaign_pk: number;
  position: number;
  workspace_pk: number;
  gateway_pk: number;
  attempts: number;
  attempted_at: Date;
  id: string;
  key_version: number | null;
  sealed: Buffer | null;
  country: string | null;
  variant: number | null;
  slug: string | null;
  key: string | null;
}

/** Counts each question. The message is due again after the next pause. */
async function takeUnknown(
  tx: Connection,
  pausesSeconds: readonly number[],
  limit: number,
): Promise<AskedRow[]> {
  // Answered by campaign_send_unknown, in its order, then by primary keys.
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

async function settleAsked(
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
