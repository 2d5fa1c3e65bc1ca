/** The end of a successful visit: a redirect, or the page that replaces it. Each is a click. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf, countryOf } from "#lib/platform/http";
import { parseAgent } from "#lib/platform/request-info";
import { isAppUrl } from "#lib/platform/urls";
import { appPage } from "./app-page.ts";
import { findBranding } from "./branding.ts";
import { cardPage, isPreviewCrawler } from "./card.ts";
import { chooseUrl } from "./choice.ts";
import { eventTextOf, recordClick, recordTracked } from "./click.ts";
import { noindex, pageHead } from "./document.ts";
import type { FoundTarget } from "./find.ts";
import type { WechatReturn } from "./form-wechat.ts";
import { withPath, withQuery } from "./forward.ts";
import { isForwarded } from "./forwarding.ts";
import { frameOrigin, framePage } from "./frame.ts";
import { redirectHead } from "./head.ts";
import { withIcp } from "./icp.ts";
import type { Target } from "./target.ts";
import { newClickId, withClickId } from "./tracked.ts";
import { isOnDashboardHost, userAgentOf } from "./visitor.ts";

export interface Visit extends FoundTarget {
  path: string;
  query: string;
  /** Of a page that the visitor continued from. */
  token: string;
  /** Whether the destination gets the id of the click. */
  tracked: boolean;
  /** UUID of the contact who answered the form of the link. */
  contact?: string;
  /** What WeChat added to the address; undefined: the visitor does not come from there. */
  back?: WechatReturn | undefined;
}

/** The destination of a visitor. */
export function chooseFor(req: IncomingMessage, target: Target, now: number): Promise<string> {
  const language = req.headers["accept-language"] ?? "";
  const [address, country, userAgent] = [addressOf(req), countryOf(req), userAgentOf(req)];
  return chooseUrl(target, { address, country, userAgent, language, now });
}

/** A mini program, and the URL Link that opens it from the web. */
export interface OpenedProgram {
  url: string;
  urlLink: string;
}

/** Sends a visitor to the chosen destination, in the form that the link specifies. */
export async function redirectVisitor(
  req: IncomingMessage,
  res: ServerResponse,
  visited: Visit,
  chosen: string,
  now: number,
): Promise<void> {
  const { target, query, contact } = visited;
  const userAgent = userAgentOf(req);
  const language = req.headers["accept-language"] ?? "";
  const opensApp = isAppUrl(chosen);
  // Bots open no apps: they get the web URL.
  const isForApp = opensApp && !parseAgent(userAgent).bot;
  const goal = opensApp ? target.url : chosen;
  const id = visited.tracked || contact ? newClickId(req) : undefined;
  const forwarded = await forwardUrl(goal, visited);
  const url = id !== undefined && visited.tracked ? withClickId(forwarded, now, id) : forwarded;
  // Clicks are counted by destination, without the parameters of this visit.
  const sentTo = eventTextOf(target, isForApp ? chosen : goal);
  if (isForApp) {
    const branding = await findBranding(target.workspacePk);
    const onDashboardHost = isOnDashboardHost(req);
    const page = withIcp(
      appPage({
        url: chosen,
        webUrl: url,
        acceptLanguage: language,
        branding,
        onDashboardHost,
      }),
      req,
    );
    sendCounted(req, res, page, pageHead(page, undefined, branding), {
      target,
      query,
      now,
      sentTo,
      id,
      contact,
    });
    return;
  }
  // defence: no-frame-on-dashboard-host
  const frame = isOnDashboardHost(req) ? undefined : target.extras?.frame;
  const origin = frame && frameOrigin(url);
  if (origin) {
    const page = framePage(frame, url, language);
    const head = pageHead(page, `form-action 'none'; frame-src ${origin}`);
    sendCounted(req, res, page, head, { target, query, now, sentTo, id, contact });
    return;
  }
  res.writeHead(target.status, redirectHead(url, target.indexed));
  record(res, { target, query, now, sentTo, id, contact });
}

/** Counted as the mini program. Parameters of this visit are none of its own. */
export function sendUrlLink(
  req: IncomingMessage,
  res: ServerResponse,
  { target, query, tracked, contact }: Visit,
  { url, urlLink }: OpenedProgram,
  now: number,
): void {
  const id = tracked || contact ? newClickId(req) : undefined;
  res.writeHead(302, [...redirectHead(urlLink, target.indexed), "Vary", "User-Agent"]);
  record(res, { target, query, now, sentTo: eventTextOf(target, url), id, contact });
}

export async function forwardUrl(url: string, { target, rest, query }: Visit): Promise<string> {
  const whole = withPath(url, rest);
  return (await isForwarded(target, query)) ? withQuery(whole, query) : whole;
}

/** Answers a preview crawler with the link's card. False: the link has none, or this is another client. */
export function respondCard(
  req: IncomingMessage,
  res: ServerResponse,
  { target, query }: Visit,
  now: number,
): boolean {
  const { card, password } = target.extras ?? {};
  if (!card || password !== undefined) return false;
  if (!isPreviewCrawler(userAgentOf(req))) return false;
  const page = cardPage(card, req.headers["accept-language"]);
  sendCounted(req, res, page, pageHead(page), {
    target,
    query,
    now,
    sentTo: "",
    id: undefined,
    contact: undefined,
  });
  return true;
}

interface CountedVisit {
  target: Target;
  query: string;
  now: number;
  sentTo: string;
  /** Of the click; undefined: it gets one when it is counted. */
  id: string | undefined;
  contact: string | undefined;
}

function record(
  res: ServerResponse,
  { target, query, now, sentTo, id, contact }: CountedVisit,
): void {
  if (id === undefined) recordClick(res, target, now, query, sentTo);
  else recordTracked(res, target, { now, query, sentTo, id, contact });
}

/** The page is held until the click is stored, which ends the response. */
export function sendCounted(
  req: IncomingMessage,
  res: ServerResponse,
  page: Buffer,
  head: string[],
  visit: CountedVisit,
): void {
  res.cork();
  res.writeHead(200, visit.target.indexed ? head : [...head, ...noindex]);
  if (req.method !== "HEAD") res.write(page);
  record(res, visit);
}
