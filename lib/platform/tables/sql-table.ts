/**
 * The rows of one table of an SQL dump: that of the links of YOURLS, `yourls_url` with its usual prefix. Its columns are
 * those of CREATE TABLE or of INSERT, otherwise those that YOURLS creates. Other tables and statements are skipped.
 *
 *     a statement: words up to the name of its table │ columns │ values, row by row │ ;
 */
import type { AppError } from "#lib/platform/errors";
import { tableError } from "./problems.ts";
import type { RecordRow, RecordTable } from "./records.ts";
import { cellTooLong } from "./row-sink.ts";
import { cellCharsMax, columnsMax } from "./schema.ts";
import { type SqlToken, SqlTokens } from "./sql-tokens.ts";

const tablePattern = /(?:^|_)url$/i;
/** yourls_create_sql_tables of YOURLS 1.5 to 1.10. */
const usualColumns = ["keyword", "url", "title", "timestamp", "ip", "clicks"];
/** Words of a statement before the name of its table. */
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
  /** Words of the current statement before its table. */
  #head: string[] = [];
  /** Open brackets. */
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

  /** Up to the table, as in INSERT INTO `yourls_url`. */
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

  /** Columns are the names at the start of each definition. */
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

  /** Between the table and VALUES. */
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
    // Before a text: its character set.
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
