/**
 * A local Google Web Risk. Follows “Method: hashes.search”, Web Risk API v1,
 * cloud.google.com/web-risk/docs/reference/rest/v1/hashes/search: one prefix of 4 to 32 bytes in base64 for URLs, at least
 * one of the threat types; full hashes with an end each, and an end for everything else.
 */
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebRisk {
  origin: string;
  key: string;
  /** Host-suffix/path-prefix expressions with their threat types. */
  listed: Map<string, string[]>;
  /** How long matches and all other answers stay valid. */
  seconds: { match: number; other: number };
  /** Anything but 200 is an outage. */
  status: number;
  /** The addresses that were requested. */
  requests: URL[];
  close: () => Promise<void>;
}

const knownTypes = new Set([
  "MALWARE",
  "SOCIAL_ENGINEERING",
  "UNWANTED_SOFTWARE",
  "SOCIAL_ENGINEERING_EXTENDED_COVERAGE",
]);
const prefixBytesMin = 4;
const hashBytes = 32;

export async function startWebRisk(): Promise<WebRisk> {
  const server = createServer((req, res) => answer(service, new URL(req.url ?? "/", origin), res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const service: WebRisk = {
    origin,
    key: "test-key",
    listed: new Map(),
    seconds: { match: 300, other: 600 },
    status: 200,
    requests: [],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}

function answer(service: WebRisk, address: URL, res: ServerResponse): void {
  service.requests.push(address);
  const text = address.searchParams.get("hashPrefix") ?? "";
  const prefix = Buffer.from(text, "base64url");
  const types = address.searchParams.getAll("threatTypes");
  const isValid =
    /^[\w-]+={0,2}$/.test(text) &&
    address.searchParams.getAll("hashPrefix").length === 1 &&
    prefix.length >= prefixBytesMin &&
    prefix.length <= hashBytes &&
    types.length > 0 &&
    types.every((type) => knownTypes.has(type));
  if (service.status !== 200) res.writeHead(service.status).end();
  else if (address.pathname !== "/v1/hashes:search") res.writeHead(404).end();
  else if (address.searchParams.get("key") !== service.key) res.writeHead(403).end();
  else if (!isValid) res.writeHead(400).end();
  else {
    const threats = matchesOf(service, prefix, types);
    const body = {
      ...(threats.length > 0 ? { threats } : {}),
      negativeExpireTime: momentIn(service.seconds.other),
    };
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }
}

function matchesOf({ listed, seconds }: WebRisk, prefix: Buffer, types: readonly string[]) {
  return [...listed].flatMap(([expression, own]) => {
    const hash = createHash("sha256").update(expression).digest();
    const threatTypes = own.filter((type) => types.includes(type) || !knownTypes.has(type));
    const isMatch = hash.subarray(0, prefix.length).equals(prefix) && threatTypes.length > 0;
    return isMatch
      ? [{ threatTypes, hash: hash.toString("base64"), expireTime: momentIn(seconds.match) }]
      : [];
  });
}

/** RFC 3339 with nine digits of a second. */
function momentIn(seconds: number): string {
  return new Date(Date.now() + 1_000 * seconds).toISOString().replace("Z", "000000Z");
}
