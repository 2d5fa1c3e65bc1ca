/**
 * The redirect: Host and path → target → click → answer.
 *
 * `visitAtOnce` answers a plain link that is in memory without leaving the caller's turn of the event loop: no promise,
 * no closure, no object a request. Everything else is `visit`, which may ask Redis and Postgres. Both hand the response
 * to the click group, which ends it once the click is safe.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAgent } from "#lib/agents";
import { addClick, closeClicks, eventEnd, fieldEnd, flag, openClicks } from "#lib/clicks";
import { CoherentCache, openCoherence } from "#lib/coherence";
import { config } from "#lib/config";
import { addressOf } from "#lib/http";
import { onClose } from "#lib/lifetime";
import { log } from "#lib/log";
import { decodeTarget, encodeTarget, hostEntry, targetEntry } from "#lib/targets";
import { takeVisit } from "./allowance.ts";
import { chooseUrl } from "./choice.ts";
import { keyOfDay, openDayKeys } from "./day-keys.ts";
import { splitsOf, withPath, withQuery } from "./forward.ts";
import { writeHeadText } from "./head.ts";
import { sendPage } from "./pages.ts";
import { askPassword, isGranted } from "./password.ts";
import { type Host, loadHosts, loadTargets } from "./store.ts";
import { compileTarget, redirectHead, type Target } from "./target.ts";
import { canonicalHost, isPrefetch, keyOfPath } from "./visitor.ts";

export { canonicalHost } from "./visitor.ts";

const targetsMax = 500_000;
const hostsMax = 50_000;
const entryAgeMaxMs = 60_000;
const userAgentMax = 512;
const refererMax = 1_024;
const languageMax = 64;
const queryMax = 1_024;
const pathMax = 2_048;

const targets = new CoherentCache<Target>({
  name: "targets",
  entriesMax: targetsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadTargets,
  codec: { encode: encodeTarget, decode: compileLine },
  mayServeStale: (target) => target.plain,
});

const hosts = new CoherentCache<Host>({
  name: "hosts",
  entriesMax: hostsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadHosts,
  mayServeStale: () => true,
});

function compileLine(payload: string): Target | undefined {
  const row = decodeTarget(payload);
  return row && compileTarget(row);
}

/** Opens what visits need: the channel of invalidations, the day's keys, the way of the clicks. */
export async function openRedirect(): Promise<void> {
  openCoherence();
  await openDayKeys();
  const { FUXI_CLICK_SHARDS, FUXI_DATA_DIR } = config();
  openClicks({ shards: FUXI_CLICK_SHARDS, spoolFolder: `${FUXI_DATA_DIR}/spool`, keyOfDay });
  onClose("clicks", closeClicks);
}

/** Answers a plain link that is in memory. False: nothing was done, ask `visit`. */
export function visitAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== "GET") return false;
  const url = req.url ?? "/";
  const now = Date.now();
  const host = hosts.peek(hostEntry(canonicalHost(req.headers.host ?? "")), now);
  if (!host) return false;
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  const key = keyOfPath(path, host.folded);
  if (key === undefined) return false;
  const target = targets.peek(targetEntry(host.domainPk, key), now);
  if (!target?.plain) return false;
  writeHeadText(res, target.status, target.head, target.headText, now);
  click(req, res, target, now, end < 0 ? "" : url.slice(end + 1));
  return true;
}

/** Answers any visit of a short link. Never throws. */
export async function visit(req: IncomingMessage, res: ServerResponse): Promise<void> {
  try {
    await answer(req, res);
  } catch (error) {
    log.warn({ event: "visit.unavailable", error: String(error) });
    // Nobody who knows the link can be asked: neither a wrong redirect nor a 404 would be true.
    if (!res.headersSent) sendPage(req, res, 503, "unavailable", ["Retry-After", "1"]);
  }
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path, query] = splitUrl(req.url ?? "/");
  const host = await hosts.find(hostEntry(canonicalHost(req.headers.host ?? "")));
  const found = host && path.length <= pathMax ? await findTarget(host, path) : undefined;
  const isForm = req.method === "POST" && found?.target.extras?.password !== undefined;
  if (req.method !== "GET" && req.method !== "HEAD" && !isForm) {
    sendPage(req, res, 405, "refused", ["Allow", "GET, HEAD"]);
  } else if (host && found) {
    await answerTarget(req, res, host, { ...found, path, query });
  } else {
    answerMissing(req, res, path === "/" ? host?.rootUrl : host?.notFoundUrl);
  }
}

function splitUrl(url: string): [path: string, query: string] {
  const end = url.indexOf("?");
  return end < 0 ? [url, ""] : [url.slice(0, end), url.slice(end + 1)];
}

function answerMissing(req: IncomingMessage, res: ServerResponse, instead: string | undefined) {
  if (instead) sendRedirect(res, instead);
  else sendPage(req, res, 404, "missing");
}

interface Found {
  target: Target;
  /** Of the path, what is behind the key. */
  rest: string;
}

/** Apps that recognise links in messages swallow what follows: after six or seven digits the code is tried alone. */
const swallowedText = /^([0-9A-Za-z]{6,7})[^0-9A-Za-z]/;

async function findTarget(host: Host, path: string): Promise<Found | undefined> {
  const key = keyOfPath(path, host.folded);
  if (key === undefined) return undefined;
  const target = await targets.find(targetEntry(host.domainPk, key === "" ? "_root" : key));
  if (target) return { target, rest: "" };
  const forwarding = await findForwarding(host, path);
  if (forwarding) return forwarding;
  const code = swallowedText.exec(key)?.[1];
  const swallowed = code ? await targets.find(targetEntry(host.domainPk, code)) : undefined;
  return swallowed && { target: swallowed, rest: "" };
}

/** The link with the longest key before a slash of the path that passes the rest on. */
async function findForwarding(host: Host, path: string): Promise<Found | undefined> {
  const found = await Promise.all(
    splitsOf(path).map(async (split) => {
      const key = keyOfPath(split.path, host.folded);
      const target = key ? await targets.find(targetEntry(host.domainPk, key)) : undefined;
      return target?.extras?.forwardPath ? { target, rest: split.rest } : undefined;
    }),
  );
  return found.find((one) => one !== undefined);
}

interface Visit extends Found {
  path: string;
  query: string;
}

async function answerTarget(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  visited: Visit,
): Promise<void> {
  const { target } = visited;
  const now = Date.now();
  if (target.state === "b") sendPage(req, res, 451, "banned");
  else if (target.state === "d") sendPage(req, res, 410, "ended");
  else if (target.startsAt > now) sendPage(req, res, 404, "early");
  else if (target.endsAt > 0 && target.endsAt <= now) answerEnded(req, res, host, target);
  else if (target.extras) await answerExtras(req, res, host, visited);
  else {
    res.writeHead(target.status, target.head);
    click(req, res, target, now, visited.query);
  }
}

function answerEnded(req: IncomingMessage, res: ServerResponse, host: Host, target: Target): void {
  const fallback = target.expiredUrl || host.expiredUrl;
  if (fallback) sendRedirect(res, fallback);
  else sendPage(req, res, 410, "ended");
}

/** Answers a link of which more is said than where it leads: password, limit, choice, forwarding, in this order. */
async function answerExtras(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  { target, rest, path, query }: Visit,
): Promise<void> {
  const { password, maxClicks, forwardQuery } = target.extras ?? {};
  const now = Date.now();
  if (password !== undefined && !isGranted(req, target.linkPk, password, now)) {
    await askPassword(req, res, target.linkPk, password, path);
    return;
  }
  if (maxClicks !== undefined && !(await passLimit(req, res, host, target))) return;
  const asking = {
    address: addressOf(req),
    userAgent: req.headers["user-agent"] ?? "",
    language: req.headers["accept-language"] ?? "",
    now,
  };
  let url = withPath(await chooseUrl(target, asking), rest);
  if (forwardQuery && query !== "") url = withQuery(url, query);
  res.writeHead(target.status, redirectHead(url));
  click(req, res, target, now, query);
}

/** Takes a visit of a link that may only have some. False: the visitor has an answer. */
async function passLimit(
  req: IncomingMessage,
  res: ServerResponse,
  host: Host,
  target: Target,
): Promise<boolean> {
  // A browser throws away what it fetched ahead when that failed, and asks again when the person comes.
  if (isPrefetch(req.headers)) sendPage(req, res, 503, "unavailable");
  else if (req.method === "HEAD" || parseAgent(req.headers["user-agent"] ?? "").bot) {
    sendPage(req, res, 200, "people");
  } else {
    if (!target.usedUp && (await takeVisit(target.linkPk))) return true;
    target.usedUp = true;
    answerEnded(req, res, host, target);
  }
  return false;
}

const scanMark = /(?:^|&)qr=1(?:&|$)/;

/** Puts the visit into the group that ends the response. */
function click(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  now: number,
  query: string,
): void {
  // Node has made this object already, to look for a Host; reading the raw list instead costs 3 % (bench/redirect).
  const { headers } = req;
  let flags = "";
  if (query !== "" && scanMark.test(query)) flags += flag.scan;
  if (req.method === "HEAD") flags += flag.head;
  if (isPrefetch(headers)) flags += flag.prefetch;
  const event =
    now +
    target.eventPart +
    flags +
    fieldEnd +
    cut(headers["user-agent"] ?? "", userAgentMax) +
    fieldEnd +
    cut(headers.referer ?? "", refererMax) +
    fieldEnd +
    cut(headers["accept-language"] ?? "", languageMax) +
    fieldEnd +
    cut(query, queryMax) +
    fieldEnd +
    eventEnd;
  addClick(event, addressOf(req), res);
}

function cut(text: string, max: number): string {
  return text.length > max ? text.slice(0, max) : text;
}

function sendRedirect(res: ServerResponse, url: string): void {
  res.writeHead(302, redirectHead(url)).end();
}
