/** What webhooks are told about links, written in the transaction that changes them. */
import { findByPks, presentFound } from "#lib/links/presenting";
import type { Connection } from "#lib/platform/postgres";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";

type LinkEventType = "link.created" | "link.updated" | "link.deleted";

/** Links as this transaction sees them: call it after a change, and before a deletion. */
export async function recordLinkEvents(
  tx: Connection,
  workspacePk: number,
  type: LinkEventType,
  pks: readonly number[],
): Promise<void> {
  const listener = pks.length > 0 ? await findListener(tx, workspacePk, type) : undefined;
  if (!listener) return;
  const links = await presentFound(listener, await findByPks(workspacePk, pks, tx), tx);
  await addEvents(
    tx,
    links.map((data) => ({ workspacePk, type, linkId: data.id, data })),
  );
}
