/**
 * Browsers whose visits on a domain its workspace doesn’t count. The dashboard makes a link to a page on that domain, which sets a
 * signed cookie there:
 *
 *      <seconds since 1970 at which it ends, base 36> . <HMAC of workspace, domain and end, base64url>
 *
 * The link has the same form, and ends after minutes.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { daySeconds } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import {
  cookieLine,
  cookiesNamed,
  expiryText,
  hasExpired,
  isSigned,
  originOf,
  sign,
} from "#lib/redirect/requests";
import { languageOf, renderPage, sendDocument, sendPage } from "#lib/redirect/visitor-pages";
import { type OwnTexts, ownTexts } from "./texts.ts";

export const ownVisitsPath = "/.well-known/fuxi-own-visits";

/** Browsers keep no cookie for longer. */
const cookieSeconds = 400 * daySeconds;
export const linkSeconds = 600;
const cookieName = "fuxi_own";

/** A domain and its workspace. If the domain gets another workspace, the cookie ends. */
export interface OwnDomain {
  workspacePk: number;
  domainPk: number;
}

type Purpose = "fuxi own visits" | "fuxi own visits link";

function textOf({ workspacePk, domainPk }: OwnDomain, ends: string): string {
  // defence: own-visits-of-domain
  return `${workspacePk}\n${domainPk}\n${ends}`;
}

function makeToken(purpose: Purpose, domain: OwnDomain, endsAt: number): string {
  const ends = expiryText(endsAt);
  return `${ends}.${sign(purpose, textOf(domain, ends)).toString("base64url")}`;
}

function isToken(purpose: Purpose, domain: OwnDomain, token: string, now: number): boolean {
  const [ends = "", signature = ""] = token.split(".", 2);
  return !hasExpired(ends, now) && isSigned(purpose, textOf(domain, ends), signature);
}

/** Almost no request has the cookie, and looking for it costs nothing. */
export function isOwnVisit(req: IncomingMessage, domain: OwnDomain, now: number): boolean {
  const { cookie } = req.headers;
  if (!cookie?.includes(cookieName)) return false;
  return cookiesNamed(cookie, cookieName).some((token) =>
    isToken("fuxi own visits", domain, token, now),
  );
}

/** The address of the page, for a member of the workspace. */
export function ownVisitsUrl(slug: string, domain: OwnDomain, now: number): string {
  const token = makeToken("fuxi own visits link", domain, now + linkSeconds * 1_000);
  const url = new URL(`${ownVisitsPath}?t=${token}`, config().FUXI_URL);
  url.hostname = slug;
  return url.href;
}

/** A page, because mail scanners and previews open links: only its button changes something. */
export function answerOwnVisits(
  req: IncomingMessage,
  res: ServerResponse,
  domain: OwnDomain,
  query: string,
): void {
  const now = Date.now();
  const isOwn = isOwnVisit(req, domain, now);
  const token = new URLSearchParams(query).get("t") ?? "";
  // defence: own-visits-link-signed
  if (!isOwn && !isToken("fuxi own visits link", domain, token, now)) {
    sendPage(req, res, 404, "missing");
    return;
  }
  if (req.method === "POST") {
    const cookie = isOwn ? forget() : remember(domain, now);
    res.writeHead(303, ["Location", req.url ?? "/", "Set-Cookie", cookie, "Content-Length", "0"]);
    res.end();
    return;
  }
  sendDocument(req, res, 200, pageOf(req, isOwn), { hasForm: true });
}

function remember(domain: OwnDomain, now: number): string {
  const token = makeToken("fuxi own visits", domain, now + cookieSeconds * 1_000);
  return cookieLine(cookieName, token, { path: "/", seconds: cookieSeconds });
}

function forget(): string {
  return cookieLine(cookieName, "", { path: "/", seconds: 0 });
}

function pageOf(req: IncomingMessage, isOwn: boolean): Buffer {
  const language = languageOf(req.headers["accept-language"]);
  const texts: OwnTexts = ownTexts[language][isOwn ? "excluded" : "counted"];
  const { host } = new URL(originOf(req));
  const bodyHtml =
    `<main><h1>${texts.title}</h1><p>${texts.text(host)}</p>` +
    `<form method="post"><button>${texts.button}</button></form></main>`;
  return renderPage({ language, title: texts.title, sign: "person", bodyHtml });
}
