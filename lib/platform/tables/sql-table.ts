/**
 * Reads the rows of the table of YOURLS links (`yourls_url` with its usual prefix) in an SQL dump.
 * Its columns come from CREATE TABLE or INSERT, otherwise those that YOURLS creates. Everything
 * else is skipped.
 *
 *     a statement: words up to the name of its table │ columns │ values, row by row │ ;
 */
import type { AppError } from "#lib/platform/errors";
import { tableError } from "./problems.ts";
import type { RecordRow, RecordTable } from "./records.ts";
import { cellTooLong, rowTooLong } from "./row-sink.ts";
import { cellCharsMax, columnsMax, rowCharsMax } from "./schema.ts";

interface SqlToken {
  /** `sign`: ( ) , ; and other punctuation. `word`: also numbers. */
  kind: "text" | "name" | "word" | "sign";
  value: string;
  line: number;
}

/** Also limits texts and comments of other tables. */
const tokenCharsMax = 4 * rowCharsMax;

/** As in MySQL. Before other characters, the backslash is dropped. */
const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\x1a",
};
const escapePatterns = { "'": /\\([\s\S])|''/g, '"': /\\([\s\S])|""/g } as const;
const wordPattern = /[-+]?[\p{L}\p{N}_.$@]+/uy;

class SqlTokens {
  #rest = "";
  #line = 1;

  read(part: string): SqlToken[] {
    return this.#take(this.#rest + part, false);
  }

  end(): SqlToken[] {
    const found = this.#take(`${this.#rest}\n`, true);
    if (this.#rest !== "") throw tableError("sql_cut", { line: this.#line });
    return found;
  }

  #take(text: string, isLast: boolean): SqlToken[] {
    const found: SqlToken[] = [];
    let at = 0;
    while (at < text.length) {
      const end = endOf(text, at);
      // A token at the end of a part may continue.
      if (end === 0 || (end === text.length && !isLast)) break;
      const piece = text.slice(at, end);
      const token = tokenOf(piece);
      if (token) found.push({ ...token, line: this.#line });
      this.#line += newlinesIn(piece);
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > tokenCharsMax) throw rowTooLong(this.#line, false);
    return found;
  }
}

function endOf(text: string, at: number): number {
  const sign = text[at] ?? "";
  if (sign === "'" || sign === '"') return endOfText(text, at + 1, sign);
  if (sign === "`") return text.indexOf("`", at + 1) + 1;
  if (sign === "#" || text.startsWith("--", at)) return text.indexOf("\n", at) + 1;
  if (text.startsWith("/*", at)) return endOfComment(text, at);
  wordPattern.lastIndex = at;
  return wordPattern.test(text) ? wordPattern.lastIndex : at + 1;
}

function endOfComment(text: string, at: number): number {
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? 0 : end + 2;
}

function endOfText(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return 0;
}

function tokenOf(text: string): Omit<SqlToken, "line"> | undefined {
  const [first = ""] = text;
  if (/\s/.test(first) || first === "#" || /^(?:--|\/\*)/.test(text)) return undefined;
  const inside = text.slice(1, -1);
  if (first === "`") return { kind: "name", value: inside };
  if (first === "'" || first === '"') {
    return { kind: "text", value: inside.replace(escapePatterns[first], unescaped) };
  }
  return { kind: /[\p{L}\p{N}_.$@]/u.test(text) ? "word" : "sign", value: text };
}

function unescaped(found: string, sign: string | undefined): string {
  return sign === undefined ? found.slice(1) : (escapes[sign] ?? sign);
}

function newlinesIn(token: string): number {
  let lines = 0;
  for (let at = token.indexOf("\n"); at >= 0; at = token.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

const tablePattern = /(?:^|_)url$/i;
/** yourls_create_sql_tables of YOURLS 1.5 to 1.10. */
const usualColumns = ["keyword", "url", "title", "timestamp", "ip", "clicks"];
const headWordsMax = 8;

export function sqlTable(): RecordTable {
  const counting = new SqlRows();
  const reading = new SqlRows();
  return {
    findColumns(part) {
      counting.read(part);
    },
    columns() {
      counting.end();
      return counting.columns;
    },
    readRows: (part) => reading.read(part),
    endRows: () => reading.end(),
  };
}

type Mode = "head" | "skip" | "create" | "columns" | "rows" | "row";

class SqlRows {
  columns: readonly string[] = usualColumns;
  #found = 0;
  readonly #tokens = new SqlTokens();
  #mode: Mode = "head";
  #head: string[] = [];
  #depth = 0;
  #names: string[] = [];
  #startsColumn = false;
  #cells: string[] = [];
  #hasValue = false;
  #line = 1;

  read(part: string): RecordRow[] {
    return this.#tokens.read(part).flatMap((token) => this.#take(token));
  }

  end(): RecordRow[] {
    const rows = this.#tokens.end().flatMap((token) => this.#take(token));
    if (this.#mode === "row") throw tableError("sql_cut", { line: this.#line });
    if (this.#found === 0) throw tableError("sql_no_rows");
    return rows;
  }

  #take(token: SqlToken): RecordRow[] {
    if (this.#mode === "row") return this.#takeValue(token);
    const sign = token.kind === "sign" ? token.value : "";
    if (sign === ";") {
      this.#mode = "head";
      this.#head = [];
    } else if (this.#mode === "head") this.#takeHead(token);
    else if (this.#mode === "create") this.#takeColumn(token, sign);
    else if (this.#mode === "columns") this.#takeName(token, sign);
    else if (this.#mode === "rows" && sign === "(") {
      this.#mode = "row";
      this.#cells = [];
      this.#hasValue = false;
      this.#line = token.line;
    }
    return [];
  }

  #takeHead({ kind, value }: SqlToken): void {
    const [first = ""] = this.#head;
    const isLinks = kind === "name" || kind === "word" ? tablePattern.test(value) : false;
    this.#depth = 0;
    this.#names = [];
    if (isLinks && first === "CREATE") this.#mode = "create";
    else if (isLinks && /^(?:INSERT|REPLACE)$/.test(first)) this.#mode = "columns";
    else if (kind === "text" || this.#head.length >= headWordsMax) this.#mode = "skip";
    else this.#head.push(value.toUpperCase());
  }

  #takeColumn({ kind, value, line }: SqlToken, sign: string): void {
    if (kind === "name" && this.#startsColumn && this.#depth === 1) this.#addName(value, line);
    this.#startsColumn = sign === "(" || sign === ",";
    if (sign === "(") this.#depth += 1;
    if (sign !== ")") return;
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.#setColumns();
    this.#mode = "skip";
  }

  #takeName({ kind, value, line }: SqlToken, sign: string): void {
    if (sign === "(") this.#depth += 1;
    else if (sign === ")") this.#depth -= 1;
    else if (this.#depth === 0 && /^values?$/i.test(value)) {
      this.#setColumns();
      this.#mode = "rows";
    } else if (this.#depth === 1 && kind !== "sign") this.#addName(value, line);
    else if (this.#depth === 0) this.#mode = "skip";
  }

  #setColumns(): void {
    if (this.#names.length > 0) this.columns = this.#names;
    this.#names = [];
  }

  #addName(name: string, line: number): void {
    this.#names.push(name.replaceAll(".", " "));
    if (this.#names.length > columnsMax) {
      throw tableError("too_many_columns", { line, max: columnsMax });
    }
  }

  #takeValue({ kind, value, line }: SqlToken): RecordRow[] {
    if (kind === "sign") return this.#endValue(value, line);
    // The character set of a text comes before it.
    if (kind === "word" && value.startsWith("_")) return [];
    if (this.#hasValue || kind === "name") throw broken(line);
    const cell = kind === "word" ? wordValue(value, line) : value.toWellFormed();
    if (cell.length > cellCharsMax) throw cellTooLong(line, this.#cells.length + 1);
    this.#cells.push(cell);
    this.#hasValue = true;
    return [];
  }

  #endValue(sign: string, line: number): RecordRow[] {
    if (!this.#hasValue || (sign !== "," && sign !== ")")) throw broken(line);
    this.#hasValue = false;
    if (sign === ",") return [];
    if (this.#cells.length !== this.columns.length) throw broken(line);
    this.#mode = "rows";
    this.#found += 1;
    return [{ line: this.#line, cells: this.#cells }];
  }
}

function wordValue(value: string, line: number): string {
  if (/^null$/i.test(value)) return "";
  if (!/^[-+]?[\d.]+$/.test(value)) throw broken(line);
  return value;
}

function broken(line: number): AppError {
  return tableError("sql_broken", { line });
}
