/** The page of a form, without script. Shows what was entered and what is wrong with it. */
import type { FormContent, FormField } from "#lib/audience/forms/schema";
import {
  type CompiledBranding,
  escapeHtml,
  type Language,
  renderPage,
  reportHtml,
  userLinkNotice,
} from "#lib/redirect/visitor-pages";
import { consentName, type Entered, inputCharsMax, inputName, marketingName } from "./answers.ts";
import { type FormTexts, formTexts } from "./texts.ts";
import type { WechatOffer } from "./wechat.ts";

/** People do not see this field, but programs fill it in. */
export const trapName = "website";
export const versionName = "version";
export const skipName = "skip";
/** The name of the button that shares the WeChat account. */
export const wechatName = "wechat";

export type FormNotice =
  | "changed"
  | "failed"
  | "wrong"
  | "codeGone"
  | "codeLimit"
  | "codeUnavailable"
  | "codeBudget";

export interface FormPage {
  content: FormContent;
  /** Answers are stored, so consent is needed. */
  personal: boolean;
  version: number;
  language: Language;
  branding: CompiledBranding | undefined;
  onDashboardHost: boolean;
  entered: Entered;
  problems: ReadonlyMap<string, string>;
  notice?: FormNotice | undefined;
  /** The calling code that a phone starts with, such as +44, or empty. */
  callingCode: string;
  withdrawAddress: string;
  /** Undefined: the form does not ask for the WeChat account, or cannot ask for it here. */
  offer: WechatOffer | undefined;
}

export function formPage(page: FormPage): Buffer {
  const { content, version, language, branding } = page;
  const texts = formTexts[language];
  const alert = page.notice ? `<p class="alert" role="alert">${texts[page.notice]}</p>` : "";
  const fields = content.fields.map((field, at) => fieldHtml(field, inputName(at), texts, page));
  const text = content.text === "" ? "" : `<p>${escapeHtml(content.text)}</p>`;
  const bodyHtml =
    `<main><h1>${escapeHtml(content.title)}</h1>${text}${alert}<form method="post">` +
    `<input type="hidden" name="${versionName}" value="${version}">${fields.join("")}` +
    `${page.personal ? consentHtml(texts, page) : ""}${trapHtml(texts)}` +
    `${page.offer ? wechatHtml(texts, page, page.offer) : buttonsHtml(texts, page)}</form>` +
    `${page.personal ? controllerHtml(texts, page) : ""}` +
    `${page.onDashboardHost ? userLinkNotice(language) : ""}</main>`;
  const footHtml = reportHtml(language);
  return renderPage({ language, title: content.title, bodyHtml, footHtml, branding });
}

function buttonsHtml(texts: FormTexts, { content }: FormPage): string {
  const skip = content.skip ? skipHtml(texts) : "";
  return `<button>${escapeHtml(content.button) || texts.go}</button>${skip}`;
}

function skipHtml({ skip }: FormTexts): string {
  return `<button class="other" name="${skipName}" value="1" formnovalidate>${skip}</button>`;
}

/** Continuing without WeChat is always offered, and needs no consent if nothing is stored. */
function wechatHtml(texts: FormTexts, { content }: FormPage, { profile }: WechatOffer): string {
  const { share, go, without, profileNote, openidNote } = texts.wechat;
  const isAlone = content.fields.every(({ type }) => type === "wechat" || type === "check");
  const text = profile ? share : escapeHtml(content.button) || go;
  return (
    `<p class="quiet" id="wechat-note">${profile ? profileNote : openidNote}</p>` +
    `<button name="${wechatName}" value="1" aria-describedby="wechat-note">${text}</button>` +
    `<button class="other"${isAlone ? " formnovalidate" : ""}>${without}</button>` +
    `${content.skip && !isAlone ? skipHtml(texts) : ""}`
  );
}

const inputOf = {
  phone: 'type="tel" autocomplete="tel" inputmode="tel"',
  email: 'type="email" autocomplete="email"',
  name: 'type="text" autocomplete="name"',
};

function fieldHtml(field: FormField, name: string, texts: FormTexts, page: FormPage): string {
  if (field.type === "check") return checkHtml(field, name, texts, page);
  if (field.type === "choice") return choiceHtml(field, name, texts, page);
  // The buttons for WeChat are at the end of the form.
  if (field.type === "wechat") return "";
  const { type } = field;
  const start = type === "phone" && page.callingCode !== "" ? `${page.callingCode} ` : "";
  const value = page.entered.get(name) ?? start;
  return (
    `<label for="${name}">${texts[type]}${optional(field, texts)}</label>` +
    `<input id="${name}" name="${name}" ${inputOf[type]} maxlength="${inputCharsMax[type]}"` +
    ` value="${escapeHtml(value)}"${field.required ? " required" : ""}${invalid(name, page)}>` +
    problemHtml(name, page)
  );
}

function optional({ required }: FormField, texts: FormTexts): string {
  return required ? "" : ` <span class="quiet">(${texts.optional})</span>`;
}

function invalid(name: string, { problems }: FormPage): string {
  return problems.has(name) ? ` aria-invalid="true" aria-describedby="${name}-problem"` : "";
}

function problemHtml(name: string, { problems }: FormPage): string {
  const problem = problems.get(name);
  return problem === undefined ? "" : `<p class="problem" id="${name}-problem">${problem}</p>`;
}

type FieldOf<T extends FormField["type"]> = Extract<FormField, { type: T }>;

function choiceHtml(field: FieldOf<"choice">, name: string, texts: FormTexts, page: FormPage) {
  const options = field.options.map((option) => {
    const checked = page.entered.get(name) === option ? " checked" : "";
    return (
      `<label class="box"><input type="radio" name="${name}" value="${escapeHtml(option)}"` +
      `${field.required ? " required" : ""}${checked}><span>${escapeHtml(option)}</span></label>`
    );
  });
  return (
    `<fieldset${invalid(name, page)}><legend>${escapeHtml(field.label)}${optional(field, texts)}</legend>` +
    `${options.join("")}</fieldset>${problemHtml(name, page)}`
  );
}

function boxHtml(name: string, html: string, isRequired: boolean, page: FormPage): string {
  const checked = page.entered.get(name) === "1" ? " checked" : "";
  return (
    `<label class="box"><input type="checkbox" name="${name}" value="1"` +
    `${isRequired ? " required" : ""}${checked}${invalid(name, page)}><span>${html}</span></label>` +
    problemHtml(name, page)
  );
}

function checkHtml(field: FieldOf<"check">, name: string, texts: FormTexts, page: FormPage) {
  const read = field.url === undefined ? "" : ` ${outsideLink(field.url, texts.read)}`;
  const html = `${escapeHtml(field.label)}${optional(field, texts)}${read}`;
  return boxHtml(name, html, field.required, page);
}

/** In a new tab, so that what was entered stays. */
function outsideLink(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${text}</a>`;
}

function consentHtml(texts: FormTexts, page: FormPage): string {
  const { consent, marketing, privacyUrl } = page.content;
  const html = `${escapeHtml(consent)} ${outsideLink(privacyUrl, texts.privacy)}`;
  const boxes = [boxHtml(consentName, html, true, page)];
  if (marketing !== "") boxes.push(boxHtml(marketingName, escapeHtml(marketing), false, page));
  return boxes.join("");
}

function controllerHtml(texts: FormTexts, { content, withdrawAddress }: FormPage): string {
  const address = escapeHtml(withdrawAddress);
  return (
    `<p class="note">${escapeHtml(texts.controller(content.controller))} ` +
    `<a href="${address}">${texts.withdraw}</a></p>`
  );
}

function trapHtml(texts: FormTexts): string {
  return (
    `<p class="away" aria-hidden="true"><label>${texts.empty}` +
    `<input name="${trapName}" tabindex="-1" autocomplete="off"></label></p>`
  );
}
