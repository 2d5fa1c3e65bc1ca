/** The shapes of dots and corners as SVG paths, in modules. The dashboard draws them as well. */
import { namesIn } from "#lib/basics/variants/schema";

export interface Matrix {
  size: number;
  /** Row by row, 1 for a dark module. */
  modules: Uint8Array;
}

const dotRadius = 0.46;

/** The path of all dark modules. Its parts must not overlap. */
export const dotPaths = {
  square: barsPath,
  rounded: eachDark(roundedAt),
  dots: eachDark((_, column, row) => circle(column + 0.5, row + 0.5, dotRadius)),
} as const satisfies Record<string, (matrix: Matrix) => string>;
export const qrDots = namesIn(dotPaths);

interface CornerShape {
  /** A ring of one module around a square of seven, to be filled with the rule evenodd. */
  ring: (x: number, y: number) => string;
  block: (x: number, y: number) => string;
}

/** No ring is quite a circle: readers scan along straight lines and miss fully round ones. */
export const cornerPaths = {
  square: { ring: ringOf(0, 0), block: blockOf(0) },
  rounded: { ring: ringOf(2, 1.25), block: blockOf(0.75) },
  circle: { ring: ringOf(2.75, 2), block: (x, y) => circle(x + 1.5, y + 1.5, 1.5) },
} as const satisfies Record<string, CornerShape>;
export const qrCorners = namesIn(cornerPaths);

export function barsOf({ size, modules }: Matrix, row: number) {
  const bars: { column: number; length: number }[] = [];
  const end = (row + 1) * size;
  for (let at = row * size; at < end; at++) {
    if (modules[at] !== 1) continue;
    const from = at;
    while (at < end && modules[at] === 1) at += 1;
    bars.push({ column: from - row * size, length: at - from });
  }
  return bars;
}

function barsPath(matrix: Matrix): string {
  let path = "";
  for (let row = 0; row < matrix.size; row++) {
    for (const { column, length } of barsOf(matrix, row)) {
      path += `M${column} ${row}h${length}v1h-${length}z`;
    }
  }
  return path;
}

type DrawModule = (matrix: Matrix, column: number, row: number) => string;

function eachDark(draw: DrawModule): (matrix: Matrix) => string {
  return (matrix) => {
    let path = "";
    for (let row = 0; row < matrix.size; row++) {
      for (let column = 0; column < matrix.size; column++) {
        if (isDark(matrix, column, row)) path += draw(matrix, column, row);
      }
    }
    return path;
  };
}

function isDark({ size, modules }: Matrix, column: number, row: number): boolean {
  if (column < 0 || row < 0 || column >= size || row >= size) return false;
  return modules[row * size + column] === 1;
}

function circle(x: number, y: number, radius: number): string {
  const across = 2 * radius;
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${across} 0a${radius} ${radius} 0 1 0 -${across} 0z`;
}

/** Rounds the edges without a dark neighbor on either side, so that neighbors merge. */
function roundedAt(matrix: Matrix, x: number, y: number): string {
  const up = isDark(matrix, x, y - 1);
  const down = isDark(matrix, x, y + 1);
  const left = isDark(matrix, x - 1, y);
  const right = isDark(matrix, x + 1, y);
  const edge = (free: boolean, turn: string, straight: string) => (free ? turn : straight);
  return [
    `M${x} ${y + 0.5}`,
    edge(!up && !left, "a.5 .5 0 0 1 .5 -.5", "v-.5h.5"),
    edge(!up && !right, "a.5 .5 0 0 1 .5 .5", "h.5v.5"),
    edge(!down && !right, "a.5 .5 0 0 1 -.5 .5", "v.5h-.5"),
    edge(!down && !left, "a.5 .5 0 0 1 -.5 -.5", "h-.5v-.5"),
    "z",
  ].join("");
}

function ringOf(outer: number, inner: number): CornerShape["ring"] {
  return (x, y) => box(x, y, 7, outer) + box(x + 1, y + 1, 5, inner);
}

function blockOf(radius: number): CornerShape["block"] {
  return (x, y) => box(x, y, 3, radius);
}

function box(x: number, y: number, side: number, radius: number): string {
  return rectanglePath({ x, y, width: side, height: side }, radius);
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function rectanglePath({ x, y, width, height }: Box, radius: number): string {
  if (radius === 0) return `M${x} ${y}h${width}v${height}h-${width}z`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const turn = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return `M${x + radius} ${y}h${across}${turn(radius, radius)}v${down}${turn(-radius, radius)}h-${across}${turn(-radius, -radius)}v-${down}${turn(radius, -radius)}z`;
}
