/**
 * The places of labels on a sheet, and of the code and text on a label, in millimeters. Imports
 * nothing, so that the preview in the browser has the same places as the PDF. The makers of label
 * sheets publish the measures of the presets.
 */

export const pageSizes = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;
export type PageName = keyof typeof pageSizes;

export interface LabelSheet {
  page: PageName;
  columns: number;
  rows: number;
  labelWidth: number;
  labelHeight: number;
  /** From the edges of the page to the first label. */
  marginLeft: number;
  marginTop: number;
  gapX: number;
  gapY: number;
}

export const presetNames = [
  "a4-3x7",
  "a4-3x8",
  "a4-2x7",
  "a4-2x4",
  "a4-5x7",
  "a4-5x13",
  "letter-3x10",
  "letter-2x5",
] as const;
export type PresetName = (typeof presetNames)[number];

export interface LabelPreset extends LabelSheet {
  product: string;
}

export const labelPresets: Readonly<Record<PresetName, LabelPreset>> = {
  "a4-3x7": a4Sheet("Avery L7160", [3, 7], [63.5, 38.1], [7.25, 15.15], 2.5),
  "a4-3x8": a4Sheet("Avery L7159", [3, 8], [63.5, 33.9], [7.25, 12.9], 2.5),
  "a4-2x7": a4Sheet("Avery L7163", [2, 7], [99.1, 38.1], [4.65, 15.15], 2.5),
  "a4-2x4": a4Sheet("Avery L7165", [2, 4], [99.1, 67.7], [4.65, 13.1], 2.5),
  "a4-5x7": { ...a4Sheet("Avery L7120", [5, 7], [35, 35], [7.5, 11], 5), gapY: 5 },
  "a4-5x13": a4Sheet("Avery L7651", [5, 13], [38.1, 21.2], [4.75, 10.7], 2.5),
  "letter-3x10": {
    product: "Avery 5160",
    page: "letter",
    columns: 3,
    rows: 10,
    labelWidth: 66.675,
    labelHeight: 25.4,
    marginLeft: 4.7625,
    marginTop: 12.7,
    gapX: 3.175,
    gapY: 0,
  },
  "letter-2x5": {
    product: "Avery 5163",
    page: "letter",
    columns: 2,
    rows: 5,
    labelWidth: 101.6,
    labelHeight: 50.8,
    marginLeft: 3.96875,
    marginTop: 12.7,
    gapX: 4.7625,
    gapY: 0,
  },
};

/** Pairs: columns and rows, width and height of a label, left and top margin. */
function a4Sheet(
  product: string,
  [columns, rows]: readonly [number, number],
  [labelWidth, labelHeight]: readonly [number, number],
  [marginLeft, marginTop]: readonly [number, number],
  gapX: number,
): LabelPreset {
  const size = { columns, rows, labelWidth, labelHeight };
  return { product, page: "a4", ...size, marginLeft, marginTop, gapX, gapY: 0 };
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function placesOf(sheet: LabelSheet): Area[] {
  const { columns, rows, labelWidth: width, labelHeight: height } = sheet;
  return Array.from({ length: columns * rows }, (_, at) => ({
    x: sheet.marginLeft + (at % columns) * (width + sheet.gapX),
    y: sheet.marginTop + Math.floor(at / columns) * (height + sheet.gapY),
    width,
    height,
  }));
}

export const textPlaces = ["below", "beside"] as const;
export type TextPlace = (typeof textPlaces)[number];

export interface LabelContent {
  shortLink: boolean;
  title: boolean;
  textPlace?: TextPlace | undefined;
}

export interface TextArea extends Area {
  place: TextPlace;
  size: number;
}

export interface LabelParts {
  code: Area;
  text: TextArea | undefined;
}

const paddingMax = 2;
const paddingShare = 0.06;
const wideRatio = 1.3;
const besideShareMax = 0.55;
const textShare = 0.07;
const textSizeMin = 1.9;
const textSizeMax = 3.5;
export const lineHeight = 1.25;

export function partsOf(
  { labelWidth, labelHeight }: Pick<LabelSheet, "labelWidth" | "labelHeight">,
  { shortLink, title, textPlace }: LabelContent,
): LabelParts {
  const least = Math.min(labelWidth, labelHeight);
  const padding = Math.min(paddingMax, least * paddingShare);
  const [width, height] = [labelWidth - 2 * padding, labelHeight - 2 * padding];
  const lines = Number(shortLink) + Number(title);
  const square = (side: number, x: number, y: number) => ({ x, y, width: side, height: side });
  if (lines === 0) {
    const side = Math.min(width, height);
    const code = square(side, (labelWidth - side) / 2, (labelHeight - side) / 2);
    return { code, text: undefined };
  }
  const size = Math.min(textSizeMax, Math.max(textSizeMin, least * textShare));
  const place = textPlace ?? (labelWidth >= wideRatio * labelHeight ? "beside" : "below");
  if (place === "beside") {
    const side = Math.min(height, width * besideShareMax);
    const x = padding + side + padding;
    return {
      code: square(side, padding, (labelHeight - side) / 2),
      text: { place, size, x, y: padding, width: labelWidth - padding - x, height },
    };
  }
  const high = lines * size * lineHeight;
  const side = Math.max(0, Math.min(width, height - high));
  const top = (labelHeight - side - high) / 2;
  return {
    code: square(side, (labelWidth - side) / 2, top),
    text: { place, size, x: padding, y: top + side, width, height: high },
  };
}
