/** Asks a page whether it works, and follows its redirects. */
import { isAppUrl, parseUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { askHeaders, type HeadersOutcome } from "#lib/platform/safe-fetch";
import type { DestinationState } from "./schema.ts";
import { followShortLink } from "./short-links.ts";
import { inTurn, type Turn, type TurnLimits } from "./turns.ts";

export const hopsMax = 5;
const redirectsToCharsMax = 500;

export interface CheckLimits extends TurnLimits {
  timeoutMs: number;
}

export interface Verdict {
  state: DestinationState;
  status: number | null;
  redirectsTo: string | null;
  /** A site answered, so this instance has a network. */
  answered: boolean;
  /** No page of the origin is reachable. */
  isWholeOrigin: boolean;
  /** When the host wants no more requests. */
  pauseS: number | null;
}

export async function judgeUrl(
  text: string,
  now: Date,
  limits: CheckLimits,
): Promise<Turn<Verdict>> {
  const trail: Trail = { url: parseUrl(text), hops: 0, answered: false, redirectsTo: null };
  for (; trail.hops <= hopsMax; trail.hops++) {
    const turn = await judgeHop(trail, now, limits);
    if (turn) return turn;
  }
  // Without cookies, some sites redirect forever.
  return verdict(trail, "unchecked");
}

/** Where a check has come to. */
interface Trail {
  url: URL | undefined;
  hops: number;
  answered: boolean;
  redirectsTo: string | null;
}

function verdict(
  { answered }: Trail,
  state: DestinationState,
  more: Partial<Verdict> = {},
): Turn<Verdict> {
  const none = { status: null, redirectsTo: null, isWholeOrigin: false, pauseS: null };
  return { kind: "done", result: { state, answered, ...none, ...more } };
}

/** Undefined: the trail goes on. */
async function judgeHop(
  trail: Trail,
  now: Date,
  limits: CheckLimits,
): Promise<Turn<Verdict> | undefined> {
  const { url } = trail;
  if (!url) return verdict(trail, "unchecked");
  if (!/^https?:$/.test(url.protocol)) {
    return verdict(trail, isAppUrl(url.href) ? "redirects" : "unchecked");
  }
  const own = await followShortLink(url, now);
  if (!own) return await judgeAnswer(url, trail, limits);
  if (own.kind !== "leads") return verdict(trail, own.kind === "shows" ? "works" : "not_found");
  trail.url = parseUrl(own.url);
  return undefined;
}

async function judgeAnswer(
  url: URL,
  trail: Trail,
  limits: CheckLimits,
): Promise<Turn<Verdict> | undefined> {
  const turn = await ask(url, limits);
  if (turn.kind !== "done") return turn;
  const { result: answer } = turn;
  if (answer.kind === "unknown") return verdict(trail, "unchecked");
  if (answer.kind === "failed") {
    const isWholeOrigin =
      trail.hops === 0 && (answer.why === "dns" || answer.why === "certificate");
    return verdict(trail, answer.why, { isWholeOrigin });
  }
  trail.answered = true;
  if (!isRedirect(answer)) return verdictOf(trail, answer);
  const next = parseUrl(answer.location ?? "", url.href);
  trail.redirectsTo = next && /^https?:$/.test(next.protocol) ? shownOf(next) : null;
  trail.url = next;
  return undefined;
}

function verdictOf(trail: Trail, { status, retryAfterS }: Answer): Turn<Verdict> {
  const state = stateOf(status);
  const pauseS = status === 429 || status === 503 ? (retryAfterS ?? 0) : null;
  const { redirectsTo } = trail;
  if (state !== "works" || redirectsTo === null) return verdict(trail, state, { status, pauseS });
  return verdict(trail, "redirects", { status, redirectsTo });
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
type Answer = Extract<HeadersOutcome, { kind: "answered" }>;

function isRedirect({ status, location }: Answer): boolean {
  return redirectStatuses.has(status) && Boolean(location);
}

/** Queries may contain secrets. */
function shownOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, redirectsToCharsMax);
}

/** Sites that turn programs away may work for people. */
function stateOf(status: number): DestinationState {
  if (status < 400) return "works";
  if (status === 404 || status === 410) return "not_found";
  return status >= 500 && status < 600 ? "server_error" : "refused";
}

async function ask(url: URL, limits: CheckLimits): Promise<Turn<HeadersOutcome>> {
  const send = (method: "HEAD" | "GET") =>
    inTurn(url.hostname, limits, () =>
      askHeaders({ url, method, userAgent: userAgent(), timeoutMs: limits.timeoutMs }),
    );
  const turn = await send("HEAD");
  if (turn.kind !== "done" || turn.result.kind !== "answered") return turn;
  const { status } = turn.result;
  return status === 405 || status === 501 ? await send("GET") : turn;
}

/** The page says what these requests are and how to end them. */
function userAgent(): string {
  const page = new URL("/docs/checks", config().FUXI_URL).href;
  return `Mozilla/5.0 (compatible; FuxiLinkCheck/1.0; +${page})`;
}
