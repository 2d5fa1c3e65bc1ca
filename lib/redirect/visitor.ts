/** What a request asks for: the host and the key, and whether anybody will see the answer. */
import type { IncomingHttpHeaders } from "node:http";
import { foldKey } from "#lib/targets";

const hostsRememberedMax = 10_000;
const loopbackHosts = new Set(["localhost", "127.0.0.1", "::1"]);
const canonicalHosts = new Map<string, string>();

/**
 * The host of a Host header: without port and final dot, in lower case. Every name of loopback is `localhost`, so that
 * a laptop answers under all of them. Remembered, because the same few headers come with every visit.
 */
export function canonicalHost(header: string): string {
  let host = canonicalHosts.get(header);
  if (host === undefined) {
    const bare = header
      .replace(/:\d*$/, "")
      .replace(/^\[|\]$/g, "")
      .replace(/\.$/, "")
      .toLowerCase();
    host = loopbackHosts.has(bare) ? "localhost" : bare;
    // Anyone can send any Host: what is remembered stays small.
    if (canonicalHosts.size >= hostsRememberedMax) canonicalHosts.clear();
    canonicalHosts.set(header, host);
  }
  return host;
}

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

/** Whether a browser fetches ahead what nobody has asked for yet. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return headers["sec-purpose"] !== undefined || headers["purpose"] === "prefetch";
}
