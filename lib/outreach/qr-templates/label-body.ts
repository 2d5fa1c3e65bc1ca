/** The request for sheets of labels. */
import { z } from "zod";
import {
  type LabelSheet,
  labelPresets,
  type PageName,
  pageSizes,
  presetNames,
  textPlaces,
} from "./label-sheets.ts";

export const labelLinksMax = 1_000;
export const labelsPerSheetMax = 300;
export const labelMillimetersMin = 10;
const idCharsMax = 64;
const longestPage = Math.max(
  ...Object.values(pageSizes).flatMap(({ width, height }) => [width, height]),
);
/** Sums of decimal fractions are inexact. */
const tolerance = 0.01;

const count = (name: string) =>
  z
    .int(`Use a whole number of ${name}.`)
    .min(1, "Use at least 1.")
    .max(labelsPerSheetMax, `Use at most ${labelsPerSheetMax}.`);
const millimeters = (min: number) =>
  z
    .number()
    .min(min, `Use at least ${min} millimeters.`)
    .max(longestPage, `Use at most ${longestPage} millimeters.`);

const pageNames = Object.keys(pageSizes).filter((name): name is PageName => name in pageSizes);

export const labelSheet = z
  .strictObject({
    page: z.enum(pageNames, `Use ${pageNames.join(" or ")}.`).default("a4"),
    columns: count("columns"),
    rows: count("rows"),
    labelWidth: millimeters(labelMillimetersMin),
    labelHeight: millimeters(labelMillimetersMin),
    marginLeft: millimeters(0).describe("From the left edge of the page to the first label."),
    marginTop: millimeters(0).describe("From the top edge of the page to the first label."),
    gapX: millimeters(0).default(0).describe("Between columns."),
    gapY: millimeters(0).default(0).describe("Between rows."),
  })
  .superRefine((sheet, context) => {
    for (const { field, code, message } of findSheetProblems(sheet)) {
      context.addIssue({ code: "custom", path: [field], message, params: { code } });
    }
  });

export const sheetProblemCodes = ["too_many", "too_wide", "too_high"] as const;
export type SheetProblemCode = (typeof sheetProblemCodes)[number];

interface SheetProblem {
  field: "columns" | "rows";
  code: SheetProblemCode;
  message: string;
}

function findSheetProblems(sheet: LabelSheet): SheetProblem[] {
  const { page, columns, rows, labelWidth, labelHeight, marginLeft, marginTop, gapX, gapY } = sheet;
  if (columns * rows > labelsPerSheetMax) {
    const message = `A sheet can have up to ${labelsPerSheetMax} labels, and this one has ${columns * rows}. Use fewer columns or rows.`;
    return [{ field: "columns", code: "too_many", message }];
  }
  const { width, height } = pageSizes[page];
  const wide = marginLeft + columns * labelWidth + (columns - 1) * gapX;
  const high = marginTop + rows * labelHeight + (rows - 1) * gapY;
  const problems: SheetProblem[] = [];
  if (wide > width + tolerance) {
    const message = `The labels need ${shown(wide)} mm of a page that is ${width} mm wide. Use fewer columns, or a smaller width, margin or gap.`;
    problems.push({ field: "columns", code: "too_wide", message });
  }
  if (high > height + tolerance) {
    const message = `The labels need ${shown(high)} mm of a page that is ${height} mm high. Use fewer rows, or a smaller height, margin or gap.`;
    problems.push({ field: "rows", code: "too_high", message });
  }
  return problems;
}

function shown(value: number): number {
  return Math.round(value * 100) / 100;
}

export const labelSheetsBody = z
  .strictObject({
    linkIds: z
      .array(z.string().max(idCharsMax))
      .min(1, "Add at least one link id.")
      .max(labelLinksMax, `Use at most ${labelLinksMax} link ids.`)
      .describe("One label per link, in this order. A link that is repeated gets one label."),
    template: z
      .string()
      .max(idCharsMax)
      .optional()
      .describe(
        "Id of a template, `default` for the default template, or `plain`. If omitted, each link has its own design.",
      ),
    preset: z
      .enum(presetNames, `Use one of ${presetNames.join(", ")}.`)
      .optional()
      .describe(
        `Page size, columns and rows of a common label sheet: ${presetNames.map((name) => `\`${name}\` ${labelPresets[name].product}`).join(", ")}. \`a4-3x7\` if neither this nor \`sheet\` is set.`,
      ),
    sheet: labelSheet.optional().describe("Any other sheet, in millimeters."),
    startAt: z
      .int("Use a whole number.")
      .min(1, "Use at least 1.")
      .default(1)
      .describe("The first label to print on, for sheets that were partly used. Counted by row."),
    shortLink: z.boolean().default(true).describe("Whether labels show the short link."),
    title: z.boolean().default(true).describe("Whether labels show the title of the link."),
    textPlace: z
      .enum(textPlaces, `Use ${textPlaces.join(" or ")}.`)
      .optional()
      .describe("Where the text is. If omitted, beside the code on wide labels."),
    cutMarks: z.boolean().default(false).describe("Whether the corners of labels are marked."),
  })
  .superRefine((body, context) => {
    if (body.preset && body.sheet) {
      const message = "Use preset or sheet, not both.";
      context.addIssue({ code: "custom", path: ["preset"], message });
    }
    const { columns, rows } = sheetOf(body);
    if (body.startAt > columns * rows) {
      const message = `This sheet has ${columns * rows} labels. Use a number from 1 to ${columns * rows}.`;
      context.addIssue({ code: "custom", path: ["startAt"], message });
    }
  });
export type LabelSheets = z.output<typeof labelSheetsBody>;

export function sheetOf({ preset, sheet }: Pick<LabelSheets, "preset" | "sheet">): LabelSheet {
  return sheet ?? labelPresets[preset ?? "a4-3x7"];
}
