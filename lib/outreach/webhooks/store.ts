import { parseId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import type { Locale } from "#lib/platform/messages/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { WebhookFilter } from "./bodies.ts";
import type { WebhookFormat } from "./schema.ts";

export interface WebhookRow extends WebhookFilter {
  pk: number;
  workspace_pk: number;
  user_pk: number | null;
  name: string;
  url: string;
  format: WebhookFormat;
  people: boolean;
  ordered: boolean;
  language: Locale;
  sealed: Buffer;
  previous_until: Date | null;
  state: string;
  disabled_reason: string | null;
  failing_since: Date | null;
  failures: number;
  waiting: number;
  dropped: number;
  created_at: Date;
}

const fieldNames = [
  "name",
  "url",
  "format",
  "events",
  "domains",
  "folder_ids",
  "tag_ids",
  "chosen_links",
  "people",
  "ordered",
  "language",
  "sealed",
  "previous_until",
  "state",
] as const satisfies (keyof WebhookRow)[];
export type WebhookFields = Pick<WebhookRow, (typeof fieldNames)[number]>;

export const webhookColumns = [
  ...["pk", "id", "workspace_pk", "user_pk", ...fieldNames, "disabled_reason", "failing_since"],
  ...["failures", "waiting", "dropped", "created_at"],
]
  .map((column) => `webhook.${column}`)
  .join(", ");

export async function insertWebhook(
  tx: Connection,
  owner: { id: string; workspacePk: number; userPk: number | null },
  fields: WebhookFields,
): Promise<WebhookRow | undefined> {
  const places = fieldNames.map((_, at) => `$${at + 4}`);
  return await tx.one<WebhookRow>({
    text: `
      INSERT INTO webhook (id, workspace_pk, user_pk, ${fieldNames.join(", ")})
      VALUES ($1, $2, $3, ${places.join(", ")})
      RETURNING ${webhookColumns}`,
    values: [owner.id, owner.workspacePk, owner.userPk, ...fieldNames.map((one) => fields[one])],
  });
}

/** Resuming clears the failures and delivers what is waiting. */
export async function updateWebhook(
  tx: Connection,
  pk: number,
  fields: WebhookFields,
  isResumed: boolean,
): Promise<WebhookRow | undefined> {
  const assignments = fieldNames.map((field, at) => `${field} = $${at + 2}`);
  if (isResumed) {
    const cleared = ["failing_since = NULL", "disabled_reason = NULL"];
    assignments.push(...cleared, "failures = 0", "due_at = now()");
  }
  return await tx.one<WebhookRow>({
    // Answered by webhook_pkey.
    text: `
      UPDATE webhook
      SET ${assignments.join(", ")}
      WHERE pk = $1
      RETURNING ${webhookColumns}`,
    values: [pk, ...fieldNames.map((one) => fields[one])],
  });
}

export async function listRows(workspacePk: number): Promise<WebhookRow[]> {
  return await query<WebhookRow>({
    // Answered by webhook_list.
    text: `
      SELECT ${webhookColumns}
      FROM webhook
      WHERE workspace_pk = $1
      ORDER BY pk DESC`,
    values: [workspacePk],
  });
}

/** In a transaction, locks the row. */
async function findWebhook(
  workspacePk: number,
  id: string,
  tx?: Connection,
): Promise<WebhookRow | undefined> {
  return await query.on(tx).one<WebhookRow>({
    // Answered by webhook_id_key.
    // defence: webhook-of-workspace
    text: `
      SELECT ${webhookColumns}
      FROM webhook
      WHERE id = $1
        AND workspace_pk = $2
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk],
  });
}

/** In a transaction, locks the row. Throws not_found. */
export async function getRow(
  { workspacePk }: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<WebhookRow> {
  const row = parseId("wh", id) === undefined ? undefined : await findWebhook(workspacePk, id, tx);
  if (row) return row;
  throw new AppError("not_found", `Webhook "${id}" not found in this workspace.`);
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by webhook_list.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*)::int AS count
    FROM webhook
    WHERE workspace_pk = ${workspacePk}`);
  return row?.count ?? 0;
}

export async function deleteRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM webhook WHERE pk = ${pk}`);
}

export interface Place {
  name: string;
  slug: string;
}

export async function getPlace({ workspace_pk: pk }: WebhookRow): Promise<Place> {
  // Answered by workspace_pkey.
  const [row] = await query<Place>(sql`SELECT name, slug FROM workspace WHERE pk = ${pk}`);
  if (!row) throw new Error("A webhook has no workspace");
  return row;
}
