import type { AbuseReason } from "#lib/basics/abuse/schema";
import type { Target } from "#lib/redirect/targets";
import { checkTarget } from "#lib/redirect/trust";
import type { sendPage } from "#lib/redirect/visitor-pages";

export type VisitorPageName = Parameters<typeof sendPage>[3];

export const bannedPages = {
  phishing: "bannedPhishing",
  malware: "bannedMalware",
  spam: "bannedSpam",
  illegal: "bannedIllegal",
  copyright: "bannedCopyright",
  other: "banned",
} as const satisfies Record<AbuseReason, VisitorPageName>;

export type ClosedPage = [status: number, page: VisitorPageName];

/** The page of a link that does not redirect at this moment. */
export function closedPageOf(target: Target, now: number): ClosedPage | undefined {
  checkTarget(target);
  if (target.state === "b" || target.ban) return [451, bannedPages[target.ban ?? "other"]];
  if (target.state === "d") return [410, "ended"];
  if (target.startsAt > now) return [404, "early"];
  if (target.endsAt > 0 && target.endsAt <= now) return [410, "ended"];
  return undefined;
}
