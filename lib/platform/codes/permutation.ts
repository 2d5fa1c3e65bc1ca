/**
 * pk → code, one to one, and unpredictable without the key.
 *
 *     pk 0 … 62^6-1             ─ FF3-1, radix 16,  9 digits (16^9  ≈ 1.21 × 62^6) ─► six characters of base62
 *     pk 62^6 … 62^6+62^7-1     ─ FF3-1, radix  8, 14 digits ( 8^14 ≈ 1.25 × 62^7) ─► seven characters
 *
 * The `ff3` package supports no radix above 36, and so not base62 itself. It permutes a slightly larger range of
 * numbers, and a result outside of the wanted range is encrypted again until it falls inside ("cycle walking": 1.2
 * rounds on average). Decryption walks the same cycle back, so the whole is a permutation.
 *
 * The numbers come from feistel.ts, many at once. No code may ever change, so each new permutation is compared with the
 * package on some numbers.
 */
import FF3Cipher from "ff3";
import { fromBase62, toBase62 } from "./alphabet.ts";
import { type Feistel, makeFeistel } from "./feistel.ts";

export const shortCodes = 62 ** 6;
const longCodes = 62 ** 7;
/** The first pk without a code. */
export const pkLimit = shortCodes + longCodes;

/** Ranges of pks with the length of their codes in characters, and the digits of the permuted numbers. */
const shortRange = { first: 0, size: shortCodes, length: 6, bits: 4, left: 5, right: 4 };
const longRange = { first: shortCodes, size: longCodes, length: 7, bits: 3, left: 7, right: 7 };

/** Where the pks of each length of codes begin, and how many there are. */
export const codePools = [shortRange, longRange].map(({ first, size, length }) => ({
  first,
  size,
  length,
}));

export interface Permutation {
  /** The codes of these pks, in order. */
  toCodes(pks: readonly number[]): string[];
  /** The pks of these codes; undefined for a text that is not a code. */
  toPks(texts: readonly string[]): (number | undefined)[];
}

export function makePermutation(key: string, tweak: string): Permutation {
  const ranges = [shortRange, longRange].map((range) => {
    const feistel = makeFeistel(key, tweak, range);
    assertMatchesPackage(feistel, new FF3Cipher(key, tweak, 2 ** range.bits), range);
    return { ...range, feistel };
  });
  return {
    toCodes(pks) {
      for (const pk of pks) {
        if (!Number.isSafeInteger(pk) || pk < 0 || pk >= pkLimit) {
          throw new RangeError(`No code for the pk ${pk}`);
        }
      }
      const codes = pks.map(() => "");
      for (const { first, size, length, feistel } of ranges) {
        const own = indexesOf(pks, (pk) => pk >= first && pk - first < size);
        const numbers = own.map((at) => (pks[at] ?? 0) - first);
        cycleWalk(numbers, size, feistel.encrypt);
        for (const [nth, at] of own.entries()) codes[at] = toBase62(numbers[nth] ?? 0, length);
      }
      return codes;
    },
    toPks(texts) {
      const pks = texts.map((): number | undefined => undefined);
      const spelled = texts.map((text) => (text.length <= 7 ? fromBase62(text) : undefined));
      for (const { first, size, length, feistel } of ranges) {
        const own = indexesOf(
          texts,
          (text, at) => text.length === length && spelled[at] !== undefined,
        );
        const numbers = own.map((at) => spelled[at] ?? 0);
        cycleWalk(numbers, size, feistel.decrypt);
        for (const [nth, at] of own.entries()) pks[at] = first + (numbers[nth] ?? 0);
      }
      return pks;
    },
  };
}

function indexesOf<T>(all: readonly T[], isWanted: (one: T, at: number) => boolean): number[] {
  const places: number[] = [];
  all.forEach((one, at) => {
    if (isWanted(one, at)) places.push(at);
  });
  return places;
}

/** Permutes the numbers in place, repeatedly for those outside the range. */
function cycleWalk(numbers: number[], size: number, permute: (numbers: number[]) => void): void {
  permute(numbers);
  for (;;) {
    const outside = indexesOf(numbers, (number) => number >= size);
    if (outside.length === 0) return;
    const remaining = outside.map((at) => numbers[at] ?? 0);
    permute(remaining);
    for (const [nth, at] of outside.entries()) numbers[at] = remaining[nth] ?? 0;
  }
}

function assertMatchesPackage(
  feistel: Feistel,
  cipher: FF3Cipher,
  { size, bits, left, right }: typeof shortRange,
): void {
  const plain = [0, 1, Math.floor(size / 3), size - 1];
  const numbers = [...plain];
  feistel.encrypt(numbers);
  for (const [at, number] of plain.entries()) {
    const text = number.toString(2 ** bits).padStart(left + right, "0");
    if (Number.parseInt(cipher.encrypt(text), 2 ** bits) !== numbers[at]) {
      throw new Error("Codes differ from FF3-1: lib/platform/codes/feistel.ts is broken");
    }
  }
  feistel.decrypt(numbers);
  if (numbers.some((number, at) => number !== plain[at])) {
    throw new Error("Codes can’t be decoded: lib/platform/codes/feistel.ts is broken");
  }
}
