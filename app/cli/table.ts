/**
 * Tables. In a terminal they fit its width: the last column is cut first, then columns that do not fit are left out, the least
 * important ones first. Programs get tabs, no heading, and nothing is cut.
 */
import { columnsOf, type Paint, plain, type Terminal } from "./terminal.ts";
import { cut, padEnd, padStart, widthOf } from "./widths.ts";

export interface Column {
  name: string;
  cells: readonly string[];
  align?: "right";
  /** Columns with a higher number are left out first. 0: never. */
  dispensable?: number;
}

const gap = 2;
/** A narrower last column would be useless. */
const lastMin = 12;

export function drawTable(terminal: Terminal, paint: Paint, columns: readonly Column[]): string[] {
  const clean = columns.map((column) => ({ ...column, cells: column.cells.map(plain) }));
  const rows = clean[0]?.cells.map((_, at) => at) ?? [];
  if (!terminal.stdout.isTTY) {
    return rows.map((at) => clean.map(({ cells }) => cells[at]).join("\t"));
  }
  const shown = fitted(clean, columnsOf(terminal));
  const heading = shown.map(({ name, align, width }) => place(name, width, align)).join("  ");
  const lines = rows.map((at) =>
    shown.map(({ cells, align, width }) => place(cells[at] ?? "", width, align)).join("  "),
  );
  return [paint("dim", heading.trimEnd()), ...lines.map((line) => line.trimEnd())];
}

function place(text: string, width: number, align: Column["align"]): string {
  const shown = cut(text, width);
  return align === "right" ? padStart(shown, width) : padEnd(shown, width);
}

type SizedColumn = Column & { width: number };

function fitted(columns: readonly Column[], room: number): SizedColumn[] {
  const sized = columns.map((column) => ({
    ...column,
    width: Math.max(widthOf(column.name), ...column.cells.map(widthOf)),
  }));
  for (;;) {
    const total = sized.reduce((sum, { width }) => sum + width + gap, -gap);
    if (total <= room) return sized;
    const last = sized.at(-1);
    const lastRoom = room - (total - (last?.width ?? 0));
    if (last?.dispensable && lastRoom >= lastMin) {
      return [...sized.slice(0, -1), { ...last, width: lastRoom }];
    }
    const least = sized.reduce((worst, one) =>
      (one.dispensable ?? 0) > (worst.dispensable ?? 0) ? one : worst,
    );
    // Columns that are always shown may wrap.
    if (!least.dispensable) return sized;
    sized.splice(sized.indexOf(least), 1);
  }
}
