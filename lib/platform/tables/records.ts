/** Reads a file twice, because the columns are only known at the end. One part is in memory at a time. */
import { markedEncoding, WrongEncoding } from "./encoding.ts";
import { chunksOf, type TableFile } from "./files.ts";
import { jsonTable } from "./json-records.ts";
import { tableError } from "./problems.ts";
import { RowSink, type TableRules } from "./row-sink.ts";
import { plainName } from "./schema.ts";
import { sqlTable } from "./sql-table.ts";
import { type TableSummary, textsOf, writeWhole } from "./table.ts";

export interface RecordRow {
  line: number;
  cells: string[];
}

/** `findColumns` gets all parts of the file, then `readRows` gets them again. */
export interface RecordTable {
  findColumns(part: string): void;
  columns(): readonly string[];
  readRows(part: string): RecordRow[];
  endRows?(): RecordRow[];
}

export type RecordFormat = "json" | "sql";
const labels: Readonly<Record<RecordFormat, string>> = { json: "JSON", sql: "SQL" };

const sqlStart =
  /^(?:-- |--\r?\n|\/\*|SET |START TRANSACTION|DROP TABLE|CREATE TABLE|(?:INSERT|REPLACE) (?:IGNORE )?INTO )/i;
const jsonStart = /^(?:\[\s*(?:[[{\]]|$)|\{\s*(?:["}]|$))/;

/** Looks at the first bytes of a file. Undefined: it is a table. */
export function recordFormatOf(start: Uint8Array): RecordFormat | undefined {
  const encoding = markedEncoding(start) ?? "utf-8";
  const text = new TextDecoder(encoding).decode(start).trimStart();
  if (jsonStart.test(text)) return "json";
  return sqlStart.test(text) ? "sql" : undefined;
}

export async function writeRecords(
  format: RecordFormat,
  raw: Pick<TableFile, "read">,
  file: Pick<TableFile, "write">,
  rules: TableRules,
): Promise<TableSummary> {
  const wholeNames = new Set(rules.records?.wholeNames);
  const isWhole = (name: string) => wholeNames.has(plainName(name));
  const table = format === "json" ? jsonTable(isWhole) : sqlTable();
  try {
    for await (const part of partsOf(raw)) table.findColumns(part);
    const sink = new RowSink(rules);
    const take = async (rows: readonly RecordRow[]) => {
      const lines = rows.map(({ line, cells }) => sink.take(assertNoNul(cells, line), line));
      if (lines.length > 0) await writeWhole(file, Buffer.from(lines.join("")));
    };
    await take([{ line: 1, cells: [...table.columns()] }]);
    for await (const part of partsOf(raw)) await take(table.readRows(part));
    await take(table.endRows?.() ?? []);
    const { records, width, head } = sink;
    return { encoding: "utf-8", delimiter: ",", records, width, head, format };
  } catch (error) {
    if (error instanceof WrongEncoding) {
      throw tableError("records_encoding", { format: labels[format] });
    }
    throw error;
  }
}

async function* partsOf(raw: Pick<TableFile, "read">): AsyncGenerator<string> {
  const chunks = chunksOf(raw);
  const first = (await chunks.next()).value;
  let kept: Uint8Array | undefined = first;
  const next = async () => {
    const chunk = kept ?? (await chunks.next()).value;
    kept = undefined;
    return chunk || undefined;
  };
  yield* textsOf(next, markedEncoding(first ?? new Uint8Array()) ?? "utf-8");
}

/** JSON and SQL can escape a character that no text column accepts. */
function assertNoNul(cells: string[], line: number): string[] {
  const at = cells.findIndex((cell) => cell.includes("\0"));
  if (at >= 0) throw tableError("nul_in_cell", { line, column: at + 1 });
  return cells;
}
