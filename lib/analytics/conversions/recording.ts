/** Records leads and sales: the reporter, the transaction, and the effects of both. */
import {
  addSale,
  type CustomerFacts,
  type FirstClick,
  type OpenCustomer,
  presentWithoutFacts,
  putCustomer,
  sealMetadata,
} from "#lib/analytics/customers";
import { presentClick } from "#lib/analytics/reports";
import { newUuid } from "#lib/basics/ids";
import { findByPks, presentFound } from "#lib/links/presenting";
import { config } from "#lib/platform/config";
import { type Connection, transaction } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys, withPeopleKeys } from "#lib/tenancy/people-keys";
import { addEvents, listListening, type NewEvent } from "#lib/tenancy/webhook-events";
import type { Clicks } from "./clicks.ts";
import { externalIdOf, type TrackLead } from "./schema.ts";
import { addToStat, type EventRow } from "./store.ts";

export interface Reporter extends Clicks {
  workspaceId: string;
  verified: boolean;
  /** If false, responses only repeat what the call says about a customer. */
  seesPeople: boolean;
}

export interface Recording {
  tx: Connection;
  keys: PeopleKeys;
  reporter: Reporter;
  now: Date;
}

/** The version of the keys stays valid until the commit. */
export async function record<T>(
  reporter: Reporter,
  work: (recording: Recording) => Promise<T>,
): Promise<T> {
  return await withPeopleKeys(reporter.workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      return await work({ tx, keys, reporter, now: new Date() });
    }),
  );
}

type Person = Pick<
  TrackLead,
  | "customerExternalId"
  | "externalId"
  | "customerId"
  | "customerName"
  | "customerEmail"
  | "customerAvatar"
>;

export async function lockCustomer(
  { tx, keys, reporter, now }: Recording,
  person: Person,
  click: FirstClick | undefined,
): Promise<LockedCustomer | undefined> {
  const given: CustomerFacts = {
    externalId: externalIdOf(person),
    name: person.customerName || null,
    email: person.customerEmail || null,
    avatar: person.customerAvatar || null,
  };
  // Anyone can use a public key, so it creates customers but changes none.
  // defence: public-key-changes-no-customer
  const writing = { keys, mayChange: reporter.verified, now };
  const customer = await putCustomer(tx, writing, given, click);
  return customer && { ...customer, shown: reporter.seesPeople ? customer.facts : given };
}

export function newEvent(
  { keys, reporter, now }: Recording,
  { row }: OpenCustomer,
  metadata: object | null,
) {
  const id = newUuid();
  return {
    id,
    at: now,
    workspacePk: reporter.workspacePk,
    customerPk: row.pk,
    verified: reporter.verified,
    version: metadata ? keys.version : null,
    metadata: metadata ? sealMetadata(keys, metadata, id) : null,
  };
}

export interface LockedCustomer extends OpenCustomer {
  shown: CustomerFacts;
}

interface Counting {
  lead?: EventRow;
  leads?: number;
  sale?: EventRow;
}

export async function count(
  { tx, reporter, now }: Recording,
  { row, facts }: OpenCustomer,
  { lead, leads = 0, sale }: Counting,
): Promise<void> {
  const { workspacePk } = reporter;
  const linkPk = (sale ?? lead)?.link_pk;
  if (linkPk === undefined) return;
  // defence: public-sales-apart
  const counted = sale?.verified === true ? sale : undefined;
  if (counted) await addSale(tx, row.pk, counted.amount, now);
  await addToStat(
    tx,
    { workspacePk, linkPk },
    {
      leads,
      conversions: counted && row.sales === 0 ? 1 : 0,
      sales: counted ? 1 : 0,
      saleAmount: counted?.amount ?? 0,
    },
  );
  const recorded = { ...(lead ? { lead } : {}), ...(sale ? { sale } : {}) };
  await addConversionEvents(tx, reporter, { row, externalId: facts.externalId }, recorded);
}

interface Recorded {
  lead?: EventRow;
  sale?: EventRow;
}

/** Runs in the transaction of the conversion. Stored events have the id of the customer, but no personal data. */
async function addConversionEvents(
  tx: Connection,
  { workspacePk, workspaceId }: { workspacePk: number; workspaceId: string },
  { row, externalId }: { row: OpenCustomer["row"]; externalId: string },
  { lead, sale }: Recorded,
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
    const data = type === "sale.created" ? { ...shared, sale: presentSaleOf(event) } : shared;
    events.push({ workspacePk, type, linkId: link.id, data });
  }
  await addEvents(tx, events);
}

function presentSaleOf(event: EventRow) {
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
