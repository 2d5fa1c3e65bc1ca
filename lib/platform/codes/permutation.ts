/**
 * Maps pks to codes, one to one, unpredictably without the key.
 *
 *     pk 0 … 62^6-1             ─ FF3-1, radix 16,  9 digits (16^9  ≈ 1.21 × 62^6) ─► six characters of base62
 *     pk 62^6 … 62^6+62^7-1     ─ FF3-1, radix  8, 14 digits ( 8^14 ≈ 1.25 × 62^7) ─► seven characters
 *
 * `ff3` supports no radix above 36, so no base62. We permute a slightly larger range and encrypt
 * again until the result is in range ("cycle walking", 1.2 rounds on average). Decryption walks the
 * same cycle back.
 *
 * No code may ever change, so each permutation of feistel.ts is compared with the package.
 */
import FF3Cipher from "ff3";
import { type Feistel, makeFeistel } from "./feistel.ts";

export const shortCodes = 62 ** 6;
const longCodes = 62 ** 7;
export const pkLimit = shortCodes + longCodes;

const shortRange = { first: 0, size: shortCodes, length: 6, bits: 4, left: 5, right: 4 };
const longRange = { first: shortCodes, size: longCodes, length: 7, bits: 3, left: 7, right: 7 };

export const codePools = [shortRange, longRange].map(({ first, size, length }) => ({
  first,
  size,
  length,
}));

/** Results are in the order of the input; undefined: not a code. */
export interface Permutation {
  toCodes(pks: readonly number[]): string[];
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

/** Base62. Codes have six digits, or seven once all six-digit codes are used. */
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = digits.length;

const digitValue = new Int8Array(128).fill(-1);
for (let value = 0; value < base; value++) digitValue[digits.charCodeAt(value)] = value;

function toBase62(number: number, length: number): string {
  let text = "";
  let rest = number;
  for (let at = 0; at < length; at++) {
    text = digits.charAt(rest % base) + text;
    rest = Math.floor(rest / base);
  }
  return text;
}

export function fromBase62(text: string): number | undefined {
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const value = digitValue[text.charCodeAt(at)] ?? -1;
    if (value < 0) return undefined;
    number = number * base + value;
  }
  return number;
}
