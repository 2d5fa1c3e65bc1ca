/** Tables as CSV for spreadsheets (RFC 4180). */

export type Cell = string | number | null;

/** Tells spreadsheets that what follows is UTF-8. */
export const utf8Mark = "\u{feff}";

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** What a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
