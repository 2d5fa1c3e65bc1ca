import type { DateTimeFormatOptions } from "next-intl";
import { dayMs, hourMs } from "#lib/basics/time/schema";

export function bucketFormat(
  points: readonly { start: string }[],
  timeZone: string,
): DateTimeFormatOptions {
  const [first, second] = points.map(({ start }) => Date.parse(start));
  const last = Date.parse(points.at(-1)?.start ?? "");
  const step = first === undefined || second === undefined ? 0 : second - first;
  if (step < 23 * hourMs) {
    // Hours that span several days need the day too.
    const day = last - (first ?? last) > 25 * hourMs;
    const date = day ? ({ month: "short", day: "numeric" } as const) : {};
    return { ...date, hour: "2-digit", minute: "2-digit", timeZone };
  }
  if (step > 27 * 24 * hourMs) return { month: "short", year: "numeric", timeZone };
  return { month: "short", day: "numeric", timeZone };
}

/**
 * Separates finished buckets from the one that is still running. A period may also have buckets that have not begun. The server
 * calls these partial too, but they are in neither group.
 */
export function divideBuckets<One extends { partial: boolean }>(
  points: readonly One[],
): { finished: readonly One[]; running: One | undefined } {
  const at = points.findIndex(({ partial }) => partial);
  return at < 0
    ? { finished: points, running: undefined }
    : { finished: points.slice(0, at), running: points[at] };
}

/** The relative change of a number; undefined without a comparison. */
export function changeOf(now: number, before: number | undefined): number | undefined {
  return before ? (now - before) / before : undefined;
}

/** Finds the annotations within the buckets. `part` is where the bucket is, as a fraction of the chart’s width. */
export function placeAnnotations<One extends { at: string }>(
  list: readonly One[],
  points: readonly { start: string }[],
): { annotation: One; part: number }[] {
  const starts = points.map(({ start }) => Date.parse(start));
  const [first, second] = starts;
  const last = starts.at(-1);
  if (first === undefined || last === undefined) return [];
  const end = last + (second === undefined ? dayMs : second - first);
  return list.flatMap((annotation) => {
    const at = Date.parse(annotation.at);
    if (at < first || at >= end) return [];
    const bucket = starts.findLastIndex((start) => start <= at);
    // A single bucket is in the middle.
    return [{ annotation, part: starts.length === 1 ? 0.5 : bucket / (starts.length - 1) }];
  });
}
