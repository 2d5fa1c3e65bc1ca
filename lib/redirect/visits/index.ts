/**
 * The redirect: Host and path → target → click → response.
 *
 * `visitCached` answers a plain cached link within the caller’s turn of the event loop: no promise,
 * no closure, no object per request. `visit` does everything else and may query Redis and
 * PostgreSQL. Both pass the response to the click group, which ends it once the click is stored.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { dayMs } from "#lib/basics/time/schema";
import { hostEntry, targetEntry } from "#lib/links/link-cache";
import { openCoherence } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { exposeHistogram, Histogram, log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";
import { tracedRequest, tracesAreOn } from "#lib/platform/traces";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import { closeClicks, openClicks } from "#lib/redirect/clicks";
import { openMisses } from "#lib/redirect/missed";
import { canonicalHost, keyOfPath } from "#lib/redirect/requests";
import {
  type Host,
  hosts,
  mayForward,
  type Target,
  targets,
  writeHead,
} from "#lib/redirect/targets";
import { checkTarget, generation, openTrust } from "#lib/redirect/trust";
import { sendPage } from "#lib/redirect/visitor-pages";
import { recordClick, sendTracked } from "./click.ts";
import { respond } from "./responses.ts";

export { answerCertificate, answerLocalCertificate } from "./certificate.ts";

const usualKeyMax = 190;

const lookupSeconds = new Histogram([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]);
exposeHistogram(
  "visit_lookup_seconds",
  "Time to find the destination of visits that aren’t answered from memory, in seconds.",
  lookupSeconds,
);

export async function openRedirect(): Promise<void> {
  openCoherence();
  await openTrust();
  await openDayKeys();
  const { FUXI_CLICK_SHARDS, FUXI_DATA_DIR } = config();
  openClicks({ shards: FUXI_CLICK_SHARDS, spoolFolder: `${FUXI_DATA_DIR}/spool`, keyOfDay });
  onClose("clicks", closeClicks);
  openMisses();
}

/** Answers a plain cached link. False: nothing was done, call `visit`. */
export function visitCached(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.method !== "GET") return false;
  const now = Date.now();
  const host = peekHost(req, now);
  const entry = host && entryOf(req, host);
  if (entry === undefined) return false;
  const target = targets.peek(entry, now);
  // Most targets in memory are text, and need a check when they are compiled again.
  if (target && target.plainAt !== generation) checkTarget(target);
  if (target?.plainAt !== generation || mayForward(req.url ?? "/", target, now)) return false;
  sendRedirect(req, res, target, now, host?.tracked === true);
  return true;
}

/** Like `visitCached`, for a plain link that has to be loaded. Most uncached visits need nothing else. */
async function visitPlain(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
  if (req.method !== "GET") return false;
  const host = peekHost(req, Date.now());
  const entry = host && entryOf(req, host);
  if (entry === undefined) return false;
  const target = await targets.find(entry);
  const now = Date.now();
  if (target) checkTarget(target);
  if (target?.plainAt !== generation || mayForward(req.url ?? "/", target, now)) return false;
  sendRedirect(req, res, target, now, host?.tracked === true);
  return true;
}

function peekHost(req: IncomingMessage, now: number): Host | undefined {
  return hosts.peek(hostEntry(canonicalHost(req.headers.host ?? "")), now) ?? undefined;
}

/** The cache entry of a request, if its path is not longer than a usual key. */
function entryOf(req: IncomingMessage, host: Host): string | undefined {
  const url = req.url ?? "/";
  const end = url.indexOf("?");
  const key = keyOfPath(end < 0 ? url : url.slice(0, end), host.folded);
  return key && key.length <= usualKeyMax ? targetEntry(host.domainPk, key) : undefined;
}

/** `tracksAll`: the domain adds the ids of clicks to the destinations of all its links. */
function sendRedirect(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  now: number,
  tracksAll: boolean,
): void {
  const url = req.url ?? "/";
  const end = url.indexOf("?");
  const query = end < 0 ? "" : url.slice(end + 1);
  if ((tracksAll || target.tracked) && sendTracked(req, res, target, now, query)) return;
  writeHead(res, target, now);
  recordClick(res, target, now, query);
}

/** Answers any visit of a short link. Never throws. */
export async function visit(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!tracesAreOn()) return await answerVisit(req, res);
  tracedRequest("visit", req, res, () => void answerVisit(req, res));
}

async function answerVisit(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  try {
    if (!(await visitPlain(req, res))) await respond(req, res);
    lookupSeconds.observe((performance.now() - startedAt) / 1_000);
  } catch (error) {
    log.warn({ event: "visit.unavailable", error: String(error) });
    // Neither store answers: a redirect or a 404 would be a guess.
    if (!res.headersSent) sendPage(req, res, 503, "unavailable", { head: ["Retry-After", "1"] });
  }
}

const renewEveryMs = 60_000;
const keys = new Map<string, Buffer>();
let today = "";
let todayEndsAt = 0;

/** Loads the keys of today and tomorrow, and retries every minute. */
async function openDayKeys(): Promise<void> {
  const renewal = setInterval(() => void renewDayKeys(), renewEveryMs);
  onClose("day keys", () => clearInterval(renewal));
  await renewDayKeys();
}

async function renewDayKeys(): Promise<void> {
  const now = Date.now();
  for (const day of [dayOf(now), dayOf(now + dayMs)]) {
    if (keys.has(day)) continue;
    const secret = await loadDaySecret(day).catch((error: unknown) => {
      log.warn({ event: "day_key.missing", day, error: String(error) });
      return undefined;
    });
    if (secret) keys.set(day, secret.key);
  }
  for (const day of keys.keys()) if (day < dayOf(now)) keys.delete(day);
}

/** Without the key, the click counts without visitor and location. */
function keyOfDay(at: number): { day: string; key: Buffer | undefined } {
  if (at >= todayEndsAt) {
    today = dayOf(at);
    todayEndsAt = Date.parse(today) + dayMs;
  }
  return { day: today, key: keys.get(today) };
}
