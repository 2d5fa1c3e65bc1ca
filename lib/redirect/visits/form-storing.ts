/** Stores what visitors entered, without keeping them waiting for a slow database. */
import type { IncomingMessage } from "node:http";
import { countryOf } from "#lib/platform/http";
import { log } from "#lib/platform/log";
import { withTimeout } from "#lib/platform/timeouts";
import { languageOf } from "./document.ts";
import type { ReadAnswers } from "./form-answers.ts";

const storeMaxMs = 5_000;

/** Answers with what the request says about the visitor. */
export function submittedOf(
  req: IncomingMessage,
  { facts, given, marketing, country }: ReadAnswers,
) {
  const language = languageOf(req.headers["accept-language"]);
  return { facts, given, marketing, language, country: country ?? (countryOf(req) || null) };
}

/** Undefined: it could not be stored. */
export async function tryStoring<T>(store: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(storeMaxMs, store);
  } catch (error) {
    // What PostgreSQL says may contain values.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    log.warn({ event: "form.unsaved", code });
    return undefined;
  }
}
