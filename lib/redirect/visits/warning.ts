/** The warning page before a destination. Its button continues with a token (continuation.ts). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isWebUrl } from "#lib/basics/urls";
import type { Suspicion } from "#lib/redirect/trust";
import {
  escapeHtml,
  type Language,
  languageOf,
  outcomes,
  renderPage,
  reportHtml,
  sendDocument,
} from "#lib/redirect/visitor-pages";
import { continueUrl, isAccepted } from "./continuation.ts";
import { describeSuspicion } from "./pages/suspicion.ts";
import { displayUrl } from "./preview.ts";

const english = {
  title: "This website may be harmful",
  text: "It’s on the warning list of this service. It may try to steal your passwords or install harmful software.",
  destination: "Website",
  letters: "The domain has characters other than A to Z. It’s shown in its ASCII form.",
  back: "Go back",
  onward: "Continue anyway",
};
type WarningTexts = typeof english;

const chinese: WarningTexts = {
  title: "该网站可能有害",
  text: "该网站在本服务的警告列表中，可能会骗取你的密码或安装恶意软件。",
  destination: "网站",
  letters: "域名含有 A 到 Z 以外的字符，此处以 ASCII 形式显示。",
  back: "返回",
  onward: "仍要继续",
};

const texts: Record<Language, WarningTexts> = { en: english, zh: chinese };

interface Warning {
  url: string;
  reason: "list" | Suspicion;
  /** What the visitor accepts: a link, or a domain. */
  subject: string;
  query: string;
  token: string;
}

/** The page that the visitor came from, or a blank page. */
function backOf({ headers }: IncomingMessage): string {
  const { referer = "" } = headers;
  // defence: back-page-is-web-page
  return isWebUrl(referer) ? referer : "about:blank";
}

/** Shows the warning, unless it was accepted. False: the visit continues. */
export function sendWarning(
  req: IncomingMessage,
  res: ServerResponse,
  { url, reason, subject, query, token }: Warning,
): boolean {
  if (isAccepted(req, subject, token)) return false;
  outcomes.warned += 1;
  const language = languageOf(req.headers["accept-language"]);
  const labels = texts[language];
  const { title, textHtml } =
    reason === "list"
      ? { title: labels.title, textHtml: `<p>${labels.text}</p>` }
      : describeSuspicion(language, reason);
  const { host, hasLetters } = displayUrl(url);
  const note = hasLetters ? `<p class="note">${labels.letters}</p>` : "";
  const bodyHtml =
    `<main><h1>${title}</h1>${textHtml}` +
    `<dl><dt>${labels.destination}</dt><dd class="host"><bdi dir="ltr">${escapeHtml(host)}</bdi></dd></dl>` +
    `${note}<div class="ways"><a class="button" href="${escapeHtml(backOf(req))}">${labels.back}</a>` +
    `<a class="button other" rel="nofollow" href="${escapeHtml(continueUrl(req, query, subject))}">${labels.onward}</a></div></main>`;
  const footHtml = reportHtml(language, req);
  sendDocument(req, res, 200, renderPage({ language, title, sign: "alert", bodyHtml, footHtml }));
  return true;
}
