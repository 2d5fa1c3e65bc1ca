/** The end of a successful visit: a redirect, or a page that replaces it. Each is a click. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isAppUrl } from "#lib/basics/urls";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { parseAgent } from "#lib/platform/request-info";
import type { SignedPage } from "#lib/redirect/app-browsers";
import { isOnDashboardHost, userAgentOf } from "#lib/redirect/requests";
import { forwardUrl, redirectHead, type Target } from "#lib/redirect/targets";
import type { WechatReturn } from "#lib/redirect/visitor-forms";
import {
  type CompiledBranding,
  findBranding,
  pageHead,
  withIcp,
} from "#lib/redirect/visitor-pages";
import { eventTextOf, newClickId, recordClick, recordTracked, withClickId } from "./click.ts";
import { addressOfLink } from "./continuation.ts";
import { appPage } from "./pages/app.ts";
import { cardPage, isPreviewCrawler } from "./pages/card.ts";
import { frameOrigin, framePage } from "./pages/frame.ts";
import { openTagPage, openTagSources, type SharedCard } from "./pages/open-tag.ts";

export interface Visit {
  target: Target;
  rest: string;
  path: string;
  query: string;
  /** The token of the page that the visitor continued from. */
  token: string;
  tracked: boolean;
  contact?: string;
  /** What WeChat added to the URL. Undefined: the visitor does not come from WeChat. */
  back?: WechatReturn | undefined;
}

export interface OpenedProgram {
  url: string;
  urlLink: string;
}

/** A mini program that a button of WeChat opens. */
export interface TaggedProgram {
  url: string;
  program: InsideApps;
  signed: SignedPage;
  urlLink: string | undefined;
}

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
  // Bots open no apps, so they get the web URL.
  const isForApp = opensApp && !parseAgent(userAgent).bot;
  const goal = opensApp ? target.url : chosen;
  const id = visited.tracked || contact ? newClickId(req) : undefined;
  const forwarded = await forwardUrl(goal, visited);
  const url = id !== undefined && visited.tracked ? withClickId(forwarded, now, id) : forwarded;
  // Clicks are counted by destination, without the parameters of this visit.
  const sentTo = eventTextOf(target, isForApp ? chosen : goal);
  const counted = { target, query, now, sentTo, id, contact };
  if (isForApp) {
    const branding = await findBranding(req);
    const onDashboardHost = isOnDashboardHost(req);
    const page = withIcp(
      appPage({ url: chosen, webUrl: url, acceptLanguage: language, branding, onDashboardHost }),
      req,
    );
    sendCounted(req, res, page, counted, { branding });
    return;
  }
  // defence: no-frame-on-dashboard-host
  const frame = isOnDashboardHost(req) ? undefined : target.extras?.frame;
  const origin = frame && frameOrigin(url);
  if (origin) {
    const page = framePage(frame, url, language);
    const allowed = `form-action 'none'; frame-src ${origin}`;
    sendCounted(req, res, page, counted, { allowed });
    return;
  }
  res.writeHead(target.status, redirectHead(url, target.indexed));
  record(res, counted);
}

/** Counts as a click to the mini program, which gets no parameters of this visit. */
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

/** Sends the page that opens the mini program inside WeChat. */
export async function sendOpenTag(
  req: IncomingMessage,
  res: ServerResponse,
  visited: Visit,
  { url, program, signed, urlLink }: TaggedProgram,
  now: number,
): Promise<void> {
  const { target, query, tracked, contact } = visited;
  const id = tracked || contact ? newClickId(req) : undefined;
  const branding = await findBranding(req);
  const forwarded = await forwardUrl(target.url, visited);
  const webUrl = id !== undefined && tracked ? withClickId(forwarded, now, id) : forwarded;
  const page = withIcp(
    openTagPage({
      program,
      signed,
      card: cardOf(req, visited),
      urlLink,
      webUrl: (program.canContinue ?? true) ? webUrl : undefined,
      acceptLanguage: req.headers["accept-language"],
      branding,
    }),
    req,
  );
  const counted = { target, query, now, sentTo: eventTextOf(target, url), id, contact };
  const options = { allowed: openTagSources, branding, head: ["Vary", "User-Agent"] };
  sendCounted(req, res, page, counted, options);
}

/** WeChat only accepts a URL of the same domain, so this is the short link. */
function cardOf(req: IncomingMessage, { target }: Visit): SharedCard | undefined {
  const card = target.extras?.card;
  if (!card?.title) return undefined;
  const { title, description = "", image = "" } = card;
  return { title, desc: description, link: addressOfLink(req, ""), imgUrl: image };
}

/** Answers a preview crawler with the link’s card. False: no card, or another client. */
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
  const counted = { target, query, now, sentTo: "", id: undefined, contact: undefined };
  sendCounted(req, res, page, counted);
  return true;
}

interface CountedVisit {
  target: Target;
  query: string;
  now: number;
  sentTo: string;
  /** Undefined: the click gets an id when it is counted. */
  id: string | undefined;
  contact: string | undefined;
}

function record(res: ServerResponse, { target, query, now, sentTo, id, contact }: CountedVisit) {
  if (id === undefined) recordClick(res, target, now, query, sentTo);
  else recordTracked(res, target, { now, query, sentTo, id, contact });
}

interface CountedPage {
  allowed?: string;
  branding?: CompiledBranding | undefined;
  head?: readonly string[];
}

/** Holds the page until the click is stored, which ends the response. */
function sendCounted(
  req: IncomingMessage,
  res: ServerResponse,
  page: Buffer,
  counted: CountedVisit,
  { head = [], ...options }: CountedPage = {},
): void {
  const { indexed } = counted.target;
  res.cork();
  res.writeHead(200, [...pageHead(page, { ...options, indexed }), ...head]);
  if (req.method !== "HEAD") res.write(page);
  record(res, counted);
}
