/**
 * Asks a page for its status and headers with one request, and follows no redirect. Unlike `fetchPublic` it says why there is no
 * answer, but only about public addresses: a name with a private address and a name without any fail alike.
 */
import { Agent, request } from "undici";
import { config } from "#lib/platform/config";
import { checkedLookup, isAllowedUrl, type Resolver, resolveAll } from "./targets.ts";

const connectTimeoutMs = 5_000;
const headerBytesMax = 32_768;
/** Longer waits are probably a mistake. */
const retryAfterMaxS = 86_400;

export interface HeadersRequest {
  url: URL;
  method: "HEAD" | "GET";
  userAgent: string;
  timeoutMs: number;
  resolve?: Resolver;
}

export type NoAnswer = "dns" | "timeout" | "certificate" | "unreachable";

export type HeadersOutcome =
  | { kind: "answered"; status: number; location: string | null; retryAfterS: number | null }
  | { kind: "failed"; why: NoAnswer }
  /** Requests to this URL are not allowed, or browsers may accept a certificate that we cannot verify. */
  | { kind: "unknown" };

export async function askHeaders(asked: HeadersRequest): Promise<HeadersOutcome> {
  const { url, method, userAgent, timeoutMs, resolve = resolveAll } = asked;
  if (config().FUXI_FETCH === "none" || !isAllowedUrl(url)) return { kind: "unknown" };
  const agent = new Agent({
    connections: 1,
    maxHeaderSize: headerBytesMax,
    headersTimeout: timeoutMs,
    connect: { timeout: Math.min(connectTimeoutMs, timeoutMs), lookup: checkedLookup(resolve) },
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      method,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "user-agent": userAgent, accept: "*/*" },
    });
    body.on("error", () => {});
    body.destroy();
    const location = [headers["location"]].flat()[0] ?? null;
    const retryAfter = Number([headers["retry-after"]].flat()[0] ?? Number.NaN);
    const retryAfterS = retryAfter >= 0 ? Math.min(retryAfter, retryAfterMaxS) : null;
    return { kind: "answered", status: statusCode, location, retryAfterS };
  } catch (error) {
    const { code, name } = Object(error);
    return failureOf(String(code), String(name));
  } finally {
    await agent.destroy();
  }
}

const timeouts = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"]);
const badCertificates = new Set([
  ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REVOKED", "CERT_UNTRUSTED"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "ERR_TLS_CERT_ALTNAME_INVALID"],
]);
/** Browsers fetch missing certificates of the chain, or know them. */
const unverified = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

function failureOf(code: string, name: string): HeadersOutcome {
  if (unverified.has(code)) return { kind: "unknown" };
  if (code === "ENOTFOUND") return { kind: "failed", why: "dns" };
  if (badCertificates.has(code)) return { kind: "failed", why: "certificate" };
  const isLate = timeouts.has(code) || name === "TimeoutError";
  return { kind: "failed", why: isLate ? "timeout" : "unreachable" };
}
