import { expect, test } from "vitest";
import { linePaths } from "./spark-path.ts";

test("the largest number is at the top, zero at the bottom, and the lines span the width", () => {
  expect(linePaths([0, 4, 2], 96, 28)).toEqual({
    line: "M0 27 L48 1",
    today: "M48 1 L96 14",
    lastX: 48,
  });
  const month = linePaths(
    Array.from({ length: 30 }, () => 7),
    96,
    28,
  );
  expect(month.line).toMatch(/^M0 1 .* L92.7 1$/);
  expect(month.today).toBe("M92.7 1 L96 1");
});

test("without a click, and for a single day, no line is drawn", () => {
  for (const days of [[], [0, 0], [3]]) expect(linePaths(days, 96, 28).line).toBe("");
});
