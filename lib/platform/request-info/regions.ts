/**
 * Codes of regions (ISO 3166-2, `US-CA`) by their names. The location database has only names of regions, some in
 * English, some in the language of the country, some with the kind of region ("Yoro Department") and some without, so
 * names are compared without accents and case, and finally without their kind.
 *
 * Within a country, first-level regions take precedence over smaller parts. A name without a code is null.
 */
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { iso31662 } from "iso-3166";
import { otherNames } from "./region-names.ts";

const namesPerTurn = 400;
const codes = new Map<string, string>();

/** Reads the names, in parts: a front with waiting visits may be running this. */
export async function openRegions(): Promise<void> {
  putOtherNames();
  const english = readEnglishNames();
  // The parent of the first level is the country itself.
  const levels = [...iso31662].sort((a, b) => a.parent.length - b.parent.length);
  let read = 0;
  for (const reduce of [fold, withoutKind]) {
    for (const { code, name } of levels) {
      const country = code.slice(0, 2);
      addName(country, reduce(english[code.replace("-", "").toLowerCase()] ?? ""), code);
      addName(country, reduce(name), code);
      if (++read % namesPerTurn === 0) await setImmediate();
    }
  }
}

function putOtherNames(): void {
  for (const [country, line] of Object.entries(otherNames)) {
    for (const [part, names] of line.split("; ").map(splitEntry)) {
      for (const name of names) addName(country, fold(name), `${country}-${part}`);
    }
  }
}

/** The first code that claims a name keeps it. */
function addName(country: string, name: string, code: string): void {
  const place = `${country} ${name}`;
  if (name !== "" && !codes.has(place)) codes.set(place, code);
}

/** The code of a region of a country (`US`) by its name. */
export function regionOf(country: string, name: string): string | null {
  const written = `${country}=${name}`;
  const known = codes.get(written);
  if (known !== undefined) return known;
  const code =
    codes.get(`${country} ${fold(name)}`) ?? codes.get(`${country} ${withoutKind(name)}`);
  // The spelling is stored for the next lookup; the database has some thousands of them.
  if (code !== undefined) codes.set(written, code);
  return code ?? null;
}

/** `20 Podlasie|Podlachia` → the part after the hyphen of the code, and the names. */
function splitEntry(entry: string): [string, string[]] {
  const space = entry.indexOf(" ");
  return [entry.slice(0, space), entry.slice(space + 1).split("|")];
}

/** Sound because this is the format of Unicode's publication; a name that is not a text would be a bug there. */
function readEnglishNames(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const file = require("cldr-subdivisions-full/subdivisions/en/en.json");
  return file.subdivisions.localeDisplayNames.subdivisions as Record<string, string>;
}

const letters: Record<string, string> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae" };

/** `Île-de-France` → `ile de france` */
function fold(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[łøđıßæ]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const kinds = new Set(
  (
    "province provincie provincia provinsi region state county comitat prefecture governorate gouvernorat oblast " +
    "voblast voblasc district department departamento city urban municipality republic respublika autonomous special " +
    "krai kray kraj oblys oblisi estado judet raionul canton emirate metropolitan capital territory division parish " +
    "voivodeship wilaya grad island islands do si the of de du del d la le al el ash ad an as ar"
  ).split(" "),
);

/** `Yoro Department` → `yoro` */
function withoutKind(name: string): string {
  return fold(name)
    .split(" ")
    .filter((word) => !kinds.has(word))
    .join("");
}
