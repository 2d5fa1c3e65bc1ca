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
  type SentFile,
  utf8Mark,
  withExportSlot,
  ZipWriter,
} from "#lib/platform/downloads";
import { type Connection, extendTimeout, query, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { answerQuery, type ResolvedQuery, resolveQuery } from "./ask.ts";
import { convertedOf } from "./conversions.ts";
import type { CountedRow } from "./counts.ts";
import { keyOfGrouping, nameFields, nameValues } from "./rows.ts";
import {
  type CountedGroup,
  type ExportQuery,
  type Grouping,
  groupings,
  type LinkGrouping,
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
  const { selection: base, period } = resolved;
  const selection = { ...base, key: keyOfGrouping(grouping) };
  const source = await sourceOf(selection);
  const parts = await partsOf(selection, source, period);
  const { bots } = request;
  const converted = convertedOf(request, period);
  const statement = writeStatement(selection, source, parts, { bots, limit: null, converted });
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
        return [csvLine([...cells, ...counters.map((counter) => row[counter] ?? 0)])];
      });
      await write(lines.join(""));
    }
  });
}

function fetchRows(tx: Connection): Promise<CountedRow[]> {
  const text = `FETCH ${rowsAtOnce} FROM exported`;
  return query<CountedRow>({ text, values: [], query_timeout: timeoutMs }, tx);
}
