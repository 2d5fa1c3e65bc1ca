import { expect, test } from "vitest";
import { describeCost, rankFiles, sumOf } from "./test-costs.ts";

test("the seconds of a file are added up, and the file that took longest comes first", () => {
  const files = [
    { file: "a.test.ts", seconds: 2 },
    { file: "b.test.ts", seconds: 3 },
    { file: "a.test.ts", seconds: 4 },
  ];
  expect(rankFiles(files)).toEqual([
    { file: "a.test.ts", seconds: 6 },
    { file: "b.test.ts", seconds: 3 },
  ]);
});

test("the sum of CPU time is unknown when a part is", () => {
  const unit = { name: "unit", seconds: 60, cpuSeconds: 100 };
  const db = { name: "db", seconds: 120, cpuSeconds: undefined };
  expect(sumOf([unit, unit])).toEqual({ name: "all", seconds: 120, cpuSeconds: 200 });
  expect(sumOf([unit, db])).toEqual({ name: "all", seconds: 180, cpuSeconds: undefined });
});

test("a row has minutes and CPU seconds, or only minutes where the system does not count", () => {
  const cost = { name: "unit", seconds: 90, cpuSeconds: 170.4 };
  expect(describeCost(cost, "3 passed")).toBe("  unit        1.5 min    170 CPU s   3 passed");
  expect(describeCost({ ...cost, cpuSeconds: undefined }, "3 passed")).toBe(
    "  unit        1.5 min    3 passed",
  );
});
