/**
 * The redirect: Host and path → target → click → answer.
 *
 * `visitAtOnce` answers a plain link that is in memory without leaving the caller's turn of the event loop: no promise,
 * no closure, no object a request. Everything else is `visit`, which may ask Redis and Postgres. Both hand the response
 * to the click group, which ends it once the click is safe.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { closeClicks, openClicks } from "#lib/clicks";
import { openCoherence } from "#lib/coherence";
import { config } from "#lib/config";
import { onClose } from "#lib/lifetime";
import { Buckets, exposeBuckets, log } from "#lib/log";
import { hostEntry, targetEntry } from "#lib/targets";
import { answer } from "./answer.ts";
import { hosts, targets } from "./caches.ts";
import { click } from "./click.ts";
import { keyOfDay, openDayKeys } from "./day-keys.ts";
import { writeHeadText } from "./head.ts";
import { sendPage } from "./pages.ts";
import { canonicalHost, keyOfPath } from "./visitor.ts";

export { canonicalHost } from "./visitor.ts";

const lookupSeconds = new Buckets([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
]);
exposeBuckets(
  "visit_lookup_seconds",
  "Until a visit that memory alone does not answer has its destination.",
  lookupSeconds,
);

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
  const startedAt = performance.now();
  try {
    await answer(req, res);
    lookupSeconds.observe((performance.now() - startedAt) / 1_000);
  } catch (error) {
    log.warn({ event: "visit.unavailable", error: String(error) });
    // Nobody who knows the link can be asked: neither a wrong redirect nor a 404 would be true.
    if (!res.headersSent) sendPage(req, res, 503, "unavailable", ["Retry-After", "1"]);
  }
}
