import { expect, test } from "vitest";
import { GenerationCache } from "./generation-cache.ts";

const nameOf = (number: number) => `l:1:${number.toString(36).padStart(6, "0")}`;

test.each([1, 2, 10, 1_000, 100_000])("a cache of %i never holds more", (max) => {
  const memory = new GenerationCache<number>(max);
  let most = 0;
  for (let number = 0; number < max * 3; number++) {
    memory.set(nameOf(number), number);
    if (number % 97 === 0 || number < 100) most = Math.max(most, memory.size);
  }
  expect(Math.max(most, memory.size)).toBeLessThanOrEqual(Math.max(2, max));
  // Names are distributed unevenly, so some room stays unused, but most of it is used.
  expect(memory.size).toBeGreaterThanOrEqual(max * 0.3);
});

test("a repeatedly found entry stays, whatever else is added and dropped", () => {
  const memory = new GenerationCache<number>(100_000);
  for (let hot = 0; hot < 1_000; hot++) memory.set(`hot${nameOf(hot)}`, hot);
  for (let number = 0; number < 500_000; number++) {
    memory.set(nameOf(number), number);
    if (number % 20_000 > 0) continue;
    for (let hot = 0; hot < 1_000; hot++) expect(memory.get(`hot${nameOf(hot)}`)).toBe(hot);
  }
});

test("a deleted entry is missing, from whichever generation it was in", () => {
  const memory = new GenerationCache<number>(4);
  memory.set("a", 1);
  memory.set("b", 2);
  memory.set("c", 3);
  expect(memory.get("a")).toBe(1);
  expect(memory.delete("a")).toBe(true);
  expect(memory.get("a")).toBeUndefined();
  expect(memory.delete("a")).toBe(false);
});
