/** Lists, repeats and tests the deliveries of a webhook. */

import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { type Connection, query, SqlValues, sql, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { WebhookEventType } from "#lib/tenancy/webhook-events/schema";
import { bodyOf, type EventRow } from "./bodies.ts";
import { messageOf } from "./chat-message.ts";
import { chatBody } from "./chats.ts";
import { sampleOf } from "./event-kinds.ts";
import { type Delivery, isChat, type ListDeliveries } from "./schema.ts";
import { getPlace, getRow, type WebhookRow } from "./store.ts";

interface DeliveryRow extends EventRow {
  state: string;
  attempts: number;
  created_at: Date;
  due_at: Date;
  attempted_at: Date | null;
  status: number | null;
  ms: number | null;
  response: string | null;
}

export async function listDeliveries(
  scope: WorkspaceScope,
  id: string,
  wanted: ListDeliveries,
): Promise<Delivery[]> {
  assertMay(scope, "webhooks.read");
  const webhook = await getRow(scope, id);
  const { state, type, startingAfter, pageSize } = wanted;
  const before = startingAfter ? await findEventPk(webhook, startingAfter) : undefined;
  if (startingAfter && before === undefined) {
    const message = "startingAfter: Use the id of an event from an earlier response.";
    throw new AppError("unprocessable_entity", message);
  }
  const values = new SqlValues();
  const conditions = [`delivery.webhook_pk = ${values.place(webhook.pk, "int")}`];
  if (state) conditions.push(`delivery.state = ${values.place(state, "text")}`);
  if (type) conditions.push(`event.type = ${values.place(type, "text")}`);
  if (before) conditions.push(`delivery.event_pk < ${values.place(before, "bigint")}`);
  return await presentAll(webhook, await readRows(values, conditions, pageSize));
}

export async function findDelivery(
  scope: WorkspaceScope,
  id: string,
  eventId: string,
): Promise<Delivery | undefined> {
  assertMay(scope, "webhooks.read");
  const webhook = await getRow(scope, id);
  const eventPk = await findEventPk(webhook, eventId);
  if (eventPk === undefined) return undefined;
  const values = new SqlValues();
  const conditions = [
    `delivery.webhook_pk = ${values.place(webhook.pk, "int")}`,
    `delivery.event_pk = ${values.place(eventPk, "bigint")}`,
  ];
  const [delivery] = await presentAll(webhook, await readRows(values, conditions, 1));
  return delivery;
}

async function readRows(
  values: SqlValues,
  conditions: readonly string[],
  max: number,
): Promise<DeliveryRow[]> {
  return await query<DeliveryRow>({
    // Answered by webhook_delivery_pkey, in its order.
    text: `
      SELECT event.pk, event.id, event.type, event.link_id, event.data, event.at,
        delivery.state, delivery.attempts, delivery.created_at, delivery.due_at,
        delivery.attempted_at, delivery.status, delivery.ms, delivery.response
      FROM webhook_delivery AS delivery
      JOIN webhook_event AS event ON event.pk = delivery.event_pk
      WHERE ${conditions.join(" AND ")}
      ORDER BY delivery.event_pk DESC
      LIMIT ${values.place(max, "int")}`,
    values: values.list,
  });
}

async function findEventPk(webhook: WebhookRow, eventId: string): Promise<number | undefined> {
  // Answered by webhook_event_id_key.
  const [row] = await query<{ pk: number }>(sql`
    SELECT pk
    FROM webhook_event
    WHERE id = ${eventId}
      AND workspace_pk = ${webhook.workspace_pk}`);
  return row?.pk;
}

async function presentAll(webhook: WebhookRow, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const { format } = webhook;
  if (!isChat(format)) return rows.map((row) => present(row, bodyOf(webhook, format, row)));
  const place = await getPlace(webhook);
  return rows.map((row) => {
    const message = messageOf(webhook, [row], place);
    return present(row, JSON.stringify(chatBody(format, message, webhook.language)));
  });
}

function present(row: DeliveryRow, request: string): Delivery {
  const { id, type, state, attempts, status } = row;
  const lastAttempt = row.attempted_at && {
    at: row.attempted_at.toISOString(),
    status,
    ms: row.ms ?? 0,
    response: row.response ?? "",
  };
  return {
    id,
    type,
    state,
    attempts,
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: state === "waiting" ? row.due_at.toISOString() : null,
    lastAttempt,
    request,
  };
}

/** Delivers an event again with the same id and body. Throws not_found. */
export async function resendDelivery(
  scope: WorkspaceScope,
  id: string,
  eventId: string,
): Promise<{ id: string }> {
  assertMay(scope, "webhooks.write");
  await transaction(async (tx) => {
    const webhook = await getRow(scope, id, tx);
    // Answered by webhook_event_id_key and webhook_delivery_pkey.
    const [found] = await tx.query<{ was: string }>(sql`
      WITH found AS (
        SELECT delivery.event_pk, delivery.state
        FROM webhook_event AS event
        JOIN webhook_delivery AS delivery ON delivery.event_pk = event.pk
        WHERE event.id = ${eventId}
          AND delivery.webhook_pk = ${webhook.pk}
        FOR UPDATE OF delivery
      )
      UPDATE webhook_delivery AS delivery
      SET state = 'waiting', due_at = now(), created_at = now()
      FROM found
      WHERE delivery.webhook_pk = ${webhook.pk}
        AND delivery.event_pk = found.event_pk
      RETURNING found.state AS was`);
    if (!found) throw new AppError("not_found", `Event "${eventId}" not found for this webhook.`);
    await wake(tx, webhook.pk, found.was === "waiting" ? 0 : 1);
  });
  return { id: eventId };
}

async function wake(tx: Connection, webhookPk: number, added: number): Promise<void> {
  // Answered by webhook_pkey.
  await tx.query(
    sql`UPDATE webhook SET waiting = waiting + ${added}, due_at = now() WHERE pk = ${webhookPk}`,
  );
}

/** Sends sample data to this webhook only and ignores its filters. Returns the id of the event. */
export async function sendTestEvent(
  scope: WorkspaceScope,
  id: string,
  type: WebhookEventType,
): Promise<{ id: string }> {
  assertMay(scope, "webhooks.write");
  const limit = await tryLimit("webhookTestPerWorkspace", String(scope.workspacePk));
  if (!limit.ok) {
    const message = "Too many test events. Try again in a moment.";
    throw new AppError("rate_limit_exceeded", message, limit);
  }
  const eventId = newId("evt");
  await transaction(async (tx) => {
    const webhook = await getRow(scope, id, tx);
    if (webhook.state !== "active") {
      const message = "Activate the webhook before you test it.";
      throw new AppError("conflict", message, { problem: "webhook_inactive" });
    }
    const data = JSON.stringify(sampleOf(scope, type, webhook));
    await tx.query(sql`
      WITH event AS (
        INSERT INTO webhook_event (id, workspace_pk, type, data)
        VALUES (${eventId}, ${scope.workspacePk}, ${type}, ${data}::jsonb)
        RETURNING pk
      )
      INSERT INTO webhook_delivery (webhook_pk, event_pk)
      SELECT ${webhook.pk}, pk
      FROM event`);
    await wake(tx, webhook.pk, 1);
  });
  return { id: eventId };
}
