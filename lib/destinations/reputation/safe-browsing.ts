/**
 * Google Safe Browsing v5 without a local database (“No-Storage Real-Time Mode”). Follows
 * developers.google.com/safe-browsing/reference: `hashes.search` (REST v5), “No Storage Real Time
 * Mode” and “Appropriate Usage”.
 */
import { z } from "zod";
import { findThreat, type Threat } from "#lib/basics/abuse/schema";
import { config } from "#lib/platform/config";
import { hashesOf, registrableHosts } from "./expressions.ts";
import { checkByPrefix, fetchJson, type PrefixAnswer } from "./prefix-cache.ts";

/** Per request, which makes a URL of about 3 KB. The service accepts 1,000. */
const prefixesMax = 100;

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

export const safeBrowsing = checkByPrefix({
  hashesOf: (url) => hashesOf(url, registrableHosts),
  prefixesMax,
  requestsMax: 1,
  search,
});

async function search(prefixes: readonly string[], now: number): Promise<PrefixAnswer> {
  const { FUXI_SAFE_BROWSING_KEY: key = "", FUXI_SAFE_BROWSING_URL: origin } = config();
  const address = new URL("/v5/hashes:search", origin);
  address.searchParams.set("key", key);
  address.searchParams.set("alt", "json");
  for (const prefix of prefixes) {
    address.searchParams.append("hashPrefixes", Buffer.from(prefix, "hex").toString("base64"));
  }
  const { fullHashes, cacheDuration } = searchResponse.parse(
    await fetchJson("Safe Browsing", address),
  );
  const expiresAt = now + 1_000 * Number.parseFloat(cacheDuration);
  const hashes = fullHashes.flatMap(({ fullHash, fullHashDetails }) => {
    const threat = fullHashDetails.map(threatOf).find((one) => one !== undefined);
    const hash = Buffer.from(fullHash, "base64").toString("hex");
    return threat ? [[hash, { threat, expiresAt }] as const] : [];
  });
  return { hashes: new Map(hashes), expiresAt };
}

/** CANARY is not for enforcement, FRAME_ONLY not for pages, and unknown details are ignored. */
function threatOf({ threatType, attributes }: z.output<typeof detail>): Threat | undefined {
  if (attributes.length > 0) return undefined;
  return findThreat(threatType.toLowerCase());
}
