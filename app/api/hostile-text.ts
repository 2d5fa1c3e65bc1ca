/**
 * Texts that are never accepted, in any field: U+0000, which PostgreSQL cannot store, and half of a surrogate pair,
 * which UTF-8 cannot encode. Both reach a JSON body only as an escape, so a body without `\u` needs no check.
 */
import { AppError } from "#lib/platform/errors";

/** Deeper than any valid body, so that recursive functions cannot overflow the stack. */
export const depthMax = 32;

export function tooDeep(): AppError {
  return new AppError(
    "bad_request",
    `The request body is nested too deeply. The limit is ${depthMax} levels.`,
  );
}

/**
 * Property names in a body, twice as many as in a thousand receipts. Parsing a name costs a microsecond, while a megabyte of text
 * costs five milliseconds.
 */
export const namesMax = 10_000;
/** Lists and objects in a body. */
export const listsMax = 50_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const steps = new Int8Array(256);
for (const opening of "[{") steps[opening.charCodeAt(0)] = 1;
for (const closing of "]}") steps[closing.charCodeAt(0)] = -1;

/** Counts property names, objects and lists by the bytes outside of strings. Throws a 400 if there are too many. */
export class PartCounter {
  #names = 0;
  #lists = 0;

  add(byte: number): void {
    if (byte === colon) this.#names += 1;
    else if (steps[byte] === 1) this.#lists += 1;
    if (this.#names > namesMax) throw tooMany("fields", namesMax);
    if (this.#lists > listsMax) throw tooMany("lists and objects", listsMax);
  }
}

function tooMany(what: string, max: number): AppError {
  return new AppError(
    "bad_request",
    `Too many ${what} in the request body or in one of its items. The limit is ${max.toLocaleString("en")}. Send the rest in another request.`,
  );
}

/** Throws a 400 for JSON that would take long to parse, because it is deeply nested or has very many small parts. */
export function assertSimple(bytes: Uint8Array): void {
  const parts = new PartCounter();
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inString && byte === backslash) at += 1;
    else if (byte === quote) inString = !inString;
    else if (!inString) {
      parts.add(byte);
      depth += steps[byte] ?? 0;
    }
    if (depth > depthMax) throw tooDeep();
  }
}

/** Whether a value contains no such text and is not nested deeper than `depthMax`. */
export function isClean(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return problemOf(value) === undefined;
  if (typeof value !== "object" || value === null) return true;
  if (depth > depthMax) return false;
  return Object.entries(value).every((entry) =>
    entry.every((one: unknown) => isClean(one, depth + 1)),
  );
}

/** Throws a 422 that names the field, when the value parsed from `source` contains such a text. */
export function assertCleanTexts(source: string, parsed: unknown, path = ""): void {
  if (source.includes("\\u")) walk(parsed, path);
}

function walk(value: unknown, path: string): void {
  if (typeof value === "string") assertClean(value, path);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assertClean(name, path);
    walk(inner, path === "" ? name : `${path}.${name}`);
  }
}

function assertClean(text: string, path: string): void {
  const problem = problemOf(text);
  if (problem === undefined) return;
  throw new AppError("unprocessable_entity", `${path || "body"}: ${problem}`);
}

function problemOf(text: string): string | undefined {
  if (text.includes("\0")) return "Remove the character U+0000.";
  if (!text.isWellFormed()) return "Remove the incomplete character (a lone surrogate).";
  return undefined;
}
