/** Part of the transaction that locked the customer. */
import { clickColumns } from "#lib/analytics/dimensions/schema";
import { clickAt } from "#lib/analytics/single-clicks";
import { type Connection, type Statement, sql } from "#lib/platform/postgres";

const factFields = ["link_pk", "domain_pk", "qr", ...clickColumns] as const;
const facts = factFields.join(", ");

/** Where an event gets its click from: the click itself, or an earlier lead of the customer. */
export type Origin = { from: "click"; at: Date; id: string } | { from: "lead"; pk: number };

export interface NewEvent {
  id: string;
  at: Date;
  workspacePk: number;
  /** Null for a lead of a form, which has a contact instead. */
  customerPk: number | null;
  verified: boolean;
  eventName: string;
  version: number | null;
  metadata: Buffer | null;
}

export interface NewSale extends NewEvent {
  isFirst: boolean;
  amount: number;
  givenAmount: number;
  currency: string;
  processor: string;
  invoiceId: string | null;
}

export interface EventRow {
  pk: number;
  id: string;
  at: Date;
  link_pk: number;
  click_at: Date;
  click_id: string;
  event_name: string;
  verified: boolean;
  given_amount: number;
  amount: number;
  currency: string | null;
  processor: string | null;
  invoice_id: string | null;
}

const eventColumns = `pk, id, at, link_pk, click_at, click_id, event_name, verified, given_amount, amount,
  currency, processor, invoice_id`;

/** The SELECT of an event: its own values, then those of its origin. `$1` is the workspace. */
function selectFrom(origin: Origin, own: string): { text: string; values: unknown[] } {
  if (origin.from === "lead") {
    return {
      text: `
        SELECT ${own}, click_at, click_id, ${facts}
        FROM analytics.conversion
        WHERE workspace_pk = $1
          AND pk = $2`,
      values: [origin.pk],
    };
  }
  return {
    text: `
        SELECT ${own}, at, id, ${facts}
        FROM ${clickAt(["at", "id", ...factFields], "$1", "$2")}
        WHERE id = $3`,
    values: [origin.at, origin.id],
  };
}

function ownValues(origin: Origin, count: number): string {
  const first = origin.from === "lead" ? 3 : 4;
  return Array.from({ length: count }, (_, at) => `$${first + at}`).join(", ");
}

const leadTypes = ["timestamptz", "uuid", "bigint", "bool", "text", "int", "smallint", "bytea"];
const saleTypes = ["bool", "bigint", "bigint", "text", "text", "text"];

function typed(list: string, types: readonly string[]): string {
  return list
    .split(", ")
    .map((parameter, at) => `${parameter}::${types[at]}`)
    .join(", ");
}

/** `added` is false if the lead exists already; a report with an API key then verifies it. Undefined: the origin is missing. */
export async function insertLead(
  tx: Connection,
  origin: Origin,
  lead: NewEvent & { quantity: number },
): Promise<{ added: boolean; row: EventRow } | undefined> {
  const { at, id, customerPk, verified, eventName, quantity, version, metadata } = lead;
  const own = [at, id, customerPk, verified, eventName, quantity, version, metadata];
  const { text, values } = selectFrom(
    origin,
    `false, $1::int, ${typed(ownValues(origin, own.length), leadTypes)}`,
  );
  const [row] = await tx.query<EventRow & { added: boolean }>({
    text: `
      INSERT INTO analytics.conversion AS known (
        sale, workspace_pk, at, id, customer_pk, verified, event_name, quantity, key_version, metadata,
        click_at, click_id, ${facts}
      )
      ${text}
      ON CONFLICT (customer_pk, event_name) WHERE NOT sale DO UPDATE
      SET verified = known.verified OR EXCLUDED.verified
      RETURNING ${eventColumns}, xmax = 0 AS added`,
    values: [lead.workspacePk, ...values, ...own],
  });
  return row && { added: row.added, row };
}

export async function insertSale(
  tx: Connection,
  origin: Origin,
  sale: NewSale,
): Promise<EventRow | undefined> {
  const { at, id, customerPk, verified, eventName, version, metadata } = sale;
  const { isFirst, amount, givenAmount, currency, processor, invoiceId } = sale;
  const own = [
    ...[at, id, customerPk, verified, eventName, 1, version, metadata],
    ...[isFirst, amount, givenAmount, currency, processor, invoiceId],
  ];
  const types = [...leadTypes, ...saleTypes];
  const { text, values } = selectFrom(
    origin,
    `true, $1::int, ${typed(ownValues(origin, own.length), types)}`,
  );
  return await tx.one<EventRow>({
    text: `
      INSERT INTO analytics.conversion (
        sale, workspace_pk, at, id, customer_pk, verified, event_name, quantity, key_version, metadata,
        first_sale, amount, given_amount, currency, processor, invoice_id, click_at, click_id, ${facts}
      )
      ${text}
      ON CONFLICT (workspace_pk, invoice_id, verified) WHERE invoice_id IS NOT NULL DO NOTHING
      RETURNING ${eventColumns}`,
    values: [sale.workspacePk, ...values, ...own],
  });
}

/** Prefers a verified sale. Answered by conversion_invoice. */
export async function findInvoice(
  tx: Connection,
  workspacePk: number,
  invoiceId: string,
): Promise<(EventRow & { customer_pk: number | null }) | undefined> {
  const text = `
    SELECT ${eventColumns}, customer_pk
    FROM analytics.conversion
    WHERE workspace_pk = $1
      AND invoice_id = $2
    ORDER BY verified DESC
    LIMIT 1`;
  return await tx.one<EventRow & { customer_pk: number | null }>({
    text,
    values: [workspacePk, invoiceId],
  });
}

/** Removes the sale that a public key reported, because an API key now reports the same invoice. */
export async function deleteUnverified(
  tx: Connection,
  workspacePk: number,
  invoiceId: string,
): Promise<void> {
  // Answered by conversion_invoice.
  await tx.query(sql`
    DELETE FROM analytics.conversion
    WHERE workspace_pk = ${workspacePk}
      AND invoice_id = ${invoiceId}
      AND NOT verified`);
}

/** The customer’s last lead (with this name, if one is given) on a link that still exists. */
export async function findLead(
  tx: Connection,
  customerPk: number,
  eventName: string | null,
): Promise<number | undefined> {
  // Answered by conversion_customer: one row, the last, of each link.
  const leads = await tx.query<{ pk: number; workspace_pk: number; link_pk: number }>(sql`
    SELECT last.pk, last.workspace_pk, last.link_pk
    FROM (
      SELECT DISTINCT ON (link_pk) pk, workspace_pk, link_pk, at
      FROM analytics.conversion
      WHERE customer_pk = ${customerPk}
        AND NOT sale
        AND (${eventName}::text IS NULL OR event_name = ${eventName})
      ORDER BY link_pk, at DESC, pk DESC
    ) AS last
    ORDER BY last.at DESC, last.pk DESC`);
  for (const { pk, workspace_pk, link_pk } of leads) {
    if (await holdLink(tx, workspace_pk, link_pk)) return pk;
  }
  return undefined;
}

/** A deletion of the link waits for the commit. False if it is deleted already. */
export async function holdLink(
  tx: Connection,
  workspacePk: number,
  linkPk: number,
): Promise<boolean> {
  // Answered by link_pkey.
  return await tx.any(sql`
    SELECT 1
    FROM link
    WHERE pk = ${linkPk}
      AND workspace_pk = ${workspacePk}
    FOR KEY SHARE`);
}

export interface Counted {
  leads?: number;
  conversions?: number;
  sales?: number;
  saleAmount?: number;
}

/** Last in its transaction, because ingest waits for this row. */
export async function addToStat(
  tx: Connection,
  { workspacePk, linkPk }: { workspacePk: number; linkPk: number },
  { leads = 0, conversions = 0, sales = 0, saleAmount = 0 }: Counted,
): Promise<void> {
  const statement: Statement = sql`
    INSERT INTO link_stat (link_pk, workspace_pk, leads, conversions, sales, sale_amount)
    VALUES (${linkPk}, ${workspacePk}, ${leads}, ${conversions}, ${sales}, ${saleAmount})
    ON CONFLICT (link_pk) DO UPDATE
    SET leads = link_stat.leads + EXCLUDED.leads,
      conversions = link_stat.conversions + EXCLUDED.conversions,
      sales = link_stat.sales + EXCLUDED.sales,
      sale_amount = link_stat.sale_amount + EXCLUDED.sale_amount`;
  await tx.query(statement);
}
