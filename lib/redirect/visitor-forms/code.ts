/**
 * Codes by SMS, for forms that confirm the phone: valid answers wait until the visitor enters the code on another page. Its URL
 * has the random id of these answers, so that visitors can come back to the page after they read the message.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/audience/forms/schema";
import { codeDigits, codeGapSeconds, codeMinutes } from "#lib/audience/phone-codes/schema";
import { daySeconds } from "#lib/basics/time/schema";
import { addressOf } from "#lib/platform/http";
import { addressSubject, tryLimits } from "#lib/platform/limits";
import { isOnDashboardHost, pathOf } from "#lib/redirect/requests";
import {
  type CompiledBranding,
  escapeHtml,
  findBranding,
  type Language,
  languageOf,
  outcomes,
  renderPage,
  reportHtml,
  userLinkNotice,
} from "#lib/redirect/visitor-pages";
import { type Entered, inputName, type ReadAnswers, submittedOf, tryStoring } from "./answers.ts";
import { skipName } from "./page.ts";
import {
  type FormVisit,
  phoneSubject,
  redirectAnswered,
  sendForm,
  sendFormDocument,
  sendToLink,
  takeLimits,
} from "./responses.ts";
import { formTexts } from "./texts.ts";
import { sendToWechat } from "./wechat.ts";

export const codeParameter = "fuxi_code";
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type EnteredVisit = FormVisit & { entered: Entered };

export function isCodeForm(entered: Entered): boolean {
  return entered.has(codeName) || entered.has(againName);
}

/** Keeps valid answers, and sends the visitor to the page for the code. A worker sends the code. */
export async function askCode(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: EnteredVisit & { answers: ReadAnswers; phone: string; wechat: boolean },
): Promise<void> {
  const { target, entered, answers, phone, wechat } = asked;
  const { linkPk } = target;
  if (!(await takePlaceLimits(req, res, linkPk))) return;
  const subject = phoneSubject(form, phone);
  const limit = await tryLimits([
    // defence: phone-code-per-minute
    ["formCodePerPhoneAndMinute", subject],
    ["formCodePerPhone", subject],
  ]);
  if (!limit.ok) {
    res.setHeader("Retry-After", String(limit.retryAfterSeconds));
    await sendForm(req, res, form, asked, { status: 429, entered, notice: "codeLimit" });
    return;
  }
  const submission = { form, linkPk, phone, wechat, ...submittedOf(req, answers) };
  const { startConfirmation } = await import("#lib/audience/form-answers");
  const started = await tryStoring(() => startConfirmation(submission));
  if (started?.ok) {
    sendToLink(res, asked, `${codeParameter}=${started.id}`);
    return;
  }
  await limit.refund();
  if (started?.reason === "country") {
    const at = form.content.fields.findIndex(({ type }) => type === "phone");
    const { problems: texts } = formTexts[languageOf(req.headers["accept-language"])];
    const problems = new Map([[inputName(at), texts.country]]);
    await sendForm(req, res, form, asked, { status: 422, entered, problems, notice: "wrong" });
    return;
  }
  const notice = started ? refusals[started.reason] : "failed";
  await sendForm(req, res, form, asked, { status: 503, entered, notice });
}

const refusals = {
  off: "codeUnavailable",
  country: "codeUnavailable",
  budget: "codeBudget",
} as const;

/** False: the visitor got a response. */
async function takePlaceLimits(
  req: IncomingMessage,
  res: ServerResponse,
  linkPk: number,
): Promise<boolean> {
  return await takeLimits(req, res, [
    ["formCodePerAddress", addressSubject(addressOf(req), linkPk)],
    ["formCodePerLink", `${linkPk}`],
  ]);
}

/** The answers that wait for the code, at this link and form only. */
async function findOpen(form: ShownForm, { target, codeId }: FormVisit) {
  if (!(form.content.confirmPhone && idPattern.test(codeId))) return undefined;
  const { findPhoneCode } = await import("#lib/audience/phone-codes");
  const place = { workspacePk: form.workspacePk, formPk: form.pk, linkPk: target.linkPk };
  return await findPhoneCode(place, codeId);
}

type Shown = Pick<CodePage, "notice" | "problem"> & { status: number; phone: string };

async function sendCodePage(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  { query }: FormVisit,
  { status, phone, notice, problem }: Shown,
): Promise<void> {
  const { maskPhone } = await import("#lib/platform/phones");
  const branding = await findBranding(req);
  const page = codePage({
    language: languageOf(req.headers["accept-language"]),
    branding,
    onDashboardHost: isOnDashboardHost(req),
    phone: maskPhone(phone),
    formAddress: [pathOf(req), query].filter(Boolean).join("?"),
    skip: form.content.skip,
    ...{ notice, problem },
  });
  sendFormDocument(req, res, status, page, branding);
}

/** Shows the page for the code, or the form if the code can no longer be entered. */
export async function showCode(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit,
): Promise<void> {
  const open = await findOpen(form, asked);
  if (!open) {
    await sendForm(req, res, form, asked, { status: 410, notice: "codeGone" });
    return;
  }
  const { phone, state } = open;
  // A phone that opted out looks like one that gets its code: a visitor must not learn who is on the list.
  // defence: opted-out-phone-looks-alike
  const notice = state === "failed" ? "codeFailed" : undefined;
  await sendCodePage(req, res, form, asked, { status: 200, phone, notice });
}

/** Takes a code, or the request for another one. */
export async function takeCode(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: EnteredVisit,
): Promise<void> {
  const open = await findOpen(form, asked);
  if (!open) {
    await sendForm(req, res, form, asked, { status: 410, notice: "codeGone" });
    return;
  }
  const { phone } = open;
  if (asked.entered.has(againName)) {
    await renewCode(req, res, form, { ...asked, open });
    return;
  }
  const { problems } = formTexts[languageOf(req.headers["accept-language"])];
  const code = digitsOf(asked.entered.get(codeName) ?? "");
  if (code === undefined) {
    const problem = problems.code(codeDigits);
    await sendCodePage(req, res, form, asked, { status: 422, phone, problem });
    return;
  }
  const at = { form, linkPk: asked.target.linkPk };
  const { confirmAnswer } = await import("#lib/audience/form-answers");
  const confirmed = await tryStoring(() => confirmAnswer(at, asked.codeId, code));
  if (confirmed?.kind === "confirmed") {
    outcomes.formAnswered += 1;
    const { contact } = confirmed;
    const { offer } = asked;
    if (confirmed.wechat && offer) {
      sendToWechat(req, res, form, { ...asked, offer }, { contact, marketing: false });
      return;
    }
    const seconds = form.content.rememberDays * daySeconds;
    redirectAnswered(req, res, form, asked, { contact, seconds });
  } else if (confirmed?.kind === "wrong" && confirmed.triesLeft > 0) {
    const problem = problems.codeWrong(confirmed.triesLeft);
    await sendCodePage(req, res, form, asked, { status: 422, phone, problem });
  } else if (confirmed) {
    await sendForm(req, res, form, asked, { status: 410, notice: "codeGone" });
  } else {
    await sendForm(req, res, form, asked, { status: 503, notice: "failed" });
  }
}

/** The digits of a code, which may have spaces or the full-width digits of a Chinese keyboard. */
function digitsOf(text: string): string | undefined {
  const plain = text.normalize("NFKC").replace(/[\s-]/g, "");
  return plain.length === codeDigits && /^\d+$/.test(plain) ? plain : undefined;
}

type OpenCode = NonNullable<Awaited<ReturnType<typeof findOpen>>>;

async function renewCode(
  req: IncomingMessage,
  res: ServerResponse,
  form: ShownForm,
  asked: FormVisit & { open: OpenCode },
): Promise<void> {
  const { open, target } = asked;
  const { phone } = open;
  const { renewPhoneCode } = await import("#lib/audience/phone-codes");
  if (!(await takePlaceLimits(req, res, target.linkPk))) return;
  const limit = await tryLimits([["formCodePerPhone", phoneSubject(form, phone)]]);
  const { codeCountries = [] } = form.content;
  const outcome = limit.ok
    ? await renewPhoneCode(form.workspacePk, open, codeCountries)
    : undefined;
  if (outcome === "renewed") {
    await sendCodePage(req, res, form, asked, { status: 200, phone, notice: "codeRenewed" });
    return;
  }
  if (limit.ok) await limit.refund();
  if (outcome !== undefined && outcome !== "early") {
    await sendCodePage(req, res, form, asked, { status: 503, phone, notice: refusals[outcome] });
    return;
  }
  const seconds = limit.ok ? codeGapSeconds : limit.retryAfterSeconds;
  res.setHeader("Retry-After", String(seconds));
  await sendCodePage(req, res, form, asked, { status: 429, phone, notice: "codeEarly" });
}

const codeName = "code";
const againName = "again";

interface CodePage {
  language: Language;
  branding: CompiledBranding | undefined;
  onDashboardHost: boolean;
  /** Masked, because others may see the URL of this page. */
  phone: string;
  formAddress: string;
  skip: boolean;
  notice?:
    | "codeRenewed"
    | "codeEarly"
    | "codeFailed"
    | "codeUnavailable"
    | "codeBudget"
    | undefined;
  problem?: string | undefined;
}

function codePage(page: CodePage): Buffer {
  const { language, branding, phone, formAddress, notice, problem } = page;
  const texts = formTexts[language];
  const title = texts.codeTitle;
  const alert = notice ? `<p class="alert" role="alert">${texts[notice]}</p>` : "";
  const described = `${problem === undefined ? "" : "code-problem "}code-text`;
  const skip = page.skip ? formButton(skipName, texts.skip) : "";
  const bodyHtml =
    `<main><h1>${title}</h1><p id="code-text">${escapeHtml(texts.codeText(phone, codeMinutes))}</p>${alert}` +
    `<form method="post"><label for="code">${texts.code}</label>` +
    `<input id="code" name="${codeName}" type="text" inputmode="numeric" autocomplete="one-time-code"` +
    // Room for spaces between the digits.
    ` maxlength="${codeDigits * 2}" required autofocus aria-describedby="${described}"` +
    `${problem === undefined ? "" : ' aria-invalid="true"'}>` +
    `${problem === undefined ? "" : `<p class="problem" id="code-problem" role="alert">${problem}</p>`}` +
    `<button>${texts.codeButton}</button>${formButton(againName, texts.codeAgain)}${skip}</form>` +
    `<p class="note">${texts.codeMissing}</p>` +
    `<p class="note"><a href="${escapeHtml(formAddress)}">${texts.codeOther}</a></p>` +
    `${page.onDashboardHost ? userLinkNotice(language) : ""}</main>`;
  return renderPage({
    language,
    title,
    sign: "message",
    bodyHtml,
    footHtml: reportHtml(language),
    branding,
  });
}

function formButton(name: string, text: string): string {
  return `<button class="other" name="${name}" value="1" formnovalidate>${text}</button>`;
}
