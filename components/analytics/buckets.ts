import type { DateTimeFormatOptions } from "next-intl";

const hourMs = 3_600_000;

/** The date format of buckets: as short as their distance allows. */
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

/** The relative change of a number; undefined without a comparison. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  return before ? (now - before) / before : undefined;
}
