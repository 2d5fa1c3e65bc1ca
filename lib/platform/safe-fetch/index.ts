/**
 * Sends requests to URLs from users, protected against SSRF.
 *
 * A user could name a URL that only this server reaches: its database, a router, cloud metadata. So
 * requests only go to public addresses, by http or https, to web ports. A name is resolved once per
 * connection, all of its addresses are checked, and the connection uses a checked one, so DNS
 * answers that change do not help an attacker. Each redirect is checked again. No cookies or
 * credentials are sent. The response is limited in decompressed bytes and by a deadline that
 * nothing extends.
 *
 * The caller does not learn why a request failed: telling a refused port from a missing host would
 * map the internal network.
 */
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, type Dispatcher, request } from "undici";
import { parseUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { checkedLookup, isAllowedUrl, type Resolver, resolveAll } from "./targets.ts";

export { askHeaders, type HeadersOutcome } from "./headers.ts";
export { getPublic, type PostOutcome, postPublic } from "./post.ts";
export { type Probe, probePublic } from "./probe.ts";
export { isAllowedUrl } from "./targets.ts";

export interface OutgoingLimits {
  timeoutMs: number;
  bytesMax: number;
  redirectsMax: number;
}

export interface ResponseHead {
  url: string;
  type: string;
  etag: string;
}

export type PartReader = (part: Uint8Array) => boolean | Promise<boolean>;

export type FetchOutcome =
  | { ok: true; head: ResponseHead }
  /** `unreachable` is deliberately vague. `status`: an error response. */
  | { ok: false; code: "unreachable" | "slow" | "redirects" | "unwanted" }
  | { ok: false; code: "status"; status: number };

export interface OutgoingRequest {
  url: string;
  accept: string;
  /** The ETag of a known version. If unchanged, the answer is status 304. */
  etag?: string | null;
  limits: OutgoingLimits;
  open: (head: ResponseHead) => PartReader | undefined;
  resolve?: Resolver;
}

const userAgent = "Mozilla/5.0 (compatible; Fuxi; preview of a link)";
const connectTimeoutMs = 3_000;
const headerBytesMax = 32_768;

export async function fetchPublic(request: OutgoingRequest): Promise<FetchOutcome> {
  if (config().FUXI_FETCH === "none") return { ok: false, code: "unreachable" };
  const { limits, resolve = resolveAll } = request;
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const agent = new Agent({
    connections: 1,
    maxHeaderSize: headerBytesMax,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    connect: { timeout: connectTimeoutMs, lookup: checkedLookup(resolve) },
  });
  try {
    return await follow(request, agent, signal);
  } finally {
    await agent.destroy();
  }
}

async function follow(
  request: OutgoingRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  let url = new URL(request.url);
  for (let hop = 0; hop <= request.limits.redirectsMax; hop++) {
    // defence: redirects-checked
    if (!isAllowedUrl(url)) return { ok: false, code: "unreachable" };
    const answer = await sendRequest(url, request, agent, signal);
    if (!answer) return { ok: false, code: "unreachable" };
    const next = redirectOf(answer, url);
    if (!next) return await read(request, url, answer);
    answer.body.destroy();
    url = next;
  }
  return { ok: false, code: "redirects" };
}

async function sendRequest(
  url: URL,
  { accept, etag }: OutgoingRequest,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData | undefined> {
  try {
    const headers = {
      accept,
      "user-agent": userAgent,
      "accept-encoding": "gzip, br",
      ...(etag ? { "if-none-match": etag } : {}),
    };
    const answer = await request(url, { method: "GET", dispatcher, signal, headers });
    // An unread stream may still fail.
    answer.body.on("error", () => {});
    return answer;
  } catch {
    return undefined; // no name, no connection, not public, timed out: all the same
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const location = textOf(headers["location"]);
  if (!redirectStatuses.has(statusCode) || !location) return undefined;
  return parseUrl(location, from.href) ?? new URL("about:blank");
}

async function read(
  { limits, open }: OutgoingRequest,
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<FetchOutcome> {
  try {
    if (statusCode < 200 || statusCode > 299) {
      return { ok: false, code: "status", status: statusCode };
    }
    const head = {
      url: url.href,
      type: textOf(headers["content-type"]),
      etag: textOf(headers["etag"]),
    };
    const reader = open(head);
    const stream = decompressed(body, textOf(headers["content-encoding"]));
    if (!reader || !stream) return { ok: false, code: "unwanted" };
    await readParts(stream, reader, limits.bytesMax);
    return { ok: true, head };
  } catch {
    return { ok: false, code: "slow" }; // cut off, by the deadline or by the server
  } finally {
    body.destroy();
  }
}

function textOf(header: string | string[] | undefined): string {
  return [header ?? ""].flat().join();
}

async function readParts(stream: Readable, reader: PartReader, bytesMax: number): Promise<void> {
  let left = bytesMax;
  for await (const part of stream) {
    const bytes: Uint8Array = part;
    if (!(await reader(bytes.subarray(0, left)))) return;
    left -= bytes.length;
    if (left <= 0) return;
  }
}

const decompressors: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/** Undefined: unsupported, or several encodings as in decompression bombs. */
function decompressed(body: Readable, encoding: string): Readable | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const decompressor = Object.hasOwn(decompressors, name) ? decompressors[name]?.() : undefined;
  if (!decompressor) return undefined;
  body.on("error", (error) => decompressor.destroy(error));
  decompressor.on("error", () => body.destroy());
  return body.pipe(decompressor);
}
