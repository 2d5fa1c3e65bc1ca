/**
 * Turns new events of the outbox into a delivery for each webhook that wants them, and deletes the
 * others. One worker at a time routes the events of a workspace, in their order; other workers skip
 * it. Workspaces take turns, so that one with many events or webhooks does not delay the others.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { slicesOf } from "#lib/platform/batches";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type AddedEvent, eventsPerRowMax } from "#lib/tenancy/webhook-events";
import { matches } from "./bodies.ts";
import { type WebhookRow, webhookColumns } from "./store.ts";

/** Later events of the webhook are dropped and counted. */
const waitingPerWebhookMax = 250_000;
const workspacesPerRound = 500;
const routeMaxMs = 5_000;
const deliveriesPerInsert = 10_000;

export async function routeEvents(waitingMax = waitingPerWebhookMax): Promise<void> {
  const until = Date.now() + routeMaxMs;
  for (let left = true; left && Date.now() < until; ) {
    left = false;
    for (const workspacePk of await listWaiting()) {
      const from = performance.now();
      if ((await transaction((tx) => routeSome(tx, workspacePk, waitingMax))) < eventsPerRowMax)
        continue;
      left = true;
      // Many events wait. Pause, because visits share the database.
      await sleep(performance.now() - from);
    }
  }
}

async function listWaiting(): Promise<number[]> {
  // Answered by webhook_outbox_workspace, one step per workspace.
  const rows = await query<{ pk: number }>(sql`
    WITH RECURSIVE waiting AS (
      (SELECT workspace_pk AS pk
      FROM webhook_outbox
      ORDER BY workspace_pk
      LIMIT 1)
      UNION ALL
      SELECT (
        SELECT workspace_pk
        FROM webhook_outbox
        WHERE workspace_pk > waiting.pk
        ORDER BY workspace_pk
        LIMIT 1
      )
      FROM waiting
      WHERE waiting.pk IS NOT NULL
    )
    SELECT pk
    FROM waiting
    WHERE pk IS NOT NULL
    LIMIT ${workspacesPerRound}`);
  return rows.map(({ pk }) => pk);
}

async function routeSome(tx: Connection, workspacePk: number, waitingMax: number): Promise<number> {
  // Another worker routes its events. Waiting would delay other workspaces.
  if (!(await tryTurn(tx, workspacePk))) return 0;
  const webhooks = await lockWebhooks(tx, workspacePk);
  const events = await takeEvents(tx, workspacePk);
  const shares: Share[] = [];
  for (const webhook of webhooks.filter(({ state }) => state !== "disabled")) {
    const wanted = events.filter((event) => matches(webhook, event));
    if (wanted.length === 0) continue;
    const isFull = webhook.waiting + wanted.length > waitingMax;
    // Some counted events may have expired, so count again.
    const waiting = isFull ? await recount(tx, webhook.pk) : webhook.waiting;
    const kept = wanted.slice(0, Math.max(0, waitingMax - waiting));
    shares.push({ webhookPk: webhook.pk, kept, dropped: wanted.length - kept.length });
  }
  const kept = new Set(shares.flatMap((share) => share.kept));
  const rows = await insertEvents(
    tx,
    workspacePk,
    events.filter((event) => kept.has(event)),
  );
  await addDeliveries(tx, shares, rows);
  await countShares(tx, shares);
  return events.length;
}

/** Takes an advisory lock, because row locks on webhooks cannot be tried without waiting. */
async function tryTurn(tx: Connection, workspacePk: number): Promise<boolean> {
  const [row] = await tx.query<{ mine: boolean }>(sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`webhooks.route:${workspacePk}`}, 0)) AS mine`);
  return row?.mine ?? false;
}

interface Share {
  webhookPk: number;
  kept: AddedEvent[];
  dropped: number;
}

async function lockWebhooks(tx: Connection, workspacePk: number): Promise<WebhookRow[]> {
  return await tx.query<WebhookRow>({
    // Answered by webhook_list.
    text: `
      SELECT ${webhookColumns}
      FROM webhook
      WHERE workspace_pk = $1
      ORDER BY pk
      FOR NO KEY UPDATE`,
    values: [workspacePk],
  });
}

/** Takes rows from the outbox, up to about as many events as one row can have. */
async function takeEvents(tx: Connection, workspacePk: number): Promise<AddedEvent[]> {
  // Answered by webhook_outbox_workspace and webhook_outbox_pkey.
  const rows = await tx.query<{ events: AddedEvent[] }>(sql`
    WITH taken AS (
      DELETE FROM webhook_outbox
      WHERE pk IN (
        SELECT pk
        FROM (
          SELECT pk, sum(size) OVER (ORDER BY pk) - size AS before
          FROM webhook_outbox
          WHERE workspace_pk = ${workspacePk}
          ORDER BY pk
          LIMIT ${eventsPerRowMax}
        ) AS next
        WHERE before < ${eventsPerRowMax}
      )
      RETURNING pk, events
    )
    SELECT events
    FROM taken
    ORDER BY pk`);
  return rows.flatMap(({ events }) => events);
}

async function insertEvents(
  tx: Connection,
  workspacePk: number,
  events: readonly AddedEvent[],
): Promise<ReadonlyMap<string, number>> {
  if (events.length === 0) return new Map();
  const rows = await tx.query<{ pk: number; id: string }>(sql`
    INSERT INTO webhook_event (id, workspace_pk, type, link_id, data, at)
    SELECT id, ${workspacePk}, type, "linkId", data, at
    FROM json_to_recordset(${JSON.stringify(events)}::json)
      AS new (id text, type text, "linkId" text, data jsonb, at timestamptz)
    RETURNING pk, id`);
  return new Map(rows.map(({ pk, id }) => [id, pk]));
}

async function recount(tx: Connection, webhookPk: number): Promise<number> {
  // Answered by webhook_delivery_due.
  const [row] = await tx.query<{ waiting: number }>(sql`
    UPDATE webhook
    SET waiting = (
      SELECT count(*)
      FROM webhook_delivery
      WHERE webhook_pk = webhook.pk
        AND state = 'waiting'
    )
    WHERE pk = ${webhookPk}
    RETURNING waiting`);
  return row?.waiting ?? 0;
}

async function addDeliveries(
  tx: Connection,
  shares: readonly Share[],
  pks: ReadonlyMap<string, number>,
): Promise<void> {
  const deliveries = shares.flatMap(({ webhookPk, kept }) =>
    kept.map(({ id, linkId }) => ({ webhookPk, eventPk: pks.get(id), linkId })),
  );
  for (const part of slicesOf(deliveries, deliveriesPerInsert)) {
    await tx.query(sql`
      INSERT INTO webhook_delivery (webhook_pk, event_pk, link_id)
      SELECT *
      FROM unnest(
        ${part.map(({ webhookPk }) => webhookPk)}::int[],
        ${part.map(({ eventPk }) => eventPk)}::bigint[],
        ${part.map(({ linkId }) => linkId)}::text[]
      )
      ON CONFLICT DO NOTHING`);
  }
}

/** A failing webhook keeps the time of its next attempt. */
async function countShares(tx: Connection, shares: readonly Share[]): Promise<void> {
  if (shares.length === 0) return;
  // Answered by webhook_pkey.
  await tx.query(sql`
    UPDATE webhook
    SET waiting = waiting + share.kept,
      dropped = webhook.dropped + share.dropped,
      due_at = CASE WHEN failures = 0 THEN now() ELSE coalesce(due_at, now()) END
    FROM unnest(
      ${shares.map(({ webhookPk }) => webhookPk)}::int[],
      ${shares.map(({ kept }) => kept.length)}::int[],
      ${shares.map(({ dropped }) => dropped)}::int[]
    ) AS share (pk, kept, dropped)
    WHERE webhook.pk = share.pk`);
}
