/**
 * Exported files, written while they are sent: the next thousand rows are read once the client has taken the previous
 * ones, so that a file of any length needs little memory and delays nothing else.
 *
 * Rows of a grouping come from a cursor, which holds a connection while the client reads, so only a few exports run at
 * once. Single clicks are paged through and hold none.
 */
import {
  type Cell,
  csvLine,
  recordsFile,
  type SentFile,
  utf8Mark,
  withExportSlot,
  ZipWriter,
} from "#lib/platform/downloads";
import { type Connection, extendTimeout, query, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { answerQuery, type ResolvedQuery, resolveQuery } from "./ask.ts";
import type { CountedRow } from "./counts.ts";
import { type ClickPosition, findEvents, presentEvents } from "./events.ts";
import { isCounted, keyOfGrouping, nameFields, nameValues, type ShownCounters } from "./rows.ts";
import {
  type CountedGroup,
  type ExportEventsQuery,
  type ExportQuery,
  type Grouping,
  groupings,
  type LinkGrouping,
  type PresentedClick,
  type ValueGrouping,
} from "./schema.ts";
import { partsOf, sourceOf } from "./source.ts";
import { writeStatement } from "./statement.ts";

const rowsAtOnce = 1_000;
const timeoutMs = 300_000;

type WriteText = (text: string) => Promise<void>;

/** A grouping as CSV, or all of them as a ZIP archive. */
export async function openExport(scope: WorkspaceScope, request: ExportQuery): Promise<SentFile> {
  const { groupBy } = request;
  const now = new Date();
  // Errors are thrown here: once a file has started, none can be sent.
  const resolved = await resolveQuery(scope, request, now);
  const table = (grouping: Grouping, write: WriteText) =>
    writeTable({ scope, request, resolved, now }, grouping, write);
  if (groupBy !== "all") {
    const send: SentFile["send"] = (write) => table(groupBy, (text) => write(Buffer.from(text)));
    return withExportSlot({ name: `fuxi-${groupBy}.csv`, type: "text/csv; charset=utf-8", send });
  }
  const send: SentFile["send"] = async (write) => {
    const zip = new ZipWriter(write);
    for (const one of groupings) await zip.add(`${one}.csv`, (text) => table(one, text));
    await zip.end();
  };
  return withExportSlot({ name: "fuxi-analytics.zip", type: "application/zip", send });
}

interface ExportJob {
  scope: WorkspaceScope;
  request: ExportQuery;
  resolved: ResolvedQuery;
  now: Date;
}

function counterNames({ unique, bots }: ShownCounters): ("clicks" | "visitors" | "bots")[] {
  return ["clicks", ...(unique ? ["visitors" as const] : []), ...(bots ? ["bots" as const] : [])];
}

async function writeTable(job: ExportJob, grouping: Grouping, write: WriteText): Promise<void> {
  const names = nameFields(grouping);
  const counters = counterNames(job.request);
  // The last bucket of a series may not be over yet: its counters are too low to compare.
  const columns = [...names, ...counters, ...(grouping === "timeseries" ? ["partial"] : [])];
  await write(utf8Mark + csvLine(columns));
  if (grouping !== "count" && grouping !== "timeseries" && grouping !== "hours") {
    await writeValues(job, grouping, write);
    return;
  }
  const { scope, request, now } = job;
  const { answer } = await answerQuery(scope, { ...request, groupBy: grouping, limit: 1 }, now);
  const rows: CountedGroup[] = Array.isArray(answer) ? answer : [answer];
  const cells = rows.map((row) => columns.map((name) => asCell(row[name])));
  await write(cells.map(csvLine).join(""));
}

function asCell(value: unknown): Cell {
  return typeof value === "number" ? value : String(value ?? "");
}

async function writeValues(
  { request, resolved }: ExportJob,
  grouping: ValueGrouping | LinkGrouping,
  write: WriteText,
): Promise<void> {
  if (!isCounted(request)) return;
  const { selection: base, period } = resolved;
  const selection = { ...base, key: keyOfGrouping(grouping) };
  const source = await sourceOf(selection);
  const parts = await partsOf(selection, source, period);
  const statement = writeStatement(selection, source, parts, { bots: request.bots, limit: null });
  const names = nameFields(grouping);
  const counters = counterNames(request);
  await transaction(async (tx) => {
    await extendTimeout(tx, timeoutMs);
    const declared = `DECLARE exported NO SCROLL CURSOR FOR ${statement.text}`;
    await query({ ...statement, text: declared, query_timeout: timeoutMs }, tx);
    for (let rows = await fetchRows(tx); rows.length > 0; rows = await fetchRows(tx)) {
      const keys = rows.map(({ key }) => key);
      const found = await nameValues(grouping, keys, base.workspacePk);
      const lines = rows.flatMap((row, at) => {
        const name = found[at];
        if (!name) return [];
        const cells = names.map((field) => name[field] ?? null);
        return [csvLine([...cells, ...counters.map((counter) => row[counter])])];
      });
      await write(lines.join(""));
    }
  });
}

function fetchRows(tx: Connection): Promise<CountedRow[]> {
  const text = `FETCH ${rowsAtOnce} FROM exported`;
  return query<CountedRow>({ text, values: [], query_timeout: timeoutMs }, tx);
}

/** Every click of the period, newest first. */
export async function openEventsExport(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  const resolved = await resolveQuery(scope, request);
  const pages = () => eventPages(scope, resolved, isCounted(request));
  const { format } = request;
  return withExportSlot(
    recordsFile({ name: "fuxi-clicks", format, columns: eventColumns, cellsOf: eventCells, pages }),
  );
}

async function* eventPages(
  scope: WorkspaceScope,
  resolved: ResolvedQuery,
  isCountedAtAll: boolean,
): AsyncGenerator<PresentedClick[]> {
  let after: ClickPosition | undefined;
  let found = isCountedAtAll ? rowsAtOnce : 0;
  while (found === rowsAtOnce) {
    const rows = await findEvents(resolved, {
      ascending: false,
      after,
      skip: 0,
      limit: rowsAtOnce,
    });
    yield await presentEvents(scope, rows);
    after = rows.at(-1);
    found = rows.length;
  }
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
const eventColumns = [...clickColumns, "linkId", "shortLink"];

function eventCells({ click, link }: PresentedClick): Cell[] {
  return [...clickColumns.map((name) => click[name]), link.id, link.shortLink];
}
