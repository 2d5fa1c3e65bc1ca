/**
 * Texts that are never accepted, in any field: U+0000, which PostgreSQL cannot store, and half of a surrogate pair,
 * which UTF-8 cannot encode. Both reach a JSON body only as an escape, so a body without `\u` needs no check.
 */
import { AppError } from "#lib/platform/errors";

/** Deeper than any valid body; recursive functions may then rely on the stack. */
export const depthMax = 32;

export function tooDeep(): AppError {
  return new AppError(
    "bad_request",
    `The request body is nested too deeply. The limit is ${depthMax} levels.`,
  );
}

const quote = 0x22;
const backslash = 0x5c;
/** The change of the depth by a byte outside of strings. */
const steps = new Int8Array(256);
for (const opening of "[{") steps[opening.charCodeAt(0)] = 1;
for (const closing of "]}") steps[closing.charCodeAt(0)] = -1;

/** True for JSON nested deeper than `depthMax`, as soon as that is reached. */
export function isDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inString && byte === backslash) at += 1;
    else if (byte === quote) inString = !inString;
    else if (!inString) depth += steps[byte] ?? 0;
    if (depth > depthMax) return true;
  }
  return false;
}

/** True for a value without such a text, and not deeper than `depthMax`. */
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
