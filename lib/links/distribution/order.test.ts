import { expect, test } from "vitest";
import { hashOfPk, orderOfBlock } from "./order.ts";

test.each([
  [0, -272_711_505],
  [1, -1_905_060_026],
  [2, 1_134_484_726],
  [65_536, 32_085_720],
  [2 ** 33 + 5, -978_793_473],
  [56_000_000_000, 1_392_380_936],
])("the hash of %i is that of PostgreSQL", (pk, hash) => {
  expect(hashOfPk(pk)).toBe(hash);
});

test("a block has each of its keys once, and neighbours on one of 32 shards, or on two", () => {
  const start = 7 * 65_536;
  const ordered = orderOfBlock(start, 65_536);
  expect(new Set(ordered).size).toBe(65_536);
  expect(Math.min(...ordered)).toBe(start);
  expect(Math.max(...ordered)).toBe(start + 65_535);
  const shardOf = (pk: number) => (hashOfPk(pk) + 2 ** 31) >>> 27;
  for (let at = 0; at < ordered.length; at += 1_000) {
    const shards = new Set(ordered.slice(at, at + 1_000).map(shardOf));
    expect(shards.size).toBeLessThanOrEqual(2);
  }
});
