/** Responds to visits that memory alone cannot answer: misses, and links with more than a destination. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostEntry } from "#lib/links/link-cache";
import { parseAgent } from "#lib/platform/request-info";
import { takeVisit } from "./allowance.ts";
import { findBranding } from "./branding.ts";
import { hosts } from "./caches.ts";
import { recordClick } from "./click.ts";
import { type ClosedPage, closedPageOf } from "./closed.ts";
import { findTarget } from "./find.ts";
import { withQuery } from "./forward.ts";
import { isForwarded } from "./forwarding.ts";
import { redirectHead, writeHead } from "./head.ts";
import { answerHostFile, isHostFile } from "./host-files.ts";
import { answerMethod, refuseMethod } from "./methods.ts";
import { refuseMiss } from "./misses.ts";
import { outcomes } from "./outcomes.ts";
import { sendPage } from "./pages.ts";
import { askPassword, isGranted } from "./password.ts";
import { findPreviewed, respondPreview } from "./preview.ts";
import { redirectVisitor, respondCard, type Visit } from "./redirecting.ts";
import type { Host } from "./store.ts";
import type { Target } from "./target.ts";
import { canonicalHost, isPrefetch, userAgentOf } from "./visitor.ts";

const pathMax = 2_048;

export async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (answerMethod(req, res)) return;
  const hostHeader = req.headers.host ?? "";
  if (hostHeader.includes(",")) {
    // Two Hosts, joined by Node: a proxy in front may have used the other one.
    res.writeHead(400).end();
    return;
  }
  const [path, query] = splitUrl(req.url ?? "/");
  const hostName = canonicalHost(hostHeader);
  if (isHostFile(path)) {
    await answerHostFile(req, res, hostName, path);
    return;
  }
  const host = await hosts.find(hostEntry(hostName));
  if (host && path.length <= pathMax) await respondToPath(req, res, host, path, query);
  else await respondMissing(req, res, host, host?.notFoundUrl);
}

async function respondToPath(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  path: string,
  query: string,
): Promise<void> {
  const previewed = await findPreviewed(host, path);
  const found = previewed ? undefined : await findTarget(host, path);
  const atRoot = path === "/";
  const isMiss = !previewed && !found && !(atRoot && host.rootUrl);
  const takesForm = found?.target.extras?.password !== undefined;
  if (isMiss) await respondMissing(req, res, host, atRoot ? undefined : host.notFoundUrl);
  else if (req.method === "POST" && !takesForm) refuseMethod(req, res);
  else if (previewed) await respondPreview(req, res, previewed);
  else if (found) await respondTarget(req, res, host, { ...found, path, query });
  else if (host.rootUrl) sendRedirect(res, host.rootUrl);
}

function splitUrl(url: string): [path: string, query: string] {
  const end = url.indexOf("?");
  return end < 0 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
}

async function respondMissing(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host | undefined,
  instead: string | undefined,
): Promise<void> {
  if (refuseMiss(req, res)) return;
  if (req.method === "POST") refuseMethod(req, res);
  else if (instead) sendRedirect(res, instead);
  else sendPage(req, res, 404, "missing", { branding: await findBranding(host?.workspacePk) });
}

async function respondTarget(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  visited: Visit,
): Promise<void> {
  const { target } = visited;
  const now = Date.now();
  const closed = closedPageOf(target, now);
  if (closed && target.state === "a" && closed[0] === 410)
    await respondExpired(req, res, host, target);
  else if (closed) await respondClosed(req, res, target, closed);
  else if (target.extras) await respondExtras(req, res, host, visited);
  else {
    const { query } = visited;
    if (await isForwarded(target, query)) {
      res.writeHead(target.status, redirectHead(withQuery(target.url, query), target.indexed));
    } else writeHead(res, target, now);
    recordClick(res, target, now, query);
  }
}

/** A banned link has the page without branding: the message is not from its owner. */
async function respondClosed(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  [status, page]: ClosedPage,
): Promise<void> {
  const branding = page === "banned" ? undefined : await findBranding(target.workspacePk);
  sendPage(req, res, status, page, { branding });
}

async function respondExpired(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  target: Target,
): Promise<void> {
  const fallback = target.expiredUrl || host.expiredUrl;
  if (fallback) sendRedirect(res, fallback);
  else sendPage(req, res, 410, "ended", { branding: await findBranding(target.workspacePk) });
}

/** Responds for a link with extras: card, password, limit, and finally the redirect. */
async function respondExtras(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  visited: Visit,
): Promise<void> {
  const { target, path } = visited;
  const { password, maxClicks } = target.extras ?? {};
  const now = Date.now();
  if (respondCard(req, res, visited, now)) return;
  if (password !== undefined && !isGranted(req, target.linkPk, password, now)) {
    const branding = await findBranding(target.workspacePk);
    const { linkPk, workspacePk } = target;
    await askPassword(req, res, { linkPk, workspacePk, passwordHash: password, path, branding });
    return;
  }
  if (maxClicks !== undefined && !(await passLimit(req, res, host, target))) return;
  await redirectVisitor(req, res, visited, now);
}

/** Takes a visit of a link with a click limit. False: the visitor got a response. */
async function passLimit(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  target: Target,
): Promise<boolean> {
  // A browser discards a failed prefetch, and requests again for the visit itself.
  if (isPrefetch(req.headers))
    sendPage(req, res, 503, "unavailable", { head: ["Retry-After", "1"] });
  else if (req.method === "HEAD" || parseAgent(userAgentOf(req)).bot) {
    sendPage(req, res, 200, "people", { branding: await findBranding(target.workspacePk) });
  } else {
    if (!target.usedUp && (await takeVisit(target.linkPk))) return true;
    target.usedUp = true;
    await respondExpired(req, res, host, target);
  }
  return false;
}

function sendRedirect(res: ServerResponse, url: string): void {
  outcomes.sentElsewhere += 1;
  res.writeHead(302, redirectHead(url)).end();
}
