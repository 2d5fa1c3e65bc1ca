/** The parts of a code as SVG paths, in modules: dots, and the three corners by which readers find it. */

import type { QrDesign } from "#lib/links/qr-design/schema";
import { barsOf, type Matrix } from "./matrix.ts";

/** Modules per corner side. */
const cornerModules = 7;
const dotRadius = 0.46;

/** A square of modules, by its first row and column. */
export interface Square {
  at: number;
  side: number;
}

/** The path of all dots outside the corners and outside the hole for the logo. */
export function dotsPath(
  matrix: Matrix,
  dots: QrDesign["dots"],
  logoBox: Square | undefined,
): string {
  const drawn = withoutCorners(matrix, logoBox);
  if (dots === "square") return barsPath(drawn);
  const draw = dots === "dots" ? circleAt : (x: number, y: number) => roundedAt(drawn, x, y);
  let path = "";
  for (let row = 0; row < drawn.size; row++) {
    for (let column = 0; column < drawn.size; column++) {
      if (isDark(drawn, column, row)) path += draw(column, row);
    }
  }
  return path;
}

function withoutCorners({ size, modules }: Matrix, logoBox: Square | undefined): Matrix {
  const kept = modules.slice();
  const clear = (left: number, top: number, side: number) => {
    for (let row = top; row < top + side; row++) {
      kept.fill(0, row * size + left, row * size + left + side);
    }
  };
  const far = size - cornerModules;
  for (const [left, top] of cornersOf(far)) clear(left, top, cornerModules);
  if (logoBox) clear(logoBox.at, logoBox.at, logoBox.side);
  return { size, modules: kept };
}

function cornersOf(far: number): readonly (readonly [number, number])[] {
  return [
    [0, 0],
    [far, 0],
    [0, far],
  ];
}

function isDark({ size, modules }: Matrix, column: number, row: number): boolean {
  if (column < 0 || row < 0 || column >= size || row >= size) return false;
  return modules[row * size + column] === 1;
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

function circleAt(column: number, row: number): string {
  return circle(column + 0.5, row + 0.5, dotRadius);
}

function circle(x: number, y: number, radius: number): string {
  const across = 2 * radius;
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${across} 0a${radius} ${radius} 0 1 0 -${across} 0z`;
}

/** A module with round edges where it has no dark neighbor on either side, so that neighbors merge. */
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

/**
 * The path of the three corners: a ring of one module and a block of three within; to be filled with the rule evenodd.
 */
export function cornersPath(
  size: number,
  { corners, cornerDots }: Pick<QrDesign, "corners" | "cornerDots">,
): string {
  return cornersOf(size - cornerModules)
    .map(([x, y]) => ringPath(x, y, corners) + blockPath(x + 2, y + 2, cornerDots ?? corners))
    .join("");
}

/** Not quite a circle: readers scan a corner along straight lines and miss a fully round one. */
const ringRadius = { square: [0, 0], rounded: [2, 1.25], circle: [2.75, 2] } as const;

function ringPath(x: number, y: number, corners: QrDesign["corners"]): string {
  const [outer, inner] = ringRadius[corners];
  return box(x, y, 7, outer) + box(x + 1, y + 1, 5, inner);
}

function blockPath(x: number, y: number, corners: QrDesign["corners"]): string {
  if (corners === "circle") return circle(x + 1.5, y + 1.5, 1.5);
  return box(x, y, 3, corners === "rounded" ? 0.75 : 0);
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

/** A rectangle with round edges. */
export function rectanglePath({ x, y, width, height }: Box, radius: number): string {
  if (radius === 0) return `M${x} ${y}h${width}v${height}h-${width}z`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const turn = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return `M${x + radius} ${y}h${across}${turn(radius, radius)}v${down}${turn(-radius, radius)}h-${across}${turn(-radius, -radius)}v-${down}${turn(radius, -radius)}z`;
}
