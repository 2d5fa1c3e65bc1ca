/** Responds to visits that cannot be answered from memory. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostEntry } from "#lib/links/link-cache";
import { config } from "#lib/platform/config";
import { addressOf } from "#lib/platform/http";
import { parseAgent } from "#lib/platform/request-info";
import { noteMiss } from "#lib/redirect/missed";
import { answerOwnVisits, isOwnVisit, ownVisitsPath } from "#lib/redirect/own-visits";
import { canonicalHost, isPrefetch, keyOfPath, userAgentOf } from "#lib/redirect/requests";
import {
  chooseUrl,
  findPreviewed,
  findTarget,
  forwardUrl,
  type Host,
  hosts,
  redirectHead,
  type Target,
  writeHead,
} from "#lib/redirect/targets";
import { findBan, findWarning } from "#lib/redirect/trust";
import { findForm, passForm, takeReturn } from "#lib/redirect/visitor-forms";
import { findBranding, outcomes, rememberIcp, sendPage } from "#lib/redirect/visitor-pages";
import { loadOwnNetworks } from "#lib/tenancy/own-networks";
import { hasVisitLeft, takeVisit } from "./allowance.ts";
import { recordClick } from "./click.ts";
import { bannedPages, type ClosedPage, closedPageOf } from "./closed-page.ts";
import { splitToken, withToken } from "./continuation.ts";
import {
  answerHostFile,
  answerMethod,
  answerWechatFile,
  isHostFile,
  refuseMethod,
} from "./host-files.ts";
import { leadOut, sendInsideApp } from "./inside-apps.ts";
import { refuseMiss } from "./misses.ts";
import { askPassword, isGranted, sendAgain } from "./password.ts";
import { respondPreview } from "./preview.ts";
import { redirectVisitor, respondCard, sendOpenTag, sendUrlLink, type Visit } from "./redirects.ts";
import { sendWarning } from "./warning.ts";

const pathMax = 2_048;

export async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (answerMethod(req, res)) return;
  const hostHeader = req.headers.host ?? "";
  if (hostHeader.includes(",")) {
    // Node joined two Host headers. A proxy in front may have used the other one.
    res.writeHead(400).end();
    return;
  }
  const [path, ownQuery] = splitUrl(req.url ?? "/");
  // defence: warning-token-not-forwarded
  const [query, token] = splitToken(ownQuery);
  const hostName = canonicalHost(hostHeader);
  if (isHostFile(path)) {
    await answerHostFile(req, res, hostName, path);
    return;
  }
  if (await answerWechatFile(req, res, hostName, path)) return;
  const host = await hosts.find(hostEntry(hostName));
  if (host) rememberIcp(req, host);
  if (path === ownVisitsPath && host?.workspacePk !== undefined) {
    const { domainPk, workspacePk } = host;
    answerOwnVisits(req, res, { domainPk, workspacePk }, query);
    return;
  }
  const asked = { path, query, token };
  if (host && path.length <= pathMax) await respondToPath(req, res, host, asked);
  else await respondMissing(req, res, host, asked, host?.notFoundUrl);
}

async function respondToPath(req: IncomingMessage, res: ServerResponse, host: Host, asked: Asked) {
  const { path } = asked;
  const previewed = await findPreviewed(host, path);
  const found = previewed ? undefined : await findTarget(host, path);
  const atRoot = path === "/";
  const isMiss = !previewed && !found && !(atRoot && host.rootUrl);
  if (isMiss) await respondMissing(req, res, host, asked, atRoot ? undefined : host.notFoundUrl);
  else if (req.method === "POST" && !asksFirst(found?.target)) refuseMethod(req, res);
  else if (previewed) await respondPreview(req, res, previewed);
  else if (found) {
    const tracked = host.tracked || found.target.tracked;
    await respondTarget(req, res, host, { ...found, ...asked, tracked });
  } else if (host.rootUrl) sendElsewhere(req, res, host, asked, host.rootUrl);
}

/** Only links with a password or a form get a form by POST. */
function asksFirst(target: Target | undefined): boolean {
  return target?.extras?.password !== undefined || target?.extras?.form !== undefined;
}

/** `token`: from the page that the visitor continued from. */
interface Asked {
  path: string;
  query: string;
  token: string;
}

function splitUrl(url: string): [path: string, query: string] {
  const end = url.indexOf("?");
  return end < 0 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
}

async function respondMissing(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host | undefined,
  asked: Asked,
  instead: string | undefined,
): Promise<void> {
  if (refuseMiss(req, res)) return;
  if (host && req.method === "GET") noteMissOf(req, host, asked.path);
  if (req.method === "POST") refuseMethod(req, res);
  else if (host && instead) sendElsewhere(req, res, host, asked, instead);
  else
    sendPage(req, res, 404, "missing", { branding: await findBranding(req), home: homeOf(host) });
}

function noteMissOf(req: IncomingMessage, { domainPk, workspacePk, folded }: Host, path: string) {
  if (workspacePk !== undefined && isOwnVisit(req, { workspacePk, domainPk }, Date.now())) return;
  const key = path.length > pathMax ? undefined : keyOfPath(path, folded);
  const isBot = isPrefetch(req.headers) || parseAgent(userAgentOf(req)).bot;
  noteMiss({ domainPk, workspacePk, key, isBot }, Date.now());
}

/** Where a visitor without a link can go. Domains without a workspace have the page of the instance. */
function homeOf(host: Host | undefined): string | undefined {
  if (host?.rootUrl) return "/";
  return host?.workspacePk === undefined ? `${config().FUXI_URL}/` : undefined;
}

async function respondTarget(req: IncomingMessage, res: ServerResponse, host: Host, asked: Visit) {
  // Remove a WeChat code even if the form was deleted meanwhile, because nobody else may get it.
  const [pure, back] = takeReturn(asked.query);
  const visited = { ...asked, query: pure, back };
  const { target } = visited;
  const now = Date.now();
  const closed = closedPageOf(target, now);
  if (closed && target.state === "a" && closed[0] === 410)
    await respondExpired(req, res, host, visited);
  else if (closed) await respondClosed(req, res, host, { target, closed });
  else if (target.extras || target.warned || target.downloads || visited.tracked) {
    await respondExtras(req, res, host, visited);
  } else {
    const url = await forwardUrl(target.url, visited);
    if (url === target.url) writeHead(res, target, now);
    else res.writeHead(target.status, redirectHead(url, target.indexed));
    recordClick(res, target, now, visited.query);
  }
}

/** The page of a banned link has no branding, because the message is not from its owner. */
async function respondClosed(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  { target, closed: [status, page] }: { target: Target; closed: ClosedPage },
): Promise<void> {
  const isBanned = target.state === "b" || target.ban !== undefined;
  const branding = isBanned ? undefined : await findBranding(req);
  sendPage(req, res, status, page, { branding, home: homeOf(host) });
}

async function respondExpired(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  visited: Visit,
): Promise<void> {
  const { target } = visited;
  const fallback = target.expiredUrl || host.expiredUrl;
  if (fallback) sendElsewhere(req, res, host, visited, fallback);
  else sendPage(req, res, 410, "ended", { branding: await findBranding(req), home: homeOf(host) });
}

/** In this order: card, page inside apps, password, form, limit, redirect. */
async function respondExtras(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  visited: Visit,
): Promise<void> {
  const { target, path } = visited;
  const { password } = target.extras ?? {};
  const now = Date.now();
  if (respondCard(req, res, visited, now)) return;
  if (await sendInsideApp(req, res, visited)) return;
  if (password !== undefined && !isGranted(req, target.linkPk, password, now)) {
    const branding = await findBranding(req);
    const { linkPk, workspacePk } = target;
    await askPassword(req, res, { linkPk, workspacePk, passwordHash: password, path, branding });
    return;
  }
  const form = await findForm(target);
  if (form) {
    // The URLs of the form keep the token, so that a visitor who continued sees no second warning.
    const query = withToken(visited.query, visited.token);
    const answered = await passForm(req, res, form, { ...visited, query, back: visited.back });
    if (answered) {
      const [ownQuery] = splitToken(answered.query);
      await sendVisitor(req, res, host, { ...visited, ...answered, query: ownQuery });
    }
  } else if (req.method === "POST") {
    // The visitor has already entered the password, or the form is no longer published.
    sendAgain(req, res);
  } else await sendVisitor(req, res, host, visited);
}

/** No more answers are needed: warns, counts against the limit, and redirects. */
async function sendVisitor(req: IncomingMessage, res: ServerResponse, host: Host, visited: Visit) {
  const { target } = visited;
  const now = Date.now();
  const lead = await leadOut(req, res, visited, await chooseUrl(req, target, now));
  if (lead === undefined) return;
  // defence: warning-before-click-limit
  if (target.warned && warn(req, res, visited, lead.url)) return;
  const isLimited = target.extras?.maxClicks !== undefined;
  if (isLimited && !(await passLimit(req, res, host, visited))) return;
  if (lead.opens === "tag") await sendOpenTag(req, res, visited, lead, now);
  else if (lead.opens === "urlLink") sendUrlLink(req, res, visited, lead, now);
  else await redirectVisitor(req, res, visited, lead.url, now);
}

/** Shows the warning page of a link. Bots are sent to its web URL, so that is checked too. */
function warn(
  req: IncomingMessage,
  res: ServerResponse,
  { target, query, token }: Visit,
  chosen: string,
): boolean {
  const now = Date.now();
  for (const url of [chosen, target.url]) {
    const reason = findWarning(url, now);
    if (!reason) continue;
    return sendWarning(req, res, { url, reason, subject: `link ${target.linkPk}`, query, token });
  }
  return false;
}

/** Takes a visit of a link with a click limit. False: the visitor got a response. */
async function passLimit(req: IncomingMessage, res: ServerResponse, host: Host, visited: Visit) {
  const { target } = visited;
  // A browser discards a failed prefetch, and requests again for the visit itself.
  if (isPrefetch(req.headers))
    sendPage(req, res, 503, "unavailable", { head: ["Retry-After", "1"] });
  else if (req.method === "HEAD" || parseAgent(userAgentOf(req)).bot) {
    sendPage(req, res, 200, "people", { branding: await findBranding(req) });
  } else {
    if (!target.usedUp && (await takeVisitOf(req, target))) return true;
    target.usedUp = true;
    await respondExpired(req, res, host, visited);
  }
  return false;
}

/** Own visits see what visitors would see, and use nothing up. */
async function takeVisitOf(req: IncomingMessage, target: Target): Promise<boolean> {
  const isOwn =
    isOwnVisit(req, target, Date.now()) ||
    (await loadOwnNetworks())(target.workspacePk, addressOf(req));
  return isOwn ? await hasVisitLeft(target.linkPk) : await takeVisit(target.linkPk);
}

/** Redirects to the replacement of a link, unless it is banned or warned about. */
function sendElsewhere(
  req: IncomingMessage,
  res: ServerResponse,
  { domainPk, workspacePk }: Host,
  { query, token }: Asked,
  url: string,
): void {
  // defence: host-ban-fallback-urls
  const ban = findBan(workspacePk, url);
  if (ban) {
    sendPage(req, res, 451, bannedPages[ban]);
    return;
  }
  const subject = `domain ${domainPk}`;
  const reason = findWarning(url, Date.now());
  if (reason && sendWarning(req, res, { url, reason, subject, query, token })) return;
  outcomes.sentElsewhere += 1;
  res.writeHead(302, redirectHead(url)).end();
}
