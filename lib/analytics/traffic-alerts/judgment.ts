/** Compares the clicks of some hours with those of the same hours in the weeks before. */
import type { TrafficAlert, TrafficChange } from "./schema.ts";

/** With fewer clicks, chance alone makes such changes. */
export const clicksMin = 100;

/** The median, so that one unusual week does not hide or cause an alert. */
export function usualOf(before: readonly number[]): number {
  const sorted = [...before].sort((a, b) => a - b);
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  return ((sorted[low] ?? 0) + (sorted[high] ?? 0)) / 2;
}

/** A change must also exceed every single week before. */
export function changeIn(
  clicks: number,
  before: readonly number[],
  { riseTimes, fallPercent }: TrafficAlert,
): TrafficChange | undefined {
  const usual = usualOf(before);
  // defence: traffic-alerts-need-clicks
  const rises =
    riseTimes !== null &&
    clicks >= clicksMin &&
    clicks >= usual * riseTimes &&
    clicks > Math.max(...before);
  if (rises) return "rise";
  const falls =
    fallPercent !== null &&
    usual >= clicksMin &&
    clicks <= usual * (1 - fallPercent / 100) &&
    clicks < Math.min(...before);
  return falls ? "fall" : undefined;
}
