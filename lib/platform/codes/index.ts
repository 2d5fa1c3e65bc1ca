/** The short codes of this instance. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { config } from "#lib/platform/config";
import { makePermutation, type Permutation } from "./permutation.ts";
import { isAllowedCode } from "./reserved.ts";

export { codePools } from "./permutation.ts";
export { isAllowedCode, isReservedSegment } from "./reserved.ts";

/** This many codes take a millisecond. Other work runs between parts. */
const codesPerTurn = 500;

export interface ReadyCode {
  pk: number;
  code: string;
  recycled?: true; // the code of a deleted link
}

let permutation: Permutation | undefined;

function permutationOfInstance(): Permutation {
  permutation ??= makePermutation(config().FUXI_CODE_KEY, config().FUXI_CODE_TWEAK);
  return permutation;
}

export function pkOfCode(text: string): number | undefined {
  return permutationOfInstance().toPks([text])[0];
}

export function pksOfCodes(texts: readonly string[]): (number | undefined)[] {
  return permutationOfInstance().toPks(texts);
}

export function codeOfPk(pk: number): string {
  return permutationOfInstance().toCodes([pk])[0] ?? "";
}

/** The database stores it, because another key would change all codes. */
export function codeFingerprint(): string {
  const { FUXI_CODE_KEY, FUXI_CODE_TWEAK } = config();
  return createHash("sha256")
    .update(`fuxi codes ${FUXI_CODE_KEY} ${FUXI_CODE_TWEAK}`)
    .digest("hex")
    .slice(0, 16);
}

export function pksFrom(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + at);
}

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
