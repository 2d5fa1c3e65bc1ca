/**
 * Google Safe Browsing v5 without a local database (“No-Storage Real-Time Mode”).
 *
 * Only the first four bytes of hashes leave the process, never a URL; full hashes are compared here. Responses are
 * cached as long as they say. Follows developers.google.com/safe-browsing/reference: `hashes.search` (REST v5),
 * “No Storage Real Time Mode” and “Appropriate Usage”.
 */
import { z } from "zod";
import { findThreat, type Threat } from "#lib/platform/abuse/schema";
import { config } from "#lib/platform/config";
import type { ReputationChecker, Verdict } from "./checker.ts";
import { hashesOf } from "./expressions.ts";

const timeoutMs = 5_000;
const prefixBytes = 4;
/** In one request: a URL of about 3 KB. The service accepts 1,000. */
const prefixesMax = 100;
const bytesMax = 1_000_000;
const cacheEntriesMax = 100_000;
/** Older information may not be used for warnings, whatever the response says. */
const warnMsMax = 30 * 60_000;
/** The rest of its time in which an entry is requested again, so that a warning has no gaps. */
const renewedPart = 0.2;

const detail = z.object({ threatType: z.string(), attributes: z.array(z.string()).default([]) });
const searchResponse = z.object({
  fullHashes: z
    .array(z.object({ fullHash: z.string(), fullHashDetails: z.array(detail).default([]) }))
    .default([]),
  cacheDuration: z
    .string()
    .regex(/^\d+(?:\.\d+)?s$/)
    .default("0s"),
});

interface CachedPrefix {
  /** Full hashes in hexadecimal, with their threat. */
  hashes: Map<string, Threat>;
  receivedAt: number;
  expiresAt: number;
}

const cache = new Map<string, CachedPrefix>();

export const safeBrowsing: ReputationChecker = {
  async check(urls, now) {
    const hashes = new Map(
      urls.map((url) => [url, hashesOf(hrefOf(url)).map((hash) => hash.toString("hex"))]),
    );
    const prefixes = new Set([...hashes.values()].flat().map(prefixOf));
    const wanted = [...prefixes].filter((prefix) => !isFresh(cache.get(prefix), now));
    for (let at = 0; at < wanted.length; at += prefixesMax) {
      await search(wanted.slice(at, at + prefixesMax), now);
    }
    const found = new Map([...hashes].map(([url, own]) => [url, verdictOf(own, now)]));
    for (const key of cache.keys()) {
      if (cache.size <= cacheEntriesMax) break;
      cache.delete(key);
    }
    return found;
  },
};

/** With the host in ASCII. */
function hrefOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function prefixOf(hash: string): string {
  return hash.slice(0, 2 * prefixBytes);
}

function isFresh(entry: CachedPrefix | undefined, now: number): boolean {
  if (!entry) return false;
  return now < entry.expiresAt - renewedPart * (entry.expiresAt - entry.receivedAt);
}

function verdictOf(hashes: readonly string[], now: number): Verdict {
  let expiresAt = Number.POSITIVE_INFINITY;
  for (const hash of hashes) {
    const entry = cache.get(prefixOf(hash));
    const threat = entry?.hashes.get(hash);
    if (entry && threat) {
      return { threat, expiresAt: Math.min(entry.expiresAt, entry.receivedAt + warnMsMax) };
    }
    expiresAt = Math.min(expiresAt, entry?.expiresAt ?? now);
  }
  return { threat: null, expiresAt };
}

/** Looks prefixes up and caches the response for each of them, also for those without a hash. */
async function search(prefixes: readonly string[], now: number): Promise<void> {
  const { FUXI_SAFE_BROWSING_KEY: key = "", FUXI_SAFE_BROWSING_URL: origin } = config();
  const address = new URL("/v5/hashes:search", origin);
  address.searchParams.set("key", key);
  address.searchParams.set("alt", "json");
  for (const prefix of prefixes) {
    address.searchParams.append("hashPrefixes", Buffer.from(prefix, "hex").toString("base64"));
  }
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  // The address has the key, so it is in no error.
  if (!response.ok) throw new Error(`Safe Browsing returned status ${response.status}`);
  const { fullHashes, cacheDuration } = searchResponse.parse(JSON.parse(await textOf(response)));
  const expiresAt = now + 1_000 * Number.parseFloat(cacheDuration);
  for (const prefix of prefixes) {
    cache.delete(prefix);
    cache.set(prefix, { hashes: new Map(), receivedAt: now, expiresAt });
  }
  for (const { fullHash, fullHashDetails } of fullHashes) {
    const hash = Buffer.from(fullHash, "base64").toString("hex");
    const threat = fullHashDetails.map(threatOf).find((one) => one !== undefined);
    if (threat) cache.get(prefixOf(hash))?.hashes.set(hash, threat);
  }
}

/**
 * A detail with an unknown value is ignored as a whole; CANARY is not for enforcement, and FRAME_ONLY not for pages.
 * Both exclude a warning, so that a detail with any attribute has none.
 */
function threatOf({ threatType, attributes }: z.output<typeof detail>): Threat | undefined {
  if (attributes.length > 0) return undefined;
  return findThreat(threatType.toLowerCase());
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`Safe Browsing sent more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
