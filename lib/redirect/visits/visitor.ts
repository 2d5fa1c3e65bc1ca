/** What a request asks for: the host and the key, and whether anybody will see the answer. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { domainToASCII } from "node:url";
import { foldKey } from "#lib/links/link-cache";

const hostsRememberedMax = 10_000;
/** With a port and in any spelling; no host is longer. Ten thousand of them are remembered, so that it counts. */
const hostBytesMax = 1_024;
/** Charts and choices read the same part of it. */
export const userAgentMax = 512;
const loopbackHosts = new Set(["localhost", "127.0.0.1", "::1"]);
const canonicalHosts = new Map<string, string>();

/**
 * The host of a Host header: without port and final dot, in lower case and in punycode. Every name of loopback is
 * `localhost`, so that a laptop answers under all of them. Remembered, because the same few headers come with every
 * visit.
 */
export function canonicalHost(header: string): string {
  let host = canonicalHosts.get(header);
  if (host === undefined) {
    if (header.length > hostBytesMax) return "";
    const bare = asciiHost(header.replace(/:\d*$/, ""))
      .replace(/^\[|\]$/g, "")
      .replace(/\.$/, "")
      .toLowerCase();
    host = loopbackHosts.has(bare) ? "localhost" : bare;
    // Anyone can send any Host: what is remembered stays small. A Map that is emptied, because every visit asks it:
    // lru-cache took 84 ns for what this takes 45 (66 and 28 for one host).
    if (canonicalHosts.size >= hostsRememberedMax) canonicalHosts.clear();
    canonicalHosts.set(header, host);
  }
  return host;
}

/** Some programs send a host as it is written, in UTF-8. */
function asciiHost(host: string): string {
  return notAscii.test(host) ? domainToASCII(Buffer.from(host, "latin1").toString()) : host;
}

const notAscii = /[\x80-\xff]/;

/** The key of a path, as it is stored: decoded, in NFC, and folded where case does not count. Undefined: no text. */
export function keyOfPath(path: string, folded: boolean): string | undefined {
  const key = path.includes("%") ? decodeKey(path.slice(1)) : path.slice(1);
  return folded && key !== undefined ? foldKey(key) : key;
}

function decodeKey(raw: string): string | undefined {
  try {
    const key = decodeURIComponent(raw).normalize("NFC");
    // PostgreSQL has no such text and would refuse the whole question.
    return key.includes("\0") ? undefined : key;
  } catch {
    return undefined; // a broken escape names nothing
  }
}

export function userAgentOf({ headers }: IncomingMessage): string {
  const userAgent = headers["user-agent"] ?? "";
  return userAgent.length > userAgentMax ? userAgent.slice(0, userAgentMax) : userAgent;
}

/** Whether a browser fetches ahead what nobody has asked for yet. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return headers["sec-purpose"] !== undefined || headers["purpose"] === "prefetch";
}
