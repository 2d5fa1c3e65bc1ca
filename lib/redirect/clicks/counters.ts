import { exposeCounters, exposeHistogram, Histogram, log } from "#lib/platform/log";

export const counters = { groups: 0, events: 0, spooled: 0, resent: 0, lost: 0, timeouts: 0 };
exposeCounters("clicks", "Click groups, by result.", counters);

export const groupSizes = new Histogram([1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000]);
exposeHistogram("click_group_size", "Visits per write.", groupSizes);
export const answerSeconds = new Histogram([
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
]);
exposeHistogram(
  "visit_seconds",
  "Time from finding the destination to sending the redirect, in seconds.",
  answerSeconds,
);

const lostLoggedEveryMs = 1_000;
let lostLoggedAt = 0;

/** Counts every lost click, and logs one a second. */
export function countLost(clicks: number, error: unknown): void {
  counters.lost += clicks;
  const now = Date.now();
  if (now < lostLoggedAt + lostLoggedEveryMs) return;
  lostLoggedAt = now;
  log.error({ event: "clicks.lost", sinceStart: counters.lost, error: String(error) });
}
