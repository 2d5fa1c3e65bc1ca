/** Takes what a visitor entered in a form: checks it, stores it, and sends the visitor on. */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { addressOf, countryOf } from "#lib/platform/http";
import { addressSubject, type LimitName, tryLimits } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { withTimeout } from "#lib/platform/timeouts";
import { findBranding } from "./branding.ts";
import { withToken } from "./continuing.ts";
import { languageOf } from "./document.ts";
import { type Entered, type ReadAnswers, readAnswers } from "./form-answers.ts";
import { phoneCountriesOf } from "./form-country.ts";
import { formCookie, passGrant } from "./form-grants.ts";
import { skipName, trapName, versionName } from "./form-page.ts";
import { isForeign } from "./form-response.ts";
import { sendForm } from "./form-showing.ts";
import { formTexts } from "./form-texts.ts";
import { outcomes } from "./outcomes.ts";
import { sendPage } from "./pages.ts";
import { readForm } from "./posted.ts";
import { signingKey } from "./signing.ts";
import type { Target } from "./target.ts";

const saveMaxMs = 5_000;
const daySeconds = 86_400;
/** Who skipped is asked again on another day. */
const skippedSeconds = daySeconds;

export interface FormVisit {
  target: Target;
  path: string;
  query: string;
  /** Of a page that the visitor continued from. */
  token: string;
}

export async function takeForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit,
): Promise<void> {
  if (isForeign(req)) {
    await sendForm(req, res, form, asked, { status: 403 });
    return;
  }
  const body = await readForm(req);
  if (body === undefined) {
    await sendForm(req, res, form, asked, { status: 413 });
    return;
  }
  const entered: Entered = new Map(new URLSearchParams(body));
  if (entered.has(skipName) && form.content.skip) {
    sendOn(req, res, form, asked, { contact: "", seconds: skippedSeconds });
    return;
  }
  const isWithin = await takeLimits(req, res, form, [
    ["formPerAddress", `${asked.target.linkPk} ${addressSubject(addressOf(req))}`],
    ["formPerLink", `${asked.target.linkPk}`],
  ]);
  if (isWithin) await judgeForm(req, res, form, { ...asked, entered });
}

/** False: the visitor got a response. */
async function takeLimits(
  req: IncomingMessage,
  res: ServerResponse,
  { workspacePk }: ShownForm,
  limits: readonly [LimitName, string][],
): Promise<boolean> {
  const limit = await tryLimits(limits);
  if (limit.ok) return true;
  const branding = await findBranding(workspacePk);
  const head = ["Retry-After", String(limit.retryAfterSeconds)];
  sendPage(req, res, 429, "tooMany", { head, branding });
  return false;
}

/** What limits know a phone by: a plain digest could be guessed, because there are few numbers. */
function phoneSubject({ workspacePk }: ShownForm, phone: string): string {
  const key = signingKey("fuxi form phones");
  return createHmac("sha256", key).update(`${workspacePk} ${phone}`).digest("base64url");
}

/** Checks what was entered, and stores it. */
async function judgeForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit & { entered: Entered },
): Promise<void> {
  const { entered } = asked;
  const language = languageOf(req.headers["accept-language"]);
  const seconds = form.content.rememberDays * daySeconds;
  if (entered.get(trapName)) {
    outcomes.formTrapped += 1;
    sendOn(req, res, form, asked, { contact: "", seconds: skippedSeconds });
    return;
  }
  if (entered.get(versionName) !== String(form.version)) {
    await sendForm(req, res, form, asked, { status: 409, entered, notice: "changed" });
    return;
  }
  const texts = formTexts[language];
  const read = await readAnswers(form, entered, texts, await phoneCountriesOf(req));
  if (!read.ok) {
    const { problems } = read;
    await sendForm(req, res, form, asked, { status: 422, entered, problems, notice: "wrong" });
    return;
  }
  const { phone } = read.answers.facts;
  if (phone !== null) {
    const subject = phoneSubject(form, phone);
    if (!(await takeLimits(req, res, form, [["formPerPhone", subject]]))) return;
  }
  const contact = form.personal ? await save(req, form, asked.target.linkPk, read.answers) : "";
  if (contact === undefined) {
    await sendForm(req, res, form, asked, { status: 503, entered, notice: "failed" });
    return;
  }
  outcomes.formAnswered += 1;
  sendOn(req, res, form, asked, { contact, seconds });
}

/** Undefined: it could not be stored. */
async function save(
  req: IncomingMessage,
  form: ShownForm,
  linkPk: number,
  { facts, given, marketing, country }: ReadAnswers,
): Promise<string | undefined> {
  const language = languageOf(req.headers["accept-language"]);
  const known = country ?? (countryOf(req) || null);
  try {
    // Loaded when it is needed: it knows much that other visits do not.
    const { saveAnswer } = await import("#lib/links/contacts");
    return await withTimeout(saveMaxMs, () =>
      saveAnswer({ form, linkPk, facts, given, marketing, language, country: known }),
    );
  } catch (error) {
    // What PostgreSQL says may contain values.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    log.warn({ event: "form.unsaved", code });
    return undefined;
  }
}

interface Onward {
  contact: string;
  seconds: number;
}

/** Sends the visitor to the link again, which goes on now. */
function sendOn(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { target, path, query, token }: FormVisit,
  { contact, seconds }: Onward,
): void {
  const now = Date.now();
  const subject = { linkPk: target.linkPk, formId: form.id };
  const pass = passGrant({ ...subject, address: addressOf(req) }, contact, now);
  res.writeHead(303, [
    "Location",
    // More than one slash, or a backslash, would turn the first part of the path into a host.
    `${path.replace(/^[/\\]+/, "/")}?${[withToken(query, token), pass].filter(Boolean).join("&")}`,
    "Set-Cookie",
    formCookie(subject, { contact, seconds, path }, now),
    "Cache-Control",
    "no-store",
    "Content-Length",
    "0",
  ]);
  res.end();
}
