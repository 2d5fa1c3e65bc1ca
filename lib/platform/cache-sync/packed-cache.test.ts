import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf, PackedCache } from "./packed-cache.ts";

const nameOf = (number: number) => `l:1:${number.toString(36).padStart(6, "0")}`;
const stamp = { epoch: 3, keptAt: 1_790_000_000_123.5, ageMaxMs: 60_000 };

test.each([1, 2, 10, 1_000, 100_000])("a cache of %i never holds more", (max) => {
  const memory = new PackedCache(max);
  let most = 0;
  for (let number = 0; number < max * 3; number++) {
    memory.set(nameOf(number), `text ${number}`, stamp);
    if (number % 97 === 0 || number < 100) most = Math.max(most, memory.size);
  }
  expect(Math.max(most, memory.size)).toBeLessThanOrEqual(Math.max(2, max));
  expect(memory.size).toBeGreaterThanOrEqual(max * 0.5);
});

test("a repeatedly found text stays, whatever else is added and dropped", () => {
  const memory = new PackedCache(20_000);
  for (let hot = 0; hot < 100; hot++) memory.set(`hot${nameOf(hot)}`, `hot ${hot}`, stamp);
  for (let number = 0; number < 200_000; number++) {
    memory.set(nameOf(number), `text ${number}`, stamp);
    if (number % 5_000 > 0) continue;
    for (let hot = 0; hot < 100; hot++) {
      expect(memory.get(`hot${nameOf(hot)}`)).toEqual({ text: `hot ${hot}`, ...stamp });
    }
  }
});

test("texts of any length and script return as they were set", () => {
  const memory = new PackedCache(100);
  const texts = [
    "",
    "a",
    "https://例え.jp/页面?q=🦊",
    "x".repeat(300_000),
    "界".repeat(100_000),
    "after",
  ];
  for (const [at, text] of texts.entries()) memory.set(`名${at}`, text, stamp);
  for (const [at, text] of texts.entries()) {
    expect(memory.get(`名${at}`)).toEqual({ text, ...stamp });
  }
});

test("a deleted text is missing, from whichever generation it was in", () => {
  const memory = new PackedCache(4);
  for (const name of ["a", "b", "c"]) memory.set(name, name, stamp);
  expect(memory.get("a")).toEqual({ text: "a", ...stamp });
  expect(memory.delete("a")).toBe(true);
  expect(memory.get("a")).toBeUndefined();
  expect(memory.delete("a")).toBe(false);
});

test("the same text again takes no more room, and has the later stamp", () => {
  const memory = new PackedCache(4);
  const later = { epoch: 4, keptAt: stamp.keptAt + 60_000, ageMaxMs: 500 };
  memory.set("a", "one", stamp);
  memory.set("b", "two", stamp);
  for (let again = 0; again < 10; again++) memory.set("b", "two", later);
  expect(memory.get("a")).toEqual({ text: "one", ...stamp });
  expect(memory.get("b")).toEqual({ text: "two", ...later });
  expect(memory.size).toBe(2);
});

test("names with the same hash under one seed have different hashes under another", () => {
  const firstOf = new Map<number, string>();
  const pairs: [string, string][] = [];
  for (let number = 0; number < 400_000; number++) {
    const name = nameOf((number * 104_729) % 36 ** 6);
    const first = firstOf.get(hashOf(name, 1));
    if (first === undefined) firstOf.set(hashOf(name, 1), name);
    else pairs.push([first, name]);
  }
  expect(pairs.length).toBeGreaterThan(5);
  const same = pairs.filter(([a, b]) => hashOf(a, 2) === hashOf(b, 2));
  expect(same).toHaveLength(0);
});

const step = fc.record({
  verb: fc.constantFrom("set", "set", "get", "delete"),
  name: fc.integer({ min: 0, max: 30 }).map(String),
  text: fc.string({ unit: "grapheme", maxLength: 5 }),
  keptAt: fc.nat(),
});

test("a cache answers what a Map would, except for what it has dropped", () => {
  const run = (
    steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    max: number,
  ) => {
    const memory = new PackedCache(max);
    const model = new Map<string, object>();
    for (const { verb, name, text, keptAt } of steps) {
      if (verb === "set") {
        const packed = { text, epoch: 1, keptAt, ageMaxMs: 400 };
        memory.set(name, text, packed);
        model.set(name, packed);
      } else if (verb === "delete") {
        memory.delete(name);
        model.delete(name);
      }
      const found = memory.get(name);
      if (found || max >= roomy) expect(found).toEqual(model.get(name));
    }
  };
  const roomy = 1_000;
  const steps = fc.array(step, { maxLength: 200 });
  fc.assert(fc.property(steps, fc.constantFrom(3, 16, roomy), run));
});
