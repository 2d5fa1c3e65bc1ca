import { expect, test } from "vitest";
import { linePath } from "./spark-path.ts";

test("the largest number is at the top, zero at the bottom, and the line spans the width", () => {
  expect(linePath([0, 4, 2], 96, 28)).toBe("M0 27 L48 1 L96 14");
  expect(
    linePath(
      Array.from({ length: 30 }, () => 7),
      96,
      28,
    ),
  ).toMatch(/^M0 1 .* L96 1$/);
});

test("without a click, and for a single day, no line is drawn", () => {
  expect(linePath([], 96, 28)).toBe("");
  expect(linePath([0, 0], 96, 28)).toBe("");
  expect(linePath([3], 96, 28)).toBe("M0 1");
});
