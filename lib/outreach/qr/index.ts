/** QR codes as images. Nothing is fetched: a logo given by URL is not drawn. */

import { contrastOf } from "#lib/basics/formats/schema";
import { contrastMin, type Matrix } from "#lib/links/qr-design/schema";
import { AppError } from "#lib/platform/errors";
import { bytesMax, makeMatrix } from "./matrix.ts";
import { encodePng } from "./png.ts";
import type { QrQuery } from "./schema.ts";
import { encodeSvg } from "./svg.ts";

export { type DrawnCode, drawDesign, drawParts } from "./drawing.ts";
export { drawableText } from "./lettering.ts";
export type { Drawing, Shape } from "./parts.ts";
export { PdfFile, type PlacedDrawing, pointsPerMillimeter } from "./pdf.ts";
export { TextSetter } from "./text-lines.ts";

export interface QrPicture {
  type: "image/png" | "image/svg+xml";
  body: Uint8Array<ArrayBuffer> | string;
}

/** Draws a code. Throws a 422 with the reason when it could not be scanned. */
export async function drawQr(query: QrQuery): Promise<QrPicture> {
  const { url, size, level, fgColor, bgColor, format } = query;
  if (contrastOf(fgColor, bgColor) < contrastMin) {
    throw new AppError(
      "unprocessable_entity",
      `fgColor ${fgColor} and bgColor ${bgColor} have too little contrast to be scanned. Use a darker and a lighter color.`,
    );
  }
  const bytes = Buffer.from(asciiAddress(url));
  if (bytes.length > bytesMax[level]) {
    throw new AppError(
      "unprocessable_entity",
      `url: This URL has ${bytes.length} bytes, but a QR code of level ${level} can have up to ${bytesMax[level]}. Use a lower level or a short link.`,
    );
  }
  const matrix = makeMatrix(bytes, level);
  const margin = query.includeMargin === "true" ? query.margin : 0;
  const colors = { foreground: fgColor, background: bgColor };
  if (format === "svg") {
    return { type: "image/svg+xml", body: encodeSvg(matrix, { size, margin }, colors) };
  }
  return { type: "image/png", body: await encodePng(matrix, layOut(matrix, size, margin), colors) };
}

/** Every module has the same whole number of pixels, so that edges stay sharp; the remainder widens the margin. */
function layOut(matrix: Matrix, pixels: number, margin: number) {
  const side = matrix.size + 2 * margin;
  const scale = Math.floor(pixels / side);
  if (scale < 1) {
    throw new AppError(
      "unprocessable_entity",
      `size: This QR code needs at least ${side} pixels. Use a larger size or a smaller margin.`,
    );
  }
  return { pixels, scale, offset: Math.floor((pixels - scale * matrix.size) / 2) };
}

/** Readers disagree about the encoding of other characters; the same URL in ASCII is unambiguous. */
function asciiAddress(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
}
