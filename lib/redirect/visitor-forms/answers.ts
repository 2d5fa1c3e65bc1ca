import type { IncomingMessage } from "node:http";
import type { ContactFacts, GivenAnswer } from "#lib/audience/contacts/schema";
import type { FormField, ShownForm } from "#lib/audience/forms/schema";
import { withTimeout } from "#lib/basics/bounds";
import { assertNever } from "#lib/basics/variants/schema";
import { countryOf } from "#lib/platform/http";
import { log } from "#lib/platform/log";
import { findPlace } from "#lib/redirect/targets";
import { languageOf, visibleText } from "#lib/redirect/visitor-pages";
import type { FormTexts } from "./texts.ts";

const nameCharsMax = 100;
const emailCharsMax = 254;
const phoneCharsMax = 40;
/** One @, and a domain with a dot: every email address has these. */
const emailPattern = /^[^\s@<>"',;:]{1,64}@[^\s@<>"',;:.]+(?:\.[^\s@<>"',;:.]+)+$/;

export const inputCharsMax = { phone: phoneCharsMax, email: emailCharsMax, name: nameCharsMax };

/** What was entered, by the name of its input. Shown again next to what is wrong. */
export type Entered = ReadonlyMap<string, string>;

export interface ReadAnswers {
  facts: ContactFacts;
  given: GivenAnswer[];
  marketing: boolean;
  /** The country of the phone, if one was entered. */
  country: string | null;
}

export type AnswersOutcome =
  | { ok: true; answers: ReadAnswers }
  | { ok: false; problems: ReadonlyMap<string, string> };

export function inputName(at: number): string {
  return `f${at}`;
}

export const consentName = "consent";
export const marketingName = "marketing";

interface Value {
  value: string;
  country?: string;
}

type Outcome = { problem: string } | Value | undefined;

/** Valid answers, or what to correct, by input. */
export async function readAnswers(
  { content, personal }: ShownForm,
  entered: Entered,
  texts: FormTexts,
  countries: readonly string[],
): Promise<AnswersOutcome> {
  const problems = new Map<string, string>();
  const facts: ContactFacts = { phone: null, email: null, name: null };
  const answers: ReadAnswers = { facts, given: [], marketing: false, country: null };
  for (const [at, field] of content.fields.entries()) {
    const outcome = await readField(field, entered.get(inputName(at)) ?? "", texts, countries);
    if (outcome && "problem" in outcome) problems.set(inputName(at), outcome.problem);
    else if (outcome) addAnswer(answers, field, outcome);
  }
  if (personal && !isTicked(entered, consentName)) problems.set(consentName, texts.problems.check);
  answers.marketing = content.marketing !== "" && isTicked(entered, marketingName);
  return problems.size > 0 ? { ok: false, problems } : { ok: true, answers };
}

function addAnswer(answers: ReadAnswers, field: FormField, { value, country }: Value): void {
  if ("label" in field) answers.given.push({ label: field.label, text: value });
  else if (field.type !== "wechat") answers.facts[field.type] = value;
  answers.country = country ?? answers.country;
}

function isTicked(entered: Entered, name: string): boolean {
  return entered.get(name) === "1";
}

/** Undefined for an optional field that is empty. */
async function readField(
  field: FormField,
  text: string,
  texts: FormTexts,
  countries: readonly string[],
): Promise<Outcome> {
  if (isEmpty(field, text)) return field.required ? { problem: missing(field, texts) } : undefined;
  switch (field.type) {
    case "phone":
      return await readPhone(text, texts, countries);
    case "email":
      return readEmail(text.trim(), texts);
    case "name":
      return readName(visibleText(text), texts);
    case "choice":
      return field.options.includes(text) ? { value: text } : { problem: texts.problems.choice };
    case "check":
      return { value: "✓" };
    case "wechat":
      return undefined;
    default:
      return assertNever(field);
  }
}

/** A phone with only the calling code, which the page fills in, counts as empty. */
function isEmpty({ type }: FormField, text: string): boolean {
  return text.trim() === "" || (type === "phone" && /^\+\d{1,3}$/.test(text.trim()));
}

function missing({ type }: FormField, { problems }: FormTexts): string {
  return type === "choice" || type === "check" ? problems[type] : problems.required;
}

function readEmail(email: string, { problems }: FormTexts): Outcome {
  const isAddress = email.length <= emailCharsMax && emailPattern.test(email);
  return isAddress ? { value: email } : { problem: problems.email };
}

function readName(name: string, { problems }: FormTexts): Outcome {
  if (name === "") return { problem: problems.required };
  return name.length > nameCharsMax ? { problem: problems.name(nameCharsMax) } : { value: name };
}

/** A number without a calling code belongs to the first country where it is valid. */
async function readPhone(
  text: string,
  texts: FormTexts,
  countries: readonly string[],
): Promise<Outcome> {
  // Loaded late: its tables are large, and most processes show no form.
  const { parsePhone } = await import("#lib/platform/phones");
  if (text.length > phoneCharsMax) return { problem: texts.problems.phone };
  const phone = [...countries, ""]
    .map((country) => parsePhone(text, country))
    .find((parsed) => parsed !== undefined);
  return phone
    ? { value: phone.number, country: phone.country }
    : { problem: texts.problems.phone };
}

/** Languages spoken in many countries. Without a region, they say little about the country of a phone. */
const spreadLanguages = ["en", "es", "fr", "ar", "pt"];

/** Probable countries of a phone without a calling code: by location, then by language. */
export async function phoneCountriesOf(req: IncomingMessage): Promise<string[]> {
  const place = await findPlace(req);
  const ofLanguage = countryOfLanguage(req.headers["accept-language"] ?? "");
  const countries = [place?.country ?? "", ofLanguage].filter((country) => country !== "");
  return [...new Set(countries)];
}

/** GB for en-GB, otherwise the country where the language is mostly spoken. */
function countryOfLanguage(accepted: string): string {
  const [tag = ""] = accepted.split(/[,;]/, 1);
  try {
    const locale = new Intl.Locale(tag.trim());
    if (locale.region) return locale.region;
    return spreadLanguages.includes(locale.language) ? "" : (locale.maximize().region ?? "");
  } catch {
    return ""; // RangeError: not a language, such as *
  }
}

const storeMaxMs = 5_000;

/** The answers, with what the request says about the visitor. */
export function submittedOf(
  req: IncomingMessage,
  { facts, given, marketing, country }: ReadAnswers,
) {
  const language = languageOf(req.headers["accept-language"]);
  return { facts, given, marketing, language, country: country ?? (countryOf(req) || null) };
}

/** Limits the wait for a slow database. Undefined if the answers could not be stored. */
export async function tryStoring<T>(store: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(storeMaxMs, store);
  } catch (error) {
    // PostgreSQL’s message may contain values.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    log.warn({ event: "form.unsaved", code });
    return undefined;
  }
}
