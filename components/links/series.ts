import type { DateTimeFormatOptions } from "next-intl";
import type { Interval, Point } from "#lib/analytics/schema";

/** How the beginning of a bucket is written: as short as the interval allows. */
export function bucketFormat(interval: Interval, timeZone: string): DateTimeFormatOptions {
  if (interval === "24h") return { hour: "2-digit", minute: "2-digit", timeZone };
  if (interval === "1y") return { month: "short", year: "numeric", timeZone };
  return { month: "short", day: "numeric", timeZone };
}

export function sumOf(points: readonly Point[]): { clicks: number; visitors: number } {
  return points.reduce(
    (sum, { clicks, visitors }) => ({
      clicks: sum.clicks + clicks,
      visitors: sum.visitors + visitors,
    }),
    { clicks: 0, visitors: 0 },
  );
}
