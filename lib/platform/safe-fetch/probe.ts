/** Accepts invalid certificates, because they are what we want to find out. Sends no secret. */
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { Agent, buildConnector, request } from "undici";
import { config } from "#lib/platform/config";
import { checkedLookup, isAllowedUrl, type Resolver, resolveAll } from "./targets.ts";

const connectTimeoutMs = 3_000;
const headerBytesMax = 32_768;
const issuerCharsMax = 100;

export interface ServerCertificate {
  /** Whether it is valid for this host right now, according to the authorities that this machine trusts. */
  valid: boolean;
  validUntil: string | null;
  issuer: string | null;
}

/** Null: no response, or no TLS connection. */
export interface Probe {
  status: number | null;
  certificate: ServerCertificate | null;
}

interface ProbeRequest {
  url: string;
  timeoutMs: number;
  resolve?: Resolver;
}

/** Undefined: requests to this server are not allowed. */
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
    body.on("error", () => {});
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
