/**
 * Whether a web server answers, and with which certificate, under the rules of `fetchPublic` and without redirects.
 *
 * An invalid certificate ends no connection here: it is what the caller asks about. Nothing secret is sent, and of the
 * response only the status is used.
 */
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector, request } from "undici";
import { config } from "#lib/platform/config";
import { checkedLookup, isAllowedUrl, type Resolver, resolveAll } from "./targets.ts";

const connectTimeoutMs = 3_000;
const headerBytesMax = 32_768;
const issuerCharsMax = 100;

export interface ServerCertificate {
  /** For this host, at this moment, by the authorities that this machine knows. */
  valid: boolean;
  /** ISO 8601; null: unreadable. */
  validUntil: string | null;
  issuer: string | null;
}

export interface Probe {
  /** Null: there was no response. */
  status: number | null;
  /** Null: there was no TLS connection. */
  certificate: ServerCertificate | null;
}

interface ProbeRequest {
  url: string;
  timeoutMs: number;
  /** Resolves a name; tests provide their own. */
  resolve?: Resolver;
}

/** Undefined: it may not be asked, so that nothing is known. */
export async function probePublic(asked: ProbeRequest): Promise<Probe | undefined> {
  const { url, timeoutMs, resolve = resolveAll } = asked;
  if (config().FUXI_FETCH === "none" || !isAllowedUrl(new URL(url))) return undefined;
  let certificate: ServerCertificate | null = null;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: checkedLookup(resolve),
    rejectUnauthorized: false,
  });
  const agent = new Agent({
    connections: 1,
    maxHeaderSize: headerBytesMax,
    connect: (options, done) =>
      connect(options, (...result) => {
        if (result[1]) certificate = certificateOf(result[1]);
        done(...result);
      }),
  });
  try {
    const { statusCode, body } = await request(url, {
      method: "GET",
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "user-agent": "Mozilla/5.0 (compatible; Fuxi; domain check bot)" },
    });
    body.on("error", () => {}); // an unread stream may still fail
    body.destroy();
    return { status: statusCode, certificate };
  } catch {
    return { status: null, certificate }; // no name, no connection, not public, timed out
  } finally {
    await agent.destroy();
  }
}

function certificateOf(socket: Socket): ServerCertificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { valid_to, issuer } = socket.getPeerCertificate();
  const validUntil = new Date(valid_to);
  const name = [issuer?.O ?? issuer?.CN ?? ""].flat()[0] ?? "";
  return {
    valid: socket.authorized,
    validUntil: Number.isNaN(validUntil.getTime()) ? null : validUntil.toISOString(),
    issuer: name.slice(0, issuerCharsMax) || null,
  };
}
