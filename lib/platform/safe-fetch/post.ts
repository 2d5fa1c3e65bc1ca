/** The outcome says whether the receiver may have got the request. If so, it is not repeated. */
import { Agent, request } from "undici";
import { parseUrl } from "#lib/basics/urls/schema";
import { config, type PrivateNetwork } from "#lib/platform/config";
import { ownAddresses } from "./own-addresses.ts";
import {
  checkedLookup,
  isAllowedAddress,
  isAllowedUrl,
  type Reach,
  type Resolver,
  resolveAll,
} from "./targets.ts";

export interface OutgoingGet {
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  bytesMax: number;
  /** Given for requests of a workspace with secrets or personal data: see `Reach`. */
  networks?: readonly PrivateNetwork[];
  resolve?: Resolver;
}

export interface OutgoingPost extends OutgoingGet {
  body: string;
}

export type PostOutcome =
  | {
      kind: "answered";
      status: number;
      type: string;
      retryAfterS: number | null;
      body: string;
      bytes: Buffer;
    }
  | { kind: "unsent" }
  | { kind: "unseen" };

const connectTimeoutMs = 3_000;
const headerBytesMax = 32_768;
/** Longer waits are probably a mistake. */
const retryAfterMaxS = 3_600;

const unsentCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export async function postPublic({ body, ...call }: OutgoingPost): Promise<PostOutcome> {
  return await exchange(call, { method: "POST", body });
}

/** For GET requests, which change nothing, with a secret in the headers. */
export async function getPublic(call: OutgoingGet): Promise<PostOutcome> {
  return await exchange(call, { method: "GET", body: null });
}

type Content = { method: "POST"; body: string } | { method: "GET"; body: null };

async function exchange(call: OutgoingGet, content: Content): Promise<PostOutcome> {
  const { url, timeoutMs, resolve = resolveAll } = call;
  const target = parseUrl(url);
  const reach = await reachOf(call);
  if (reach === "none" || !target || !isAllowedUrl(target, reach)) return { kind: "unsent" };
  const lookup = checkedLookup(resolve, (address) => isAllowedAddress(address, target, reach));
  let isConnected = false;
  const agent = new Agent({
    connections: 1,
    maxHeaderSize: headerBytesMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: connectTimeoutMs, lookup },
  });
  agent.on("connect", () => {
    isConnected = true;
  });
  try {
    return await send(call, content, agent);
  } catch (error) {
    const { code } = Object(error);
    return isConnected && !unsentCodes.has(code) ? { kind: "unseen" } : { kind: "unsent" };
  } finally {
    await agent.destroy();
  }
}

async function reachOf({ networks }: OutgoingGet): Promise<Reach | undefined | "none"> {
  const isOffline = config().FUXI_FETCH === "none";
  if (!networks || networks.length === 0) return isOffline ? "none" : networks && { networks };
  try {
    return { networks, own: await ownAddresses(), isOffline };
  } catch {
    // Stores that cannot be found cannot be kept out of reach.
    return "none";
  }
}

async function send(call: OutgoingGet, content: Content, dispatcher: Agent): Promise<PostOutcome> {
  const { statusCode, headers, body } = await request(call.url, {
    ...content,
    dispatcher,
    signal: AbortSignal.timeout(call.timeoutMs),
    headers: { "user-agent": "Fuxi", ...call.headers },
  });
  body.on("error", () => {});
  const parts: Buffer[] = [];
  let left = call.bytesMax;
  try {
    for await (const chunk of body) {
      const part = Buffer.from(chunk).subarray(0, left);
      parts.push(part);
      left -= part.length;
      if (left <= 0) break;
    }
  } catch {
    // The status is known. The response is judged by what arrived.
  } finally {
    body.destroy();
  }
  const bytes = Buffer.concat(parts);
  const retryAfter = Number([headers["retry-after"]].flat()[0] ?? Number.NaN);
  return {
    kind: "answered",
    status: statusCode,
    type: [headers["content-type"] ?? ""].flat().join(),
    retryAfterS: retryAfter >= 0 ? Math.min(retryAfter, retryAfterMaxS) : null,
    body: bytes.toString("utf8"),
    bytes,
  };
}
