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
  isSignedUntil,
  originOf,
  signUntil,
} from "#lib/redirect/requests";
import {
  type Language,
  languageOf,
  renderPage,
  sendDocument,
  sendPage,
} from "#lib/redirect/visitor-pages";

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

const browserPurpose = "fuxi own visits";
const linkPurpose = "fuxi own visits link";

function textOf({ workspacePk, domainPk }: OwnDomain, ends: string): string {
  // defence: own-visits-of-domain
  return `${workspacePk}\n${domainPk}\n${ends}`;
}

/** Almost no request has the cookie, and looking for it costs nothing. */
export function isOwnVisit(req: IncomingMessage, domain: OwnDomain, now: number): boolean {
  const { cookie } = req.headers;
  if (!cookie?.includes(cookieName)) return false;
  return cookiesNamed(cookie, cookieName).some((token) =>
    isSignedUntil(browserPurpose, token, now, (ends) => textOf(domain, ends)),
  );
}

/** The address of the page, for a member of the workspace. */
export function ownVisitsUrl(slug: string, domain: OwnDomain, now: number): string {
  const token = signUntil(linkPurpose, now + linkSeconds * 1_000, (ends) => textOf(domain, ends));
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
  if (!isOwn && !isSignedUntil(linkPurpose, token, now, (ends) => textOf(domain, ends))) {
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
  const token = signUntil(browserPurpose, now + cookieSeconds * 1_000, (ends) =>
    textOf(domain, ends),
  );
  return cookieLine(cookieName, token, { path: "/", seconds: cookieSeconds });
}

function forget(): string {
  return cookieLine(cookieName, "", { path: "/", seconds: 0 });
}

interface OwnTexts {
  title: string;
  text: (host: string) => string;
  button: string;
}

type State = "counted" | "excluded";

const ownTexts: Record<Language, Record<State, OwnTexts>> = {
  en: {
    counted: {
      title: "Your visits are counted",
      text: (host) => `Visits of this browser to links on ${host} count as clicks.`,
      button: "Don’t count my visits",
    },
    excluded: {
      title: "Your visits aren’t counted",
      text: (host) =>
        `Visits of this browser to links on ${host} are counted with bots. A cookie on this domain remembers this for 400 days.`,
      button: "Count my visits again",
    },
  },
  zh: {
    counted: {
      title: "你的访问会计入点击",
      text: (host) => `通过此浏览器访问 ${host} 上的链接会计为点击。`,
      button: "不计入我的访问",
    },
    excluded: {
      title: "你的访问不计入点击",
      text: (host) =>
        `通过此浏览器访问 ${host} 上的链接会归入机器人流量。此域名下的 Cookie 会保留这一设置 400 天。`,
      button: "重新计入我的访问",
    },
  },
};

function pageOf(req: IncomingMessage, isOwn: boolean): Buffer {
  const language = languageOf(req.headers["accept-language"]);
  const texts: OwnTexts = ownTexts[language][isOwn ? "excluded" : "counted"];
  const { host } = new URL(originOf(req));
  const bodyHtml =
    `<main><h1>${texts.title}</h1><p>${texts.text(host)}</p>` +
    `<form method="post"><button>${texts.button}</button></form></main>`;
  return renderPage({ language, title: texts.title, sign: "person", bodyHtml });
}
