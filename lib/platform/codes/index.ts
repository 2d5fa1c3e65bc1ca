/** Codes: the permutation of this installation, and codes for ranges of pks made ahead. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { config } from "#lib/platform/config";
import { makePermutation, type Permutation } from "./permutation.ts";
import { isFitCode } from "./reserved.ts";

export { isFitCode, isReservedSegment } from "./reserved.ts";

/** So many codes take a millisecond. Of a larger range others have their turn after each. */
const turnMax = 500;

export interface ReadyCode {
  pk: number;
  code: string;
}

let permutation: Permutation | undefined;

function own(): Permutation {
  permutation ??= makePermutation(config().FUXI_CODE_KEY, config().FUXI_CODE_TWEAK);
  return permutation;
}

/** The pk that a code spells, or undefined when the text is no code. */
export function pkOfCode(text: string): number | undefined {
  return own().toPks([text])[0];
}

/** The pks that so many texts spell: far quicker than one by one. */
export function pksOfCodes(texts: readonly string[]): (number | undefined)[] {
  return own().toPks(texts);
}

/** The code that a pk spells. */
export function codeOfPk(pk: number): string {
  return own().toCodes([pk])[0] ?? "";
}

/** Tells one key from another without revealing it. Kept in the database: another key would mix up all codes. */
export function codeFingerprint(): string {
  const { FUXI_CODE_KEY, FUXI_CODE_TWEAK } = config();
  return createHash("sha256")
    .update(`fuxi codes ${FUXI_CODE_KEY} ${FUXI_CODE_TWEAK}`)
    .digest("hex")
    .slice(0, 16);
}

/** The codes of `count` pks from `start`, without those that may not be given out. */
export async function makeCodes(start: number, count: number): Promise<ReadyCode[]> {
  const ready: ReadyCode[] = [];
  for (let at = 0; at < count; at += turnMax) {
    if (at > 0) await nextTurn();
    const pks = Array.from({ length: Math.min(turnMax, count - at) }, (_, nth) => start + at + nth);
    const codes = own().toCodes(pks);
    for (const [nth, pk] of pks.entries()) {
      const code = codes[nth];
      if (code !== undefined && isFitCode(code)) ready.push({ pk, code });
    }
  }
  return ready;
}
