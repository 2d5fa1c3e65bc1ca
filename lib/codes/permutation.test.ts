import fc from "fast-check";
import { expect, test } from "vitest";
import { makePermutation, pkLimit, shortCodes } from "./permutation.ts";
import { isFitCode, isReservedSegment } from "./reserved.ts";

const permutation = makePermutation("2b7e151628aed2a6abf7158809cf4f3c", "d8e7920afa330a");
const anyPk = fc.oneof(
  fc.integer({ min: 0, max: shortCodes - 1 }),
  fc.integer({ min: shortCodes, max: pkLimit - 1 }),
  fc.constantFrom(0, 1, shortCodes - 1, shortCodes, pkLimit - 1),
);

test("a code leads back to its pk, and has six characters below 62^6 and seven above", () => {
  fc.assert(
    fc.property(anyPk, (pk) => {
      const code = permutation.toCode(pk);
      expect(code).toMatch(pk < shortCodes ? /^[0-9A-Za-z]{6}$/ : /^[0-9A-Za-z]{7}$/);
      expect(permutation.toPk(code)).toBe(pk);
    }),
    { numRuns: 500 },
  );
});

test("no two of 20,000 consecutive pks spell the same code", () => {
  const codes = new Set<string>();
  for (let pk = 5_000_000; pk < 5_020_000; pk++) codes.add(permutation.toCode(pk));
  expect(codes.size).toBe(20_000);
});

test("consecutive codes share characters no more often than chance", () => {
  let shared = 0;
  const pairs = 3_000;
  for (let pk = 0; pk < pairs; pk++) {
    const [a, b] = [permutation.toCode(pk), permutation.toCode(pk + 1)];
    for (let at = 0; at < 6; at++) if (a[at] === b[at]) shared += 1;
  }
  // 6 × 3,000 places, each equal with 1/62 (the first a little more often): 290 expected, 6 sigma is about 100.
  expect(shared).toBeGreaterThan(190);
  expect(shared).toBeLessThan(400);
});

test("a pk outside the codes is refused, and text that is no code has no pk", () => {
  expect(() => permutation.toCode(-1)).toThrow(RangeError);
  expect(() => permutation.toCode(pkLimit)).toThrow(RangeError);
  for (const text of ["", "abc", "abcde!", "abcdefgh", "ключик", "a".repeat(2_000)]) {
    expect(permutation.toPk(text)).toBeUndefined();
  }
});

test("another key spells other codes", () => {
  const other = makePermutation("00000000000000000000000000000001", "d8e7920afa330a");
  const same = Array.from({ length: 200 }, (_, pk) => pk).filter(
    (pk) => other.toCode(pk) === permutation.toCode(pk),
  );
  expect(same.length).toBeLessThan(2);
});

test("a code with a blocked word, also in digits, or of a reserved path is not given out", () => {
  expect(isFitCode("aFuCk1")).toBe(false);
  expect(isFitCode("xSh1tx")).toBe(false);
  expect(isFitCode("signin")).toBe(false);
  expect(isFitCode("Q7kMz2")).toBe(true);
});

test("reserved segments are reserved in any case", () => {
  expect(isReservedSegment("API")).toBe(true);
  expect(isReservedSegment("Favicon.ico")).toBe(true);
  expect(isReservedSegment("apiary")).toBe(false);
});
