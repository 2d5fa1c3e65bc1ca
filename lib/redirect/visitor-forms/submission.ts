import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/audience/forms/schema";
import { daySeconds } from "#lib/basics/time/schema";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { readForm } from "#lib/redirect/requests";
import { languageOf, outcomes } from "#lib/redirect/visitor-pages";
import {
  type Entered,
  phoneCountriesOf,
  type ReadAnswers,
  readAnswers,
  submittedOf,
  tryStoring,
} from "./answers.ts";
import { askCode, isCodeForm, takeCode } from "./code.ts";
import { skipName, trapName, versionName, wechatName } from "./page.ts";
import {
  type FormVisit,
  isForeign,
  phoneSubject,
  redirectAnswered,
  sendForm,
  takeLimits,
} from "./responses.ts";
import { formTexts } from "./texts.ts";
import { sendToWechat, type WechatOffer, withoutWechat } from "./wechat.ts";

/** Visitors who skip the form see it again the next day. */
const skippedSeconds = daySeconds;

export async function takeForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit,
): Promise<void> {
  // defence: form-origin
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
    redirectAnswered(req, res, form, asked, { contact: "", seconds: skippedSeconds });
    return;
  }
  const isWithin = await takeLimits(req, res, [
    ["formPerAddress", addressSubject(addressOf(req), asked.target.linkPk)],
    ["formPerLink", `${asked.target.linkPk}`],
  ]);
  if (!isWithin) return;
  if (isCodeForm(entered)) await takeCode(req, res, form, { ...asked, entered });
  else await judgeForm(req, res, form, { ...asked, entered });
}

/** Checks what was entered, and stores it. `shown` is the form as the visitor saw it. */
async function judgeForm(
  req: IncomingMessage,
  res: ServerResponse,
  shown: ShownForm,
  asked: FormVisit & { entered: Entered },
): Promise<void> {
  const { entered } = asked;
  const language = languageOf(req.headers["accept-language"]);
  if (entered.get(trapName)) {
    outcomes.formTrapped += 1;
    redirectAnswered(req, res, shown, asked, { contact: "", seconds: skippedSeconds });
    return;
  }
  // defence: form-version
  if (entered.get(versionName) !== String(shown.version)) {
    await sendForm(req, res, shown, asked, { status: 409, entered, notice: "changed" });
    return;
  }
  const texts = formTexts[language];
  const sharing = entered.has(wechatName) ? asked.offer : undefined;
  // Visitors who continue without WeChat have agreed to nothing about it.
  // defence: wechat-consent
  const form = sharing ? shown : withoutWechat(shown);
  const read = await readAnswers(form, entered, texts, await phoneCountriesOf(req));
  if (!read.ok) {
    const { problems } = read;
    await sendForm(req, res, shown, asked, { status: 422, entered, problems, notice: "wrong" });
    return;
  }
  const { phone } = read.answers.facts;
  if (phone !== null) {
    const subject = phoneSubject(form, phone);
    // defence: form-per-phone
    if (!(await takeLimits(req, res, [["formPerPhone", subject]]))) return;
  }
  if (phone !== null && form.content.confirmPhone) {
    const wechat = sharing !== undefined;
    await askCode(req, res, shown, { ...asked, answers: read.answers, phone, wechat });
    return;
  }
  await storeForm(req, res, form, { ...asked, answers: read.answers, sharing });
}

async function storeForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit & { entered: Entered; answers: ReadAnswers; sharing: WechatOffer | undefined },
): Promise<void> {
  const { entered, answers, sharing, target } = asked;
  // If we know nothing else about the visitor, store the WeChat code.
  const isStored = form.personal && !(sharing && isEmpty(answers));
  const contact = isStored ? await save(req, form, target.linkPk, answers) : "";
  if (contact === undefined) {
    await sendForm(req, res, form, asked, { status: 503, entered, notice: "failed" });
    return;
  }
  outcomes.formAnswered += 1;
  if (sharing) {
    const { marketing } = answers;
    sendToWechat(req, res, form, { ...asked, offer: sharing }, { contact, marketing });
    return;
  }
  const isSkipped = form.content.fields.length === 0;
  const seconds = isSkipped ? skippedSeconds : form.content.rememberDays * daySeconds;
  redirectAnswered(req, res, form, asked, { contact, seconds });
}

function isEmpty({ facts: { phone, email, name }, given }: ReadAnswers): boolean {
  return phone === null && email === null && name === null && given.length === 0;
}

/** Undefined if it could not be stored. */
async function save(req: IncomingMessage, form: ShownForm, linkPk: number, answers: ReadAnswers) {
  const submission = { form, linkPk, ...submittedOf(req, answers) };
  // Loaded late, because most visits do not need it.
  const { saveAnswer } = await import("#lib/audience/form-answers");
  return await tryStoring(() => saveAnswer(submission));
}
