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
  oneOfFew,
  type SentFile,
  utf8Mark,
  ZipWriter,
} from "#lib/platform/downloads";
import { allowTime, type Connection, query, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { answerQuestion, type Meant, meantBy } from "./ask.ts";
import type { Counted } from "./counts.ts";
import { type EventRow, findEvents, type Place, presentEvents } from "./events.ts";
import { isCounted, keyOfGrouping, nameFields, nameValues, type Shown } from "./rows.ts";
import {
  type ClickEvent,
  type ExportEventsQuery,
  type ExportQuery,
  type Grouping,
  groupings,
  type LinkGrouping,
  type RowAnswer,
  type ValueGrouping,
} from "./schema.ts";
import { partsOf, sourceOf } from "./source.ts";
import { writeStatement } from "./statement.ts";

const rowsAtOnce = 1_000;
const timeoutMs = 300_000;

type WriteText = (text: string) => Promise<void>;

/** A grouping as CSV, or all of them as a ZIP archive. */
export async function openExport(scope: WorkspaceScope, asked: ExportQuery): Promise<SentFile> {
  const { groupBy } = asked;
  const now = new Date();
  // Errors are thrown here: once a file has started, none can be sent.
  const meant = await meantBy(scope, asked, now);
  const table = (grouping: Grouping, write: WriteText) =>
    writeTable({ scope, asked, meant, now }, grouping, write);
  if (groupBy !== "all") {
    const send: SentFile["send"] = (write) => table(groupBy, (text) => write(Buffer.from(text)));
    return oneOfFew({ name: `fuxi-${groupBy}.csv`, type: "text/csv; charset=utf-8", send });
  }
  const send: SentFile["send"] = async (write) => {
    const zip = new ZipWriter(write);
    for (const one of groupings) await zip.add(`${one}.csv`, (text) => table(one, text));
    await zip.end();
  };
  return oneOfFew({ name: "fuxi-analytics.zip", type: "application/zip", send });
}

interface Asked {
  scope: WorkspaceScope;
  asked: ExportQuery;
  meant: Meant;
  now: Date;
}

function counterNames({ unique, bots }: Shown): ("clicks" | "visitors" | "bots")[] {
  return ["clicks", ...(unique ? ["visitors" as const] : []), ...(bots ? ["bots" as const] : [])];
}

async function writeTable(asking: Asked, grouping: Grouping, write: WriteText): Promise<void> {
  const names = nameFields(grouping);
  const counters = counterNames(asking.asked);
  await write(utf8Mark + csvLine([...names, ...counters]));
  if (grouping !== "count" && grouping !== "timeseries" && grouping !== "hours") {
    await writeValues(asking, grouping, write);
    return;
  }
  const { scope, asked, now } = asking;
  const { answer } = await answerQuestion(scope, { ...asked, groupBy: grouping, limit: 1 }, now);
  const rows: RowAnswer[] = Array.isArray(answer) ? answer : [answer];
  const cells = rows.map((row) => [...names, ...counters].map((name) => asCell(row[name])));
  await write(cells.map(csvLine).join(""));
}

function asCell(value: unknown): Cell {
  return typeof value === "number" ? value : String(value ?? "");
}

async function writeValues(
  { asked, meant }: Asked,
  grouping: ValueGrouping | LinkGrouping,
  write: WriteText,
): Promise<void> {
  if (!isCounted(asked)) return;
  const { about, period } = meant;
  const question = { ...about, key: keyOfGrouping(grouping) };
  const source = await sourceOf(question);
  const parts = await partsOf(question, source, period);
  const statement = writeStatement(question, source, parts, { bots: asked.bots, limit: null });
  const names = nameFields(grouping);
  const counters = counterNames(asked);
  await transaction(async (tx) => {
    await allowTime(tx, timeoutMs);
    const declared = `DECLARE exported NO SCROLL CURSOR FOR ${statement.text}`;
    await query({ ...statement, text: declared, query_timeout: timeoutMs }, tx);
    for (let rows = await fetchRows(tx); rows.length > 0; rows = await fetchRows(tx)) {
      const keys = rows.map(({ key }) => key);
      const found = await nameValues(grouping, keys, about.workspacePk);
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

function fetchRows(tx: Connection): Promise<Counted[]> {
  const text = `FETCH ${rowsAtOnce} FROM exported`;
  return query<Counted>({ text, values: [], query_timeout: timeoutMs }, tx);
}

/** Every click of the period, newest first. */
export async function openEventsExport(
  scope: WorkspaceScope,
  asked: ExportEventsQuery,
): Promise<SentFile> {
  const meant = await meantBy(scope, asked);
  const counted = isCounted(asked);
  const { format } = asked;
  const send: SentFile["send"] = async (write) => {
    if (format === "csv") await write(Buffer.from(utf8Mark + csvLine(eventColumns)));
    let after: Place | undefined;
    while (counted) {
      const page = { ascending: false, after, skip: 0, limit: rowsAtOnce };
      const rows = await findEvents(meant, page);
      const text = await writeRows(scope, rows, format);
      if (text !== "") await write(Buffer.from(text));
      after = rows.at(-1);
      if (rows.length < rowsAtOnce) break;
    }
  };
  return format === "csv"
    ? oneOfFew({ name: "fuxi-clicks.csv", type: "text/csv; charset=utf-8", send })
    : oneOfFew({ name: "fuxi-clicks.jsonl", type: "application/jsonl; charset=utf-8", send });
}

async function writeRows(
  scope: WorkspaceScope,
  rows: readonly EventRow[],
  format: ExportEventsQuery["format"],
): Promise<string> {
  const events = await presentEvents(scope, rows);
  return events
    .map((event) => (format === "csv" ? csvLine(eventCells(event)) : `${JSON.stringify(event)}\n`))
    .join("");
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

function eventCells({ click, link }: ClickEvent): Cell[] {
  return [...clickColumns.map((name) => click[name]), link.id, link.shortLink];
}
