import type { IncomingMessage, ServerResponse } from "node:http";
import { isOnDashboardHost } from "#lib/redirect/requests";
import type { CompiledBranding } from "./branding.ts";
import {
  escapeHtml,
  type HeadOptions,
  type Language,
  languageOf,
  pageHead,
  renderPage,
  userLinkNotice,
} from "./document.ts";
import { reportHtml, withIcp, withReportedLink } from "./footer.ts";
import { countPage } from "./outcomes.ts";
import type { Sign } from "./signs.ts";
import { type PageName, pageTexts } from "./texts.ts";

const formTexts: Record<Language, { label: string; button: string }> = {
  en: { label: "Password", button: "Continue" },
  zh: { label: "密码", button: "继续" },
};
const signs: Record<PageName, Sign> = {
  missing: "search",
  ended: "clock",
  early: "clock",
  banned: "stop",
  bannedPhishing: "stop",
  bannedMalware: "stop",
  bannedSpam: "stop",
  bannedIllegal: "stop",
  bannedCopyright: "stop",
  unavailable: "clock",
  refused: "stop",
  password: "lock",
  wrongPassword: "lock",
  tooMany: "clock",
  people: "person",
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

/** A missing link is nothing to report. */
const pagesWithReport = new Set<PageName>(["ended", "early", "password", "wrongPassword"]);

const waysTexts: Record<Language, { home: string; again: string }> = {
  en: { home: "Go to homepage", again: "Try again" },
  zh: { home: "前往首页", again: "重试" },
};
const pagesWithHome = new Set<PageName>(["missing", "ended", "early"]);
/** The link is opened by GET, even if the page answered a form. */
const pagesWithRetry = new Set<PageName>(["unavailable", "tooMany"]);

function waysOf(name: PageName, language: Language, home: string | undefined): string {
  const { home: homeText, again } = waysTexts[language];
  if (pagesWithRetry.has(name)) return wayHtml("", again);
  return home !== undefined && pagesWithHome.has(name) ? wayHtml(home, homeText) : "";
}

function wayHtml(url: string, text: string): string {
  return `<div class="ways"><a class="button" href="${escapeHtml(url)}">${text}</a></div>`;
}

const renderedPages = new Map<string, Buffer>();

export interface PageSurroundings {
  branding?: CompiledBranding | undefined;
  onDashboardHost?: boolean;
  /** The home page of the domain. Undefined: it has none. */
  home?: string | undefined;
}

export function visitorPage(
  name: PageName,
  acceptLanguage: string | undefined,
  { branding, onDashboardHost = false, home }: PageSurroundings = {},
): Buffer {
  const language = languageOf(acceptLanguage);
  // defence: dashboard-host-notice
  const hasNotice = onDashboardHost && pagesWithForm.has(name);
  const id = `${name} ${language} ${hasNotice} ${home ?? ""}`;
  const pages = branding?.pages ?? renderedPages;
  let page = pages.get(id);
  if (!page) {
    const { title, text } = pageTexts[name][language];
    const form = formOf(name, language);
    const notice = hasNotice ? userLinkNotice(language) : "";
    const ways = waysOf(name, language, home);
    const bodyHtml = `<main><h1>${title}</h1><p id="text">${text}</p>${form}${ways}${notice}</main>`;
    const footHtml = pagesWithReport.has(name) ? reportHtml(language) : "";
    page = renderPage({ language, title, sign: signs[name], bodyHtml, footHtml, branding });
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
  {
    head = [],
    branding,
    home,
  }: Pick<DocumentOptions, "head" | "branding"> & Pick<PageSurroundings, "home"> = {},
): void {
  countPage(name);
  const accepted = req.headers["accept-language"];
  const page = visitorPage(name, accepted, {
    branding,
    home,
    onDashboardHost: isOnDashboardHost(req),
  });
  const namesLink = pagesWithReport.has(name);
  const hasForm = pagesWithForm.has(name);
  sendDocument(req, res, status, page, { head, branding, hasForm, namesLink });
}
