/**
 * How many parts a text message is sent in, and what it costs. Pure, and safe in the browser.
 *
 *     GSM-7   160 septets in one part, or 153 a part; characters of the extension table need two
 *     UCS-2    70 UTF-16 units in one part, or 67 a part
 *     CN       as UCS-2 for every text: carriers in mainland China count each letter as one
 *
 * A character is never split between two parts. National shift tables are not used.
 */
import { isGsm, replacementOf, septetsOf } from "./alphabet.ts";
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
  const size = measure(text, country);
  const ends = endsOf(text, size);
  const parts = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
  return { ...size, parts };
}

/** Only the number of parts, and the encoding. */
export function countOf(text: string, country: string): { encoding: Encoding; parts: number } {
  const size = measure(text, country);
  return { encoding: size.encoding, parts: endsOf(text, size).length };
}

export function partsOf(text: string, country: string): number {
  return countOf(text, country).parts;
}

type Size = Pick<Segments, "encoding" | "units">;

function measure(text: string, country: string): Size {
  const septets = country === mainland ? undefined : countSeptets(text);
  return septets === undefined
    ? { encoding: "UCS-2", units: text.length }
    : { encoding: "GSM-7", units: septets };
}

/** Undefined: a character is outside of the alphabet. */
function countSeptets(text: string): number | undefined {
  let septets = 0;
  for (let at = 0; at < text.length; at++) {
    const units = septetsOf(text.charCodeAt(at));
    if (units === 0) return undefined;
    septets += units;
  }
  return septets;
}

const lastOfOneUnit = 0xffff;

/** Where each part ends, in UTF-16 units of the text. */
function endsOf(text: string, { encoding, units }: Size): number[] {
  const { single, joined } = unitsMax[encoding];
  if (units <= single) return [text.length];
  const ends: number[] = [];
  let used = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const length = code > lastOfOneUnit ? 2 : 1;
    const size = encoding === "GSM-7" ? septetsOf(code) : length;
    if (used + size > joined) {
      ends.push(at);
      used = 0;
    }
    used += size;
    at += length;
  }
  return [...ends, text.length];
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
    if (!isGsm(char)) {
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
    replaced += isGsm(char) ? char : (replacementOf(char) ?? char);
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
