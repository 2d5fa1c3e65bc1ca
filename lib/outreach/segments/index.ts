/**
 * How many parts a text message is sent in, and what it costs. Pure, and safe in the browser.
 *
 *     GSM-7   160 septets in one part, or 153 a part; characters of the extension table need two
 *     UCS-2    70 UTF-16 units in one part, or 67 a part
 *     CN       as UCS-2 for every text: carriers in mainland China count each letter as one
 *
 * A character is never split between two parts. National shift tables are not used.
 */
import { gsmUnits, replacementOf } from "./alphabet.ts";
import { costOf } from "./prices.ts";
import type { CheckedText, CheckText } from "./schema.ts";

export { addCosts, costOf, savingOf } from "./prices.ts";

export type Encoding = "GSM-7" | "UCS-2";

interface PartUnits {
  single: number;
  joined: number;
}

const unitsMax: Readonly<Record<Encoding, PartUnits>> = {
  "GSM-7": { single: 160, joined: 153 },
  "UCS-2": { single: 70, joined: 67 },
};

/** Mainland China, where a letter of the Latin alphabet counts like every other character. */
const mainland = "CN";

export interface Segments {
  encoding: Encoding;
  /** Septets or UTF-16 units of the whole text. */
  units: number;
  /** The texts of the parts; together they are the whole text. */
  parts: string[];
}

/** The parts of a text to a phone in this country (ISO 3166-1). An empty text is one empty part. */
export function segmentsOf(text: string, country: string): Segments {
  const septets = country === mainland ? undefined : countSeptets(text);
  const encoding = septets === undefined ? "UCS-2" : "GSM-7";
  const units = septets ?? text.length;
  const { single, joined } = unitsMax[encoding];
  if (units <= single) return { encoding, units, parts: [text] };
  const sizeOf = encoding === "GSM-7" ? (char: string) => gsmUnits(char) ?? 1 : sizeInUtf16;
  return { encoding, units, parts: cut(text, sizeOf, joined) };
}

/** Only the number of parts. */
export function partsOf(text: string, country: string): number {
  return segmentsOf(text, country).parts.length;
}

/** Undefined: a character is outside of the alphabet. */
function countSeptets(text: string): number | undefined {
  let septets = 0;
  for (const char of text) {
    const units = gsmUnits(char);
    if (units === undefined) return undefined;
    septets += units;
  }
  return septets;
}

function sizeInUtf16(char: string): number {
  return char.length;
}

function cut(text: string, sizeOf: (char: string) => number, unitsPerPart: number): string[] {
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const char of text) {
    const size = sizeOf(char);
    if (used + size > unitsPerPart) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += char;
    used += size;
  }
  return [...parts, part];
}

/** Of an answer. */
const wideCharactersMax = 100;

interface WideCharacter {
  /** Position in the text, in UTF-16 units. */
  at: number;
  char: string;
  /** Characters that can stand for it, possibly none (""); null: nothing can. */
  replacement: string | null;
}

/** The characters because of which a text is sent as UCS-2. */
export function findWideCharacters(text: string): WideCharacter[] {
  const found: WideCharacter[] = [];
  let at = 0;
  for (const char of text) {
    if (gsmUnits(char) === undefined) {
      found.push({ at, char, replacement: replacementOf(char) ?? null });
    }
    at += char.length;
  }
  return found;
}

/** The text with replacements for the characters that have one. */
export function replaceWideCharacters(text: string): string {
  let replaced = "";
  for (const char of text) {
    replaced += gsmUnits(char) === undefined ? (replacementOf(char) ?? char) : char;
  }
  return replaced;
}

/** The parts and the cost of a text, what makes it UCS-2, and the text with replacements. */
export function checkText({ text, country, prices }: CheckText): CheckedText {
  const { encoding, units, parts } = segmentsOf(text, country);
  const replacement = replaceWideCharacters(text);
  return {
    encoding,
    units,
    parts,
    cost: costOf(parts.length, country, prices ?? null),
    wideCharacters: findWideCharacters(text).slice(0, wideCharactersMax),
    replacement: { text: replacement, parts: partsOf(replacement, country) },
  };
}
