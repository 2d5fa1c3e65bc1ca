/**
 * The code of a link in a design, as an SVG, and that SVG as a PNG.
 *
 *     frame │ margin │ code, a logo in its middle │ margin │ frame
 *                           caption
 *
 * All measures are in modules. The only texts in the drawing are numbers, colors from the schema, the escaped caption,
 * and a logo that was encoded here: nothing in it can be a script or a link.
 */
import sharp from "sharp";
import { AppError } from "#lib/platform/errors";
import { bytesMax, makeMatrix } from "./matrix.ts";
import { findDesignWarnings, type PictureFormat, type QrDesign } from "./schema.ts";
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
const fonts =
  "Geist, Inter, Helvetica, Arial, Noto Sans SC, Noto Sans CJK SC, PingFang SC, sans-serif";

/** How many PNGs are rendered at the same time; each may take 70 MB. */
const pngsAtOnceMax = 2;
const pngSecondsMax = 20;

export interface DrawnCode {
  type: "image/png" | "image/svg+xml";
  body: Uint8Array<ArrayBuffer>;
}

export interface DesignRequest {
  /** The content of the code, in ASCII. */
  address: string;
  design: QrDesign;
  /** The logo as a PNG encoded by this instance. */
  logo: Uint8Array | undefined;
  format: PictureFormat;
  /** Width in pixels. */
  width: number;
}

/** Draws a code. Throws a 422 with the reason when it could not be scanned. */
export async function drawDesign(request: DesignRequest): Promise<DrawnCode> {
  const svg = Buffer.from(drawSvg(request));
  if (request.format === "svg") return { type: "image/svg+xml", body: svg };
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

function drawSvg({ address, design, logo, width }: DesignRequest): string {
  if (findDesignWarnings(design).includes("alike")) {
    throw new AppError(
      "unprocessable_entity",
      "The dots and corners have too little contrast with the background to be scanned. Use darker dots and corners, or a lighter background.",
    );
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
  const least = Math.ceil(layout.width * modulePixelsMin);
  if (width < least) {
    throw new AppError(
      "unprocessable_entity",
      `size: This QR code needs at least ${least} pixels. Use a larger size or a smaller margin.`,
    );
  }
  const logoBox = logo && holeIn(matrix.size);
  const height = Math.round((width * layout.height) / layout.width);
  const parts = [
    frame(layout, design),
    `<g transform="translate(${layout.code} ${layout.code})">`,
    `<path fill="${design.foreground}" d="${dotsPath(matrix, design.dots, logoBox)}"/>`,
    `<path fill="${design.cornerColor}" fill-rule="evenodd" d="${cornersPath(matrix.size, design.corners)}"/>`,
    logoBox ? image(logoBox, logo) : "",
    "</g>",
    captionText(layout, design),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${layout.width} ${layout.height}">${parts.join("")}</svg>`;
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

function frame(
  { width, height }: DrawingLayout,
  { frame: kind, foreground, background }: QrDesign,
) {
  const ground = rectangle({ x: 0, y: 0, width, height }, 0, `fill="${background}"`);
  if (kind === "none") return ground;
  if (kind === "line") {
    const stroke = `fill="none" stroke="${foreground}" stroke-width="${lineModules}"`;
    const line = {
      x: lineModules,
      y: lineModules,
      width: width - 2 * lineModules,
      height: height - 2 * lineModules,
    };
    return ground + rectangle(line, 1.5, stroke);
  }
  const inside = width - 2 * labelModules;
  return (
    ground +
    rectangle({ x: 0, y: 0, width, height }, 2.5, `fill="${foreground}"`) +
    rectangle(
      { x: labelModules, y: labelModules, width: inside, height: inside },
      1.5,
      `fill="${background}"`,
    )
  );
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function rectangle({ x, y, width, height }: Box, radius: number, paint: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${paint}/>`;
}

/** As odd or even as the code itself, so that the hole is in the middle. */
function holeIn(size: number): Square {
  const edge = Math.floor(size * logoShare);
  const side = edge % 2 === size % 2 ? edge : edge + 1;
  return { at: (size - side) / 2, side };
}

function image({ at, side }: Square, logo: Uint8Array): string {
  const data = Buffer.from(logo).toString("base64");
  const [from, across] = [at + logoEdge, side - 2 * logoEdge];
  return `<image x="${from}" y="${from}" width="${across}" height="${across}" preserveAspectRatio="xMidYMid meet" href="data:image/png;base64,${data}"/>`;
}

function captionText({ width, captionMiddle, code }: DrawingLayout, design: QrDesign): string {
  const { caption, frame: kind, foreground, background } = design;
  if (caption === "") return "";
  const room = width - 2 * Math.max(2, code - design.margin);
  const size = Math.min(captionModules * 0.8, room / emsOf(caption));
  const ink = kind === "label" ? background : foreground;
  // The middle of lower-case letters is a third of the font size above the baseline.
  return `<text x="${width / 2}" y="${round(captionMiddle + size * 0.35)}" text-anchor="middle" font-family="${fonts}" font-weight="600" font-size="${round(size)}" fill="${ink}">${escapeText(caption)}</text>`;
}

/** Approximate width of a text, in font sizes: a Chinese character counts one, a Latin letter two thirds. */
function emsOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) > 0x2e7f ? 1 : 0.66), 0);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? "");
}
