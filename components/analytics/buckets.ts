import type { DateTimeFormatOptions } from "next-intl";

const hourMs = 3_600_000;

/** How the begin of a bucket is written: as short as the distance of two allows. */
export function bucketFormat(
  points: readonly { start: string }[],
  timeZone: string,
): DateTimeFormatOptions {
  const [first, second] = points.map(({ start }) => Date.parse(start));
  const step = first === undefined || second === undefined ? 0 : second - first;
  if (step < 23 * hourMs) return { hour: "2-digit", minute: "2-digit", timeZone };
  if (step > 27 * 24 * hourMs) return { month: "short", year: "numeric", timeZone };
  return { month: "short", day: "numeric", timeZone };
}

/** By how much a number changed, as a part of what it was; undefined when there is nothing to compare it with. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  return before ? (now - before) / before : undefined;
}
