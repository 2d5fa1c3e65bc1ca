/**
 * Templates: text with placeholders in braces.
 *
 *     {link}              the short link
 *     {city}              a column of the recipient
 *     {name|customer}     a column, or this text where it is empty
 *     {{ and }}           a brace
 */

export interface Placeholder {
  name: string;
  /** For recipients without a value; undefined: the value is required. */
  fallback: string | undefined;
}

export type Piece = string | Placeholder;

export type TemplateProblemCode =
  | "brace_open"
  | "brace_close"
  | "name_unknown"
  | "name_personal"
  | "host_missing"
  | "url_invalid";

export interface TemplateProblem {
  ok: false;
  code: TemplateProblemCode;
  at: number;
  name: string;
  message: string;
}

export type ParsedTemplate = { ok: true; pieces: Piece[] } | TemplateProblem;

const token = /\{\{|\}\}|\{[^}]*\}|[{}]|[^{}]+/g;

/** `known`: the names that placeholders may have. */
export function parseTemplate(text: string, known: ReadonlySet<string>): ParsedTemplate {
  const pieces: Piece[] = [];
  for (const match of text.matchAll(token)) {
    const piece = pieceOf(match[0], match.index, known);
    if (typeof piece === "object" && "ok" in piece) return piece;
    const last = pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  return { ok: true, pieces };
}

function pieceOf(text: string, at: number, known: ReadonlySet<string>): Piece | TemplateProblem {
  if (text === "{{" || text === "}}") return text.charAt(0);
  if (text === "{") {
    const message = `The { at position ${at + 1} has no }. Write {{ for a brace.`;
    return templateProblem("brace_open", message, { at });
  }
  if (text === "}") {
    const message = `The } at position ${at + 1} has no {. Write }} for a brace.`;
    return templateProblem("brace_close", message, { at });
  }
  return text.startsWith("{") ? placeholderOf(text.slice(1, -1), known) : text;
}

function placeholderOf(text: string, known: ReadonlySet<string>): Placeholder | TemplateProblem {
  const bar = text.indexOf("|");
  const name = (bar < 0 ? text : text.slice(0, bar)).trim();
  const fallback = bar < 0 ? undefined : text.slice(bar + 1);
  if (known.has(name)) return { name, fallback };
  const names = [...known].map((one) => `{${one}}`).join(", ");
  const message = `{${name}} is unknown. Use ${names}, or add a column with this name.`;
  return templateProblem("name_unknown", message, { name });
}

export function templateProblem(
  code: TemplateProblemCode,
  message: string,
  { at = 0, name = "" }: { at?: number; name?: string } = {},
): TemplateProblem {
  return { ok: false, code, at, name, message };
}

export function namesOf(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));
}

export type Filled = { ok: true; text: string } | { ok: false; missing: string };

/** Fills a template; `write` prepares each value. A value of only spaces counts as missing. */
export function fillTemplate(
  pieces: readonly Piece[],
  values: Readonly<Record<string, string>>,
  write: (value: string) => string = (value) => value,
): Filled {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const given = Object.hasOwn(values, piece.name) ? (values[piece.name] ?? "") : "";
    const value = given.trim() === "" ? piece.fallback : given;
    if (value === undefined) return { ok: false, missing: piece.name };
    text += write(value);
  }
  return { ok: true, text };
}
