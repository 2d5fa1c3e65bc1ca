import fc from "fast-check";
import { expect, test } from "vitest";
import { instantIn, localIn, presetDays } from "./schema.ts";

const zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"];

test("every minute in a zone comes back as the same instant, except the hour that occurs twice", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 }),
      (zone, minute) => {
        const instant = new Date(minute * 60_000).toISOString();
        const local = localIn(zone, instant);
        expect(localIn(zone, instantIn(zone, local))).toBe(local);
      },
    ),
  );
});

test("a time is one of the workspace’s zone, across the change of clocks", () => {
  expect(instantIn("Europe/Berlin", "2026-01-31T12:00")).toBe("2026-01-31T11:00:00.000Z");
  expect(instantIn("Europe/Berlin", "2026-07-31T12:00")).toBe("2026-07-31T10:00:00.000Z");
  expect(instantIn("America/New_York", "2026-11-22T23:59")).toBe("2026-11-23T04:59:00.000Z");
  expect(localIn("Asia/Shanghai", "2026-01-31T20:30:10.000Z")).toBe("2026-02-01T04:30");
});

test("a time that the clock skips is an hour later, and one that occurs twice is the first", () => {
  expect(instantIn("Europe/Berlin", "2026-03-29T02:30")).toBe("2026-03-29T01:30:00.000Z");
  expect(instantIn("Europe/Berlin", "2026-10-25T02:30")).toBe("2026-10-25T00:30:00.000Z");
});

test("invalid text stays as it is, so that it is refused", () => {
  expect(instantIn("UTC", "soon")).toBe("soon");
  expect(instantIn("UTC", "")).toBeNull();
  expect(localIn("UTC", null)).toBe("");
});

test("presets count days of the zone, and end with the last day of a month", () => {
  expect(presetDays("UTC", Date.parse("2026-01-31T12:00:00Z"))).toEqual({
    tomorrow: "2026-02-01",
    week: "2026-02-07",
    monthEnd: "2026-01-31",
    month: "2026-02-28",
  });
  // It is already the next day, month and year there.
  expect(presetDays("Asia/Tokyo", Date.parse("2026-12-31T16:00:00Z"))).toEqual({
    tomorrow: "2027-01-02",
    week: "2027-01-08",
    monthEnd: "2027-01-31",
    month: "2027-02-01",
  });
});
