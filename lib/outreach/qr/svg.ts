/** A matrix as an SVG: the background, and one path that draws each run of dark modules as a bar. */
import { barsOf, type Matrix } from "#lib/links/qr-design/schema";

export function encodeSvg(
  matrix: Matrix,
  { size, margin }: { size: number; margin: number },
  colors: { background: string; foreground: string },
): string {
  const side = matrix.size + 2 * margin;
  let bars = "";
  for (let row = 0; row < matrix.size; row++) {
    for (const { column, length } of barsOf(matrix, row)) {
      bars += `M${column + margin} ${row + margin}h${length}v1h-${length}z`;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="${colors.background}" d="M0 0h${side}v${side}H0z"/><path fill="${colors.foreground}" d="${bars}"/></svg>`;
}
