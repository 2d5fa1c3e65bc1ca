/** Tables as CSV for spreadsheets (RFC 4180). */

export type Cell = string | number | null;

/** Marks the file as UTF-8 for spreadsheets. */
export const utf8Mark = "\u{feff}";

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** A cell that a spreadsheet would evaluate as a formula gets a leading apostrophe. */
function cellOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
