/**
 * Google Web Risk, for commercial use. Follows cloud.google.com/web-risk/docs: `hashes.search`
 * (REST v1), “Hashing URLs” and “User warnings”. Without a local database, each prefix is a
 * request: up to 30 for a new URL, fewer if its site is known. `uris.search` would be one request,
 * but sends the URL.
 */
import { z } from "zod";
import { findThreat } from "#lib/basics/abuse/schema";
import { config } from "#lib/platform/config";
import { hashesOf, lastHosts } from "./expressions.ts";
import { checkByPrefix, fetchJson, type PrefixAnswer } from "./prefix-cache.ts";

const requestsMax = 10;
/** Leaves out the list with extended coverage, because it includes more sites that are safe. */
const threatTypes = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];

/** A time with up to nine fractional digits. */
const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms));
const searchResponse = z.object({
  threats: z
    .array(z.object({ threatTypes: z.array(z.string()), hash: z.string(), expireTime: moment }))
    .default([]),
  negativeExpireTime: moment.optional(),
});

export const webRisk = checkByPrefix({
  hashesOf: (url) => hashesOf(url, lastHosts),
  prefixesMax: 1,
  requestsMax,
  search,
});

async function search([prefix = ""]: readonly string[], now: number): Promise<PrefixAnswer> {
  const { FUXI_WEB_RISK_KEY: key = "", FUXI_WEB_RISK_URL: origin } = config();
  const address = new URL("/v1/hashes:search", origin);
  address.searchParams.set("key", key);
  for (const type of threatTypes) address.searchParams.append("threatTypes", type);
  address.searchParams.set("hashPrefix", Buffer.from(prefix, "hex").toString("base64url"));
  const { threats, negativeExpireTime } = searchResponse.parse(
    await fetchJson("Web Risk", address),
  );
  const hashes = threats.flatMap(({ threatTypes: types, hash, expireTime }) => {
    const threat = types
      .map((type) => findThreat(type.toLowerCase()))
      .find((one) => one !== undefined);
    const listed = Buffer.from(hash, "base64").toString("hex");
    return threat ? [[listed, { threat, expiresAt: expireTime }] as const] : [];
  });
  return { hashes: new Map(hashes), expiresAt: negativeExpireTime ?? now };
}
