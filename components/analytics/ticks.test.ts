import fc from "fast-check";
import { expect, test } from "vitest";
import { ticksTo } from "./ticks.ts";

test("ticks are round and reach the largest number", () => {
  expect(ticksTo(0)).toEqual([0, 1]);
  expect(ticksTo(3)).toEqual([0, 1, 2, 3]);
  expect(ticksTo(10)).toEqual([0, 3, 6, 9, 12]);
  expect(ticksTo(100)).toEqual([0, 25, 50, 75, 100]);
  expect(ticksTo(1_234)).toEqual([0, 500, 1_000, 1_500]);
});

test("whatever the number, there are two to six ticks from 0, and the last step contains it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (most) => {
      const ticks = ticksTo(most);
      expect(ticks[0]).toBe(0);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-2)).toBeLessThan(Math.max(1, most));
    }),
  );
});
