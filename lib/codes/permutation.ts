/**
 * pk → code, one to one, and not to be guessed without the key.
 *
 *     pk 0 … 62^6-1             ─ FF3-1, radix 16,  9 digits (16^9  ≈ 1.21 × 62^6) ─► six characters of base62
 *     pk 62^6 … 62^6+62^7-1     ─ FF3-1, radix  8, 14 digits ( 8^14 ≈ 1.25 × 62^7) ─► seven characters
 *
 * The `ff3` package takes no radix above 36, so it cannot be given base62 itself. It permutes a slightly larger range
 * of numbers, and a result outside our range is encrypted again until it falls inside ("cycle walking": 1.2 rounds on
 * average). What is reached by walking forward is found by walking back, so the whole is a permutation.
 */
import FF3Cipher from "ff3";
import { fromBase62, toBase62 } from "./alphabet.ts";

export const shortCodes = 62 ** 6;
const longCodes = 62 ** 7;
/** The first pk that has no code. */
export const pkLimit = shortCodes + longCodes;

const shortShape = { radix: 16, digits: 9, size: shortCodes };
const longShape = { radix: 8, digits: 14, size: longCodes };

export interface Permutation {
  toCode(pk: number): string;
  /** The pk that spells this code; undefined for anything that is no code. */
  toPk(code: string): number | undefined;
}

export function makePermutation(key: string, tweak: string): Permutation {
  const ciphers = {
    short: new FF3Cipher(key, tweak, shortShape.radix),
    long: new FF3Cipher(key, tweak, longShape.radix),
  };

  function walk(number: number, shape: typeof shortShape, step: (text: string) => string): number {
    let result = number;
    do {
      const text = result.toString(shape.radix).padStart(shape.digits, "0");
      result = Number.parseInt(step(text), shape.radix);
    } while (result >= shape.size);
    return result;
  }

  return {
    toCode(pk) {
      if (!Number.isSafeInteger(pk) || pk < 0 || pk >= pkLimit) {
        throw new RangeError(`No code for the pk ${pk}`);
      }
      if (pk < shortCodes) {
        return toBase62(
          walk(pk, shortShape, (text) => ciphers.short.encrypt(text)),
          6,
        );
      }
      return toBase62(
        walk(pk - shortCodes, longShape, (text) => ciphers.long.encrypt(text)),
        7,
      );
    },
    toPk(code) {
      if (code.length !== 6 && code.length !== 7) return undefined;
      const number = fromBase62(code);
      if (number === undefined) return undefined;
      if (code.length === 6) return walk(number, shortShape, (text) => ciphers.short.decrypt(text));
      return shortCodes + walk(number, longShape, (text) => ciphers.long.decrypt(text));
    },
  };
}
