import type { IncomingMessage, ServerResponse } from "node:http";
import { isOnDashboardHost } from "#lib/redirect/requests";
import type { CompiledBranding } from "./branding.ts";
import {
  type HeadOptions,
  type Language,
  languageOf,
  pageHead,
  renderPage,
  userLinkNotice,
} from "./document.ts";
import { reportHtml, withIcp, withReportedLink } from "./footer.ts";
import { countPage } from "./outcomes.ts";
import { type PageName, pageTexts } from "./texts.ts";

const formTexts: Record<Language, { label: string; button: string }> = {
  en: { label: "Password", button: "Continue" },
  zh: { label: "密码", button: "继续" },
};
const pagesWithForm = new Set<PageName>(["password", "wrongPassword"]);

function formOf(name: PageName, language: Language): string {
  if (!pagesWithForm.has(name)) return "";
  const { label, button } = formTexts[language];
  const invalid = name === "wrongPassword" ? ' aria-invalid="true" aria-describedby="text"' : "";
  return (
    `<form method="post"><label for="password">${label}</label>` +
    `<input id="password" name="password" type="password" required autofocus maxlength="200"` +
    ` autocomplete="off"${invalid}><button>${button}</button></form>`
  );
}

/** Pages with a link to report. For missing links, visitors enter the link in the form. */
const pagesWithReport = new Set<PageName>([
  "ended",
  "early",
  "missing",
  "password",
  "wrongPassword",
]);

const renderedPages = new Map<string, Buffer>();

export function visitorPage(
  name: PageName,
  acceptLanguage: string | undefined,
  branding?: CompiledBranding,
  onDashboardHost = false,
): Buffer {
  const language = languageOf(acceptLanguage);
  // defence: dashboard-host-notice
  const hasNotice = onDashboardHost && pagesWithForm.has(name);
  const id = `${name} ${language} ${hasNotice}`;
  const pages = branding?.pages ?? renderedPages;
  let page = pages.get(id);
  if (!page) {
    const { title, text } = pageTexts[name][language];
    const form = formOf(name, language);
    const notice = hasNotice ? userLinkNotice(language) : "";
    const report = pagesWithReport.has(name) ? reportHtml(language) : "";
    const bodyHtml = `<main><h1>${title}</h1><p id="text">${text}</p>${form}${notice}${report}</main>`;
    page = renderPage({ language, title, bodyHtml, branding });
    pages.set(id, page);
  }
  return page;
}

interface DocumentOptions extends Omit<HeadOptions, "indexed"> {
  head?: readonly string[];
  hasForm?: boolean;
  /** The form for reports gets the link of the request. */
  namesLink?: boolean;
}

export function sendDocument(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  rendered: Buffer,
  { head = [], hasForm = false, namesLink = false, ...options }: DocumentOptions = {},
): void {
  const page = withIcp(namesLink ? withReportedLink(rendered, req) : rendered, req);
  // Some browsers apply a form’s policy to the redirect after it, so every web URL must be allowed.
  const allowed = hasForm ? "form-action 'self' https: http:" : options.allowed;
  res.writeHead(status, [...pageHead(page, { ...options, allowed }), ...head]);
  res.end(req.method === "HEAD" ? undefined : page);
}

export function sendPage(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  name: PageName,
  { head = [], branding }: Pick<DocumentOptions, "head" | "branding"> = {},
): void {
  countPage(name);
  const accepted = req.headers["accept-language"];
  const page = visitorPage(name, accepted, branding, isOnDashboardHost(req));
  // Missing links all have the same page.
  const namesLink = name !== "missing" && pagesWithReport.has(name);
  const hasForm = pagesWithForm.has(name);
  sendDocument(req, res, status, page, { head, branding, hasForm, namesLink });
}
