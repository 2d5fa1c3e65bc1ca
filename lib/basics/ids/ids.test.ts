import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId, newUuid, parseId, presentId, uuidSource, uuidTime } from "./index.ts";

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("every uuid is read back from its public id", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(parseId("link", presentId("link", uuid))).toBe(uuid);
    }),
  );
});

test("public ids sort as their uuids do", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (a, b) => {
      expect(presentId("link", a) < presentId("link", b)).toBe(a < b);
    }),
  );
});

test("only generated forms are read as an id", () => {
  const id = newId("link");
  expect(parseId("link", id)).toMatch(uuidShape);
  expect(parseId("ws", id)).toBeUndefined();
  expect(parseId("link", id.toLowerCase())).toBeUndefined();
  expect(parseId("link", `${id}0`)).toBeUndefined();
  expect(parseId("link", id.slice(0, -1))).toBeUndefined();
  expect(parseId("link", `${id.slice(0, -1)}U`)).toBeUndefined();
  expect(parseId("link", `link_8${"0".repeat(25)}`)).toBeUndefined();
});

test("100,000 ids of one process are all different and in order", () => {
  let last = "";
  for (let count = 0; count < 100_000; count++) {
    const id = newUuid();
    expect(id > last).toBe(true);
    last = id;
  }
  expect(last).toMatch(uuidShape);
});

test("ids stay in order when the clock stops, jumps or is set back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { minLength: 2 }), (times) => {
      let at = 0;
      const next = uuidSource(() => times[at++] ?? 0, randomBytes);
      const created = times.map(() => next());
      expect(created).toEqual([...created].sort());
      expect(new Set(created).size).toBe(created.length);
    }),
  );
});

test("an id carries the millisecond of its creation", () => {
  const next = uuidSource(() => 1_700_000_000_123, randomBytes);
  expect(uuidTime(next())).toBe(1_700_000_000_123);
});

test("the distance of two ids of one millisecond does not reveal how many lie between", () => {
  const next = uuidSource(() => 1, randomBytes);
  const tails = Array.from({ length: 200 }, () => BigInt(`0x${next().replaceAll("-", "")}`));
  const steps = tails.slice(1).map((tail, at) => tail - (tails[at] ?? 0n));
  expect(new Set(steps).size).toBe(steps.length);
  expect(steps.every((step) => step < 2n ** 41n)).toBe(true);
});
