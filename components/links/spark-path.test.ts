import { expect, test } from "vitest";
import { linePaths } from "./spark-path.ts";

test("the largest number is at the top, zero at the bottom, and today is a line of its own", () => {
  expect(linePaths([0, 4, 1, 2], 28)).toEqual({
    line: "M0 27l1 -26 1 20",
    today: "M2 21l1 -7",
    lastX: 2,
  });
  expect(linePaths([0, 4], 28)).toEqual({ line: "M0 27", today: "M0 27l1 -26", lastX: 0 });
});

test("a line without change is level", () => {
  const month = linePaths(
    Array.from({ length: 30 }, () => 7),
    28,
  );
  expect(month.line).toBe(`M0 1l${Array.from({ length: 28 }, () => "1 0").join(" ")}`);
  expect(month.today).toBe("M28 1l1 0");
});

test("without a click, and for a single day, no line is drawn", () => {
  for (const days of [[], [0, 0], [3]]) expect(linePaths(days, 28).line).toBe("");
});
