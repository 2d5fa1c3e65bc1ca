/**
 * The outbox of the demo: messages that its gateway (gateways/demo.ts) took instead of sending them. Phones and texts are
 * sealed and erased like those of recipients. No other workspace can store anything here.
 */
import { newUuid } from "#lib/basics/ids";
import {
  type Person,
  sealPerson,
  seesPeople,
  shownPhone,
  unsealPerson,
} from "#lib/outreach/people";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import {
  holdVersion,
  openPeopleKeys,
  type SealedTable,
  withPeopleKeys,
} from "#lib/tenancy/people-keys";
import { type DemoMessage, messagesMax, shownMax } from "./schema.ts";

/** Answered by demo_message_list. */
export const sealedDemoMessages: SealedTable = { table: "demo_message", column: "sealed" };

export async function isDemoWorkspace(workspacePk: number): Promise<boolean> {
  return await query.any(sql`SELECT FROM workspace WHERE pk = ${workspacePk} AND demo`);
}

/** The ids of the stored messages; undefined if this is not the demo. */
export async function storeDemoMessages(
  workspacePk: number,
  messages: readonly { phone: string; text: string }[],
): Promise<string[] | undefined> {
  return await withPeopleKeys(workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      const rows = messages.map(({ phone, text }) => {
        const id = newUuid();
        return { id, hash: keys.hash(phone), sealed: sealPerson(keys, personOf(phone, text), id) };
      });
      // defence: demo-outbox-of-demo
      const stored = await tx.query<{ id: string }>(sql`
        INSERT INTO demo_message (id, workspace_pk, phone_hash, key_version, sealed)
        SELECT given.id, workspace.pk, given.hash, ${keys.version}, given.sealed
        FROM unnest(
          ${rows.map(({ id }) => id)}::uuid[],
          ${rows.map(({ hash }) => hash)}::bytea[],
          ${rows.map(({ sealed }) => sealed)}::bytea[]
        ) AS given (id, hash, sealed)
        JOIN workspace ON workspace.pk = ${workspacePk} AND workspace.demo
        RETURNING id`);
      await dropOldest(tx, workspacePk);
      return stored.length > 0 ? rows.map(({ id }) => id) : undefined;
    }),
  );
}

function personOf(phone: string, text: string): Person {
  return { phone, columns: { text } };
}

async function dropOldest(tx: Connection, workspacePk: number): Promise<void> {
  // Answered by demo_message_list.
  await tx.query(sql`
    DELETE FROM demo_message
    WHERE workspace_pk = ${workspacePk}
      AND pk <= (
        SELECT pk
        FROM demo_message
        WHERE workspace_pk = ${workspacePk}
        ORDER BY pk DESC
        OFFSET ${messagesMax}
        LIMIT 1
      )`);
}

/** The newest messages; undefined in workspaces without an outbox. */
export async function listDemoMessages(
  scope: WorkspaceScope,
): Promise<readonly DemoMessage[] | undefined> {
  assertMay(scope, "campaigns.read");
  const { workspacePk } = scope;
  if (!(await isDemoWorkspace(workspacePk))) return undefined;
  // Answered by demo_message_list.
  const rows = await query<{ id: string; version: number; sealed: Buffer; sent_at: Date }>(sql`
    SELECT id, key_version AS version, sealed, sent_at
    FROM demo_message
    WHERE workspace_pk = ${workspacePk}
    ORDER BY pk DESC
    LIMIT ${shownMax}`);
  const keys = await openPeopleKeys(workspacePk);
  return rows.map(({ id, sent_at: sentAt, ...sealed }) => {
    const { phone, columns } = unsealPerson(keys, sealed, id);
    return {
      id,
      phone: shownPhone(scope, phone),
      text: seesPeople(scope) ? (columns["text"] ?? "") : null,
      sentAt: sentAt.toISOString(),
    };
  });
}

/** In the transaction that erases the person. */
export async function eraseDemoMessages(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<void> {
  // Answered by demo_message_list; the outbox is short.
  await tx.query(sql`
    DELETE FROM demo_message WHERE workspace_pk = ${workspacePk} AND phone_hash = ${hash}`);
}
