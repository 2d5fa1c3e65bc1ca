/** Checks the rows of a file against the limits, and keeps the first ones. */
import type { AppError } from "#lib/platform/errors";
import { count, tableError } from "./problems.ts";
import {
  cellCharsMax,
  columnsMax,
  firstRowsShown,
  headingCharsMax,
  rowCharsMax,
  rowsMax,
} from "./schema.ts";

export interface TableRules {
  /** Also accept JSON and SQL. `wholeNames`: objects kept as one cell (see `plainName`). */
  records?: { wholeNames: readonly string[] };
  /** For tests, which cannot all have a million rows. */
  rowsAllowed?: number;
}

export class RowSink {
  records = 0;
  width = 0;
  readonly head: string[][] = [];
  readonly #rowsAllowed: number;

  constructor({ rowsAllowed = rowsMax }: TableRules) {
    this.#rowsAllowed = rowsAllowed;
  }

  /** "" for an empty row. `mayBeOpen`: an unclosed quote may have joined rows. */
  take(row: string[], line: number, mayBeOpen = false): string {
    let width = row.length;
    while (width > 0 && row[width - 1]?.trim() === "") width -= 1;
    if (width === 0) return "";
    row.length = width;
    assertFits(row, line, mayBeOpen);
    this.records += 1;
    // One more, because the first may be a heading.
    if (this.records > this.#rowsAllowed + 1) throw tooManyRows(this.#rowsAllowed);
    if (width > this.width) this.width = width;
    if (this.head.length <= firstRowsShown) {
      this.head.push(row.map((cell) => cell.slice(0, headingCharsMax + 1)));
    }
    return `${JSON.stringify([line, ...row])}\n`;
  }
}

export function tooManyRows(rowsAllowed: number): AppError {
  return tableError("too_many_rows", { max: count(rowsAllowed) });
}

function assertFits(row: readonly string[], line: number, mayBeOpen: boolean): void {
  if (row.length > columnsMax) throw tableError("too_many_columns", { line, max: columnsMax });
  let chars = 0;
  for (const [at, cell] of row.entries()) {
    chars += cell.length;
    if (cell.length > cellCharsMax) throw cellTooLong(line, at + 1);
  }
  if (chars > rowCharsMax) throw rowTooLong(line, mayBeOpen);
}

export function cellTooLong(line: number, column: number): AppError {
  return tableError("cell_too_long", { line, column, max: count(cellCharsMax) });
}

export function rowTooLong(line: number, mayBeOpen: boolean): AppError {
  const problem = mayBeOpen ? "row_too_long_quoted" : "row_too_long";
  return tableError(problem, { line, max: count(rowCharsMax) });
}
