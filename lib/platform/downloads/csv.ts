/** Tables as CSV for spreadsheets (RFC 4180). */

export type Cell = string | number | null;

/** Marks the file as UTF-8 for spreadsheets. */
export const utf8Mark = "\u{feff}";

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/**
 * Where a text goes on in a cell of its own for spreadsheets that separate by semicolons or tabs: they take the quotes
 * around a cell for text, so that its separators and line breaks count, and quotes behind them are left out.
 */
const innerFormula = /([;\t\r\n]"*)('*[=+\-@])/g;
const innerDefence = /([;\t\r\n]"*)'('*[=+\-@])/g;

/** What `csvLine` wrote, without its apostrophes. */
export function withoutApostrophes(text: string): string {
  const rest = /^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text;
  return rest.replace(innerDefence, "$1$2");
}

/** What a spreadsheet would evaluate as a formula gets a leading apostrophe. */
function cellOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // defence: csv-inner-formula
  const inner = cell.replace(innerFormula, "$1'$2");
  // defence: csv-formula
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${inner}` : inner;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
