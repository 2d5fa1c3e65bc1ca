/** Chooses the destination of one visit: collects the visitor's data, and draws a variant during a test. */
import { createHmac } from "node:crypto";
import type { TestVariants } from "#lib/links/link-cache/schema";
import { log } from "#lib/platform/log";
import {
  openPlaces,
  type Place,
  parseAgent,
  placeOf,
  withCountry,
} from "#lib/platform/request-info";
import { chooseDestination } from "#lib/redirect/routing-rules";
import { signingKey } from "./signing.ts";
import type { Target } from "./target.ts";

export interface VisitorRequest {
  address: string;
  /** Sent by a trusted proxy; empty: looked up. */
  country: string;
  userAgent: string;
  language: string;
  now: number;
}

export async function chooseUrl(target: Target, request: VisitorRequest): Promise<string> {
  const place = target.placed ? await findPlace(request) : undefined;
  const agent = parseAgent(request.userAgent);
  const { language, now } = request;
  const { url, variants } = chooseDestination(target, { agent, place, language, now });
  if (url !== undefined) return url;
  return (variants && variantAt(variants, pointOf(target.linkPk, request))) ?? target.url;
}

/** The databases are loaded when the first location is needed. */
export async function findPlace({
  address,
  country,
}: Pick<VisitorRequest, "address" | "country">): Promise<Place | undefined> {
  try {
    await openPlaces();
    return withCountry(placeOf(address), country);
  } catch (error) {
    log.warn({ event: "places.missing", error: String(error) });
    return undefined;
  }
}

const pointBytes = 6;

/**
 * From 0 to below 100: constant for a visitor of a link, without a cookie, and without revealing anything about them.
 */
export function pointOf(linkPk: number, { address, userAgent }: VisitorRequest): number {
  const digest = createHmac("sha256", signingKey("fuxi test variants"))
    .update(`${linkPk}\n${address}\n${userAgent}`)
    .digest();
  return (digest.readUIntBE(0, pointBytes) / 2 ** (8 * pointBytes)) * 100;
}

export function variantAt(variants: TestVariants, point: number): string | undefined {
  let sum = 0;
  for (const { url, percentage } of variants) {
    sum += percentage;
    if (point < sum) return url;
  }
  return variants.at(-1)?.url; // percentages such as 33.3 may sum to slightly below 100
}
