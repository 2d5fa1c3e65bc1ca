/** CSV for spreadsheets (RFC 4180). */

export type Cell = string | number | null;

export const utf8Mark = "\u{feff}";

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Where spreadsheets separate by semicolons or tabs, a new cell may begin inside our quotes. */
const innerFormula = /([;\t\r\n]"*)('*[=+\-@])/g;
const innerDefence = /([;\t\r\n]"*)'('*[=+\-@])/g;

export function withoutApostrophes(text: string): string {
  const rest = /^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text;
  return rest.replace(innerDefence, "$1$2");
}

/** Texts that a spreadsheet would evaluate as a formula get a leading apostrophe. */
function cellOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // defence: csv-inner-formula
  const inner = cell.replace(innerFormula, "$1'$2");
  // defence: csv-formula
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${inner}` : inner;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
