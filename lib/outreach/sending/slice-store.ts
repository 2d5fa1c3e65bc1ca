import { type LinkedRow, withLinkNames } from "#lib/outreach/recipient-links";
import { type Connection, query, sql } from "#lib/platform/postgres";

/** The first question waits, because the message may be on its way through the gateway. */
const firstQuestionSeconds = 120;
export const pausesSeconds: readonly number[] = [300, 1_800, 7_200, 43_200];

export interface DueRow {
  position: number;
  attempts: number;
  id: string;
  phone_hash: Buffer | null;
  key_version: number | null;
  sealed: Buffer | null;
  country: string | null;
  variant: number | null;
  slug: string | null;
  key: string | null;
}

export async function lockDue(
  tx: Connection,
  campaignPk: number,
  limit: number,
): Promise<DueRow[]> {
  // Answered by campaign_send_later and campaign_send_due, then campaign_recipient_pkey. OFFSET 0
  // makes PostgreSQL look up each recipient: a join would read all of a million messages for each
  // slice. Messages to send again come first: they would wait for all others otherwise.
  const rows = await tx.query<Omit<DueRow, "slug" | "key"> & LinkedRow>(sql`
    WITH again AS MATERIALIZED (
      SELECT campaign_pk, position, attempts, due_at, 0 AS turn
      FROM campaign_send
      WHERE campaign_pk = ${campaignPk}
        AND state = 'later'
        AND due_at <= now()
      ORDER BY due_at, position
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), first AS MATERIALIZED (
      SELECT campaign_pk, position, attempts, due_at, 1 AS turn
      FROM campaign_send
      WHERE campaign_pk = ${campaignPk}
        AND state = 'due'
        AND due_at <= now()
      ORDER BY due_at, position
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT * FROM again
      UNION ALL
      SELECT * FROM first
    )
    SELECT due.position, due.attempts, recipient.*
    FROM due
    CROSS JOIN LATERAL (
      SELECT recipient.id, recipient.phone_hash, recipient.key_version, recipient.sealed,
        recipient.country, recipient.variant, recipient.link_pk, recipient.link_id
      FROM campaign_recipient AS recipient
      WHERE recipient.campaign_pk = due.campaign_pk
        AND recipient.position = due.position
      OFFSET 0
    ) AS recipient
    ORDER BY due.turn, due.due_at, due.position`);
  return await withLinkNames(rows, tx);
}

/** Committed before the gateway is called, so that the gateway can be asked about them later. */
export async function recordAttempts(
  tx: Connection,
  campaignPk: number,
  gatewayPk: number,
  positions: readonly number[],
): Promise<void> {
  // Answered by campaign_send_pkey.
  // defence: attempt-before-gateway
  await tx.query(sql`
    UPDATE campaign_send
    SET state = 'attempting',
      attempts = attempts + 1,
      attempted_at = now(),
      settled_at = NULL,
      code = NULL,
      remote_hash = NULL,
      gateway_pk = ${gatewayPk},
      asked = 0,
      ask_at = now() + ${firstQuestionSeconds} * interval '1 second'
    WHERE campaign_pk = ${campaignPk}
      AND position = ANY(${positions}::int[])`);
}

export interface Refused {
  position: number;
  code: string;
}

export async function refuseRows(
  tx: Connection,
  campaignPk: number,
  rows: readonly Refused[],
): Promise<void> {
  // Answered by campaign_send_pkey.
  await tx.query(sql`
    UPDATE campaign_send
    SET state = 'refused', code = given.code, settled_at = now()
    FROM unnest(
      ${rows.map(({ position }) => position)}::int[],
      ${rows.map(({ code }) => code)}::text[]
    ) AS given (position, code)
    WHERE campaign_send.campaign_pk = ${campaignPk}
      AND campaign_send.position = given.position`);
}

export interface Postponed {
  position: number;
  at: Date;
}

export async function postponeRows(
  tx: Connection,
  campaignPk: number,
  rows: readonly Postponed[],
): Promise<void> {
  // Answered by campaign_send_pkey.
  await tx.query(sql`
    UPDATE campaign_send
    SET due_at = given.at
    FROM unnest(
      ${rows.map(({ position }) => position)}::int[],
      ${rows.map(({ at }) => at)}::timestamptz[]
    ) AS given (position, at)
    WHERE campaign_send.campaign_pk = ${campaignPk}
      AND campaign_send.position = given.position`);
}

export interface Outcome {
  position: number;
  attempts: number;
  state: "due" | "later" | "accepted" | "refused" | "unknown";
  code: string | null;
  remoteHash: Buffer | null;
  dueAt: Date | null;
}

/** A receipt or another worker may have settled a message meanwhile. */
export async function writeOutcomes(
  campaignPk: number,
  outcomes: readonly Outcome[],
): Promise<void> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  // Answered by campaign_send_pkey.
  await query(sql`
    UPDATE campaign_send AS send
    SET state = CASE
        WHEN send.state IN ('attempting', 'unknown') THEN given.state
        ELSE send.state
      END,
      code = CASE
        WHEN send.state IN ('attempting', 'unknown') THEN given.code
        ELSE send.code
      END,
      remote_hash = coalesce(send.remote_hash, given.remote_hash),
      due_at = coalesce(given.due_at, send.due_at),
      settled_at = now()
    FROM unnest(
      ${column(({ position }) => position)}::int[],
      ${column(({ attempts }) => attempts)}::int[],
      ${column(({ state }) => state)}::text[],
      ${column(({ code }) => code)}::text[],
      ${column(({ remoteHash }) => remoteHash)}::bytea[],
      ${column(({ dueAt }) => dueAt)}::timestamptz[]
    ) AS given (position, attempts, state, code, remote_hash, due_at)
    WHERE send.campaign_pk = ${campaignPk}
      AND send.position = given.position
      AND send.attempts = given.attempts
      AND send.state IN ('attempting', 'unknown', 'delivered', 'failed')`);
}

/** The next time at which a message is due; null if all have been sent. */
export async function findNextDue(tx: Connection, campaignPk: number): Promise<Date | null> {
  // Answered by campaign_send_due.
  const [row] = await tx.query<{ at: Date | null }>(sql`
    SELECT min(due_at) AS at
    FROM campaign_send
    WHERE campaign_pk = ${campaignPk}
      AND state IN ('due', 'later')`);
  return row?.at ?? null;
}
