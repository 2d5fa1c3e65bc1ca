import { expect, test } from "vitest";
import { codePools } from "#lib/platform/codes";
import {
  averagedDays,
  codesPerDay,
  forecastDaysMax,
  forecastPools,
  growthPerDay,
  type RecordedDay,
} from "./forecast.ts";

const today = 20_000;
const shortSize = codePools[0]?.size ?? 0;
const longSize = codePools[1]?.size ?? 0;

function day(ago: number, values: Partial<RecordedDay> = {}): RecordedDay {
  return { nth: today - ago, links: 0, codesLeased: null, databaseBytes: null, ...values };
}

test("growth is the average of up to 30 days, and unknown before the second day", () => {
  const now = { nth: today, value: 4_000 };
  const size = (ago: number, databaseBytes: number) => day(ago, { databaseBytes });
  expect(growthPerDay([], "databaseBytes", now)).toBe(null);
  expect(growthPerDay([size(0, 4_000)], "databaseBytes", now)).toBe(null);
  expect(growthPerDay([size(1, 3_000)], "databaseBytes", now)).toBe(1_000);
  const oldest = size(averagedDays, 1_000);
  expect(growthPerDay([oldest], "databaseBytes", now)).toBe(100);
  expect(growthPerDay([day(averagedDays + 1), oldest], "databaseBytes", now)).toBe(100);
  const older = size(averagedDays + 1, 0);
  expect(growthPerDay([older, size(10, 3_000)], "databaseBytes", now)).toBe(100);
  expect(growthPerDay([size(1, 9_000)], "databaseBytes", now)).toBe(0);
});

test("the speed is the greater of links and leased slugs per day, without the day that runs", () => {
  const days = [
    day(averagedDays + 1, { links: 9_000_000 }),
    day(2, { links: 10, codesLeased: 0 }),
    day(1, { links: 30 }),
    day(0, { links: 5_000 }),
  ];
  expect(codesPerDay(days, { nth: today, value: 0 })).toBe(20);
  expect(codesPerDay(days, { nth: today, value: 65_536 })).toBe(32_768);
  expect(codesPerDay([], { nth: today, value: 65_536 })).toBe(0);
});

test("slugs of each length are used up one after the other, and a date beyond 10 years is not given", () => {
  expect(forecastPools(0, 0)).toEqual([
    { length: 6, leased: 0, left: shortSize, endsInDays: null },
    { length: 7, leased: 0, left: longSize, endsInDays: null },
  ]);
  const perDay = shortSize / forecastDaysMax;
  expect(forecastPools(0, perDay)[0]?.endsInDays).toBe(forecastDaysMax);
  expect(forecastPools(0, shortSize / (forecastDaysMax + 1))[0]?.endsInDays).toBe(null);
  const beyond = forecastPools(shortSize + longSize - 1_000, 100);
  expect(beyond).toEqual([
    { length: 6, leased: shortSize, left: 0, endsInDays: 0 },
    { length: 7, leased: longSize - 1_000, left: 1_000, endsInDays: 10 },
  ]);
});
