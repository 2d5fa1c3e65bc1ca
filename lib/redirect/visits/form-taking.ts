/** Takes what a visitor entered in a form: checks it, stores it, and sends the visitor on. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { languageOf } from "./document.ts";
import { type Entered, type ReadAnswers, readAnswers } from "./form-answers.ts";
import { askCode, isCodeForm, takeCode } from "./form-code.ts";
import { phoneCountriesOf } from "./form-country.ts";
import { phoneSubject, takeLimits } from "./form-limits.ts";
import { type FormVisit, sendOn } from "./form-onward.ts";
import { skipName, trapName, versionName } from "./form-page.ts";
import { isForeign } from "./form-response.ts";
import { sendForm } from "./form-showing.ts";
import { submittedOf, tryStoring } from "./form-storing.ts";
import { formTexts } from "./form-texts.ts";
import { outcomes } from "./outcomes.ts";
import { readForm } from "./posted.ts";

const daySeconds = 86_400;
/** Who skipped is asked again on another day. */
const skippedSeconds = daySeconds;

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
  if (!isWithin) return;
  if (isCodeForm(entered)) await takeCode(req, res, form, { ...asked, entered });
  else await judgeForm(req, res, form, { ...asked, entered });
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
  if (phone !== null && form.content.confirmPhone) {
    await askCode(req, res, form, { ...asked, answers: read.answers, phone });
    return;
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
  answers: ReadAnswers,
): Promise<string | undefined> {
  const submission = { form, linkPk, ...submittedOf(req, answers) };
  // Loaded when it is needed: it knows much that other visits do not.
  const { saveAnswer } = await import("#lib/links/contacts");
  return await tryStoring(() => saveAnswer(submission));
}
