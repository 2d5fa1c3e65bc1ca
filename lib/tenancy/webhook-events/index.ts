/**
 * Events, added in the transaction of the change as one row; `outreach/webhooks` delivers them.
 * Without a webhook for a type, the data need not be built (`findListener`).
 */
import { newId } from "#lib/basics/ids";
import { slicesOf } from "#lib/platform/batches";
import { CoherentCache } from "#lib/platform/cache-sync";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WebhookEventType } from "./schema.ts";

export interface NewEvent {
  workspacePk: number;
  type: WebhookEventType;
  linkId?: string;
  data: object;
}

export interface Listener {
  workspaceId: string;
  types: ReadonlySet<string>;
}

/** Workspaces with a webhook for one of the types. Uses webhook_list and workspace_pkey. */
export async function listListening(
  tx: Connection,
  workspacePks: readonly number[],
  types: readonly WebhookEventType[],
): Promise<Map<number, Listener>> {
  const rows = await tx.query<{ pk: number; id: string; types: string[] }>(sql`
    SELECT workspace.pk, workspace.id, array_agg(DISTINCT type) AS types
    FROM webhook
    CROSS JOIN unnest(webhook.events) AS type
    JOIN workspace ON workspace.pk = webhook.workspace_pk
    WHERE webhook.workspace_pk = ANY(${workspacePks}::int[])
      AND webhook.state <> 'disabled'
      AND type = ANY(${types}::text[])
    GROUP BY workspace.pk`);
  return new Map(
    rows.map(({ pk, id, types: wanted }) => [pk, { workspaceId: id, types: new Set(wanted) }]),
  );
}

export async function findListener(
  tx: Connection,
  workspacePk: number,
  type: WebhookEventType,
): Promise<Listener | undefined> {
  return (await listListening(tx, [workspacePk], [type])).get(workspacePk);
}

/** A row is read at once, and an event may have a hundred kilobytes. */
export const eventsPerRowMax = 100;

export interface AddedEvent {
  id: string;
  type: string;
  linkId: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own shape
  data: any;
  at: string;
}

/** `outreach/webhooks` drops events that no webhook wants. */
export async function addEvents(tx: Connection, events: readonly NewEvent[]): Promise<void> {
  const workspacePks = [...new Set(events.map(({ workspacePk }) => workspacePk))];
  const rows = workspacePks.flatMap((workspacePk) => {
    const own = events.filter((event) => event.workspacePk === workspacePk);
    const parts = [...slicesOf(own, eventsPerRowMax)];
    return parts.map((part) => ({ workspacePk, part: part.map(added) }));
  });
  if (rows.length === 0) return;
  // As one value, because in an array every quote of a megabyte would be escaped.
  const given = JSON.stringify(
    rows.map(({ workspacePk, part }) => ({ workspace_pk: workspacePk, events: part })),
  );
  await tx.query(sql`
    INSERT INTO webhook_outbox (workspace_pk, events, size)
    SELECT workspace_pk, events, json_array_length(events)
    FROM json_to_recordset(${given}::json) AS new (workspace_pk int, events json)`);
}

function added({ type, linkId, data }: NewEvent): AddedEvent {
  return { id: newId("evt"), type, linkId: linkId ?? null, data, at: new Date().toISOString() };
}

export async function addEvent(tx: Connection, event: NewEvent): Promise<void> {
  if (await findListener(tx, event.workspacePk, event.type)) await addEvents(tx, [event]);
}

export async function findWebhookIds(
  workspacePk: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Uses webhook_id_key.
  const rows = await query<{ id: string }>(
    sql`SELECT id FROM webhook WHERE id = ANY(${ids}::text[]) AND workspace_pk = ${workspacePk}`,
  );
  return new Set(rows.map(({ id }) => id));
}

export function webhooksEntry(workspacePk: number): string {
  return `webhooks:${workspacePk}`;
}

// Every workspace has a value, because missing values would be queried too often.
const listeners = new CoherentCache<boolean>({
  entriesMax: () => 10_000,
  ageMaxMs: 60_000,
  load: loadListeners,
});

async function loadListeners(entries: string[]) {
  const pks = entries.map((entry) => Number(entry.split(":")[1]));
  // Uses webhook_list.
  const rows = await query<{ pk: number; revision: number; listens: boolean }>(sql`
    SELECT wanted.pk, 0 AS revision, EXISTS (
      SELECT
      FROM webhook
      WHERE webhook.workspace_pk = wanted.pk
        AND webhook.state <> 'disabled'
        AND 'link.created' = ANY(webhook.events)
    ) AS listens
    FROM unnest(${pks}::int[]) AS wanted (pk)`);
  return new Map(
    rows.map(({ pk, revision, listens: value }) => [webhooksEntry(pk), { revision, value }]),
  );
}

/** In memory, because every create asks. A webhook may miss the links of its first second. */
export async function listensToNewLinks(workspacePk: number): Promise<boolean> {
  return (await listeners.find(webhooksEntry(workspacePk))) ?? false;
}
