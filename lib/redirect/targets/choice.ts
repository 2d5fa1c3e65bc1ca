import type { IncomingMessage } from "node:http";
import type { TestVariants } from "#lib/links/link-cache/schema";
import { addressOf, countryOf } from "#lib/platform/http";
import { log } from "#lib/platform/log";
import {
  openPlaces,
  type Place,
  parseAgent,
  placeOf,
  withCountry,
} from "#lib/platform/request-info";
import { sign, userAgentOf } from "#lib/redirect/requests";
import { chooseDestination } from "#lib/redirect/routing-rules";
import type { Target } from "./target.ts";

export async function chooseUrl(
  req: IncomingMessage,
  target: Target,
  now: number,
): Promise<string> {
  const place = target.placed ? await findPlace(req) : undefined;
  const userAgent = userAgentOf(req);
  const agent = parseAgent(userAgent);
  const language = req.headers["accept-language"] ?? "";
  const { url, variants } = chooseDestination(target, { agent, place, language, now });
  if (url !== undefined || !variants) return url ?? target.url;
  const point = pointOf(target.linkPk, { address: addressOf(req), userAgent });
  return variantAt(variants, point) ?? target.url;
}

/** Loads the databases when the first location is needed. A trusted proxy may send the country. */
export async function findPlace(req: IncomingMessage): Promise<Place | undefined> {
  try {
    await openPlaces();
    return withCountry(placeOf(addressOf(req)), countryOf(req));
  } catch (error) {
    log.warn({ event: "places.missing", error: String(error) });
    return undefined;
  }
}

const pointBytes = 6;

/** From 0 to below 100, always the same for a visitor of a link. Anonymous, and needs no cookie. */
export function pointOf(
  linkPk: number,
  { address, userAgent }: { address: string; userAgent: string },
): number {
  const digest = sign("fuxi test variants", `${linkPk}\n${address}\n${userAgent}`);
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
