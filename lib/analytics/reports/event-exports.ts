/** Single clicks, leads or sales of a period as a file: paged through while it is sent, without a connection of its own. */
import {
  type Cell,
  csvLine,
  type SentFile,
  utf8Mark,
  withExportSlot,
} from "#lib/platform/downloads";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type ResolvedQuery, resolveQuery } from "./ask.ts";
import { findConversions, presentConversions } from "./conversion-events.ts";
import { eventsOf } from "./conversions.ts";
import { type ClickPosition, findEvents, presentEvents } from "./events.ts";
import type { ExportEventsQuery, PresentedClick, PresentedConversion } from "./schema.ts";

const rowsAtOnce = 1_000;

interface EventsPart {
  events: readonly (PresentedClick | PresentedConversion)[];
  /** Where the next part begins; undefined: this was the last one. */
  next: ClickPosition | undefined;
}

/** Every event of the period, newest first. */
export async function openEventsExport(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  const resolved = await resolveQuery(scope, request);
  const { format, event } = request;
  const kind = event === "composite" ? "clicks" : event;
  const send: SentFile["send"] = async (write) => {
    if (format === "csv") await write(Buffer.from(utf8Mark + csvLine(columnsOf[kind])));
    let after: ClickPosition | undefined;
    do {
      const { events, next } = await readPart(scope, resolved, request, after);
      const text = events.map((one) =>
        format === "csv" ? lineOf(one) : `${JSON.stringify(one)}\n`,
      );
      if (text.length > 0) await write(Buffer.from(text.join("")));
      after = next;
    } while (after);
  };
  return format === "csv"
    ? withExportSlot({ name: `fuxi-${kind}.csv`, type: "text/csv; charset=utf-8", send })
    : withExportSlot({
        name: `fuxi-${kind}.jsonl`,
        type: "application/jsonl; charset=utf-8",
        send,
      });
}

async function readPart(
  scope: WorkspaceScope,
  resolved: ResolvedQuery,
  request: ExportEventsQuery,
  after: ClickPosition | undefined,
): Promise<EventsPart> {
  const page = { ascending: false, after, skip: 0, limit: rowsAtOnce };
  const asked = eventsOf(request);
  if (asked) {
    const rows = await findConversions(resolved, asked, page);
    return { events: await presentConversions(scope, rows), next: nextOf(rows) };
  }
  const rows = await findEvents(resolved, page);
  return { events: await presentEvents(scope, rows), next: nextOf(rows) };
}

function nextOf(rows: readonly ClickPosition[]): ClickPosition | undefined {
  return rows.length < rowsAtOnce ? undefined : rows.at(-1);
}

const clickColumns = [
  "id",
  "timestamp",
  "url",
  "continent",
  "country",
  "region",
  "city",
  "device",
  "browser",
  "os",
  "trigger",
  "referer",
  "refererUrl",
  "ua",
] as const;
const placeColumns = clickColumns.slice(2, -1);
const linkColumns = ["linkId", "shortLink"];
const customerColumns = ["customerId", "customerExternalId"];
const leadColumns = ["id", "timestamp", "eventName", "verified", "quantity"];
const saleColumns = [
  ...leadColumns.slice(0, -1),
  "amount",
  "currency",
  "givenAmount",
  "givenCurrency",
  "paymentProcessor",
  "invoiceId",
];
const columnsOf = {
  clicks: [...clickColumns, ...linkColumns],
  leads: [...leadColumns, ...customerColumns, ...placeColumns, "clickId", ...linkColumns],
  sales: [...saleColumns, ...customerColumns, ...placeColumns, "clickId", ...linkColumns],
};

function lineOf(event: PresentedClick | PresentedConversion): string {
  const { click, link } = event;
  const named = [link.id, link.shortLink];
  if (event.event === "click")
    return csvLine([...clickColumns.map((name) => click[name]), ...named]);
  const { customer } = event;
  return csvLine([
    ...[event.eventId, event.timestamp, event.eventName, String(event.verified)],
    ...ownCells(event),
    ...[customer.id, customer.externalId],
    ...placeColumns.map((name) => click[name]),
    event.click_id,
    ...named,
  ]);
}

function ownCells(event: PresentedConversion): Cell[] {
  if (event.event === "lead") return [event.quantity];
  const { amount, currency, givenAmount, givenCurrency, paymentProcessor, invoiceId } = event.sale;
  return [amount, currency, givenAmount, givenCurrency, paymentProcessor, invoiceId];
}
