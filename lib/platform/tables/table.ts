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
import { count, tableError } from "./problems.ts";
import {
  cellCharsMax,
  columnsMax,
  firstRowsShown,
  headingCharsMax,
  rowCharsMax,
  rowsMax,
} from "./schema.ts";

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
}

/** The next bytes of a file; undefined at its end. */
export type NextBytes = () => Promise<Uint8Array | undefined>;

export interface TableRules {
  /** Whether the first record is a heading, which is not counted as a row. */
  hasHeading: (first: readonly string[]) => boolean;
  /** For tests, which cannot all have a million. */
  rowsAllowed?: number;
}

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
  const { records, width, head } = writer;
  return { encoding, delimiter: dialect.delimiter, records, width, head };
}

async function* textsOf(next: NextBytes, encoding: Encoding): AsyncGenerator<string, undefined> {
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
  records = 0;
  width = 0;
  readonly head: string[][] = [];
  readonly #file: Pick<TableFile, "write">;
  readonly #parser: ReturnType<typeof openParser>;
  /** Of the file, where the next row starts. */
  #line: number;
  /** Text without a final newline yet. */
  #rest = "";
  readonly #rules: Required<TableRules>;
  /** One more than rows, where the first record is a heading. */
  #recordsMax: number;

  constructor(dialect: Dialect, file: Pick<TableFile, "write">, rules: TableRules) {
    this.#rules = { rowsAllowed: rowsMax, ...rules };
    this.#recordsMax = this.#rules.rowsAllowed;
    this.#file = file;
    this.#parser = openParser(dialect.delimiter, dialect.newline);
    this.#line = dialect.skipped > 0 ? 2 : 1;
  }

  async add(text: string): Promise<void> {
    this.#rest += text;
    await this.#parse(true);
    if (this.#rest.length > rowCharsMax) throw this.#rowTooLong();
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
      text += this.#take(row);
      this.#line += 1 + (mayHoldLines ? linesIn(row) : 0);
    }
    this.#rest = goesOn ? this.#rest.slice(parsed.meta.cursor) : "";
    if (text !== "") await writeWhole(this.#file, Buffer.from(text));
  }

  /** The line of a row in the stored file; none for a row without a value. */
  #take(row: string[]): string {
    const last = row.length - 1;
    // Of CRLF, the parser leaves the first half after a cell without quotes.
    if (row[last]?.endsWith("\r")) row[last] = row[last].slice(0, -1);
    let width = row.length;
    while (width > 0 && row[width - 1]?.trim() === "") width -= 1;
    if (width === 0) return "";
    row.length = width;
    this.#assertFits(row);
    this.records += 1;
    if (this.records === 1 && this.#rules.hasHeading(row)) this.#recordsMax += 1;
    if (this.records > this.#recordsMax) {
      throw tableError("too_many_rows", { max: count(this.#rules.rowsAllowed) });
    }
    if (width > this.width) this.width = width;
    if (this.head.length <= firstRowsShown) {
      this.head.push(row.map((cell) => cell.slice(0, headingCharsMax + 1)));
    }
    return `${JSON.stringify([this.#line, ...row])}\n`;
  }

  #assertFits(row: readonly string[]): void {
    if (row.length > columnsMax) {
      throw tableError("too_many_columns", { line: this.#line, max: columnsMax });
    }
    let chars = 0;
    for (const [at, cell] of row.entries()) {
      chars += cell.length;
      if (cell.length <= cellCharsMax) continue;
      const place = { line: this.#line, column: at + 1 };
      throw tableError("cell_too_long", { ...place, max: count(cellCharsMax) });
    }
    if (chars > rowCharsMax) throw this.#rowTooLong();
  }

  #rowTooLong(): AppError {
    const problem = this.#rest.includes('"') ? "row_too_long_quoted" : "row_too_long";
    return tableError(problem, { line: this.#line, max: count(rowCharsMax) });
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
