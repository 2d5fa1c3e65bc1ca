/** Turns a redirected visit into a click. */
import type { ServerResponse } from "node:http";
import { addressOf, countryOf } from "#lib/platform/http";
import { addClick, eventEnd, fieldEnd, flag } from "#lib/redirect/clicks";
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
  const { req } = res;
  // Node has already built this object, to read the Host; reading the raw list instead costs 3 % (bench/redirect).
  const { headers } = req;
  let flags = "";
  if (query !== "" && scanMark.test(query)) flags += flag.scan;
  if (req.method === "HEAD") flags += flag.head;
  if (isPrefetch(headers)) flags += flag.prefetch;
  flags += countryOf(req);
  const event =
    now +
    target.eventPart +
    flags +
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
