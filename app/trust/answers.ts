import { escapeHtml, type Language } from "#lib/redirect/visitor-pages";
import { texts } from "./texts.ts";

export interface Asked {
  language: Language;
  query: URLSearchParams;
  form: URLSearchParams | undefined;
  address: string;
}

export interface Answer {
  status: number;
  title: string;
  bodyHtml: string;
  head?: readonly string[];
}

export function plainAnswer(status: number, title: string, text: string): Answer {
  const bodyHtml = `<main><h1>${escapeHtml(title)}</h1><p role="status">${escapeHtml(text)}</p></main>`;
  return { status, title, bodyHtml };
}

export function errorAnswer(language: Language, status: number): Answer {
  const { title, invalid } = texts[language].report;
  return plainAnswer(status, title, invalid);
}

export function tooMany(language: Language, retryAfterSeconds: number): Answer {
  const { tooManyTitle: title, tooMany: text } = texts[language];
  return { ...plainAnswer(429, title, text), head: ["Retry-After", String(retryAfterSeconds)] };
}

/**
 * The values of a form as an object, with the first value of a repeated field. Text that the database cannot store is removed.
 */
export function fieldsOf(form: URLSearchParams): Record<string, string> {
  const fields = [...form].reverse().map(([name, value]) => [name, clean(value)] as const);
  return Object.fromEntries(fields);
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").replaceAll("\r\n", "\n");
}

export function errorHtml(text: string): string {
  return `<p id="error" role="alert">${escapeHtml(text)}</p>`;
}
