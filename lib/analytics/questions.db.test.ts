import { expect, test } from "vitest";
import { openTestStores } from "../../scripts/test-stores.ts";
import { seriesOf } from "./questions.ts";

openTestStores();

test("days of a series begin at midnight of the zone, also across daylight saving", async () => {
  const now = new Date("2026-03-30T12:00:00Z");
  const points = await seriesOf({ workspacePk: 1, zone: "UTC" }, 1, "7d", "Europe/Berlin", now);
  expect(points.map((point) => point.start)).toEqual([
    "2026-03-23T23:00:00.000Z",
    "2026-03-24T23:00:00.000Z",
    "2026-03-25T23:00:00.000Z",
    "2026-03-26T23:00:00.000Z",
    "2026-03-27T23:00:00.000Z",
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
  ]);
});
