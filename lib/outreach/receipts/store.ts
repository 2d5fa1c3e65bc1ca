import { type Connection, query, sql } from "#lib/platform/postgres";

export interface FoundSend {
  campaign_pk: number;
  position: number;
  id: string;
  phone_hash: Buffer | null;
  key_version: number | null;
  sealed: Buffer | null;
}

export async function findByRemote(
  tx: Connection,
  gatewayPk: number,
  hashes: readonly Buffer[],
): Promise<(FoundSend & { remote_hash: Buffer })[]> {
  // Answered by campaign_send_remote and campaign_recipient_pkey.
  return await tx.query<FoundSend & { remote_hash: Buffer }>(sql`
    SELECT send.campaign_pk, send.position, send.remote_hash, recipient.id,
      recipient.phone_hash, recipient.key_version, recipient.sealed
    FROM campaign_send AS send
    JOIN campaign_recipient AS recipient
      ON recipient.campaign_pk = send.campaign_pk
      AND recipient.position = send.position
    WHERE send.gateway_pk = ${gatewayPk}
      AND send.remote_hash = ANY(${hashes}::bytea[])`);
}

export async function findByRecipient(
  tx: Connection,
  gatewayPk: number,
  ids: readonly string[],
): Promise<FoundSend[]> {
  // Answered by campaign_recipient_id and campaign_send_pkey.
  // defence: receipt-of-gateway
  return await tx.query<FoundSend>(sql`
    SELECT send.campaign_pk, send.position, recipient.id, recipient.phone_hash,
      recipient.key_version, recipient.sealed
    FROM campaign_recipient AS recipient
    JOIN campaign_send AS send
      ON send.campaign_pk = recipient.campaign_pk
      AND send.position = recipient.position
    WHERE recipient.id = ANY(${ids}::uuid[])
      AND send.gateway_pk = ${gatewayPk}`);
}

/** Finds messages to these phones that may have been sent: the response of the gateway was lost. */
export async function findUnknown(
  tx: Connection,
  { workspacePk, gatewayPk }: { workspacePk: number; gatewayPk: number },
  phoneHashes: readonly Buffer[],
): Promise<FoundSend[]> {
  // Answered by campaign_recipient_phone and campaign_send_pkey.
  return await tx.query<FoundSend>(sql`
    SELECT send.campaign_pk, send.position, recipient.id, recipient.phone_hash,
      recipient.key_version, recipient.sealed
    FROM campaign_recipient AS recipient
    JOIN campaign_send AS send
      ON send.campaign_pk = recipient.campaign_pk
      AND send.position = recipient.position
    WHERE recipient.workspace_pk = ${workspacePk}
      AND recipient.phone_hash = ANY(${phoneHashes}::bytea[])
      AND send.gateway_pk = ${gatewayPk}
      AND send.state = 'unknown'`);
}

/** Finds recipients by message id, also those that Fuxi does not send to. */
export async function findByMessage(
  tx: Connection,
  campaignPk: number,
  messageIds: readonly string[],
): Promise<(FoundSend & { message_id: string })[]> {
  // Answered by campaign_recipient_message.
  return await tx.query<FoundSend & { message_id: string }>(sql`
    SELECT campaign_pk, position, id, message_id, phone_hash, key_version, sealed
    FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND message_id = ANY(${messageIds}::text[])
      AND state = 'ready'`);
}

export async function findAddressed(
  gatewayPk: number,
  workspacePk: number,
  phoneHashes: readonly Buffer[],
): Promise<Set<string>> {
  // Answered by campaign_recipient_phone and campaign_send_pkey.
  const rows = await query<{ hash: Buffer }>(sql`
    SELECT DISTINCT recipient.phone_hash AS hash
    FROM campaign_recipient AS recipient
    JOIN campaign_send AS send
      ON send.campaign_pk = recipient.campaign_pk
      AND send.position = recipient.position
    WHERE recipient.workspace_pk = ${workspacePk}
      AND recipient.phone_hash = ANY(${phoneHashes}::bytea[])
      AND send.gateway_pk = ${gatewayPk}`);
  return new Set(rows.map(({ hash }) => hash.toString("hex")));
}

export async function insertOwn(
  tx: Connection,
  workspacePk: number,
  found: readonly FoundSend[],
): Promise<void> {
  await tx.query(sql`
    INSERT INTO campaign_send (campaign_pk, position, workspace_pk, state, due_at)
    SELECT given.campaign_pk, given.position, ${workspacePk}, 'accepted', now()
    FROM unnest(
      ${found.map((one) => one.campaign_pk)}::int[],
      ${found.map(({ position }) => position)}::int[]
    ) AS given (campaign_pk, position)
    ON CONFLICT (campaign_pk, position) DO NOTHING`);
}

export interface Settled {
  campaignPk: number;
  position: number;
  /** Null: only the code changes. */
  state: "delivered" | "failed" | null;
  code: string | null;
}

/** Receipts come twice and in any order: `delivered` is final. A message to send again (`later`) may have failed. */
export async function settle(tx: Connection, rows: readonly Settled[]): Promise<number> {
  // Answered by campaign_send_pkey.
  // defence: delivered-is-final
  const changed = await tx.query(sql`
    UPDATE campaign_send AS send
    SET state = coalesce(given.state, send.state),
      code = given.code,
      settled_at = CASE WHEN given.state IS NULL THEN send.settled_at ELSE now() END
    FROM unnest(
      ${rows.map(({ campaignPk }) => campaignPk)}::int[],
      ${rows.map(({ position }) => position)}::int[],
      ${rows.map(({ state }) => state)}::text[],
      ${rows.map(({ code }) => code)}::text[]
    ) AS given (campaign_pk, position, state, code)
    WHERE send.campaign_pk = given.campaign_pk
      AND send.position = given.position
      AND (
        (given.state = 'delivered' AND send.state <> 'delivered')
        OR (given.state = 'failed' AND send.state IN ('attempting', 'accepted', 'unknown', 'later'))
        OR (
          given.state IS NULL
          AND send.state IN ('accepted', 'unknown')
          AND send.code IS DISTINCT FROM given.code
        )
      )
    RETURNING 1`);
  return changed.length;
}
