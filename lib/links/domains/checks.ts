/**
 * The consequences of a DNS check, and the time of the next one. Pure.
 *
 * States: pending → verified ⇄ failing → pending. Only checks with an answer change a state. A
 * domain is failing while neither its TXT record nor its traffic is present. After `failingDaysMax`
 * days it is released, and the new owner of the name can verify it. A claim that stays unverified
 * for `claimDaysMax` days is only checked manually. The days restart if two checks are more than
 * `gapMaxMs` apart, because nothing is known about the time between. DNS cannot release a trusted
 * domain that it never proved.
 */
import { dayMs, hourMs, minuteMs } from "#lib/basics/time/schema";
import { type DnsTarget, type Findings, isGone, isVerified } from "./records.ts";

export const failingDaysMax = 14;
export const gapMaxMs = 3 * dayMs;

export interface CheckedDomain {
  verified: boolean;
  proven: boolean;
  checkedAt: Date | undefined;
  failingSince: Date | undefined;
}

export type CheckOutcome =
  | { change: "verify" | "unverify" }
  | { change: "none"; failingSince: Date | undefined };

export function evaluateCheck(
  was: CheckedDomain,
  findings: Findings,
  target: DnsTarget,
  now: Date,
): CheckOutcome {
  if (!was.verified) {
    return isVerified(findings, target)
      ? { change: "verify" }
      : { change: "none", failingSince: undefined };
  }
  if (!was.proven || !isGone(findings)) return { change: "none", failingSince: undefined };
  const unbroken = was.checkedAt && now.getTime() - was.checkedAt.getTime() <= gapMaxMs;
  const since = (unbroken && was.failingSince) || now;
  if (now.getTime() - since.getTime() >= failingDaysMax * dayMs) return { change: "unverify" };
  return { change: "none", failingSince: since };
}

/** After this, a claim is only checked manually. */
export const claimDaysMax = 30;

const pendingEvery: readonly { ageMs: number; everyMs: number }[] = [
  { ageMs: 3 * dayMs, everyMs: dayMs },
  { ageMs: dayMs, everyMs: 3 * hourMs },
  { ageMs: hourMs, everyMs: 15 * minuteMs },
];
const youngEveryMs = minuteMs;
const verifiedEveryMs = dayMs;
const failingEveryMs = 6 * hourMs;
const unsureMs = 15 * minuteMs;

export interface CheckedState {
  state: "pending" | "verified" | "failing";
  claimedAt: Date;
  unsure: boolean;
}

/** When a domain is checked next. Undefined: only manually. */
export function nextCheck({ state, claimedAt, unsure }: CheckedState, now: Date): Date | undefined {
  const ageMs = now.getTime() - claimedAt.getTime();
  if (state === "pending" && ageMs >= claimDaysMax * dayMs) return undefined;
  const interval = state === "pending" ? pendingEveryMs(ageMs) : servingEvery[state];
  return new Date(
    now.getTime() + (unsure ? Math.max(unsureMs, Math.min(interval, hourMs)) : interval),
  );
}

const servingEvery = { verified: verifiedEveryMs, failing: failingEveryMs };

function pendingEveryMs(ageMs: number): number {
  return pendingEvery.find((step) => ageMs >= step.ageMs)?.everyMs ?? youngEveryMs;
}
