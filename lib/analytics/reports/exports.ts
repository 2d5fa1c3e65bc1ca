/**
 * Exported files, written while they are sent: the next thousand rows are read when the client has
 * taken the previous ones, so files of any length need little memory. Rows of a grouping come from
 * a cursor, which holds a connection, so only a few exports run at once.
 */
import {
  type Cell,
  csvLine,
  handOver,
  recordsFile,
  type SentFile,
  utf8Mark,
  type WorkbookTable,
  withExportSlot,
  writeWorkbook,
  ZipWriter,
} from "#lib/platform/downloads";
import { recordTypes } from "#lib/platform/downloads/schema";
import { type Connection, extendTimeout, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { answerQuery, type ResolvedQuery, resolveQuery } from "./ask.ts";
import { findConversions, presentConversions } from "./conversion-events.ts";
import { convertedOf, eventsOf } from "./conversions.ts";
import type { CountedRow } from "./counts.ts";
import { type ClickPosition, findEvents, presentEvents } from "./events.ts";
import { listOwners } from "./owners.ts";
import { keyOfGrouping, nameFields, nameValues } from "./rows.ts";
import {
  type CountedGroup,
  type ExportEventsQuery,
  type ExportQuery,
  type Grouping,
  groupings,
  type PresentedClick,
  type PresentedConversion,
  type RowGrouping,
} from "./schema.ts";
import { partsOf, sourceOf } from "./source.ts";
import { writeStatement } from "./statement.ts";

const rowsAtOnce = 1_000;
const timeoutMs = 300_000;

type Rows = readonly (readonly Cell[])[];
type PutRows = (rows: Rows) => Promise<void>;

export async function openExport(scope: WorkspaceScope, request: ExportQuery): Promise<SentFile> {
  const { groupBy, format } = request;
  const now = new Date();
  // Resolve the query first, because no error can be sent once the file has started.
  const resolved = await resolveQuery(scope, request, now);
  const job = { scope, request, resolved, now };
  const name = groupBy === "all" ? "fuxi-analytics" : `fuxi-${groupBy}`;
  if (format === "xlsx") {
    const tables = (groupBy === "all" ? groupings : [groupBy]).map((one) => tableOf(job, one));
    const send: SentFile["send"] = (write) => writeWorkbook(write, tables);
    return withExportSlot({ name: `${name}.xlsx`, type: recordTypes.xlsx, send });
  }
  if (groupBy !== "all") {
    const send: SentFile["send"] = (write) =>
      writeCsv(job, groupBy, (text) => write(Buffer.from(text)));
    return withExportSlot({ name: `${name}.csv`, type: "text/csv; charset=utf-8", send });
  }
  const send: SentFile["send"] = async (write) => {
    const zip = new ZipWriter(write);
    for (const one of groupings) await zip.add(`${one}.csv`, (text) => writeCsv(job, one, text));
    await zip.end();
  };
  return withExportSlot({ name: `${name}.zip`, type: "application/zip", send });
}

function tableOf(job: ExportJob, grouping: Grouping): WorkbookTable {
  return {
    name: grouping,
    columns: columnsOf(job, grouping),
    pages: handOver<Rows>((put) => putRows(job, grouping, put)),
  };
}

async function writeCsv(
  job: ExportJob,
  grouping: Grouping,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(utf8Mark + csvLine(columnsOf(job, grouping)));
  await putRows(job, grouping, (rows) => write(rows.map(csvLine).join("")));
}

interface ExportJob {
  scope: WorkspaceScope;
  request: ExportQuery;
  resolved: ResolvedQuery;
  now: Date;
}

type Counter = "clicks" | "visitors" | "bots" | "leads" | "sales" | "saleAmount";

const countersOfEvent: Record<ExportQuery["event"], readonly Counter[]> = {
  clicks: ["clicks"],
  leads: ["leads"],
  sales: ["sales", "saleAmount"],
  composite: ["clicks", "leads", "sales", "saleAmount"],
};

function counterNames({ event, unique, bots }: ExportQuery): Counter[] {
  return [
    ...countersOfEvent[event],
    ...(unique ? ["visitors" as const] : []),
    ...(bots ? ["bots" as const] : []),
  ];
}

function columnsOf({ request }: ExportJob, grouping: Grouping): string[] {
  // The last bucket may not be over, so its counters are too low to compare.
  const partial = grouping === "timeseries" ? ["partial"] : [];
  return [...nameFields(grouping), ...counterNames(request), ...partial];
}

async function putRows(job: ExportJob, grouping: Grouping, put: PutRows): Promise<void> {
  if (grouping !== "count" && grouping !== "timeseries" && grouping !== "hours") {
    await putValues(job, grouping, put);
    return;
  }
  const { scope, request, now } = job;
  const { answer } = await answerQuery(scope, { ...request, groupBy: grouping, limit: 1 }, now);
  const rows: CountedGroup[] = Array.isArray(answer) ? answer : [answer];
  const columns = columnsOf(job, grouping);
  await put(rows.map((row) => columns.map((name) => asCell(row[name]))));
}

function asCell(value: unknown): Cell {
  return typeof value === "number" ? value : String(value ?? "");
}

async function putValues(
  { request, resolved }: ExportJob,
  grouping: RowGrouping,
  put: PutRows,
): Promise<void> {
  if (grouping === "event_names" && request.event === "clicks") return;
  const { selection: base, period } = resolved;
  const selection = { ...base, key: keyOfGrouping(grouping) };
  const source = await sourceOf(selection);
  const parts = await partsOf(selection, source, period);
  const { bots } = request;
  const converted = convertedOf(request, period);
  const owners = await listOwners(selection);
  const shape = { bots, limit: null, converted, owners };
  const statement = writeStatement(selection, source, parts, shape);
  const names = nameFields(grouping);
  const counters = counterNames(request);
  await transaction(async (tx) => {
    await extendTimeout(tx, timeoutMs);
    const declared = `DECLARE exported NO SCROLL CURSOR FOR ${statement.text}`;
    await tx.query({ ...statement, text: declared, query_timeout: timeoutMs });
    for (let rows = await fetchRows(tx); rows.length > 0; rows = await fetchRows(tx)) {
      const keys = rows.map(({ key }) => key);
      const found = await nameValues(grouping, keys, base.workspacePk);
      const page = rows.flatMap((row, at) => {
        const name = found[at];
        if (!name) return [];
        const cells = names.map((field) => name[field] ?? null);
        return [[...cells, ...counters.map((counter) => row[counter] ?? 0)]];
      });
      await put(page);
    }
  });
}

function fetchRows(tx: Connection): Promise<CountedRow[]> {
  const text = `FETCH ${rowsAtOnce} FROM exported`;
  return tx.query<CountedRow>({ text, values: [], query_timeout: timeoutMs });
}

const eventsAtOnce = 1_000;

type Event = PresentedClick | PresentedConversion;

export async function openEventsExport(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  const resolved = await resolveQuery(scope, request);
  const { format, event } = request;
  const kind = event === "composite" ? "clicks" : event;
  const pages = () => eventPages(scope, resolved, request);
  return withExportSlot(
    recordsFile({ name: `fuxi-${kind}`, format, columns: eventColumnsOf[kind], cellsOf, pages }),
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
    const page = { ascending: false, after, skip: 0, limit: eventsAtOnce };
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

function nextOf(rows: readonly ClickPosition[]): ClickPosition | undefined {
  return rows.length < eventsAtOnce ? undefined : rows.at(-1);
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
const eventColumnsOf = {
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
