import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Block,
  type Random,
  seeded,
  simulateDays,
  type Traffic,
} from "../../../test/simulated-visits.ts";
import {
  type DayVisits,
  estimateSpread,
  hasRecovered,
  isTestable,
  judgeShare,
  logTail,
  testedDays,
  windowDaysMax,
} from "./share-test.ts";

const usual: Traffic = {
  visits: 300,
  share: 0.35,
  visitsSpread: 0.25,
  shareSpread: 0.2,
  memory: 0.6,
  weekend: { visits: 0.6, odds: 0.7 },
  campaigns: 0,
  drift: 0,
};
/** The apps that a domain is compared in. */
const apps = 3;

function countAlarms(random: Random, traffic: Traffic, days: number): number {
  const visits = simulateDays(random, traffic, days + testedDays);
  let alarms = 0;
  let shareBefore: number | undefined;
  for (let end = testedDays; end <= visits.length; end++) {
    const seen = visits.slice(end - testedDays, end);
    if (shareBefore !== undefined && !hasRecovered(seen, shareBefore)) continue;
    shareBefore = undefined;
    const verdict = judgeShare(seen, apps);
    if (verdict.kind !== "fallen") continue;
    alarms += 1;
    shareBefore = verdict.evidence.shareBefore;
  }
  return alarms;
}

/** Days from the block until the alarm; undefined without one within a week of whole days. */
function delayOf(random: Random, traffic: Traffic, block: Omit<Block, "at">): number | undefined {
  const at = 60 + 7 * random();
  const visits = simulateDays(random, traffic, 90, { at, ...block });
  for (let end = Math.ceil(at); end <= Math.ceil(at) + windowDaysMax; end++) {
    const seen = visits.slice(end - testedDays, end);
    if (judgeShare(seen, apps).kind === "fallen") return end - at;
  }
  return undefined;
}

const domains = 100;
const kinds: Record<string, { traffic: Traffic; alarmsMax: number; hitsMin: number }> = {
  "usual domains": { traffic: usual, alarmsMax: 0.01, hitsMin: 0.99 },
  "60 visits a day": { traffic: { ...usual, visits: 60 }, alarmsMax: 0.03, hitsMin: 0.93 },
  "20,000 visits a day": { traffic: { ...usual, visits: 20_000 }, alarmsMax: 0.01, hitsMin: 0.99 },
  "a share of 5%": {
    traffic: { ...usual, visits: 2_000, share: 0.05 },
    alarmsMax: 0.01,
    hitsMin: 0.95,
  },
  "quiet weekends": {
    traffic: { ...usual, weekend: { visits: 0.15, odds: 0.35 } },
    alarmsMax: 0.02,
    hitsMin: 0.8,
  },
  "a drifting share": { traffic: { ...usual, drift: 0.08 }, alarmsMax: 0.05, hitsMin: 0.9 },
  "shares that double and halve": {
    traffic: { ...usual, shareSpread: 0.6, memory: 0.8, visitsSpread: 0.6 },
    alarmsMax: 0.07,
    hitsMin: 0.45,
  },
  "three campaigns a month": { traffic: { ...usual, campaigns: 0.1 }, alarmsMax: 0, hitsMin: 0.1 },
};

test.each(Object.entries(kinds))(
  "%s: few false alarms in years without a block, and most blocks are found",
  (_name, { traffic, alarmsMax, hitsMin }) => {
    let alarms = 0;
    const delays: number[] = [];
    for (let seed = 1; seed <= domains; seed++) {
      alarms += countAlarms(seeded(seed), traffic, 365);
      const delay = delayOf(seeded(seed + 10_000), traffic, { remaining: 0.02, moved: 0.2 });
      if (delay !== undefined) delays.push(delay);
    }
    expect(alarms / domains).toBeLessThanOrEqual(alarmsMax);
    expect(delays.length / domains).toBeGreaterThanOrEqual(hitsMin);
    // A block begins on a day that is compared when the next one is over.
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.5);
  },
  60_000,
);

test("a usual domain is reported two days after its block at the latest, in median", () => {
  const delays = Array.from({ length: 101 }, (_, seed) =>
    delayOf(seeded(seed), usual, { remaining: 0.02, moved: 0.2 }),
  ).map((delay) => delay ?? Number.POSITIVE_INFINITY);
  expect(delays.toSorted((a, b) => a - b)[50]).toBeLessThan(2);
});

/** Four weeks and a week of the same day, then what `last` says about the last days. */
function steady(day: DayVisits, last: readonly DayVisits[] = []): DayVisits[] {
  const before = Array.from({ length: testedDays - last.length }, (_, at) => ({
    visits: day.visits + (at % 3),
    inApp: day.inApp + (at % 2),
  }));
  return [...before, ...last];
}

test("a campaign elsewhere lowers the share, but not the visits: no alarm", () => {
  const flood = { visits: 40_000, inApp: 40 };
  expect(judgeShare(steady({ visits: 100, inApp: 40 }, [flood]), 1)).toMatchObject({
    kind: "usual",
    evidence: { days: 1, inApp: 40 },
  });
  const blocked = { visits: 40_000, inApp: 2 };
  expect(judgeShare(steady({ visits: 100, inApp: 40 }, [blocked]), 1).kind).toBe("fallen");
});

test("a quiet day lowers the visits, but not the share: no alarm", () => {
  const quiet = { visits: 60, inApp: 24 };
  expect(judgeShare(steady({ visits: 1_000, inApp: 400 }, [quiet]), 1).kind).toBe("usual");
});

test("a share that halves is no alarm, however certain", () => {
  const half = { visits: 100_000, inApp: 20_000 };
  expect(judgeShare(steady({ visits: 100_000, inApp: 40_000 }, [half]), 1).kind).toBe("usual");
});

test("a share that fell to zero in the reference weeks too is no alarm", () => {
  const days = Array.from({ length: testedDays }, (_, at) => ({
    visits: 200,
    inApp: at % 3 === 0 ? 0 : 80,
  }));
  const ended = [...days.slice(0, -1), { visits: 200, inApp: 0 }];
  expect(judgeShare(ended, 1).kind).toBe("usual");
});

test("the window has the fewest whole days with 20 expected visits in the app", () => {
  const day = { visits: 20, inApp: 10 };
  const gone = { visits: 20, inApp: 0 };
  expect(judgeShare(steady(day, [gone]), 1)).toMatchObject({ evidence: { days: 2 } });
  const two = judgeShare(steady(day, [gone, gone, gone]), 1);
  expect(two).toMatchObject({ kind: "fallen", evidence: { days: 2, visits: 40, inApp: 0 } });
});

test("too few visits, days or expected visits are no verdict", () => {
  expect(judgeShare([], 1)).toEqual({ kind: "few" });
  expect(
    judgeShare(
      steady({ visits: 9, inApp: 5 }).map((day) => ({ ...day, visits: 9 })),
      1,
    ),
  ).toEqual({
    kind: "few",
  });
  expect(
    judgeShare(
      steady({ visits: 100, inApp: 0 }).map((day) => ({ ...day, inApp: 0 })),
      1,
    ),
  ).toEqual({
    kind: "few",
  });
  // Seven days with 2.5 expected visits each.
  expect(isTestable(steady({ visits: 50, inApp: 2 }))).toBe(false);
  const young = steady({ visits: 100, inApp: 40 }).map((day, at) =>
    at < 15 ? { visits: 0, inApp: 0 } : day,
  );
  expect(isTestable(young)).toBe(false);
  const old = steady({ visits: 100, inApp: 40 }).map((day, at) =>
    at < 14 ? { visits: 0, inApp: 0 } : day,
  );
  expect(isTestable(old)).toBe(true);
});

test("more compared apps need more certainty", () => {
  // Searched: between the levels of one app and of 21.
  const days = (inApp: number) => steady({ visits: 70, inApp: 24 }, [{ visits: 70, inApp }]);
  const kindsOf = (count: number) =>
    [0, 1, 2, 3, 4, 5, 6].filter((inApp) => judgeShare(days(inApp), count).kind === "fallen");
  expect(kindsOf(1).length).toBeGreaterThan(kindsOf(21).length);
});

test("visits are back from half of the former odds on", () => {
  const day = (inApp: number) => [{ visits: 200, inApp }];
  // 40% is two visits in the app for three others: half of that is one for three.
  expect(hasRecovered(day(51), 0.4)).toBe(true);
  expect(hasRecovered(day(49), 0.4)).toBe(false);
  expect(hasRecovered(day(200), 0.4)).toBe(true);
  expect(hasRecovered([{ visits: 49, inApp: 49 }], 0.4)).toBeUndefined();
});

test("the tail of the beta-binomial distribution adds up to 1, and grows with each number", () => {
  const numbers = fc.record({
    n: fc.integer({ min: 1, max: 300 }),
    mean: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    correlation: fc.double({ min: 0.001, max: 0.9, noNaN: true }),
  });
  fc.assert(
    fc.property(numbers, ({ n, mean, correlation }) => {
      const tails = Array.from({ length: n + 1 }, (_, x) => logTail(x, n, { mean, correlation }));
      expect(Math.exp(tails.at(-1) ?? 0)).toBeCloseTo(1, 6);
      for (const [at, tail] of tails.entries()) {
        expect(tail).toBeGreaterThanOrEqual((tails[at - 1] ?? Number.NEGATIVE_INFINITY) - 1e-9);
      }
    }),
    { seed: 7, numRuns: 60 },
  );
});

test("the tail of a uniform share is one of n + 1 equal numbers", () => {
  // Mean 1/2 and correlation 1/3: a beta distribution of 1 and 1.
  const uniform = { mean: 0.5, correlation: 1 / 3 };
  expect(Math.exp(logTail(0, 9, uniform))).toBeCloseTo(0.1, 9);
  expect(Math.exp(logTail(4, 9, uniform))).toBeCloseTo(0.5, 9);
});

test("a spread is found again in days that were drawn with it", () => {
  const random = seeded(5);
  // Half of the days at 20%, the others at 60%: a variance of 0.04, and a correlation of 0.04 / (0.4 × 0.6).
  const days = Array.from({ length: 400 }, (_, at) => {
    const share = at % 2 === 0 ? 0.2 : 0.6;
    let inApp = 0;
    for (let visit = 0; visit < 500; visit++) if (random() < share) inApp += 1;
    return { visits: 500, inApp };
  });
  const { mean, correlation } = estimateSpread(days);
  expect(mean).toBeCloseTo(0.4, 2);
  expect(correlation).toBeCloseTo(1 / 6, 2);
});
