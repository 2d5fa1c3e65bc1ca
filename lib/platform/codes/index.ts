/** Codes: the permutation of this instance, and codes computed ahead for ranges of pks. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { config } from "#lib/platform/config";
import { makePermutation, type Permutation } from "./permutation.ts";
import { isAllowedCode } from "./reserved.ts";

export { codePools } from "./permutation.ts";
export { isAllowedCode, isReservedSegment } from "./reserved.ts";

/** This many codes take a millisecond. For a larger range, other work runs after each such part. */
const codesPerTurn = 500;

export interface ReadyCode {
  pk: number;
  code: string;
  /** It was the code of a deleted link. */
  recycled?: true;
}

let permutation: Permutation | undefined;

function permutationOfInstance(): Permutation {
  permutation ??= makePermutation(config().FUXI_CODE_KEY, config().FUXI_CODE_TWEAK);
  return permutation;
}

/** The pk that a code encodes, or undefined when the text is not a code. */
export function pkOfCode(text: string): number | undefined {
  return permutationOfInstance().toPks([text])[0];
}

/** The pks of many texts: much faster than one by one. */
export function pksOfCodes(texts: readonly string[]): (number | undefined)[] {
  return permutationOfInstance().toPks(texts);
}

/** The code of a pk. */
export function codeOfPk(pk: number): string {
  return permutationOfInstance().toCodes([pk])[0] ?? "";
}

/** Identifies the key without revealing it. Stored in the database: another key would change all codes. */
export function codeFingerprint(): string {
  const { FUXI_CODE_KEY, FUXI_CODE_TWEAK } = config();
  return createHash("sha256")
    .update(`fuxi codes ${FUXI_CODE_KEY} ${FUXI_CODE_TWEAK}`)
    .digest("hex")
    .slice(0, 16);
}

/** `count` pks from `start`. */
export function pksFrom(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + at);
}

/** The codes of pks, without blocked ones. */
export async function makeCodes(pks: readonly number[]): Promise<ReadyCode[]> {
  const ready: ReadyCode[] = [];
  for (let at = 0; at < pks.length; at += codesPerTurn) {
    if (at > 0) await nextTurn();
    const part = pks.slice(at, at + codesPerTurn);
    const codes = permutationOfInstance().toCodes(part);
    for (const [nth, pk] of part.entries()) {
      const code = codes[nth];
      if (code !== undefined && isAllowedCode(code)) ready.push({ pk, code });
    }
  }
  return ready;
}
