/**
 * From events to deliveries: each new event becomes one for every webhook that wants it.
 *
 * The webhooks of a workspace are locked first, so that one worker at a time routes its events, in their order. A
 * workspace with many events has its turn like any other.
 */
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type EventRow, matches } from "./bodies.ts";
import { type WebhookRow, webhookColumns } from "./store.ts";

/** Read at once: an event may have a hundred kilobytes. */
const eventsPerTurn = 100;
/** Waiting events of one webhook; later ones are dropped and counted. */
const waitingPerWebhookMax = 250_000;
const workspacesPerRound = 500;
const routeMaxMs = 5_000;

/** Routes the events of all workspaces, in turns. */
export async function routeEvents(waitingMax = waitingPerWebhookMax): Promise<void> {
  const until = Date.now() + routeMaxMs;
  for (let left = true; left && Date.now() < until; ) {
    left = false;
    for (const workspacePk of await listWaiting()) {
      if ((await transaction((tx) => routeSome(tx, workspacePk, waitingMax))) === eventsPerTurn)
        left = true;
    }
  }
}

/** Workspaces with new events. */
async function listWaiting(): Promise<number[]> {
  const rows = await query<{ pk: number }>(
    // Answered by webhook_event_new, one step per workspace.
    sql`
      WITH RECURSIVE waiting AS (
        (SELECT workspace_pk AS pk
        FROM webhook_event
        WHERE NOT routed
        ORDER BY workspace_pk
        LIMIT 1)
        UNION ALL
        SELECT (
          SELECT workspace_pk
          FROM webhook_event
          WHERE NOT routed
            AND workspace_pk > waiting.pk
          ORDER BY workspace_pk
          LIMIT 1
        )
        FROM waiting
        WHERE waiting.pk IS NOT NULL
      )
      SELECT pk
      FROM waiting
      WHERE pk IS NOT NULL
      LIMIT ${workspacesPerRound}`,
  );
  return rows.map(({ pk }) => pk);
}

/** Routes the next events of a workspace. Returns their number. */
async function routeSome(tx: Connection, workspacePk: number, waitingMax: number): Promise<number> {
  const webhooks = await lockWebhooks(tx, workspacePk);
  const events = await takeEvents(tx, workspacePk);
  const active = webhooks.filter(({ state }) => state !== "disabled");
  for (const webhook of active) {
    const wanted = events.filter((event) => matches(webhook, event));
    if (wanted.length === 0) continue;
    const isFull = webhook.waiting + wanted.length > waitingMax;
    // What is older than its period was deleted, also while it was waiting.
    const waiting = isFull ? await recount(tx, webhook.pk) : webhook.waiting;
    const kept = wanted.slice(0, Math.max(0, waitingMax - waiting));
    await addDeliveries(tx, webhook.pk, kept, wanted.length - kept.length);
  }
  return events.length;
}

async function lockWebhooks(tx: Connection, workspacePk: number): Promise<WebhookRow[]> {
  return await query<WebhookRow>(
    {
      // Answered by webhook_list.
      text: `
        SELECT ${webhookColumns}
        FROM webhook
        WHERE workspace_pk = $1
        ORDER BY pk
        FOR NO KEY UPDATE`,
      values: [workspacePk],
    },
    tx,
  );
}

/** Marks the next events as routed. Those of a workspace without webhooks are of nobody. */
async function takeEvents(tx: Connection, workspacePk: number): Promise<EventRow[]> {
  return await query<EventRow>(
    // Answered by webhook_event_new.
    sql`
      WITH taken AS (
        UPDATE webhook_event
        SET routed = true
        WHERE pk IN (
          SELECT pk
          FROM webhook_event
          WHERE NOT routed
            AND workspace_pk = ${workspacePk}
          ORDER BY pk
          LIMIT ${eventsPerTurn}
          FOR UPDATE SKIP LOCKED
        )
        RETURNING pk, id, type, link_id, data, at
      )
      SELECT *
      FROM taken
      ORDER BY pk`,
    tx,
  );
}

async function recount(tx: Connection, webhookPk: number): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    // Answered by webhook_delivery_due.
    sql`
      UPDATE webhook
      SET waiting = (
        SELECT count(*)
        FROM webhook_delivery
        WHERE webhook_pk = webhook.pk
          AND state = 'waiting'
      )
      WHERE pk = ${webhookPk}
      RETURNING waiting`,
    tx,
  );
  return row?.waiting ?? 0;
}

async function addDeliveries(
  tx: Connection,
  webhookPk: number,
  events: readonly EventRow[],
  dropped: number,
): Promise<void> {
  await query(
    sql`
      INSERT INTO webhook_delivery (webhook_pk, event_pk, link_id)
      SELECT ${webhookPk}, *
      FROM unnest(
        ${events.map(({ pk }) => pk)}::bigint[],
        ${events.map(({ link_id }) => link_id)}::text[]
      )
      ON CONFLICT DO NOTHING`,
    tx,
  );
  // A failing webhook keeps the moment of its next attempt.
  await query(
    // Answered by webhook_pkey.
    sql`
      UPDATE webhook
      SET waiting = waiting + ${events.length},
        dropped = dropped + ${dropped},
        due_at = CASE WHEN failures = 0 THEN now() ELSE coalesce(due_at, now()) END
      WHERE pk = ${webhookPk}`,
    tx,
  );
}
