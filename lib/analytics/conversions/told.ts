/**
 * What webhooks are told about leads and sales. Events are stored until they are delivered, so they have the id of the
 * customer and nothing else that is encrypted.
 */
import { type OpenCustomer, presentWithoutFacts } from "#lib/analytics/customers";
import { presentClick } from "#lib/analytics/reports";
import { findByPks, presentFound } from "#lib/links/presenting";
import { config } from "#lib/platform/config";
import type { Connection } from "#lib/platform/postgres";
import { addEvents, listListening, type NewEvent } from "#lib/tenancy/webhook-events";
import type { EventRow } from "./store.ts";

interface ToldCustomer {
  row: OpenCustomer["row"];
  externalId: string;
}

export interface NewlyCounted {
  lead?: EventRow;
  sale?: EventRow;
}

/** Adds the events of a lead, a sale or both, in the transaction that records them. */
export async function tellWebhooks(
  tx: Connection,
  { workspacePk, workspaceId }: { workspacePk: number; workspaceId: string },
  { row, externalId }: ToldCustomer,
  { lead, sale }: NewlyCounted,
): Promise<void> {
  const listening = await listListening(tx, [workspacePk], ["lead.created", "sale.created"]);
  const types = listening.get(workspacePk)?.types;
  if (!types) return;
  const counted = [
    ...(lead && types.has("lead.created") ? [["lead.created", lead] as const] : []),
    ...(sale && types.has("sale.created") ? [["sale.created", sale] as const] : []),
  ];
  const customer = presentWithoutFacts(row, externalId);
  const events: NewEvent[] = [];
  for (const [type, event] of counted) {
    const [found] = await findByPks(workspacePk, [event.link_pk], tx);
    const [link] = found ? await presentFound({ workspaceId }, [found], tx) : [];
    if (!link) continue;
    const click = presentClick(await readClick(tx, event), link.url);
    const { event_name: eventName, verified } = event;
    const shared = { eventName, customer, click, link, metadata: null, verified };
    const data = type === "sale.created" ? { ...shared, sale: toldSale(event) } : shared;
    events.push({ workspacePk, type, linkId: link.id, data });
  }
  await addEvents(tx, events);
}

/** In the currency of the instance, and as it was reported. */
function toldSale(event: EventRow) {
  return {
    amount: event.amount,
    currency: config().FUXI_CURRENCY,
    paymentProcessor: event.processor ?? "custom",
    invoiceId: event.invoice_id,
    givenAmount: event.given_amount,
    givenCurrency: event.currency,
  };
}

type ClickFacts = Parameters<typeof presentClick>[0];

async function readClick(tx: Connection, { pk }: EventRow): Promise<ClickFacts> {
  const [row] = await tx.query<ClickFacts>({
    // Answered by conversion_pkey.
    text: `
      SELECT click_at AS at, click_id AS id, qr, continent, country, region, city, device, browser, os,
        referer, referer_url, url, NULL AS ua
      FROM analytics.conversion
      WHERE pk = $1`,
    values: [pk],
  });
  if (!row) throw new Error("An event that was just written is missing");
  return row;
}
