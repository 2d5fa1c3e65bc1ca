import { expect, test } from "vitest";
import { nextAllowed, quietOf, timeOf } from "./quiet.ts";

const night = quietOf({ from: "21:00", until: "08:00" });
const at = (text: string) => Date.parse(text);
const next = (country: string, text: string) => {
  const found = nextAllowed(night, country, "Asia/Shanghai", at(text));
  return found === undefined ? undefined : new Date(found).toISOString();
};

test.each([
  ["08:00 in the morning", "2026-01-31T00:00:00Z", "2026-01-31T00:00:00.000Z"],
  ["20:59 in the evening", "2026-01-31T12:59:59Z", "2026-01-31T12:59:59.000Z"],
  ["21:00 in the evening", "2026-01-31T13:00:00Z", "2026-02-01T00:00:00.000Z"],
  ["07:59 in the morning", "2026-01-30T23:59:00Z", "2026-01-31T00:00:00.000Z"],
])("in Singapore, at %s", (_, now, expected) => {
  expect(next("SG", now)).toBe(expected);
});

test("a country with several time zones waits for the last one that is quiet", () => {
  // 08:00 in Honolulu is 18:00 UTC.
  expect(next("US", "2026-01-31T14:00:00Z")).toBe("2026-01-31T18:00:00.000Z");
  // 21:00 in New York is 02:00 UTC.
  expect(next("US", "2026-02-01T01:59:00Z")).toBe("2026-02-01T01:59:00.000Z");
  expect(next("US", "2026-02-01T02:00:00Z")).toBe("2026-02-01T18:00:00.000Z");
});

test("daylight saving time is that of the day", () => {
  expect(next("DE", "2026-01-31T03:00:00Z")).toBe("2026-01-31T07:00:00.000Z");
  expect(next("DE", "2026-07-31T03:00:00Z")).toBe("2026-07-31T06:00:00.000Z");
});

test("a phone of no country has the time zone of the workspace", () => {
  expect(next("", "2026-01-30T20:00:00Z")).toBe("2026-01-31T00:00:00.000Z");
});

test("hours that never leave time in all zones of a country have no next moment", () => {
  const most = quietOf({ from: "10:00", until: "09:00" });
  expect(nextAllowed(most, "US", "UTC", at("2026-01-31T00:00:00Z"))).toBeUndefined();
  expect(nextAllowed(most, "SG", "UTC", at("2026-01-31T00:00:00Z"))).toBe(
    at("2026-01-31T01:00:00Z"),
  );
  expect(nextAllowed(null, "US", "UTC", 5)).toBe(5);
});

test("minutes of the day are written as times", () => {
  expect([timeOf(0), timeOf(485), timeOf(1_439)]).toEqual(["00:00", "08:05", "23:59"]);
});
