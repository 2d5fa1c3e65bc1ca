/**
 * The code of a link in a design: as an SVG, that SVG as a PNG, or a PDF for print.
 *
 *     frame │ margin │ code, a logo in its middle │ margin │ frame
 *                           caption
 *
 * All measures are in modules. The only texts in the drawing are numbers, colors from the schema, and a logo that was
 * encoded here: nothing in it can be a script or a link. A caption is a path, so that no font is needed to show it.
 */
import sharp from "sharp";
import {
  type Box,
  findDesignWarnings,
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
import { cornersPath, dotsPath, type Square } from "./shapes.ts";

/**
 * Share of a side that a logo covers; its area, with the edge around it, stays far below the 30 % that level H repairs.
 */
const logoShare = 0.22;
/** Around the logo, in modules. */
const logoEdge = 0.4;
/** Below this, round dots merge. */
const modulePixelsMin = 3;
const captionModules = 3;
const captionGap = 1;
/** A frame of type line: its width, and distance from the edge of the image. */
const lineModules = 0.6;
/** A frame of type label: the border around the background. */
const labelModules = 1.5;
/** A short caption would be larger than the dots otherwise. */
const captionSizeMax = 0.8 * captionModules;

/** How many PNGs are rendered at the same time; each may take 70 MB. */
const pngsAtOnceMax = 2;
const pngSecondsMax = 20;

export interface DrawnCode {
  type: "image/png" | "image/svg+xml" | "application/pdf";
  body: Uint8Array<ArrayBuffer>;
}

export interface CodeContent {
  /** The content of the code, in ASCII. */
  address: string;
  design: QrDesign;
  /** The logo as a PNG encoded by this instance. */
  logo: Uint8Array | undefined;
}

export interface DesignRequest extends CodeContent {
  format: PictureFormat;
  /** Width in pixels; of a PDF in millimeters. */
  width: number;
}

/** Draws a code. Throws a 422 with the reason when it could not be scanned. */
export async function drawDesign(request: DesignRequest): Promise<DrawnCode> {
  const { format, width } = request;
  const drawing = await drawParts(request);
  if (format === "pdf") {
    return { type: "application/pdf", body: await withPngSlot(() => encodePdf(drawing, width)) };
  }
  const least = Math.ceil(drawing.width * modulePixelsMin);
  if (width < least) {
    throw new AppError(
      "unprocessable_entity",
      `size: This QR code needs at least ${least} pixels. Use a larger size or a smaller margin.`,
    );
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
    // The slot passes to the next waiting call; without one it is free.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The parts of a code. Throws a 422 with the reason when it could not be scanned. */
export async function drawParts({ address, design, logo }: CodeContent): Promise<Drawing> {
  if (findDesignWarnings(design).includes("alike")) {
    throw new AppError("unprocessable_entity", tooAlike);
  }
  const level = logo ? "H" : design.level;
  const bytes = Buffer.from(address);
  if (bytes.length > bytesMax[level]) {
    throw new AppError(
      "unprocessable_entity",
      `This short link has ${bytes.length} bytes, but a QR code of level ${level} can have up to ${bytesMax[level]}. Use a lower level, remove the logo, or shorten the key.`,
    );
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

/** A gradient covers the code, not each of its dots. */
function dotsPaint(side: number, { foreground, gradient, gradientColor }: QrDesign): Paint {
  if (gradient === "none") return foreground;
  return { gradient, from: foreground, to: gradientColor, side };
}

interface DrawingLayout {
  width: number;
  height: number;
  /** Offset of the code, from the left and from the top. */
  code: number;
  /** Vertical middle of the caption. */
  captionMiddle: number;
}

function layOut(size: number, { margin, frame: kind, caption }: QrDesign): DrawingLayout {
  const border = { none: 0, line: 2 * lineModules, label: labelModules }[kind];
  const code = border + margin;
  const width = size + 2 * code;
  if (caption === "") return { width, height: width, code, captionMiddle: 0 };
  // The caption of a label is on the border, below the background; other captions are on the background.
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

/** As odd or even as the code itself, so that the hole is in the middle. */
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

/** In the middle of its line; a long one is smaller. */
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
