/**
 * A local Google Safe Browsing. Follows “Method: hashes.search”, Safe Browsing API v5,
 * developers.google.com/safe-browsing/reference/rest/v5/hashes/search: prefixes of exactly 4 bytes in base64, at most
 * 1,000; status 200 without full hashes when nothing is found.
 */
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Threat {
  threatType: string;
  attributes?: string[];
}

export interface SafeBrowsing {
  origin: string;
  key: string;
  /** Host-suffix/path-prefix expressions with their threats. */
  listed: Map<string, Threat[]>;
  cacheDuration: string;
  /** Returns another full hash for each prefix. */
  decoys: boolean;
  /** Never answers. */
  hanging: boolean;
  /** Anything but 200 is an outage. */
  status: number;
  /** The addresses that were requested. */
  requests: URL[];
  close: () => Promise<void>;
}

const prefixesMax = 1_000;
const prefixBytes = 4;

export async function startSafeBrowsing(): Promise<SafeBrowsing> {
  const server = createServer((req, res) => answer(service, new URL(req.url ?? "/", origin), res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const service: SafeBrowsing = {
    origin,
    key: "test-key",
    listed: new Map(),
    cacheDuration: "300s",
    decoys: false,
    hanging: false,
    status: 200,
    requests: [],
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}

function answer(service: SafeBrowsing, address: URL, res: ServerResponse): void {
  service.requests.push(address);
  if (service.hanging) return;
  const prefixes = address.searchParams
    .getAll("hashPrefixes")
    .map((text) => Buffer.from(text, "base64").toString("hex"));
  const isValid =
    prefixes.length > 0 &&
    prefixes.length <= prefixesMax &&
    prefixes.every((prefix) => prefix.length === 2 * prefixBytes);
  if (service.status !== 200) res.writeHead(service.status).end();
  else if (address.pathname !== "/v5/hashes:search") res.writeHead(404).end();
  else if (address.searchParams.get("key") !== service.key) res.writeHead(403).end();
  else if (!isValid) res.writeHead(400).end();
  else {
    const fullHashes = [...service.listed]
      .map(([expression, fullHashDetails]) => ({
        hash: createHash("sha256").update(expression).digest(),
        fullHashDetails,
      }))
      .filter(({ hash }) => prefixes.includes(hash.toString("hex", 0, prefixBytes)))
      .map(({ hash, fullHashDetails }) => ({ fullHash: hash.toString("base64"), fullHashDetails }));
    if (service.decoys) fullHashes.push(...prefixes.map(decoyOf));
    const found = fullHashes.length > 0 ? { fullHashes } : {};
    const body = { ...found, cacheDuration: service.cacheDuration };
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }
}

function decoyOf(prefix: string): { fullHash: string; fullHashDetails: Threat[] } {
  const fullHash = Buffer.from(prefix.padEnd(64, "0"), "hex").toString("base64");
  return { fullHash, fullHashDetails: [{ threatType: "MALWARE" }] };
}
