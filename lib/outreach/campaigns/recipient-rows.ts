/** Adds and finds rows of recipients. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface NewRecipient {
  id: string;
  messageId: string;
  state: "ready" | "refused";
  reason: string | null;
  phoneHash: Buffer | null;
  sealed: Buffer | null;
  country: string | null;
  variant: number | null;
  linkPk: number | null;
  linkId: string | null;
  parts: number | null;
  urlParts: number | null;
}

interface Place {
  campaignPk: number;
  workspacePk: number;
  keyVersion: number;
  position: number;
  sourcePk: number | null;
}

export async function insertRecipients(
  tx: Connection,
  { campaignPk, workspacePk, keyVersion, position, sourcePk }: Place,
  rows: readonly NewRecipient[],
): Promise<void> {
  const column = <T>(read: (row: NewRecipient) => T) => rows.map(read);
  await tx.query(sql`
    INSERT INTO campaign_recipient (
      campaign_pk, workspace_pk, position, id, message_id, state, reason, phone_hash, sealed,
      key_version, country, variant, link_pk, link_id, parts, url_parts, source_pk
    )
    SELECT ${campaignPk}, ${workspacePk}, ${position} + given.at, given.id, given.message_id,
      given.state, given.reason, given.phone_hash, given.sealed,
      CASE WHEN given.sealed IS NULL THEN NULL ELSE ${keyVersion}::smallint END,
      given.country, given.variant, given.link_pk, given.link_id, given.parts, given.url_parts,
      ${sourcePk}::bigint
    FROM unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ messageId }) => messageId)}::text[],
      ${column(({ state }) => state)}::text[],
      ${column(({ reason }) => reason)}::text[],
      ${column(({ phoneHash }) => phoneHash)}::bytea[],
      ${column(({ sealed }) => sealed)}::bytea[],
      ${column(({ country }) => country)}::text[],
      ${column(({ variant }) => variant)}::smallint[],
      ${column(({ linkPk }) => linkPk)}::bigint[],
      ${column(({ linkId }) => linkId)}::uuid[],
      ${column(({ parts }) => parts)}::smallint[],
      ${column(({ urlParts }) => urlParts)}::smallint[]
    ) WITH ORDINALITY AS given (
      id, message_id, state, reason, phone_hash, sealed, country, variant, link_pk, link_id,
      parts, url_parts, at
    )`);
}

/** True if another call has committed a recipient with the same message or phone. */
export function isRecipientTaken(error: unknown): boolean {
  const constraint = error instanceof Error && "constraint" in error ? error.constraint : undefined;
  return constraint === "campaign_recipient_message" || constraint === "campaign_recipient_phone";
}

/** Deletes refused rows that are sent again, perhaps corrected. Returns how many. */
export async function deleteRefused(
  tx: Connection,
  campaignPk: number,
  messageIds: readonly string[],
): Promise<number> {
  // Answered by campaign_recipient_message.
  const rows = await tx.query(sql`
    DELETE FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND message_id = ANY(${messageIds}::text[])
      AND state = 'refused'
    RETURNING 1`);
  return rows.length;
}

export interface ReadyRow {
  id: string;
  message_id: string;
  key_version: number | null;
  sealed: Buffer | null;
  link_id: string;
}

export async function findMessages(
  campaignPk: number,
  messageIds: readonly string[],
): Promise<{ ready: ReadyRow[]; refused: string[] }> {
  // Answered by campaign_recipient_message.
  const rows = await query<ReadyRow & { state: "ready" | "refused" }>(sql`
    SELECT id, message_id, state, key_version, sealed, link_id
    FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND message_id = ANY(${messageIds}::text[])`);
  const refused = rows.filter(({ state }) => state === "refused");
  return {
    ready: rows.filter(({ state }) => state === "ready"),
    refused: refused.map(({ message_id: messageId }) => messageId),
  };
}

export async function findTakenPhones(
  workspacePk: number,
  campaignPk: number,
  hashes: readonly Buffer[],
): Promise<Set<string>> {
  // Answered by campaign_recipient_phone.
  const rows = await query<{ hash: Buffer }>(sql`
    SELECT phone_hash AS hash
    FROM campaign_recipient
    WHERE workspace_pk = ${workspacePk}
      AND campaign_pk = ${campaignPk}
      AND phone_hash = ANY(${hashes}::bytea[])`);
  return new Set(rows.map(({ hash }) => hash.toString("hex")));
}
