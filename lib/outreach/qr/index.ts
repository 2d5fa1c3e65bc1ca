/** QR codes as images. Logos given by URL are ignored, so nothing is fetched. */
import { contrastOf } from "#lib/basics/formats/schema";
import { barsOf, contrastMin, type Matrix } from "#lib/links/qr-design/schema";
import { AppError } from "#lib/platform/errors";
import { bytesMax, makeMatrix } from "./matrix.ts";
import { encodePng } from "./png.ts";
import type { QrQuery } from "./schema.ts";

export { type DrawnCode, drawDesign, drawParts } from "./drawing.ts";
export { drawableText, TextSetter } from "./lettering.ts";
export type { Drawing, Shape } from "./parts.ts";
export { PdfFile, type PlacedDrawing, pointsPerMillimeter } from "./pdf.ts";

export interface QrPicture {
  type: "image/png" | "image/svg+xml";
  body: Uint8Array<ArrayBuffer> | string;
}

/** Throws a 422 with the reason if the code could not be scanned. */
export async function drawQr(query: QrQuery): Promise<QrPicture> {
  const { url, size, level, fgColor, bgColor, format } = query;
  if (contrastOf(fgColor, bgColor) < contrastMin) {
    const message = `fgColor ${fgColor} and bgColor ${bgColor} have too little contrast to be scanned. Use a darker and a lighter color.`;
    throw new AppError("unprocessable_entity", message);
  }
  const bytes = Buffer.from(asciiAddress(url));
  if (bytes.length > bytesMax[level]) {
    const message = `url: This URL has ${bytes.length} bytes, but a QR code of level ${level} can have up to ${bytesMax[level]}. Use a lower level or a short link.`;
    throw new AppError("unprocessable_entity", message);
  }
  const matrix = makeMatrix(bytes, level);
  const margin = query.includeMargin === "true" ? query.margin : 0;
  const colors = { foreground: fgColor, background: bgColor };
  if (format === "svg") {
    return { type: "image/svg+xml", body: encodeSvg(matrix, { size, margin }, colors) };
  }
  return { type: "image/png", body: await encodePng(matrix, layOut(matrix, size, margin), colors) };
}

/** All modules have the same whole number of pixels, so that edges stay sharp. */
function layOut(matrix: Matrix, pixels: number, margin: number) {
  const side = matrix.size + 2 * margin;
  const scale = Math.floor(pixels / side);
  if (scale < 1) {
    const message = `size: This QR code needs at least ${side} pixels. Use a larger size or a smaller margin.`;
    throw new AppError("unprocessable_entity", message);
  }
  return { pixels, scale, offset: Math.floor((pixels - scale * matrix.size) / 2) };
}

/** Readers disagree about the encoding of other characters, so the URL is written in ASCII. */
function asciiAddress(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
}

function encodeSvg(
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
