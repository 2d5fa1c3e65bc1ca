/** Turns a redirected visit into a click. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressOf, countryOf } from "#lib/platform/http";
import { addClick, eventEnd, fieldEnd, flag, idMarks } from "#lib/redirect/clicks";
import { outcomes } from "./outcomes.ts";
import type { Target } from "./target.ts";
import { isPrefetch, userAgentMax } from "./visitor.ts";

const refererMax = 1_024;
const languageMax = 64;
const queryMax = 1_024;

const scanMark = /(?:^|&)qr=1(?:&|$)/;

/**
 * Adds the visit to the group that ends the response. `sentTo` is the chosen destination, as text of an event (see
 * `eventTextOf`); empty when it is the link's own.
 */
export function recordClick(
  res: ServerResponse,
  target: Target,
  now: number,
  query: string,
  sentTo = "",
): void {
  addVisit(res, now + target.eventPart + flagsOf(res.req, query), query, sentTo);
}

export interface TrackedVisit {
  now: number;
  query: string;
  sentTo: string;
  /** The UUID of the click. */
  id: string;
  /** UUID of a known contact. */
  contact?: string | undefined;
}

/** The same for a visit whose click has its id already. */
export function recordTracked(
  res: ServerResponse,
  target: Target,
  { now, query, sentTo, id, contact }: TrackedVisit,
): void {
  const flags = flagsOf(res.req, query) + (contact ? idMarks.contact + contact : "");
  addVisit(res, now + target.eventPart + flags + idMarks.click + id, query, sentTo);
}

function flagsOf(req: IncomingMessage, query: string): string {
  let flags = "";
  if (query !== "" && scanMark.test(query)) flags += flag.scan;
  if (req.method === "HEAD") flags += flag.head;
  if (isPrefetch(req.headers)) flags += flag.prefetch;
  return flags + countryOf(req);
}

/** `beginning`: the event up to its flags. */
function addVisit(res: ServerResponse, beginning: string, query: string, sentTo: string): void {
  const { req } = res;
  // Node has already built this object, to read the Host; reading the raw list instead costs 3 % (bench/redirect).
  const { headers } = req;
  const event =
    beginning +
    fieldEnd +
    truncate(headers["user-agent"] ?? "", userAgentMax) +
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

/** A destination in UTF-8 with one character per byte, as in headers; without separators of events. */
export function eventTextOf(target: Target, url: string): string {
  if (url === target.url) return "";
  const bare = url.replaceAll(fieldEnd, "").replaceAll(eventEnd, "");
  return Buffer.from(bare, "utf8").toString("latin1");
}

function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max) : text;
}
