/** Single clicks, leads or sales of a period as a file: paged through while it is sent, without a connection of its own. */
import { type Cell, recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type ResolvedQuery, resolveQuery } from "./ask.ts";
import { findConversions, presentConversions } from "./conversion-events.ts";
import { eventsOf } from "./conversions.ts";
import { type ClickPosition, findEvents, presentEvents } from "./events.ts";
import type { ExportEventsQuery, PresentedClick, PresentedConversion } from "./schema.ts";

const rowsAtOnce = 1_000;

type Event = PresentedClick | PresentedConversion;

/** Every event of the period, newest first. */
export async function openEventsExport(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  const resolved = await resolveQuery(scope, request);
  const { format, event } = request;
  const kind = event === "composite" ? "clicks" : event;
  const pages = () => eventPages(scope, resolved, request);
  return withExportSlot(
    recordsFile({ name: `fuxi-${kind}`, format, columns: columnsOf[kind], cellsOf, pages }),
  );
}

async function* eventPages(
  scope: WorkspaceScope,
  resolved: ResolvedQuery,
  request: ExportEventsQuery,
): AsyncGenerator<readonly Event[]> {
  const asked = eventsOf(request);
  let after: ClickPosition | undefined;
  do {
    const page = { ascending: false, after, skip: 0, limit: rowsAtOnce };
    if (asked) {
      const rows = await findConversions(resolved, asked, page);
      yield await presentConversions(scope, rows);
      after = nextOf(rows);
    } else {
      const rows = await findEvents(resolved, page);
      yield await presentEvents(scope, rows);
      after = nextOf(rows);
    }
  } while (after);
}

/** Undefined: this was the last page. */
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

function cellsOf(event: Event): Cell[] {
  const { click, link } = event;
  const named = [link.id, link.shortLink];
  if (event.event === "click") return [...clickColumns.map((name) => click[name]), ...named];
  const { customer } = event;
  return [
    ...[event.eventId, event.timestamp, event.eventName, String(event.verified)],
    ...ownCells(event),
    ...[customer.id, customer.externalId],
    ...placeColumns.map((name) => click[name]),
    event.click_id,
    ...named,
  ];
}

function ownCells(event: PresentedConversion): Cell[] {
  if (event.event === "lead") return [event.quantity];
  const { amount, currency, givenAmount, givenCurrency, paymentProcessor, invoiceId } = event.sale;
  return [amount, currency, givenAmount, givenCurrency, paymentProcessor, invoiceId];
}
