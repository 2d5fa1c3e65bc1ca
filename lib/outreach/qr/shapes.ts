/** Where the shapes of a design are in a code: dots outside the corners and the hole for the logo, and the corners. */
import { cornerPaths, dotPaths, type Matrix, type QrDesign } from "#lib/links/qr-design/schema";

/** Modules per corner side. */
const cornerModules = 7;

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
  return dotPaths[dots](withoutCorners(matrix, logoBox));
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

/**
 * The path of the three corners: a ring of one module and a block of three within; to be filled with the rule evenodd.
 */
export function cornersPath(
  size: number,
  { corners, cornerDots }: Pick<QrDesign, "corners" | "cornerDots">,
): string {
  const { ring } = cornerPaths[corners];
  const { block } = cornerPaths[cornerDots ?? corners];
  return cornersOf(size - cornerModules)
    .map(([x, y]) => ring(x, y) + block(x + 2, y + 2))
    .join("");
}
