/** Sheets of labels: what is accepted, and where labels are. */
import { describe, expect, test } from "vitest";
import { labelLinksMax, labelSheetsBody, labelsPerSheetMax } from "./label-body.ts";
import {
  type LabelSheet,
  labelPresets,
  pageSizes,
  partsOf,
  placesOf,
  presetNames,
} from "./label-sheets.ts";

const custom = {
  page: "a4",
  columns: 2,
  rows: 3,
  labelWidth: 40,
  labelHeight: 40,
  marginLeft: 17,
  marginTop: 23,
  gapX: 11,
  gapY: 7,
} satisfies LabelSheet;

describe.each(presetNames)("preset %s", (preset) => {
  test("its labels are in the middle of the page, in the number of its name", () => {
    const sheet = labelPresets[preset];
    const places = placesOf(sheet);
    const { width, height } = pageSizes[sheet.page];
    const last = places.at(-1);
    expect(preset).toContain(`-${sheet.columns}x${sheet.rows}`);
    expect((last?.x ?? 0) + sheet.labelWidth + sheet.marginLeft).toBeCloseTo(width, 0);
    expect((last?.y ?? 0) + sheet.labelHeight + sheet.marginTop).toBeCloseTo(height, 0);
  });

  test.each(["below", "beside"] as const)(
    "text %s the code is within the label, and apart from the code",
    (textPlace) => {
      const { labelWidth, labelHeight } = labelPresets[preset];
      const { code, text } = partsOf(labelPresets[preset], {
        shortLink: true,
        title: true,
        textPlace,
      });
      for (const { x, y, width, height } of text ? [code, text] : []) {
        expect(Math.min(x, y)).toBeGreaterThan(0.5);
        expect(x + width).toBeLessThan(labelWidth - 0.5);
        expect(y + height).toBeLessThan(labelHeight - 0.5);
      }
      if (textPlace === "below")
        expect(text?.y).toBeGreaterThanOrEqual(code.y + code.height - 1e-9);
      else expect(text?.x).toBeGreaterThan(code.x + code.width);
      expect(code.width).toBe(code.height);
      expect(code.width).toBeGreaterThan(9);
    },
  );
});

describe("limits", () => {
  const problemOf = (body: object) => {
    const { error } = labelSheetsBody.safeParse({ linkIds: ["link_1"], ...body });
    return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)[0];
  };
  const sheet = (more: object) => ({ sheet: { ...custom, ...more } });
  const small = { labelWidth: 10, labelHeight: 10, marginLeft: 0, marginTop: 0, gapX: 0, gapY: 0 };

  test.each([
    [
      "links",
      { linkIds: Array(labelLinksMax).fill("link_1") },
      { linkIds: Array(labelLinksMax + 1).fill("link_1") },
      "linkIds: Use at most 1000 link ids.",
    ],
    [
      "labels per sheet",
      sheet({ ...small, columns: 15, rows: labelsPerSheetMax / 15 }),
      sheet({ ...small, columns: 7, rows: 43 }),
      "sheet.columns: A sheet can have up to 300 labels, and this one has 301. Use fewer columns or rows.",
    ],
    [
      "label size",
      sheet({ labelWidth: 10, labelHeight: 10 }),
      sheet({ labelHeight: 9.9 }),
      "sheet.labelHeight: Use at least 10 millimeters.",
    ],
    [
      "page width",
      sheet({ columns: 4, labelWidth: 40, gapX: 11 }),
      sheet({ columns: 4, labelWidth: 40.1, gapX: 11 }),
      "sheet.columns: The labels need 210.4 mm of a page that is 210 mm wide. Use fewer columns, or a smaller width, margin or gap.",
    ],
    [
      "page height",
      sheet({ rows: 6, gapY: 6.8 }),
      sheet({ rows: 6, gapY: 6.9 }),
      "sheet.rows: The labels need 297.5 mm of a page that is 297 mm high. Use fewer rows, or a smaller height, margin or gap.",
    ],
    [
      "first label",
      { ...sheet({}), startAt: 6 },
      { ...sheet({}), startAt: 7 },
      "startAt: This sheet has 6 labels. Use a number from 1 to 6.",
    ],
  ])(
    "of %s: the maximum is accepted, more is refused with what to change",
    (_, fits, refused, message) => {
      expect(problemOf(fits)).toBeUndefined();
      expect(problemOf(refused)).toBe(message);
    },
  );

  test("a preset and measures exclude each other, and nothing else is accepted", () => {
    expect(problemOf({ preset: "a4-3x7", ...sheet({}) })).toBe(
      "preset: Use preset or sheet, not both.",
    );
    expect(problemOf({ linkIds: [] })).toBe("linkIds: Add at least one link id.");
    expect(problemOf({ preset: "a5-1x1" })).toMatch(/^preset: Use one of a4-3x7, /);
    expect(problemOf({ unknown: 1 })).toBeDefined();
    expect(problemOf({ startAt: 0 })).toBe("startAt: Use at least 1.");
    expect(problemOf(sheet({ columns: Number.NaN }))).toBeDefined();
  });
});
