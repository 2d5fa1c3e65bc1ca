import type { FirstClick, OpenCustomer } from "#lib/analytics/customers";
import { convertAmount } from "#lib/basics/formats/schema";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { getClick } from "./clicks.ts";
import { addLead, assertLink, findFirstClick } from "./leads.ts";
import {
  count,
  type LockedCustomer,
  lockCustomer,
  newEvent,
  type Recording,
  type Reporter,
  record,
} from "./recording.ts";
import type { TrackedSale, TrackSale } from "./schema.ts";
import { deleteUnverified, type EventRow, findInvoice, findLead, insertSale } from "./store.ts";

/** A sale of a customer without a lead creates one with this name. */
const directLead = "Sign up";

export async function recordSale(reporter: Reporter, body: TrackSale): Promise<TrackedSale> {
  const amount = amountOf(body);
  const named = body.clickId ? await getClick(reporter, body.clickId) : undefined;
  const nothing = { eventName: body.eventName, customer: null, sale: null };
  return await record(reporter, async (recording) => {
    const customer = await lockCustomer(recording, body, named);
    if (!customer) return nothing;
    const known = await findKnown(recording, customer, body);
    const sale = known ?? (await addSaleOf(recording, customer, body, { amount, named }));
    return sale ? presentSale(customer, sale, body) : nothing;
  });
}

interface SaleFacts {
  amount: number;
  named: FirstClick | undefined;
}

async function addSaleOf(
  recording: Recording,
  customer: LockedCustomer,
  body: TrackSale,
  { amount, named }: SaleFacts,
): Promise<EventRow | undefined> {
  const { tx, reporter } = recording;
  const followed = await leadOf(recording, customer, body, named);
  if (!followed) return undefined;
  const { leadPk, lead } = followed;
  if (body.invoiceId) await deleteUnverified(tx, reporter.workspacePk, body.invoiceId);
  const origin = { from: "lead", pk: leadPk } as const;
  const sale = await insertSale(tx, origin, {
    ...newEvent(recording, customer, body.metadata ?? null),
    eventName: body.eventName,
    isFirst: reporter.verified && customer.row.sales === 0,
    amount,
    givenAmount: body.amount,
    currency: body.currency,
    processor: body.paymentProcessor,
    invoiceId: body.invoiceId ?? null,
  });
  if (!sale) throw takenInvoice();
  await count(recording, customer, { ...(lead ? { lead, leads: 1 } : {}), sale });
  return sale;
}

function amountOf({ amount, currency }: TrackSale): number {
  const { FUXI_CURRENCY: base, FUXI_CURRENCY_RATES: rates } = config();
  const converted = convertAmount(amount, currency, { base, rates });
  if (converted !== undefined) return converted;
  const usable = [base, ...Object.keys(rates)].join(", ");
  const message = `currency: This instance has no rate for ${currency}. Use one of ${usable}, or contact your administrator.`;
  throw new AppError("unprocessable_entity", message);
}

async function findKnown(
  { tx, reporter }: Recording,
  { row }: OpenCustomer,
  { invoiceId }: TrackSale,
): Promise<EventRow | undefined> {
  if (!invoiceId) return undefined;
  const known = await findInvoice(tx, reporter.workspacePk, invoiceId);
  if (!known || (reporter.verified && !known.verified)) return undefined;
  if (known.customer_pk !== row.pk) throw takenInvoice();
  return known;
}

function takenInvoice(): AppError {
  const message = "invoiceId: This invoice has a sale of another customer. Use another id.";
  return new AppError("conflict", message);
}

/** The lead that a sale follows. Without one, the named or first click becomes a lead. */
async function leadOf(
  recording: Recording,
  customer: OpenCustomer,
  { leadEventName }: TrackSale,
  named: FirstClick | undefined,
): Promise<{ leadPk: number; lead?: EventRow } | undefined> {
  const leadPk = await findLead(recording.tx, customer.row.pk, leadEventName || null);
  if (leadPk !== undefined) return { leadPk };
  if (leadEventName && !named) {
    const message = `leadEventName: This customer has no lead named “${leadEventName}”.`;
    throw new AppError("not_found", message);
  }
  const click = named ?? (await findFirstClick(recording, customer));
  if (!click) return undefined;
  await assertLink(recording, click.linkPk);
  const eventName = leadEventName || directLead;
  const { row } = await addLead(recording, customer, click, {
    eventName,
    quantity: 1,
    metadata: null,
  });
  return { leadPk: row.pk, lead: row };
}

function presentSale(
  { row, shown }: LockedCustomer,
  sale: EventRow,
  { metadata }: TrackSale,
): TrackedSale {
  return {
    eventName: sale.event_name,
    customer: { id: row.id, ...shown },
    sale: {
      amount: sale.given_amount,
      currency: sale.currency ?? config().FUXI_CURRENCY,
      paymentProcessor: sale.processor ?? "custom",
      invoiceId: sale.invoice_id,
      metadata: metadata ?? null,
    },
  };
}
