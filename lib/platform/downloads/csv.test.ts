import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, withoutApostrophes } from "./csv.ts";

/** As a spreadsheet reads a file: quotes count where a cell begins, and what follows them is added. */
function cellsOf(file: string, separator: string): string[] {
  const pattern = new RegExp(
    `("(?:[^"]|"")*"?)?([^${separator}\\r\\n]*)(?:[${separator}\\r\\n]|$)`,
    "gy",
  );
  return [...file.matchAll(pattern)].map(([, quoted = "", rest = ""]) => {
    const inside = quoted.slice(1).replaceAll('""', "\0").replace('"', "").replaceAll("\0", '"');
    return inside + rest;
  });
}

const part = fc.constantFrom(..."=+-@;,\t\r\n\"' a1".split(""));
const text = fc.string({ unit: part, maxLength: 12 });
const rows = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1 });
const runs = { numRuns: process.env["TEST_LONG"] ? 100_000 : 5_000 };

test.each([",", ";", "\t"])(
  "no cell is a formula in a spreadsheet that separates by %j, whatever the texts contain",
  (separator) => {
    fc.assert(
      fc.property(rows, (given) => {
        const formulas = cellsOf(given.map(csvLine).join(""), separator).filter((cell) =>
          /^[=+\-@]/.test(cell),
        );
        expect(formulas).toEqual([]);
      }),
      runs,
    );
  },
);

test("a text that is imported again is the same, unless it began with an apostrophe of its own", () => {
  fc.assert(
    fc.property(
      text.filter((one) => !one.startsWith("'")),
      (given) => {
        const [cell = ""] = cellsOf(csvLine([given]), ",");
        expect(withoutApostrophes(cell)).toBe(given);
      },
    ),
    runs,
  );
});

test("the text of the report is defended behind each separator", () => {
  expect(csvLine(["x;=1+1;y", "a\t@b", 'c;"-d', "e;f"])).toBe(`x;'=1+1;y,a\t'@b,"c;""'-d",e;f\r\n`);
});
