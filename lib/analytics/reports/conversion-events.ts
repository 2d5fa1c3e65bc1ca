/** Individual leads and sales, newest first by default, with their clicks, customers and links. */
import { findPresented, openMetadata } from "#lib/analytics/customers";
import type { Customer } from "#lib/analytics/customers/schema";
import type { Link } from "#lib/links/fields/schema";
import { presentLinks } from "#lib/links/reading";
import { config } from "#lib/platform/config";
import { query, SqlValues } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { ResolvedQuery } from "./ask.ts";
import { allOf, inRanges } from "./branches.ts";
import { type Converted, eventFilter } from "./conversions.ts";
import {
  type ClickPosition,
  type EventRow,
  type EventsPage,
  eventColumns,
  idOf,
  presentClick,
} from "./events.ts";
import { pageOfExisting } from "./existing-links.ts";
import type { PresentedConversion } from "./schema.ts";

export interface ConversionRow extends EventRow {
  sale: boolean;
  event_name: string;
  verified: boolean;
  quantity: number;
  amount: number;
  given_amount: number;
  currency: string | null;
  processor: string | null;
  invoice_id: string | null;
  customer_pk: number | null;
  key_version: number | null;
  metadata: Buffer | null;
  click_at: Date;
  click_id: string;
}

interface AskedEvents extends Omit<Converted, "period"> {
  customerId?: string | undefined;
}

/** Answered by conversion_workspace, conversion_link or conversion_customer. */
export async function findConversions(
  resolved: ResolvedQuery,
  asked: AskedEvents,
  page: EventsPage,
): Promise<ConversionRow[]> {
  return await pageOfExisting(resolved.selection.workspacePk, page, (part, join) =>
    listConversions(resolved, asked, part, join),
  );
}

async function listConversions(
  { selection, period }: ResolvedQuery,
  { customerId, ...asked }: AskedEvents,
  { ascending, after, skip, limit }: EventsPage,
  join: string,
): Promise<ConversionRow[]> {
  const parameters = new SqlValues();
  const grouped = { ...selection, key: { by: "nothing" as const } };
  const context = { selection: grouped, parameters, bots: false };
  const sign = ascending ? ">" : "<";
  const order = ascending ? "" : "DESC";
  const place = after ? [positionCondition(after, sign, parameters)] : [];
  const { joins, conditions } = eventFilter(context, asked);
  const of = customerId ? [customerCondition(customerId, selection.workspacePk, parameters)] : [];
  const text = `
    SELECT ${eventColumns}, NULL AS ua, click.sale, click.event_name, click.verified, click.quantity, click.amount,
      click.given_amount, click.currency, click.processor, click.invoice_id, click.customer_pk,
      click.key_version, click.metadata, click.click_at, click.click_id
    FROM analytics.conversion AS click
    ${join}
    ${joins}
    ${inRanges("click.at", [period], parameters)}
    ${allOf([...conditions, ...of, ...place])}
    ORDER BY click.at ${order}, click.id ${order}
    LIMIT ${parameters.place(limit, "int")}
    OFFSET ${parameters.place(skip, "int")}`;
  return await query<ConversionRow>({ text, values: parameters.list });
}

function customerCondition(id: string, workspacePk: number, parameters: SqlValues): string {
  return `click.customer_pk = (
          SELECT pk
          FROM customer
          WHERE id = ${parameters.place(id, "text")}
            AND workspace_pk = ${parameters.place(workspacePk, "int")}
        )`;
}

function positionCondition({ at, id }: ClickPosition, sign: string, parameters: SqlValues): string {
  const moment = parameters.place(at, "timestamptz");
  return `(click.at, click.id) ${sign} (${moment}, ${parameters.place(id, "uuid")})`;
}

export async function presentConversions(
  scope: WorkspaceScope,
  rows: readonly ConversionRow[],
): Promise<PresentedConversion[]> {
  const pks = rows.flatMap(({ customer_pk: pk }) => (pk === null ? [] : [pk]));
  const [links, customers, metadata] = await Promise.all([
    presentLinks(scope, [...new Set(rows.map(({ link_pk }) => link_pk))]),
    findPresented(scope, [...new Set(pks)]),
    openMetadata(scope, rows),
  ]);
  return rows.flatMap((row, at) => {
    const link = links.get(row.link_pk);
    if (!link) return [];
    const customer = customers.get(row.customer_pk ?? -1) ?? erasedCustomer(row);
    return [presentOne(row, link, customer, metadata[at] ?? null)];
  });
}

/** Clients expect a customer in every event. */
function erasedCustomer({ at, country }: ConversionRow): Customer {
  return {
    id: "erased",
    externalId: "erased",
    name: null,
    email: null,
    avatar: null,
    country,
    sales: 0,
    saleAmount: 0,
    createdAt: at.toISOString(),
    firstSaleAt: null,
  };
}

function presentOne(
  row: ConversionRow,
  link: Link,
  customer: Customer,
  metadata: Record<string, unknown> | null,
): PresentedConversion {
  const click = presentClick({ ...row, at: row.click_at, id: row.click_id }, link.url);
  const { url, continent, country, city, device, browser, os, ip } = click;
  const shared = {
    timestamp: row.at.toISOString(),
    eventId: idOf(row),
    eventName: row.event_name,
    verified: row.verified,
    metadata,
    click,
    link,
    customer,
    click_id: click.id,
    link_id: link.id,
    domain: link.domain,
    key: link.key,
    ...{ url, continent, country, city, device, browser, os, ip },
    qr: row.qr ? 1 : 0,
  };
  if (!row.sale) return { event: "lead", ...shared, quantity: row.quantity };
  const processor = row.processor ?? "custom";
  return {
    event: "sale",
    ...shared,
    sale: {
      amount: row.amount,
      currency: config().FUXI_CURRENCY,
      invoiceId: row.invoice_id,
      paymentProcessor: processor,
      givenAmount: row.given_amount,
      givenCurrency: row.currency ?? config().FUXI_CURRENCY,
    },
    saleAmount: row.amount,
    invoice_id: row.invoice_id ?? "",
    payment_processor: processor,
  };
}
