/**
 * Whether an app stopped opening a domain, from the visits of whole days: a one-sided beta-binomial test.
 *
 * An app’s share of a domain’s visits varies by day, with weekdays and campaigns. So the four reference weeks also give the
 * spread of the daily shares, as a beta distribution (Kleinman 1973, moments with iterated weights). The test computes the
 * probability of this few visits in the app, or fewer, among all visits of the window. The days of a window count as one draw of
 * the share, because shares of neighboring days are similar.
 *
 *     │◀───────── reference: 28 days ─────────▶│◀─ 1 to 7 days: window ─▶│ today, which is not over
 *
 * The window is the shortest run of latest days in which enough visits in the app are expected. Its length depends on all
 * visits, not on those in the app, so it adds no further test. An alarm needs three things:
 *
 * - an improbable share: below `alarmsPerYear`, divided by the tests of a year and by the tested apps (Bonferroni);
 * - a large effect: the odds of a visit in the app fell to a quarter, which excludes certain but small changes;
 * - fewer visits in the app, a quarter of a median day: a campaign elsewhere lowers the share, but not the visits.
 *
 * simulated-visits.ts and share-test.test.ts measure false alarms, hits and delay.
 */

export interface DayVisits {
  visits: number;
  inApp: number;
}

const referenceDays = 28;
export const windowDaysMax = 7;
/** Oldest first. */
export const testedDays = referenceDays + windowDaysMax;

/** Days with fewer visits are ignored. */
const dayVisitsMin = 10;
const usableDaysMin = 14;
const expectedMin = 20;
const remainingMax = 0.25;
const recoveredMin = 0.5;
/** False alarms per domain and year, if the model is right. */
const alarmsPerYear = 0.01;
const looksPerYear = 365;
/** Days without any spread would make the test too certain. */
const correlationMin = 0.004;
const correlationMax = 0.999;
/** The spread of a few weeks is often less than that of a year. */
const spreadFactor = 1.5;
const rounds = 6;

export interface Evidence {
  days: number;
  visits: number;
  inApp: number;
  share: number;
  /** Medians of the visits of a reference day. */
  visitsBefore: number;
  inAppBefore: number;
  shareBefore: number;
}

/** `logP`: the natural logarithm of the p value, which may be too small for a number. */
export type ShareVerdict =
  | { kind: "few" }
  | { kind: "usual"; evidence: Evidence }
  | { kind: "fallen"; evidence: Evidence; logP: number };

/** Tests the last days. `apps`: how many apps of the domain are tested. */
export function judgeShare(days: readonly DayVisits[], apps: number): ShareVerdict {
  const prepared = prepare(days);
  if (!prepared) return { kind: "few" };
  const { usable, spread, window } = prepared;
  const evidence = {
    ...window,
    share: window.inApp / window.visits,
    visitsBefore: medianOf(usable.map((day) => day.visits)),
    inAppBefore: medianOf(usable.map((day) => day.inApp)),
    shareBefore: spread.mean,
  };
  if (!isLargeFall(evidence)) return { kind: "usual", evidence };
  const wider = spreadFactor * spread.correlation;
  const correlation = Math.min(correlationMax, Math.max(correlationMin, wider));
  const logP = logTail(window.inApp, window.visits, { mean: spread.mean, correlation });
  const level = Math.log(alarmsPerYear / looksPerYear / Math.max(1, apps));
  return logP < level ? { kind: "fallen", evidence, logP } : { kind: "usual", evidence };
}

function isLargeFall({ share, shareBefore, inApp, inAppBefore, days }: Evidence): boolean {
  const fewer = oddsOf(share) <= remainingMax * oddsOf(shareBefore);
  return fewer && inApp <= remainingMax * inAppBefore * days;
}

/** Odds, because a share of 90% falls to only 47% if an app keeps a tenth of its visits. */
function oddsOf(share: number): number {
  return share / (1 - share);
}

/** Whether an app has enough visits to be tested. The number of such apps lowers the significance level. */
export function isTestable(days: readonly DayVisits[]): boolean {
  return prepare(days) !== undefined;
}

/** Compares with the share before an alarm. Undefined if visits are too few. */
export function hasRecovered(days: readonly DayVisits[], shareBefore: number): boolean | undefined {
  const window = windowOf(days, shareBefore);
  return window && oddsOf(window.inApp / window.visits) >= recoveredMin * oddsOf(shareBefore);
}

interface Prepared {
  usable: readonly DayVisits[];
  spread: Spread;
  window: Window;
}

function prepare(days: readonly DayVisits[]): Prepared | undefined {
  const recent = days.slice(-testedDays);
  const reference = recent.slice(0, -windowDaysMax);
  const usable = reference.filter(({ visits }) => visits >= dayVisitsMin);
  if (usable.length < usableDaysMin) return undefined;
  const spread = estimateSpread(usable);
  if (spread.mean <= 0 || spread.mean >= 1) return undefined;
  const window = windowOf(recent.slice(-windowDaysMax), spread.mean);
  return window && { usable, spread, window };
}

interface Window {
  days: number;
  visits: number;
  inApp: number;
}

function windowOf(days: readonly DayVisits[], share: number): Window | undefined {
  let [visits, inApp] = [0, 0];
  for (const [at, day] of days.slice(-windowDaysMax).reverse().entries()) {
    visits += day.visits;
    inApp += day.inApp;
    if (visits * share >= expectedMin) return { days: at + 1, visits, inApp };
  }
  return undefined;
}

export interface Spread {
  mean: number;
  /** 0 if the share is the same every day, 1 if it is 0% or 100% every day. */
  correlation: number;
}

/** Kleinman’s moments: many visits of one day weigh less than the same number on many days. */
export function estimateSpread(days: readonly DayVisits[]): Spread {
  let spread: Spread = { mean: 0, correlation: 0 };
  for (let round = 0; round < rounds; round++) spread = weighDays(days, spread.correlation);
  return spread;
}

function weighDays(days: readonly DayVisits[], correlation: number): Spread {
  const weighted = days.map(({ visits, inApp }) => ({
    visits,
    share: inApp / visits,
    weight: visits / (1 + correlation * (visits - 1)),
  }));
  const sum = weighted.reduce((total, { weight }) => total + weight, 0);
  const mean = weighted.reduce((total, { weight, share }) => total + weight * share, 0) / sum;
  let [squares, within, between] = [0, 0, 0];
  for (const { weight, visits, share } of weighted) {
    squares += weight * (share - mean) ** 2;
    within += (weight / visits) * (1 - weight / sum);
    between += weight * (1 - weight / sum);
  }
  const variance = mean * (1 - mean);
  const found = (squares - variance * within) / (variance * (between - within));
  return { mean, correlation: Math.min(correlationMax, Math.max(0, found || 0)) };
}

/** ln P(X ≤ x) of a beta-binomial distribution over `n` visits. */
export function logTail(x: number, n: number, { mean, correlation }: Spread): number {
  const alpha = (mean * (1 - correlation)) / correlation;
  const beta = ((1 - mean) * (1 - correlation)) / correlation;
  let term =
    logGamma(n + beta) + logGamma(alpha + beta) - logGamma(n + alpha + beta) - logGamma(beta);
  let sum = term;
  for (let k = 0; k < Math.min(x, n); k++) {
    term += Math.log(((n - k) * (k + alpha)) / ((k + 1) * (n - k - 1 + beta)));
    sum = Math.max(sum, term) + Math.log1p(Math.exp(-Math.abs(sum - term)));
  }
  return Math.min(0, sum);
}

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Lanczos’ approximation for positive numbers: 15 digits. */
function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
  const z = value - 1;
  const base = z + lanczos.length - 0.5;
  const series = lanczos.reduce(
    (total, part, at) => total + part / (z + at + 1),
    0.99999999999980993,
  );
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(series);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
