/** A visit that is sent on becomes a click. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addClick, eventEnd, fieldEnd, flag } from "#lib/clicks";
import { addressOf } from "#lib/http";
import type { Target } from "./target.ts";
import { isPrefetch } from "./visitor.ts";

const userAgentMax = 512;
const refererMax = 1_024;
const languageMax = 64;
const queryMax = 1_024;

const scanMark = /(?:^|&)qr=1(?:&|$)/;

/** Puts the visit into the group that ends the response. */
export function click(
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
