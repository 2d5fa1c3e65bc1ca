/**
 * Pages before a destination, from which a visitor continues with the same URL and a token:
 *
 *     <seconds since 1970 at which it ends, base 36> . <HMAC of end, subject and address, base64url>
 *
 * No other site can send visitors past such a page, and the URL names no destination. Only the
 * visit that continues is a click. The token is removed before a visit’s query is forwarded or
 * recorded.
 */
import type { IncomingMessage } from "node:http";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { isSignedUntil, originOf, pathOf, signUntil, takeParameter } from "#lib/redirect/requests";

const purpose = "fuxi warnings";
const parameter = "fuxi_continue";
const tokenMs = 600_000;

export function splitToken(query: string): [query: string, token: string] {
  return takeParameter(query, parameter);
}

export function withToken(query: string, token: string): string {
  return [query, token && `${parameter}=${token}`].filter((one) => one !== "").join("&");
}

/** The same URL with a token for this subject: a link, a domain, or a link inside an app. */
export function continueUrl(req: IncomingMessage, query: string, subject: string): string {
  return `${pathOf(req)}?${withToken(query, makeToken(req, subject))}`;
}

export function addressOfLink(req: IncomingMessage, query: string): string {
  const address = `${originOf(req)}${pathOf(req)}`;
  return query === "" ? address : `${address}?${query}`;
}

function textOf(req: IncomingMessage, subject: string, ends: string): string {
  return `${ends}\n${subject}\n${addressSubject(addressOf(req))}`;
}

function makeToken(req: IncomingMessage, subject: string): string {
  return signUntil(purpose, Date.now() + tokenMs, (ends) => textOf(req, subject, ends));
}

/** Whether the visitor saw the page of this subject and continued. */
export function isAccepted(req: IncomingMessage, subject: string, token: string): boolean {
  return isSignedUntil(purpose, token, Date.now(), (ends) => textOf(req, subject, ends));
}
