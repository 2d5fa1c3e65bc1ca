/** Sheets of labels as a PDF, drawn and sent page by page. Other requests run in between. */
import { setImmediate } from "node:timers/promises";
import { bareUrl } from "#lib/basics/urls/schema";
import { rectanglePath } from "#lib/links/qr-design/schema";
import {
  type Drawing,
  drawParts,
  PdfFile,
  type PlacedDrawing,
  pointsPerMillimeter,
  type Shape,
  TextSetter,
} from "#lib/outreach/qr";
import type { SentFile } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type LinkCode, longestOf, looksOf, withArchiveSlot } from "./archives.ts";
import { type LabelSheets, sheetOf } from "./label-body.ts";
import {
  type Area,
  type LabelParts,
  lineHeight,
  pageSizes,
  partsOf,
  placesOf,
  type TextArea,
} from "./label-sheets.ts";
import { scanUrl } from "./link-codes.ts";
import { moduleMillimetersMin } from "./schema.ts";

/** A long short link gets smaller before it wraps or is cut. */
const textSizeMin = 1.4;
const besideLinkLines = 2;
const besideTitleLines = 3;
const black = "#000000";
const cutMarkLength = 1.5;
const cutMarkWidth = 0.1;

export interface LabelSheetsFile extends SentFile {
  /** The smallest module of its codes; scanners may fail below `moduleMillimetersAdvised`. */
  moduleMillimeters: number;
}

/** Throws not_found, or a 422 with the reason, before the first byte is sent. */
export async function openLabelSheets(
  scope: WorkspaceScope,
  body: LabelSheets,
): Promise<LabelSheetsFile> {
  const codes = await looksOf(scope, body.linkIds, body.template);
  const sheet = sheetOf(body);
  const parts = partsOf(sheet, body);
  const moduleMillimeters = await assertScannable(codes, parts);
  const places = placesOf(sheet);
  const page = {
    width: pageSizes[sheet.page].width * pointsPerMillimeter,
    height: pageSizes[sheet.page].height * pointsPerMillimeter,
  };
  const send: SentFile["send"] = async (write) => {
    const file = new PdfFile(write);
    const setter = new TextSetter();
    for (const labels of pagesOf(codes, places, body.startAt)) {
      const drawings: PlacedDrawing[] = [];
      for (const { code, place } of labels) {
        drawings.push(...(await drawLabel(code, { body, parts, place, setter })));
        await setImmediate();
      }
      if (body.cutMarks) drawings.push(placed(cutMarks(places), 0, 0));
      await file.addPage(page, drawings);
    }
    await file.end();
  };
  const name = "fuxi-labels.pdf";
  return { ...withArchiveSlot({ name, type: "application/pdf", send }), moduleMillimeters };
}

function* pagesOf(codes: readonly LinkCode[], places: readonly Area[], startAt: number) {
  const empty = startAt - 1;
  for (let first = -empty; first < codes.length; first += places.length) {
    yield places.flatMap((place, at) => {
      const code = codes[first + at];
      return code ? [{ code, place }] : [];
    });
  }
}

/** Returns the width of the smallest module. Throws when a printer cannot draw it. */
async function assertScannable(
  codes: readonly LinkCode[],
  { code: { width } }: LabelParts,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const { link, look } of longestOf(codes)) {
    const drawing = await drawParts({ address: scanUrl(link.shortLink), ...look });
    const modules = Math.max(drawing.width, drawing.height);
    if (width / modules < moduleMillimetersMin) {
      const needed = Math.ceil(modules * moduleMillimetersMin * 10) / 10;
      throw new AppError(
        "unprocessable_entity",
        `The QR code of ${link.shortLink} would be ${Math.floor(width * 10) / 10} mm wide, and needs ${needed} mm to be scanned. Use larger labels, or remove the title, the short link, or the caption of the design.`,
        { problem: "label_too_small", params: { needed } },
      );
    }
    least = Math.min(least, width / modules);
  }
  return least;
}

interface LabelRequest {
  body: LabelSheets;
  parts: LabelParts;
  place: Area;
  setter: TextSetter;
}

async function drawLabel(
  { link, look }: LinkCode,
  { body, parts, place, setter }: LabelRequest,
): Promise<PlacedDrawing[]> {
  const { code, text } = parts;
  const drawing = await drawParts({ address: scanUrl(link.shortLink), ...look });
  const scale = code.width / Math.max(drawing.width, drawing.height);
  const x = place.x + code.x + (code.width - drawing.width * scale) / 2;
  const y = place.y + code.y + (code.height - drawing.height * scale) / 2;
  const drawn = [placed(drawing, x, y, scale)];
  if (!text) return drawn;
  const shortLink = body.shortLink ? bareUrl(link.shortLink) : "";
  const title = body.title ? (link.title ?? "") : "";
  const shapes = await textShapes(setter, text, { shortLink, title });
  const { width, height } = text;
  return [...drawn, placed({ width, height, shapes }, place.x + text.x, place.y + text.y)];
}

function placed(drawing: Drawing, x: number, y: number, scale = 1): PlacedDrawing {
  const points = pointsPerMillimeter;
  return { drawing, x: x * points, y: y * points, scale: scale * points };
}

async function textShapes(
  setter: TextSetter,
  area: TextArea,
  { shortLink, title }: { shortLink: string; title: string },
): Promise<Shape[]> {
  const { place, size, width, height } = area;
  const isBeside = place === "beside";
  const [whole] = await setter.linesOf(shortLink, { emsMax: width / textSizeMin, linesMax: 1 });
  const linkSize = whole ? Math.max(textSizeMin, Math.min(size, width / whole.ems)) : size;
  const linkLines = await setter.linesOf(shortLink, {
    emsMax: width / linkSize,
    linesMax: isBeside ? besideLinkLines : 1,
  });
  const titleLines = await setter.linesOf(title, {
    emsMax: width / size,
    linesMax: isBeside ? besideTitleLines : 1,
  });
  const lines = [
    ...linkLines.map((line) => ({ line, size: linkSize })),
    ...titleLines.map((line) => ({ line, size })),
  ];
  const high = lines.reduce((sum, one) => sum + one.size * lineHeight, 0);
  // On a low label, the last lines are left out.
  let y = isBeside ? Math.max(0, (height - high) / 2) : 0;
  return lines.flatMap(({ line, size: fontSize }) => {
    y += fontSize * lineHeight;
    if (y > height + fontSize * (lineHeight - 1)) return [];
    const x = isBeside ? 0 : (width - line.ems * fontSize) / 2;
    const path = line.pathAt(x, y - (lineHeight - 1) * fontSize, fontSize);
    return [{ path, paint: black, offset: 0, rule: "nonzero" as const }];
  });
}

function cutMarks(places: readonly Area[]): Drawing {
  const corners = new Map<string, string>();
  for (const { x, y, width, height } of places) {
    for (const [left, top] of [
      [x, y],
      [x + width, y],
      [x, y + height],
      [x + width, y + height],
    ] as const) {
      corners.set(`${left.toFixed(2)} ${top.toFixed(2)}`, crossAt(left, top));
    }
  }
  const path = [...corners.values()].join("");
  return { width: 0, height: 0, shapes: [{ path, paint: black, offset: 0, rule: "nonzero" }] };
}

function crossAt(x: number, y: number): string {
  const [half, long] = [cutMarkWidth / 2, 2 * cutMarkLength];
  const across = { x: x - cutMarkLength, y: y - half, width: long, height: cutMarkWidth };
  const down = { x: x - half, y: y - cutMarkLength, width: cutMarkWidth, height: long };
  return rectanglePath(across, 0) + rectanglePath(down, 0);
}
