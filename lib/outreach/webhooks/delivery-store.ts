import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import type { EventRow } from "./bodies.ts";
import { type WebhookRow, webhookColumns } from "./store.ts";

/** Longer than a batch takes, which is a few call timeouts. */
const leaseSeconds = 60;
/** Webhooks of one workspace that all workers together call at the same time. */
const calledPerWorkspaceMax = 8;

export interface Claim {
  webhook: WebhookRow;
  lease: string;
}

/** Leases the webhook that has waited longest. */
export async function claimDue(lease: string): Promise<Claim | undefined> {
  const [webhook] = await query<WebhookRow>({
    // Answered by webhook_due and webhook_leased. Counted once for all, because a thousand may be
    // due in a workspace.
    text: `
      WITH called AS MATERIALIZED (
        SELECT workspace_pk
        FROM webhook
        WHERE lease_until > now()
        GROUP BY workspace_pk
        HAVING count(*) >= $3
      )
      UPDATE webhook
      SET lease = $1, lease_until = now() + $2 * interval '1 second'
      WHERE pk = (
        SELECT due.pk
        FROM webhook AS due
        JOIN workspace ON workspace.pk = due.workspace_pk
        WHERE due.state = 'active'
          AND due.due_at <= now()
          AND (due.lease_until IS NULL OR due.lease_until < now())
          AND workspace.deleted_at IS NULL
          AND workspace.banned_at IS NULL
          AND due.workspace_pk NOT IN (SELECT workspace_pk FROM called)
        ORDER BY due.due_at
        LIMIT 1
        FOR UPDATE OF due SKIP LOCKED
      )
      RETURNING ${webhookColumns}`,
    values: [lease, leaseSeconds, calledPerWorkspaceMax],
  });
  return webhook && { webhook, lease };
}

export interface DueDelivery extends EventRow {
  attempts: number;
  created_at: Date;
}

/**
 * An ordered webhook gets only the first waiting event of each link. Answered by
 * webhook_delivery_link.
 */
// defence: webhook-order
const isNext = `
  (NOT webhook.ordered OR delivery.link_id IS NULL OR NOT EXISTS (
    SELECT
    FROM webhook_delivery AS earlier
    WHERE earlier.webhook_pk = delivery.webhook_pk
      AND earlier.link_id = delivery.link_id
      AND earlier.state = 'waiting'
      AND earlier.event_pk < delivery.event_pk
  ))`;

export async function listDue({ pk }: WebhookRow, max: number): Promise<DueDelivery[]> {
  return await query<DueDelivery>({
    // Answered by webhook_delivery_due and webhook_event_pkey.
    text: `
      SELECT event.pk, event.id, event.type, event.link_id, event.data, event.at,
        delivery.attempts, delivery.created_at
      FROM webhook_delivery AS delivery
      JOIN webhook ON webhook.pk = delivery.webhook_pk
      JOIN webhook_event AS event ON event.pk = delivery.event_pk
      WHERE delivery.webhook_pk = $1
        AND delivery.state = 'waiting'
        AND delivery.due_at <= now()
        AND ${isNext}
      ORDER BY delivery.due_at, delivery.event_pk
      LIMIT $2`,
    values: [pk, max],
  });
}

export interface Attempt {
  eventPk: number;
  state: "waiting" | "delivered" | "failed";
  dueAt: Date | null;
  status: number | null;
  ms: number;
  response: string;
}

export interface WebhookResult {
  failures: number;
  isFailing: boolean;
  /** The earliest next attempt; null: whenever a delivery is due. */
  notBefore: Date | null;
  disabled: "failing" | "gone" | null;
}

/** Writes attempts and the state of their webhook. False if the lease was lost. */
export async function settle(
  tx: Connection,
  { webhook, lease }: Claim,
  attempts: readonly Attempt[],
  result: WebhookResult,
): Promise<boolean> {
  // Answered by webhook_pkey.
  const [held] = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM webhook WHERE pk = ${webhook.pk} AND lease = ${lease} FOR UPDATE`,
  );
  if (!held) return false;
  // Answered by webhook_delivery_pkey.
  const settled = await tx.query<{ state: string }>(sql`
    UPDATE webhook_delivery AS delivery
    SET state = done.state,
      attempts = delivery.attempts + 1,
      due_at = coalesce(done.due_at, delivery.due_at),
      attempted_at = now(),
      status = done.status,
      ms = done.ms,
      response = done.response
    FROM unnest(
      ${attempts.map((one) => one.eventPk)}::bigint[],
      ${attempts.map((one) => one.state)}::text[],
      ${attempts.map((one) => one.dueAt)}::timestamptz[],
      ${attempts.map((one) => one.status)}::smallint[],
      ${attempts.map((one) => one.ms)}::int[],
      ${attempts.map((one) => one.response)}::text[]
    ) AS done (event_pk, state, due_at, status, ms, response)
    WHERE delivery.webhook_pk = ${webhook.pk}
      AND delivery.event_pk = done.event_pk
      AND delivery.state = 'waiting'
    RETURNING delivery.state`);
  const ended = settled.filter(({ state }) => state !== "waiting").length;
  await tx.query(sql`
    UPDATE webhook
    SET waiting = greatest(0, waiting - ${ended}),
      failures = ${result.failures},
      failing_since = CASE WHEN ${result.isFailing}::boolean THEN coalesce(failing_since, now()) END,
      state = CASE WHEN ${result.disabled}::text IS NULL THEN state ELSE 'disabled' END,
      disabled_reason = coalesce(${result.disabled}::text, disabled_reason),
      lease_until = now() + ${leaseSeconds} * interval '1 second'
    WHERE pk = ${webhook.pk}`);
  return true;
}

/** Ends the turn. The next one is when a delivery is due, but not before `notBefore`. */
export async function release({ webhook, lease }: Claim, notBefore: Date | null): Promise<void> {
  await transaction(async (tx) => {
    // Locked in a separate statement, so that the next one sees what was routed until then.
    const held = await tx.query(
      sql`SELECT pk FROM webhook WHERE pk = ${webhook.pk} AND lease = ${lease} FOR UPDATE`,
    );
    if (held.length === 0) return;
    await tx.query({
      // Answered by webhook_delivery_due, in its order.
      text: `
        UPDATE webhook
        SET lease = NULL,
          lease_until = NULL,
          due_at = greatest(
            (
              SELECT delivery.due_at
              FROM webhook_delivery AS delivery
              WHERE delivery.webhook_pk = webhook.pk
                AND delivery.state = 'waiting'
                AND ${isNext}
              ORDER BY delivery.due_at, delivery.event_pk
              LIMIT 1
            ),
            $2::timestamptz
          )
        WHERE webhook.pk = $1`,
      values: [webhook.pk, notBefore],
    });
  });
}
