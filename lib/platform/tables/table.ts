/**
 * Converts a CSV file to the stored file: one line of JSON per row, `[line of the file, cell, cell …]`, in UTF-8.
 *
 * The CSV is parsed once, while it arrives. A worker starts anywhere by seeking to a byte and reading up to the next
 * newline; it needs no encoding, delimiter or quotes, and a million rows are read again at the speed of JSON.parse.
 * That costs some disk space.
 */
import type { AppError } from "#lib/platform/errors";
import { type Dialect, findDialect, openParser } from "./dialect.ts";
import { decoderOf, type Encoding, holdsNul } from "./encoding.ts";
import type { TableFile } from "./files.ts";
import { tableError } from "./problems.ts";
import type { RecordFormat } from "./records.ts";
import { RowSink, rowTooLong, type TableRules } from "./row-sink.ts";
import { rowCharsMax } from "./schema.ts";

/** The delimiter is detected from this much. */
const sampleChars = 65_536;
/** Parsed at once: less than a millisecond. */
const stepChars = 65_536;

export interface TableSummary {
  encoding: Encoding;
  delimiter: string;
  records: number;
  width: number;
  /** The first records, with truncated cells. */
  head: string[][];
  /** Of a file that is no table. */
  format?: RecordFormat;
}

/** The next bytes of a file; undefined at its end. */
export type NextBytes = () => Promise<Uint8Array | undefined>;

/** Writes the rows of a CSV file. Throws WrongEncoding, or the problem of the file. */
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
  /** Of the file, where the next row starts. */
  #line: number;
  /** Text without a final newline yet. */
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
      // Of CRLF, the parser leaves the first half after a cell without quotes.
      const last = row.length - 1;
      if (row[last]?.endsWith("\r")) row[last] = row[last].slice(0, -1);
      text += this.sink.take(row, this.#line, mayHoldLines);
      this.#line += 1 + (mayHoldLines ? linesIn(row) : 0);
    }
    this.#rest = goesOn ? this.#rest.slice(parsed.meta.cursor) : "";
    if (text !== "") await writeWhole(this.#file, Buffer.from(text));
  }

  /** The position of an unclosed quote: in the last cell. */
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

/** A write may be partial, when the disk is nearly full. */
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
