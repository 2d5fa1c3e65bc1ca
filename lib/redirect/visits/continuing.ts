/**
 * Pages before a destination, from which a visitor continues with the same URL and a token:
 *
 *     <seconds since 1970 at which it ends, base 36> . <HMAC of end, subject and network address, base64url>
 *
 * so that no page of others can send a visitor past them, and nothing in the URL names a destination. Such a page is no
 * click: only the visit that continues is. The token is removed before a visit's query is forwarded or recorded.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { addressOf } from "#lib/platform/http";
import { addressSubject } from "#lib/platform/limits";
import { signingKey } from "./signing.ts";
import { takeParameter } from "./visitor.ts";

const parameter = "fuxi_continue";
const tokenSeconds = 600;

/** A query without the token, and the token. */
export function splitToken(query: string): [query: string, token: string] {
  return takeParameter(query, parameter);
}

/** A query with a token that it had. */
export function withToken(query: string, token: string): string {
  return [query, token && `${parameter}=${token}`].filter((one) => one !== "").join("&");
}

/** The same path and query, with a token for this subject: a link, a domain, or a link inside an app. */
export function continueUrl(req: IncomingMessage, query: string, subject: string): string {
  return `${pathOf(req)}?${withToken(query, makeToken(req, subject))}`;
}

/** The path of a request. More than one slash, or a backslash, would turn its first part into a host. */
export function pathOf(req: IncomingMessage): string {
  return (req.url ?? "/").split("?", 1)[0]?.replace(/^[/\\]+/, "/") ?? "/";
}

function sign(req: IncomingMessage, subject: string, ends: string): Buffer {
  return createHmac("sha256", signingKey("fuxi warnings"))
    .update(`${ends}\n${subject}\n${addressSubject(addressOf(req))}`)
    .digest();
}

function makeToken(req: IncomingMessage, subject: string): string {
  const ends = (Math.floor(Date.now() / 1_000) + tokenSeconds).toString(36);
  return `${ends}.${sign(req, subject, ends).toString("base64url")}`;
}

/** Whether the visitor saw the page of this subject and continued. */
export function isAccepted(req: IncomingMessage, subject: string, token: string): boolean {
  const [ends = "", signature = ""] = token.split(".", 2);
  if (!/^[0-9a-z]{1,9}$/.test(ends) || Number.parseInt(ends, 36) * 1_000 <= Date.now()) {
    return false;
  }
  const wanted = sign(req, subject, ends);
  const given = Buffer.from(signature, "base64url");
  // defence: warning-token-signed
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
