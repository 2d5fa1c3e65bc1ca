/**
 * The page where a visitor enters a code sent by SMS. Like the form before it, it needs no script.
 */
import { codeDigits, codeMinutes } from "#lib/audience/phone-codes/schema";
import {
  type CompiledBranding,
  escapeHtml,
  type Language,
  renderPage,
  reportHtml,
  userLinkNotice,
} from "#lib/redirect/visitor-pages";
import { skipName } from "./page.ts";
import { formTexts } from "./texts.ts";

export const codeName = "code";
export const againName = "again";

export interface CodePage {
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

export function codePage(page: CodePage): Buffer {
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
    `${page.onDashboardHost ? userLinkNotice(language) : ""}${reportHtml(language)}</main>`;
  return renderPage({ language, title, bodyHtml, branding });
}

function formButton(name: string, text: string): string {
  return `<button class="other" name="${name}" value="1" formnovalidate>${text}</button>`;
}
