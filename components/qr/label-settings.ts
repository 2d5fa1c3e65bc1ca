/** The state of the form for sheets of labels: the texts as they are typed, and their values. */
import {
  type LabelContent,
  type LabelSheet,
  labelMillimetersMin,
  labelPresets,
  labelSheet,
  labelsPerSheetMax,
  type PageName,
  type PresetName,
  pageSizes,
  type SheetProblemCode,
  sheetProblemCodes,
  type TextPlace,
} from "#lib/outreach/qr-templates/schema";

export const measureNames = [
  "columns",
  "rows",
  "labelWidth",
  "labelHeight",
  "marginLeft",
  "marginTop",
  "gapX",
  "gapY",
] as const;
export type MeasureName = (typeof measureNames)[number];

export interface LabelSettings {
  preset: PresetName | "custom";
  page: PageName;
  measures: Readonly<Record<MeasureName, string>>;
  startAt: string;
  shortLink: boolean;
  title: boolean;
  textPlace: TextPlace | "automatic";
  cutMarks: boolean;
}

const firstPreset = "a4-3x7";

export const firstSettings: LabelSettings = {
  preset: firstPreset,
  page: "a4",
  measures: measuresOf(labelPresets[firstPreset]),
  startAt: "1",
  shortLink: true,
  title: true,
  textPlace: "automatic",
  cutMarks: false,
};

export function measuresOf(sheet: LabelSheet): LabelSettings["measures"] {
  return {
    columns: String(sheet.columns),
    rows: String(sheet.rows),
    labelWidth: String(sheet.labelWidth),
    labelHeight: String(sheet.labelHeight),
    marginLeft: String(sheet.marginLeft),
    marginTop: String(sheet.marginTop),
    gapX: String(sheet.gapX),
    gapY: String(sheet.gapY),
  };
}

export function limitsOf(name: MeasureName): { min: number; max: number } {
  if (name === "columns" || name === "rows") return { min: 1, max: labelsPerSheetMax };
  const isSize = name === "labelWidth" || name === "labelHeight";
  return { min: isSize ? labelMillimetersMin : 0, max: pageSizes.a4.height };
}

export interface ReadSheet {
  sheet: LabelSheet | undefined;
  invalid: readonly MeasureName[];
  problem: SheetProblemCode | undefined;
}

export function readSheet({ preset, page, measures }: LabelSettings): ReadSheet {
  if (preset !== "custom") {
    return { sheet: labelPresets[preset], invalid: [], problem: undefined };
  }
  const numbers = Object.fromEntries(
    measureNames.map((name) => [name, readNumber(measures[name])]),
  );
  const { data: sheet, error } = labelSheet.safeParse({ page, ...numbers });
  const issues = error?.issues ?? [];
  const problem = sheetProblemCodes.find((code) =>
    issues.some((one) => one.code === "custom" && one.params?.["code"] === code),
  );
  // A problem of the whole sheet is shown once instead of at each measure.
  const invalid = measureNames.filter(
    (name) => problem === undefined && issues.some(({ path }) => path[0] === name),
  );
  return { sheet, invalid, problem };
}

function readNumber(text: string): number {
  const plain = text.trim().replace(",", ".");
  return plain === "" ? Number.NaN : Number(plain);
}

/** Undefined if the sheet has no label with this number. */
export function readStart({ startAt }: LabelSettings, sheet: LabelSheet): number | undefined {
  const value = readNumber(startAt);
  const fits = Number.isInteger(value) && value >= 1 && value <= sheet.columns * sheet.rows;
  return fits ? value : undefined;
}

export function contentOf({ shortLink, title, textPlace }: LabelSettings): LabelContent {
  return { shortLink, title, ...(textPlace === "automatic" ? {} : { textPlace }) };
}

export function requestOf(settings: LabelSettings, sheet: LabelSheet) {
  const { preset, cutMarks } = settings;
  return { ...contentOf(settings), cutMarks, ...(preset === "custom" ? { sheet } : { preset }) };
}
