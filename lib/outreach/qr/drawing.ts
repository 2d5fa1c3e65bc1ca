/**
 * The code of a link in a design: as an SVG, that SVG as a PNG, or a PDF for print. The code with
 * the logo in its middle is inside the margin and the frame; the caption is below. All measures are
 * in modules. The only texts in the drawing are numbers, colors from the schema, and a logo that
 * was encoded here, so nothing in it can be a script or a link. A caption is a path, so that no
 * font is needed to show it.
 */
import sharp from "sharp";
import {
  type Box,
  cornerPaths,
  dotPaths,
  findDesignWarnings,
  type Matrix,
  type QrDesign,
  rectanglePath,
  tooAlike,
} from "#lib/links/qr-design/schema";
import { AppError } from "#lib/platform/errors";
import { letter } from "./lettering.ts";
import { bytesMax, makeMatrix } from "./matrix.ts";
import { type Drawing, encodeDrawing, type Paint, type Shape } from "./parts.ts";
import { encodePdf } from "./pdf.ts";
import type { PictureFormat } from "./schema.ts";

/** With its edge, the area of a logo stays far below the 30 % that level H repairs. */
const logoShare = 0.22;
const logoEdge = 0.4;
const modulePixelsMin = 3;
const captionModules = 3;
const captionGap = 1;
const lineModules = 0.6;
const labelModules = 1.5;
/** Keeps a short caption from becoming larger than the dots. */
const captionSizeMax = 0.8 * captionModules;

/** Rendering a PNG may take 70 MB. */
const pngsAtOnceMax = 2;
const pngSecondsMax = 20;

export interface DrawnCode {
  type: "image/png" | "image/svg+xml" | "application/pdf";
  body: Uint8Array<ArrayBuffer>;
}

interface CodeContent {
  address: string;
  design: QrDesign;
  /** A PNG that this instance encoded. */
  logo: Uint8Array | undefined;
}

export interface DesignRequest extends CodeContent {
  format: PictureFormat;
  width: number;
}

/** Throws a 422 with the reason if the code could not be scanned. */
export async function drawDesign(request: DesignRequest): Promise<DrawnCode> {
  const { format, width } = request;
  const drawing = await drawParts(request);
  if (format === "pdf") {
    return { type: "application/pdf", body: await withPngSlot(() => encodePdf(drawing, width)) };
  }
  const least = Math.ceil(drawing.width * modulePixelsMin);
  if (width < least) {
    const message = `size: This QR code needs at least ${least} pixels. Use a larger size or a smaller margin.`;
    throw new AppError("unprocessable_entity", message);
  }
  const svg = Buffer.from(encodeDrawing(drawing, width));
  if (format === "svg") return { type: "image/svg+xml", body: svg };
  return { type: "image/png", body: await withPngSlot(() => encode(svg)) };
}

async function encode(svg: Buffer): Promise<Buffer<ArrayBuffer>> {
  const png = sharp(svg).timeout({ seconds: pngSecondsMax }).png({ compressionLevel: 8 });
  return Buffer.from(await png.toBuffer());
}

let running = 0;
const waiting: (() => void)[] = [];

async function withPngSlot<Done>(run: () => Promise<Done>): Promise<Done> {
  if (running >= pngsAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Throws a 422 with the reason if the code could not be scanned. */
export async function drawParts({ address, design, logo }: CodeContent): Promise<Drawing> {
  if (findDesignWarnings(design).includes("alike")) {
    throw new AppError("unprocessable_entity", tooAlike);
  }
  const level = logo ? "H" : design.level;
  const bytes = Buffer.from(address);
  if (bytes.length > bytesMax[level]) {
    const message = `This short link has ${bytes.length} bytes, but a QR code of level ${level} can have up to ${bytesMax[level]}. Use a lower level, remove the logo, or shorten the key.`;
    throw new AppError("unprocessable_entity", message);
  }
  const matrix = makeMatrix(bytes, level);
  const layout = layOut(matrix.size, design);
  const logoBox = logo && holeIn(matrix.size);
  const { code } = layout;
  return {
    width: layout.width,
    height: layout.height,
    shapes: [
      ...frameShapes(layout, design),
      {
        path: dotsPath(matrix, design.dots, logoBox),
        paint: dotsPaint(matrix.size, design),
        offset: code,
      },
      { path: cornersPath(matrix.size, design), paint: design.cornerColor, offset: code },
      ...(await captionShapes(layout, design)),
    ],
    ...(logoBox ? { logo: { png: logo, ...logoPlace(logoBox, code) } } : {}),
  };
}

function dotsPaint(side: number, { foreground, gradient, gradientColor }: QrDesign): Paint {
  if (gradient === "none") return foreground;
  return { gradient, from: foreground, to: gradientColor, side };
}

interface DrawingLayout {
  width: number;
  height: number;
  code: number;
  captionMiddle: number;
}

function layOut(size: number, { margin, frame: kind, caption }: QrDesign): DrawingLayout {
  const border = { none: 0, line: 2 * lineModules, label: labelModules }[kind];
  const code = border + margin;
  const width = size + 2 * code;
  if (caption === "") return { width, height: width, code, captionMiddle: 0 };
  // Only the caption of a label is on the border, below the background.
  const above = kind === "label" ? width - border + captionGap : code + size + margin;
  const below = kind === "none" ? Math.max(captionGap, margin / 2) : border + captionGap;
  const height = above + captionModules + below;
  return { width, height, code, captionMiddle: above + captionModules / 2 };
}

function frameShapes(
  { width, height }: DrawingLayout,
  { frame, foreground, background }: QrDesign,
): Shape[] {
  const all = { x: 0, y: 0, width, height };
  const ground: Shape = { path: rectanglePath(all, 0), paint: background, offset: 0 };
  if (frame === "none") return [ground];
  if (frame === "line") {
    const line = within(all, lineModules / 2);
    const path = rectanglePath(line, 1.8) + rectanglePath(within(line, lineModules), 1.2);
    return [ground, { path, paint: foreground, offset: 0 }];
  }
  const side = width - 2 * labelModules;
  const inside = { x: labelModules, y: labelModules, width: side, height: side };
  return [
    ground,
    { path: rectanglePath(all, 2.5), paint: foreground, offset: 0 },
    { path: rectanglePath(inside, 1.5), paint: background, offset: 0 },
  ];
}

function within({ x, y, width, height }: Box, edge: number): Box {
  return { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge };
}

/** The side is odd or even like the code’s, so that the hole is in the middle. */
function holeIn(size: number): Square {
  const edge = Math.floor(size * logoShare);
  const side = edge % 2 === size % 2 ? edge : edge + 1;
  return { at: (size - side) / 2, side };
}

function logoPlace({ at, side }: Square, offset: number): Box {
  const from = offset + at + logoEdge;
  const across = side - 2 * logoEdge;
  return { x: from, y: from, width: across, height: across };
}

/** Centered in its line. A long caption is smaller. */
async function captionShapes(
  { width, captionMiddle, code }: DrawingLayout,
  { caption, frame, margin, foreground, background }: QrDesign,
): Promise<Shape[]> {
  if (caption === "") return [];
  const { ems, pathAt } = await letter(caption);
  const room = width - 2 * Math.max(2, code - margin);
  const size = Math.min(captionSizeMax, room / ems);
  // The middle of lower-case letters is a third of the font size above the baseline.
  const path = pathAt((width - ems * size) / 2, captionMiddle + size * 0.35, size);
  const paint = frame === "label" ? background : foreground;
  return [{ path, paint, offset: 0, rule: "nonzero" }];
}

const cornerModules = 7;

interface Square {
  at: number;
  side: number;
}

function dotsPath(matrix: Matrix, dots: QrDesign["dots"], logoBox: Square | undefined): string {
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

/** A ring of one module and a block of three inside. Fill it with the rule evenodd. */
function cornersPath(
  size: number,
  { corners, cornerDots }: Pick<QrDesign, "corners" | "cornerDots">,
): string {
  const { ring } = cornerPaths[corners];
  const { block } = cornerPaths[cornerDots ?? corners];
  return cornersOf(size - cornerModules)
    .map(([x, y]) => ring(x, y) + block(x + 2, y + 2))
    .join("");
}
