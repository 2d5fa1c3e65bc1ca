/**
 * How many parts a text message is sent in, and what it costs. Safe in the browser.
 *
 *     GSM-7   160 septets in one part, or 153 a part; characters of the extension table need two
 *     UCS-2    70 UTF-16 units in one part, or 67 a part
 *     CN       as UCS-2 for every text: carriers in mainland China count each letter as one
 *
 * A character is never split between two parts. National shift tables are not used.
 */
import { isGsm, replacementOf, septetsOf } from "./alphabet.ts";
import type { CheckedText, CheckText, Prices } from "./schema.ts";

export type Encoding = "GSM-7" | "UCS-2";

interface PartUnits {
  single: number;
  joined: number;
}

const unitsMax: Readonly<Record<Encoding, PartUnits>> = {
  "GSM-7": { single: 160, joined: 153 },
  "UCS-2": { single: 70, joined: 67 },
};

const mainland = "CN";

export interface Segments {
  encoding: Encoding;
  /** Septets or UTF-16 units of the whole text. */
  units: number;
  parts: string[];
}

/** Splits a text to a phone in this country (ISO 3166-1). An empty text is one empty part. */
export function segmentsOf(text: string, country: string): Segments {
  const size = measure(text, country);
  const ends = endsOf(text, size);
  const parts = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
  return { ...size, parts };
}

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

const wideCharactersMax = 100;

interface WideCharacter {
  at: number;
  char: string;
  /** Characters that can replace it, perhaps an empty text; null if nothing can. */
  replacement: string | null;
}

/** The characters that make a text UCS-2. */
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

export function replaceWideCharacters(text: string): string {
  let replaced = "";
  for (const char of text) {
    replaced += isGsm(char) ? char : (replacementOf(char) ?? char);
  }
  return replaced;
}

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

const decimals = 6;
const anyCountry = "default";

function parseAmount(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function formatAmount(millionths: bigint): string {
  const digits = String(millionths).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = digits.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

export function costOf(parts: number, country: string, prices: Prices | null): string | null {
  const text = prices && (prices.perPart[country] ?? prices.perPart[anyCountry]);
  return text ? formatAmount(BigInt(parts) * parseAmount(text)) : null;
}

export function addCosts(costs: Iterable<string | null>): string {
  let sum = 0n;
  for (const cost of costs) if (cost !== null) sum += parseAmount(cost);
  return formatAmount(sum);
}

/** What a short link saves compared with the destination. Never negative. */
export function savingOf(
  partsWithLink: number,
  partsWithUrl: number,
  country: string,
  prices: Prices | null,
): { parts: number; cost: string | null } {
  const parts = Math.max(0, partsWithUrl - partsWithLink);
  return { parts, cost: costOf(parts, country, prices) };
}
