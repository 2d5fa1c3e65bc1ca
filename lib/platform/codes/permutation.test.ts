import { randomBytes } from "node:crypto";
import fc from "fast-check";
import FF3Cipher from "ff3";
import { expect, test, vi } from "vitest";
import { fromBase62, makePermutation, pkLimit, shortCodes } from "./permutation.ts";
import { isAllowedCode, isReservedSegment } from "./reserved.ts";

const long = Boolean(process.env["TEST_LONG"]);
vi.setConfig({ testTimeout: long ? 600_000 : 60_000 });
const permutation = makePermutation("2b7e151628aed2a6abf7158809cf4f3c", "d8e7920afa330a");
/** The last pks of six characters, the first of seven, and the last ones with a code. */
const borders = [0, 1, 2, ...around(shortCodes), pkLimit - 3, pkLimit - 2, pkLimit - 1];
const arbitraryPk = fc.oneof(
  fc.integer({ min: 0, max: shortCodes - 1 }),
  fc.integer({ min: shortCodes, max: pkLimit - 1 }),
  fc.constantFrom(...borders),
);

function around(pk: number): number[] {
  return [pk - 3, pk - 2, pk - 1, pk, pk + 1, pk + 2];
}

function codesFrom(start: number, count: number): string[] {
  return permutation.toCodes(Array.from({ length: count }, (_, at) => start + at));
}

function codeOf(pk: number): string {
  return permutation.toCodes([pk])[0] ?? "";
}

function pkOf(text: string): number | undefined {
  return permutation.toPks([text])[0];
}

/** As computed by the package, a digit and a round at a time. */
function codeOfPackage(key: string, tweak: string, pk: number): number {
  const [radix, digits, first, size] =
    pk < shortCodes ? [16, 9, 0, shortCodes] : [8, 14, shortCodes, pkLimit - shortCodes];
  const cipher = new FF3Cipher(key, tweak, radix);
  let number = pk - first;
  do {
    number = Number.parseInt(cipher.encrypt(number.toString(radix).padStart(digits, "0")), radix);
  } while (number >= size);
  return number;
}

function expectRoundTrip(pk: number): void {
  const code = codeOf(pk);
  expect(code).toMatch(pk < shortCodes ? /^[0-9A-Za-z]{6}$/ : /^[0-9A-Za-z]{7}$/);
  expect(pkOf(code)).toBe(pk);
}

test.each([
  [16, 7],
  [24, 7],
  [32, 7],
  [32, 8],
])(
  "a code equals the ff3 package's for its pk, with a key of %i bytes and a tweak of %i",
  (keySize, tweakSize) => {
    for (let round = 0; round < (long ? 100 : 10); round++) {
      const key = randomBytes(keySize).toString("hex");
      const tweak = randomBytes(tweakSize).toString("hex");
      const pks = [...borders, ...fc.sample(arbitraryPk, 100)];
      const numbers = makePermutation(key, tweak).toCodes(pks).map(fromBase62);
      expect({ key, tweak, numbers }).toEqual({
        key,
        tweak,
        numbers: pks.map((pk) => codeOfPackage(key, tweak, pk)),
      });
    }
  },
);

test("many codes at once equal those of each alone, in their order, whatever stands between them", () => {
  const pks = fc.sample(arbitraryPk, 500);
  const codes = permutation.toCodes(pks);
  expect(codes).toEqual(pks.map(codeOf));
  const texts = codes.flatMap((code, at) => (at % 3 === 0 ? ["no code", code, "", code] : [code]));
  expect(permutation.toPks(texts)).toEqual(texts.map(pkOf));
  expect(permutation.toPks([])).toEqual([]);
});

test("a code leads back to its pk, and has six characters below 62^6 and seven above", () => {
  fc.assert(fc.property(arbitraryPk, expectRoundTrip), { numRuns: long ? 50_000 : 1_000 });
});

test("at the borders of six and seven characters every pk has its code and back", () => {
  borders.forEach(expectRoundTrip);
});

test("every text of six or seven base62 characters is the code of exactly one pk", () => {
  const digit = fc.constantFrom(
    ..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  );
  const text = fc.string({ unit: digit, minLength: 6, maxLength: 7 });
  const edges = fc.constantFrom("000000", "zzzzzz", "0000000", "zzzzzzz");
  fc.assert(
    fc.property(fc.oneof(text, edges), (code) => {
      const pk = pkOf(code);
      expect(pk).toBeDefined();
      expect(codeOf(pk ?? -1)).toBe(code);
      expect((pk ?? -1) < shortCodes).toBe(code.length === 6);
    }),
    { numRuns: long ? 50_000 : 1_000 },
  );
});

test("no two pks of a range spell the same code, wherever the range begins, also across the border", () => {
  const size = 300;
  const anyStart = fc.oneof(
    fc.integer({ min: 0, max: pkLimit - size }),
    fc.integer({ min: shortCodes - size, max: shortCodes }),
  );
  fc.assert(
    fc.property(anyStart, (start) => {
      expect(new Set(codesFrom(start, size)).size).toBe(size);
    }),
    { numRuns: long ? 500 : 20 },
  );
});

test("no two of very many consecutive pks spell the same code", () => {
  const count = long ? 5_000_000 : 200_000;
  // As numbers: so many texts would not fit into memory.
  const numbers = new Float64Array(count);
  for (let at = 0; at < count; at += 10_000) {
    codesFrom(5_000_000 + at, 10_000).forEach((code, nth) => {
      numbers[at + nth] = fromBase62(code) ?? -1;
    });
  }
  numbers.sort();
  let equal = 0;
  for (let at = 1; at < count; at++) if (numbers[at] === numbers[at - 1]) equal += 1;
  expect(equal).toBe(0);
  expect(numbers[0]).toBeGreaterThanOrEqual(0);
  expect(numbers[count - 1]).toBeLessThan(shortCodes);
});

/**
 * Key and pks are fixed, so these tests give the same numbers each time; the thresholds are six standard deviations,
 * which a random permutation exceeds for one in a thousand million keys.
 */
const samples = 12_400;
const sigmas = 6;

test.each([
  ["six", 0, 6],
  ["seven", shortCodes, 7],
])(
  "in %s characters, each place has each character as often as expected by chance",
  (_, start, places) => {
    const codes = codesFrom(start, samples);
    const expected = samples / 62;
    for (let place = 0; place < places; place++) {
      const counts = new Map<string, number>();
      for (const code of codes) {
        const character = code.charAt(place);
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
      let chi = (62 - counts.size) * expected;
      for (const count of counts.values()) chi += (count - expected) ** 2 / expected;
      // Chi-square of 62 classes: 61 on average, with a deviation of √(2 × 61).
      expect(Math.abs(chi - 61)).toBeLessThan(sigmas * Math.sqrt(2 * 61));
    }
  },
);

test.each([1, 2, 62, 256, 65_536])(
  "codes whose pks are %i apart share characters no more often than chance",
  (distance) => {
    const pairs = 2_000;
    const near = codesFrom(1_000_000, pairs);
    const far = codesFrom(1_000_000 + distance, pairs);
    let shared = 0;
    near.forEach((code, at) => {
      for (let place = 0; place < 6; place++) if (code[place] === far[at]?.[place]) shared += 1;
    });
    const places = 6 * pairs;
    const deviation = Math.sqrt(places * (1 / 62) * (61 / 62));
    expect(Math.abs(shared - places / 62)).toBeLessThan(sigmas * deviation);
  },
);

test("of consecutive codes the next is as often the greater as the smaller", () => {
  const codes = codesFrom(0, samples);
  const rising = codes.filter((code, at) => at > 0 && code > (codes[at - 1] ?? "")).length;
  // Runs up in a random order: a half of all, with a deviation of √(n / 12).
  expect(Math.abs(rising - samples / 2)).toBeLessThan(sigmas * Math.sqrt(samples / 12));
});

test("a pk out of range is refused, and text that is not a code has no pk", () => {
  expect(() => permutation.toCodes([-1])).toThrow(RangeError);
  expect(() => permutation.toCodes([0.5])).toThrow(RangeError);
  expect(() => permutation.toCodes([Number.NaN])).toThrow(RangeError);
  expect(() => permutation.toCodes([pkLimit])).toThrow(RangeError);
  for (const text of [
    "",
    "abc",
    "abcde",
    "abcde!",
    "abcdefgh",
    "ключик",
    "ａｂｃｄｅｆ",
    "a".repeat(2_000),
  ]) {
    expect(pkOf(text)).toBeUndefined();
  }
});

test("another key spells other codes", () => {
  const other = makePermutation("00000000000000000000000000000001", "d8e7920afa330a");
  const theirs = other.toCodes(Array.from({ length: 200 }, (_, pk) => pk));
  const same = codesFrom(0, 200).filter((code, pk) => code === theirs[pk]);
  expect(same.length).toBeLessThan(2);
});

test("a code with a blocked word, also in digits, or of a reserved path is rejected", () => {
  expect(isAllowedCode("aFuCk1")).toBe(false);
  expect(isAllowedCode("xSh1tx")).toBe(false);
  expect(isAllowedCode("signin")).toBe(false);
  expect(isAllowedCode("Q7kMz2")).toBe(true);
});

test("reserved segments are reserved in any case", () => {
  expect(isReservedSegment("API")).toBe(true);
  expect(isReservedSegment("Favicon.ico")).toBe(true);
  expect(isReservedSegment("apiary")).toBe(false);
});
