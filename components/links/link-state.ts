import { dayMs } from "#lib/basics/time/schema";
import { warningDays } from "#lib/links/link-columns/schema";
import type { ListedLink } from "#lib/links/reading/schema";

/** In the order of their badges. States that stop visits come first. */
export const linkStates = [
  "retired",
  "off",
  "ended",
  "limit",
  "loop",
  "broken",
  "retiring",
  "scheduled",
  "password",
  "test",
  "rules",
  "insideApps",
] as const;
export type LinkState = (typeof linkStates)[number];

export const stateTones: Readonly<Record<LinkState, string>> = {
  retired: "red",
  off: "red",
  ended: "red",
  limit: "red",
  loop: "red",
  broken: "red",
  retiring: "yellow",
  scheduled: "blue",
  password: "gray",
  test: "purple",
  rules: "gray",
  insideApps: "gray",
};

export function statesOf(link: ListedLink, now: number): LinkState[] {
  const at = (moment: string | null | undefined) => (moment ? Date.parse(moment) : undefined);
  const isPast = (moment: number | undefined) => moment !== undefined && moment <= now;
  const starts = at(link.startsAt);
  const due = at(link.retirementDue);
  const warned = due === undefined ? undefined : due - warningDays * dayMs;
  const held: Record<LinkState, boolean> = {
    retired: link.retiredAt !== undefined,
    off: link.disabledAt !== null,
    ended: isPast(at(link.expiresAt)),
    limit: link.maxClicks !== undefined && link.clicks >= link.maxClicks,
    loop: link.loops === true,
    broken: link.broken !== undefined,
    retiring: link.retiredAt === undefined && isPast(warned),
    scheduled: starts !== undefined && starts > now,
    password: link.password !== null,
    test: link.testVariants !== null && !isPast(at(link.testCompletedAt)),
    rules: Boolean(link.rules?.length || link.geo || link.ios || link.android),
    insideApps: link.insideApps !== undefined,
  };
  return linkStates.filter((state) => held[state]);
}
