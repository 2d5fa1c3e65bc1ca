/**
 * Visits from the in-app browsers of apps: the setting of the link, and destinations that such a browser cannot open. The page
 * that shows how to leave is not a click and does not count against a click limit. The visit from the browser is the click, or
 * the visit that continues inside the app. Bots do not count as inside an app.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isAppUrl } from "#lib/basics/urls";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { parseAgent } from "#lib/platform/request-info";
import {
  type AppBrowser,
  appBrowserOf,
  cannotOpen,
  findUrlLink,
  isPhone,
  signRequest,
} from "#lib/redirect/app-browsers";
import { isOnDashboardHost, userAgentOf } from "#lib/redirect/requests";
import { mayUse } from "#lib/redirect/targets";
import { findBranding, outcomes, sendDocument } from "#lib/redirect/visitor-pages";
import { addressOfLink, continueUrl, isAccepted } from "./continuation.ts";
import { browserPage, scriptSource } from "./pages/browser.ts";
import type { OpenedProgram, TaggedProgram, Visit } from "./redirects.ts";

/** Sends the link’s page for visits inside apps. False: it has none, or the visit continues. */
export async function sendInsideApp(req: IncomingMessage, res: ServerResponse, visited: Visit) {
  if ((await settingOf(visited.target))?.open !== "browser") return false;
  const browser = appBrowserOf(userAgentOf(req));
  return browser !== undefined && (await sendBrowserPage(req, res, visited, browser));
}

type Lead =
  | { opens: "url"; url: string }
  | ({ opens: "urlLink" } & OpenedProgram)
  | ({ opens: "tag" } & TaggedProgram);

/**
 * The destination of a visitor, which may be a mini program instead of the URL. Undefined: the
 * in-app browser cannot open the destination, and the visitor got a page. Visitors who continue get
 * the web URL.
 */
export async function leadOut(
  req: IncomingMessage,
  res: ServerResponse,
  visited: Visit,
  chosen: string,
): Promise<Lead | undefined> {
  const { target } = visited;
  const userAgent = userAgentOf(req);
  const url = chosen === target.url ? await destinationOn(userAgent, target) : chosen;
  const browser = appBrowserOf(userAgent);
  const isBot = parseAgent(userAgent).bot;
  const opened = isBot ? undefined : await openProgram(req, visited, url, browser);
  if (opened) return opened;
  if (!browser || !cannotOpen(browser, url)) return { opens: "url", url };
  if (await sendBrowserPage(req, res, visited, browser)) return undefined;
  return { opens: "url", url: isAppUrl(url) ? target.url : url };
}

/** Mini programs also open inside WeChat, but not in the closed browsers of QQ and WeCom. */
async function openProgram(
  req: IncomingMessage,
  { target }: Visit,
  url: string,
  browser: AppBrowser | undefined,
): Promise<Lead | undefined> {
  const program = target.extras?.insideApps;
  if (program?.open !== "miniProgram" || url !== miniProgramUrl(program)) return undefined;
  const isWechat = browser?.app === "wechat";
  if (browser && !isWechat && cannotOpen(browser, url)) return undefined;
  const now = Date.now();
  const urlLink = await findUrlLink(target.workspacePk, program, now);
  const signed = isWechat ? await signRequest(req, target, now) : undefined;
  if (signed) return { opens: "tag", url, program, signed, urlLink };
  return urlLink === undefined ? undefined : { opens: "urlLink", url, urlLink };
}

async function destinationOn(userAgent: string, target: Visit["target"]): Promise<string> {
  const program = await settingOf(target);
  if (program?.open !== "miniProgram" || !isPhone(userAgent)) return target.url;
  return miniProgramUrl(program);
}

/** Undefined: the link has no setting, or its plan no longer includes it. */
async function settingOf(target: Visit["target"]): Promise<InsideApps | undefined> {
  const setting = target.extras?.insideApps;
  return setting && (await mayUse(target, "insideApps")) ? setting : undefined;
}

/**
 * The plain URL Scheme: developers.weixin.qq.com/miniprogram/dev/framework/open-ability/url-scheme
 */
function miniProgramUrl({ appId = "", path = "", query = "" }: InsideApps): string {
  const parameters = query === "" ? "" : `&query=${encodeURIComponent(query)}`;
  return `weixin://dl/business/?appid=${appId}&path=${path}${parameters}`;
}

/** False: the visitor saw this page, or a later one of the link, and continued. */
async function sendBrowserPage(
  req: IncomingMessage,
  res: ServerResponse,
  { target, query, token }: Visit,
  browser: AppBrowser,
): Promise<boolean> {
  // defence: in-app-token-passes-no-warning
  const subject = `link ${target.linkPk} inside an app`;
  const canContinue = (await settingOf(target))?.canContinue ?? true;
  // The warning of a link comes after this page and has its own token.
  const isSeen = () =>
    isAccepted(req, subject, token) || isAccepted(req, `link ${target.linkPk}`, token);
  if (canContinue && token !== "" && isSeen()) return false;
  outcomes.insideApp += 1;
  const branding = await findBranding(req);
  const page = browserPage({
    browser,
    address: addressOfLink(req, query),
    continueUrl: canContinue ? continueUrl(req, query, subject) : undefined,
    acceptLanguage: req.headers["accept-language"],
    branding,
    onDashboardHost: isOnDashboardHost(req),
  });
  const allowed = `form-action 'none'; ${scriptSource}`;
  // The response to this URL depends on the app.
  sendDocument(req, res, 200, page, { allowed, branding, head: ["Vary", "User-Agent"] });
  return true;
}
