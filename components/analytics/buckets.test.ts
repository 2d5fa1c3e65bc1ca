import { describe, expect, test } from "vitest";
import { bucketFormat, divideBuckets, placeAnnotations } from "./buckets.ts";

const days = ["2026-06-01", "2026-06-02", "2026-06-03"].map((day) => ({
  start: `${day}T00:00:00.000Z`,
}));
const at = (text: string) => ({ at: text });
const partsOf = (texts: string[], points = days) =>
  placeAnnotations(texts.map(at), points).map(({ part }) => part);

describe("annotations on a chart", () => {
  test("are in the bucket of their moment, and left out before the first and after the last", () => {
    expect(
      partsOf(["2026-06-01T00:00:00Z", "2026-06-02T23:59:59Z", "2026-06-03T12:00:00Z"]),
    ).toEqual([0, 0.5, 1]);
    expect(partsOf(["2026-05-31T23:59:59Z", "2026-06-04T00:00:00Z"])).toEqual([]);
  });

  test("of a single bucket are in its middle, and without buckets there are none", () => {
    expect(partsOf(["2026-06-01T10:00:00Z"], days.slice(0, 1))).toEqual([0.5]);
    expect(partsOf(["2026-06-01T10:00:00Z"], [])).toEqual([]);
  });
});

test("hours name their day only where there are several days", () => {
  const hours = (count: number) =>
    Array.from({ length: count }, (_, hour) => ({
      start: new Date(Date.UTC(2026, 5, 1, hour)).toISOString(),
    }));
  expect(bucketFormat(hours(24), "UTC")).not.toHaveProperty("day");
  expect(bucketFormat(hours(48), "UTC")).toHaveProperty("day");
});

describe("buckets that are over, and the one that is running", () => {
  const pointsOf = (...partial: boolean[]) => partial.map((one, at) => ({ at, partial: one }));
  const divided = (...partial: boolean[]) => {
    const { finished, running } = divideBuckets(pointsOf(...partial));
    return [finished.map(({ at }) => at), running?.at];
  };

  test("are divided at the first that is not over, and those after it have not begun", () => {
    expect(divided(false, false, true)).toEqual([[0, 1], 2]);
    expect(divided(false, true, true, true)).toEqual([[0], 1]);
  });

  test("may be only over, only running, or none", () => {
    expect(divided(false, false)).toEqual([[0, 1], undefined]);
    expect(divided(true)).toEqual([[], 0]);
    expect(divided()).toEqual([[], undefined]);
  });
});
