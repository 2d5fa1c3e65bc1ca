/** Charts drawn with characters. */
import { cut, padEnd, padStart, widthOf } from "./widths.ts";

const eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const rowsUsual = 8;

export interface Point {
  label: string;
  value: number;
}

/**
 * Columns over time, with the largest value at the side. If there are more points than cells, neighbors are added up: a column
 * then covers several days, but no click is missing.
 */
export function drawColumns(points: readonly Point[], width: number, rows = rowsUsual): string[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return [];
  const room = Math.max(1, width - 8);
  const groups = group(
    points.map(({ value }) => value),
    room,
  );
  const highest = Math.max(1, ...groups);
  const cells = Math.max(1, Math.min(4, Math.floor(room / groups.length)));
  const scale = String(highest);
  const margin = scale.length + 1;
  const lines = Array.from({ length: rows }, (_, row) => {
    const from = rows - 1 - row;
    const bars = groups.map((value) => column(value / highest, from, rows, cells));
    return `${padStart(row === 0 ? scale : row === rows - 1 ? "0" : "", margin - 1)} ${bars.join("")}`;
  });
  const wide = groups.length * cells;
  const ends =
    widthOf(first.label) + widthOf(last.label) + 2 <= wide && points.length > 1
      ? padEnd(first.label, wide - widthOf(last.label)) + last.label
      : first.label;
  return [...lines.map((line) => line.trimEnd()), " ".repeat(margin) + ends];
}

function group(values: readonly number[], columnsMax: number): number[] {
  const size = Math.ceil(values.length / columnsMax);
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, at) =>
    values.slice(at * size, (at + 1) * size).reduce((sum, value) => sum + value, 0),
  );
}

/** One row of a column. A value above zero is always visible. */
function column(share: number, from: number, rows: number, cells: number): string {
  const levels = share > 0 ? Math.max(1, Math.round(share * rows * 8)) : 0;
  const level = Math.min(8, Math.max(0, levels - from * 8));
  const char = eighths[level] ?? " ";
  return cells > 1 ? `${char.repeat(cells - 1)} ` : char;
}

const labelMax = 24;
const barMax = 30;

export function drawBars(points: readonly Point[], width: number): string[] {
  const labelWidth = Math.min(
    Math.max(8, Math.min(labelMax, Math.floor(width / 3))),
    Math.max(0, ...points.map(({ label }) => widthOf(label))),
  );
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const numberWidth = String(highest).length;
  const room = Math.max(4, Math.min(barMax, width - labelWidth - numberWidth - 4));
  return points.map(({ label, value }) => {
    const length = Math.max(value > 0 ? 1 : 0, Math.round((value / highest) * room));
    const shown = padEnd(cut(label, labelWidth), labelWidth);
    return `${shown}  ${padStart(String(value), numberWidth)}  ${"█".repeat(length)}`;
  });
}
