/** The links of campaigns. */

import { dayMs } from "#lib/basics/time/schema";
import type { CampaignRow } from "./store.ts";

/** The body of a create of a link to this destination. Every recipient has an own link. */
export function linkBodyOf(
  { link, link_days: days }: Pick<CampaignRow, "link" | "link_days">,
  url: string,
): Record<string, unknown> {
  const expiry =
    days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() };
  return { ...link, ...expiry, url, reuse: false };
}
