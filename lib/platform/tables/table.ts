/**
 * CSV → one line of JSON per row, `[line of the file, cell, cell …]`. The CSV is parsed once; a
 * worker starts at any byte, at the speed of JSON.parse.
 */

import Papa from "papaparse";
import type { AppError } from "#lib/platform/errors";
import { decoderOf, type Encoding, holdsNul } from "./encoding.ts";
import { chunksOf, type TableFile } from "./files.ts";
import { tableError } from "./problems.ts";
import type { RecordFormat } from "./records.ts";
import { RowSink, rowTooLong, type TableRules } from "./row-sink.ts";
import { delimiters, rowCharsMax } from "./schema.ts";

const sampleChars = 65_536;
const stepChars = 65_536;

export interface TableSummary {
  encoding: Encoding;
  delimiter: string;
  records: number;
  width: number;
  head: string[][];
  format?: RecordFormat;
}

export type NextBytes = () => Promise<Uint8Array | undefined>;

/** Throws WrongEncoding, or the problem of the file. */
export async function writeTable(
  next: NextBytes,
  encoding: Encoding,
  delimiter: string | undefined,
  file: Pick<TableFile, "write">,
  rules: TableRules,
): Promise<TableSummary> {
  const texts = textsOf(next, encoding);
  let sample = "";
  let ended = false;
  while (sample.length < sampleChars && !ended) {
    const read = await texts.next();
    ended = read.done === true;
    sample += read.value ?? "";
  }
  const dialect = findDialect(sample, ended, delimiter);
  const writer = new RowWriter(dialect, file, rules);
  for (const step of stepsOf(sample.slice(dialect.skipped))) await writer.add(step);
  for await (const text of texts) for (const step of stepsOf(text)) await writer.add(step);
  await writer.end();
  const { records, width, head } = writer.sink;
  return { encoding, delimiter: dialect.delimiter, records, width, head };
}

export async function* textsOf(
  next: NextBytes,
  encoding: Encoding,
): AsyncGenerator<string, undefined> {
  const decode = decoderOf(encoding);
  for (let bytes = await next(); bytes; bytes = await next()) yield checked(decode(bytes));
  yield checked(decode());
  return undefined;
}

function checked(text: string): string {
  if (text.includes("\0")) throw holdsNul();
  return text;
}

function* stepsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += stepChars) yield text.slice(at, at + stepChars);
}

class RowWriter {
  readonly sink: RowSink;
  readonly #file: Pick<TableFile, "write">;
  readonly #parser: ReturnType<typeof openParser>;
  #line: number;
  #rest = "";

  constructor(dialect: Dialect, file: Pick<TableFile, "write">, rules: TableRules) {
    this.sink = new RowSink(rules);
    this.#file = file;
    this.#parser = openParser(dialect.delimiter, dialect.newline);
    this.#line = dialect.skipped > 0 ? 2 : 1;
  }

  async add(text: string): Promise<void> {
    this.#rest += text;
    await this.#parse(true);
    if (this.#rest.length > rowCharsMax) throw rowTooLong(this.#line, this.#rest.includes('"'));
  }

  async end(): Promise<void> {
    await this.#parse(false);
  }

  async #parse(goesOn: boolean): Promise<void> {
    if (this.#rest === "") return;
    const parsed = this.#parser.parse(this.#rest, 0, goesOn);
    const mayHoldLines = this.#rest.includes('"');
    if (!goesOn && parsed.errors.some(({ code }) => code === "MissingQuotes")) {
      throw this.#unclosed(parsed.data);
    }
    let text = "";
    for (const row of parsed.data) {
      // The parser leaves the CR of CRLF after a cell without quotes.
      const last = row.length - 1;
      if (row[last]?.endsWith("\r")) row[last] = row[last].slice(0, -1);
      text += this.sink.take(row, this.#line, mayHoldLines);
      this.#line += 1 + (mayHoldLines ? linesIn(row) : 0);
    }
    this.#rest = goesOn ? this.#rest.slice(parsed.meta.cursor) : "";
    if (text !== "") await writeWhole(this.#file, Buffer.from(text));
  }

  /** The unclosed quote is in the last cell. */
  #unclosed(rows: readonly string[][]): AppError {
    let line = this.#line;
    for (const row of rows.slice(0, -1)) line += 1 + linesIn(row);
    line += linesIn(rows.at(-1)?.slice(0, -1) ?? []);
    return tableError("quote_open", { line });
  }
}

function linesIn(row: readonly string[]): number {
  let lines = 0;
  for (const cell of row) {
    if (cell.includes("\n") || cell.includes("\r")) lines += cell.split(/\r\n|\n|\r/).length - 1;
  }
  return lines;
}

export async function writeWhole(
  file: Pick<TableFile, "write">,
  bytes: Uint8Array,
  position?: number,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const place = position === undefined ? undefined : position + at;
    at += (await file.write(bytes, at, bytes.length - at, place)).bytesWritten;
  }
}

export interface StoredRow {
  line: number;
  cells: string[];
  end: number;
}

export const erasedCell = 0;

const newline = 0x0a;

/** Reads rows in batches from a byte where a row starts. `erased`: the text for erased cells. */
export async function* readStoredRows(
  file: Pick<TableFile, "read">,
  position: number,
  erased = "",
): AsyncGenerator<StoredRow[]> {
  let rest: Buffer = Buffer.alloc(0);
  let start = position;
  for await (const chunk of chunksOf(file, position)) {
    const bytes = Buffer.concat([rest, chunk]);
    const rows: StoredRow[] = [];
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      rows.push(parseRow(bytes.toString("utf8", from, end), start + end + 1, erased));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    start += from;
    if (rows.length > 0) yield rows;
  }
}

function parseRow(text: string, end: number, erased: string): StoredRow {
  // Sound because only `writeTable` and erasing write these lines.
  const [line, ...cells]: [number, ...(string | typeof erasedCell)[]] = JSON.parse(text);
  return { line, cells: cells.map((cell) => (cell === erasedCell ? erased : cell)), end };
}

interface Dialect {
  delimiter: string;
  newline: "\n" | "\r";
  /** Some programs write a first line with the delimiter, which is skipped. */
  skipped: number;
}

const sampleRowsMax = 100;

function findDialect(sample: string, whole: boolean, requested: string | undefined): Dialect {
  const newline = newlineOf(sample);
  const named = /^sep=([,;|\t])\r?[\n\r]/i.exec(sample);
  const skipped = named?.[0].length ?? 0;
  const rest = sample.slice(skipped);
  const delimiter = requested ?? named?.[1] ?? guessDelimiter(rest, newline, whole);
  return { delimiter, newline, skipped };
}

function newlineOf(sample: string): "\n" | "\r" {
  let inQuotes = false;
  let returns = false;
  for (const letter of sample) {
    if (letter === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (letter === "\n") return "\n";
    else if (letter === "\r") returns = true;
  }
  return returns ? "\r" : "\n";
}

function guessDelimiter(sample: string, newline: "\n" | "\r", whole: boolean): string {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of delimiters) {
    const rows = openParser(delimiter, newline, sampleRowsMax).parse(sample, 0, !whole).data;
    const filled = rows.filter((row) => row.length > 1 || row[0]?.trim());
    const [first] = filled;
    if (!first || first.length < 2) continue;
    const alike = filled.filter((row) => row.length === first.length).length / filled.length;
    // Consistency counts more than the number of cells: one comma in each title makes no columns.
    const score = alike * 1_000 + Math.min(first.length, 900);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

interface ParseResult {
  data: string[][];
  errors: { type: string; code: string; row?: number }[];
  /** How far the text was read: an incomplete row comes after it. */
  meta: { cursor: number };
}

interface Parser {
  /** `ignoreLastRow` leaves an unterminated row for the next call. */
  parse(text: string, baseIndex: number, ignoreLastRow: boolean): ParseResult;
}

/** Papa Parse's low-level parser reports its position, so it can be fed in parts. */
function openParser(delimiter: string, newline: "\n" | "\r", preview = 0): Parser {
  return new Papa.Parser({ delimiter, newline, quoteChar: '"', preview });
}
