/**
 * Turns a redirected visit into a click. If the link or its domain tracks conversions, the destination gets the id of the click,
 * in the parameter that the `dub` package and its scripts read. Only clicks of people have ids, so that search engines find no
 * URL with one. Prefetches have none either, because the visit itself gets one.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf, countryOf } from "#lib/platform/http";
import { parseAgent } from "#lib/platform/request-info";
import { addClick, eventEnd, fieldEnd, flag, idMarks } from "#lib/redirect/clicks";
import { isOwnVisit } from "#lib/redirect/own-visits";
import { isPrefetch, userAgentOf } from "#lib/redirect/requests";
import { redirectHead, type Target, withQuery } from "#lib/redirect/targets";
import { outcomes } from "#lib/redirect/visitor-pages";

const refererMax = 1_024;
const languageMax = 64;
const queryMax = 1_024;
const idParameter = "dub_id";

const scanMark = /(?:^|&)qr=1(?:&|$)/;

/** The group of the click ends the response. `sentTo`: see `eventTextOf`, empty if it is the link’s own URL. */
export function recordClick(
  res: ServerResponse,
  target: Target,
  now: number,
  query: string,
  sentTo = "",
): void {
  addVisit(res, now + target.eventPart + flagsOf(res.req, target, query, now), query, sentTo);
}

interface TrackedVisit {
  now: number;
  query: string;
  sentTo: string;
  id: string;
  contact?: string | undefined;
}

/** Like `recordClick`, for a visit whose click already has an id. */
export function recordTracked(
  res: ServerResponse,
  target: Target,
  { now, query, sentTo, id, contact }: TrackedVisit,
): void {
  const flags = flagsOf(res.req, target, query, now) + (contact ? idMarks.contact + contact : "");
  addVisit(res, now + target.eventPart + flags + idMarks.click + id, query, sentTo);
}

function flagsOf(req: IncomingMessage, target: Target, query: string, now: number): string {
  let flags = "";
  if (isOwnVisit(req, target, now)) flags += flag.own;
  if (query !== "" && scanMark.test(query)) flags += flag.scan;
  if (req.method === "HEAD") flags += flag.head;
  if (isPrefetch(req.headers)) flags += flag.prefetch;
  return flags + countryOf(req);
}

/** `beginning`: the event up to its flags. */
function addVisit(res: ServerResponse, beginning: string, query: string, sentTo: string): void {
  const { req } = res;
  // Node has already built this object. Reading the raw list costs 3 % (bench/redirect).
  const { headers } = req;
  const event =
    beginning +
    fieldEnd +
    userAgentOf(req) +
    fieldEnd +
    truncate(headers.referer ?? "", refererMax) +
    fieldEnd +
    truncate(headers["accept-language"] ?? "", languageMax) +
    fieldEnd +
    truncate(query, queryMax) +
    fieldEnd +
    sentTo +
    eventEnd;
  outcomes.sentOn += 1;
  addClick(event, addressOf(req), res);
}

/** UTF-8 with one character per byte, as in headers, without separators of events. */
export function eventTextOf(target: Target, url: string): string {
  if (url === target.url) return "";
  const bare = url.replaceAll(fieldEnd, "").replaceAll(eventEnd, "");
  return Buffer.from(bare, "utf8").toString("latin1");
}

function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max) : text;
}

/** The UUID of the click, or undefined if the click is not from a person. */
export function newClickId(req: IncomingMessage): string | undefined {
  if (req.method !== "GET" || isPrefetch(req.headers)) return undefined;
  return parseAgent(userAgentOf(req)).bot ? undefined : randomUUID();
}

/** Adds the id of the click and its time. Both are needed to look it up. */
export function withClickId(url: string, now: number, id: string): string {
  return withQuery(url, `${idParameter}=${now}-${id}`);
}

/** Redirects to a plain link that tracks conversions. False: this visit gets no id. */
export function sendTracked(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  now: number,
  query: string,
): boolean {
  const id = newClickId(req);
  if (id === undefined) return false;
  res.writeHead(target.status, redirectHead(withClickId(target.url, now, id), target.indexed));
  recordTracked(res, target, { now, query, sentTo: "", id });
  return true;
}
