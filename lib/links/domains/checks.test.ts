import { expect, test } from "vitest";
import {
  type CheckedDomain,
  claimDaysMax,
  evaluateCheck,
  failingDaysMax,
  gapMaxMs,
  nextCheck,
} from "./checks.ts";
import type { Findings } from "./records.ts";

const target = { name: "links.fuxi.example", addresses: [] };
const dayMs = 86_400_000;
const start = new Date("2026-01-01T00:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const good: Findings = { owned: true, traffic: "here", txt: [], cnames: [], addresses: [] };
const withoutRecords: Findings = { ...good, owned: false, traffic: "none" };
const serving: CheckedDomain = {
  verified: true,
  proven: true,
  checkedAt: start,
  failingSince: undefined,
};

test("a domain without its records fails from the first check, and recovers with any of them", () => {
  expect(evaluateCheck(serving, withoutRecords, target, after(dayMs))).toEqual({
    change: "none",
    failingSince: after(dayMs),
  });
  const failing = { ...serving, failingSince: start };
  for (const back of [
    good,
    { ...withoutRecords, owned: true },
    { ...withoutRecords, traffic: "here" as const },
  ]) {
    expect(evaluateCheck(failing, back, target, after(dayMs))).toEqual({
      change: "none",
      failingSince: undefined,
    });
  }
});

test(`after ${failingDaysMax} days, and not before, it is released`, () => {
  const endsAt = failingDaysMax * dayMs;
  const failing = (checkedAt: Date) => ({ ...serving, checkedAt, failingSince: start });
  expect(
    evaluateCheck(failing(after(endsAt - dayMs)), withoutRecords, target, after(endsAt - 1)),
  ).toEqual({
    change: "none",
    failingSince: start,
  });
  expect(
    evaluateCheck(failing(after(endsAt - dayMs)), withoutRecords, target, after(endsAt)),
  ).toEqual({
    change: "unverify",
  });
});

test("time without a check does not count", () => {
  const endsAt = failingDaysMax * dayMs;
  const failing = { ...serving, checkedAt: after(endsAt - gapMaxMs), failingSince: start };
  expect(evaluateCheck(failing, withoutRecords, target, after(endsAt)).change).toBe("unverify");
  expect(evaluateCheck(failing, withoutRecords, target, after(endsAt + 1))).toEqual({
    change: "none",
    failingSince: after(endsAt + 1),
  });
});

test("a trusted domain without a proof is lost by no DNS answer", () => {
  const trusted = { ...serving, proven: false, failingSince: start };
  expect(evaluateCheck(trusted, withoutRecords, target, after(400 * dayMs))).toEqual({
    change: "none",
    failingSince: undefined,
  });
});

test(`claims are checked every minute at first, ever more rarely, and not after ${claimDaysMax} days`, () => {
  const minutes = (ageMs: number, unsure = false) => {
    const now = after(ageMs);
    const next = nextCheck({ state: "pending", claimedAt: start, unsure }, now);
    return next && (next.getTime() - now.getTime()) / 60_000;
  };
  expect(minutes(0)).toBe(1);
  expect(minutes(dayMs / 24 - 1)).toBe(1);
  expect(minutes(dayMs / 24)).toBe(15);
  expect(minutes(dayMs)).toBe(180);
  expect(minutes(3 * dayMs)).toBe(1_440);
  expect(claimDaysMax).toBe(30);
  expect(minutes(30 * dayMs - 1)).toBe(1_440);
  expect(minutes(30 * dayMs)).toBeUndefined();
  // A check without an answer is repeated, neither at once nor in a week.
  expect(minutes(0, true)).toBe(15);
  expect(minutes(30 * dayMs - 1, true)).toBe(60);
  expect(minutes(30 * dayMs, true)).toBeUndefined();
});

test("domains that serve are checked daily, failing ones more often, however old they are", () => {
  const before = new Date(start.getTime() - 400 * dayMs);
  const hours = (state: "verified" | "failing", unsure = false) =>
    nextCheck({ state, claimedAt: before, unsure }, start)?.getTime();
  const wanted = [24, 6, 1].map((number) => start.getTime() + number * 3_600_000);
  expect([hours("verified"), hours("failing"), hours("verified", true)]).toEqual(wanted);
});
