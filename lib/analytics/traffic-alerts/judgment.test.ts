import { expect, test } from "vitest";
import { changeIn, clicksMin, usualOf } from "./judgment.ts";

const alert = { riseTimes: 3, fallPercent: 75 };

test.each([
  [[1, 2, 3, 100], 2.5],
  [[4, 4, 4, 4], 4],
  [[0, 0, 0, 0], 0],
])("the usual clicks of %j are %d", (before, usual) => {
  expect(usualOf(before)).toBe(usual);
});

test.each([
  [300, [100, 100, 100, 100], "rise"],
  [299, [100, 100, 100, 100], undefined],
  [clicksMin, [10, 10, 10, 10], "rise"],
  // With so few clicks, chance alone makes such changes.
  [clicksMin - 1, [10, 10, 10, 10], undefined],
  // One of the weeks had as many.
  [300, [90, 90, 90, 300], undefined],
  [25, [100, 100, 100, 100], "fall"],
  [26, [100, 100, 100, 100], undefined],
  [0, [clicksMin, clicksMin, clicksMin, clicksMin], "fall"],
  [0, [clicksMin - 1, clicksMin - 1, clicksMin - 1, clicksMin - 1], undefined],
  // One of the weeks had as few.
  [25, [100, 100, 100, 25], undefined],
] as const)("%d clicks after %j are a %s", (clicks, before, change) => {
  expect(changeIn(clicks, before, alert)).toBe(change);
});

test("nothing is compared that the workspace does not want to know", () => {
  const off = { riseTimes: null, fallPercent: null };
  expect(changeIn(1_000, [100, 100, 100, 100], off)).toBeUndefined();
  expect(changeIn(0, [100, 100, 100, 100], off)).toBeUndefined();
});
