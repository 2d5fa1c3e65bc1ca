/** Periods in the calendars of many zones, and their limits. */
import { beforeAll, describe, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { putClicks } from "../../../test/clicks.ts";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { answerQuery } from "./ask.ts";
import { bucketsOf, periodOf } from "./period.ts";
import {
  analyticsQuery,
  bucketsMax,
  type CountedGroup,
  filterValuesMax,
  periodDaysMax,
} from "./schema.ts";

openTestStores();

const dayMs = 86_400_000;
const hourMs = 3_600_000;
let scope: WorkspaceScope;
let linkId: string;

beforeAll(async () => {
  scope = await makeTestScope("clock");
  await openLinks();
  const [link] = await make(scope, [{ url: "https://example.com/" }]);
  linkId = String(link?.id);
});

async function ask(request: Record<string, string>, now?: Date): Promise<CountedGroup[]> {
  const parsed = analyticsQuery.parse({ groupBy: "timeseries", ...request });
  const { answer } = await answerQuery(scope, parsed, now);
  return Array.isArray(answer) ? answer : [answer];
}

/** For a zone with clock changes: the last day that was longer, and the last that was shorter. */
function turningDays(zone: string): { day: string; hours: number }[] {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  const hours = new Map<string, number>();
  const begin = Math.floor(Date.now() / dayMs - 370) * dayMs;
  for (let at = begin; at < Date.now() - 3 * dayMs; at += hourMs) {
    const day = format.format(at);
    hours.set(day, (hours.get(day) ?? 0) + 1);
  }
  const turning = [...hours].slice(1, -1).filter(([, count]) => count !== 24);
  return turning.slice(-2).map(([day, count]) => ({ day, hours: count }));
}

describe.each(["America/New_York", "America/St_Johns"])(
  "across changes of the clock: %s",
  (timezone) => {
    const days = turningDays(timezone);

    test.each(days)("$day has $hours hours, each with its own clicks", async ({ day, hours }) => {
      expect([23, 25]).toContain(hours);
      const [bounds] = await query<{ from: Date; until: Date }>({
        text: "SELECT $1::timestamp AT TIME ZONE $2 AS from, ($1::timestamp + interval '1 day') AT TIME ZONE $2 AS until",
        values: [day, timezone],
      });
      if (!bounds) throw new Error("no bounds");
      const { workspacePk } = scope;
      await query({
        text: "DELETE FROM analytics.click WHERE workspace_pk = $1",
        values: [workspacePk],
      });
      // Four an hour, one before the day and one after it.
      const clicks = { workspacePk, count: hours * 4 + 2 };
      const step = hourMs / 4;
      const from = new Date(bounds.from.getTime() - step / 2);
      await putClicks({ ...clicks, from, until: new Date(from.getTime() + clicks.count * step) });
      await query({
        text: "UPDATE analytics.click SET bot = false WHERE workspace_pk = $1",
        values: [workspacePk],
      });
      const series = await ask({ start: day, end: day, timezone });
      expect(series.map(({ clicks: count }) => count)).toEqual(Array(hours).fill(4));
      expect(new Set(series.map(({ start }) => start)).size).toBe(hours);
      const weeks = await ask({ start: plus(day, -3), end: plus(day, 3), timezone });
      expect(weeks.map(({ clicks: count }) => count)).toEqual([0, 0, 1, hours * 4, 1, 0, 0]);
      const [total] = await ask({ start: day, end: day, timezone, groupBy: "count" });
      expect(total?.clicks).toBe(hours * 4);
      const heat = await ask({ start: day, end: day, timezone, groupBy: "hours" });
      expect(heat.filter(({ clicks: count }) => count > 0)).toHaveLength(hours === 25 ? 24 : 23);
    });

    test.each(days)(
      "the previous day of $day is compared with it, hour by hour",
      async ({ day }) => {
        const request = { start: day, end: day, timezone };
        const { from, previous } = await periodOf(
          request,
          { workspacePk: 1, keptDays: null },
          new Date(),
        );
        expect(previous?.until).toBe(from);
        expect(from - (previous?.from ?? 0)).toBe(24 * hourMs);
      },
    );
  },
);

function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

describe("named intervals", () => {
  // A quarter to four in the night after the clocks of New York were turned back.
  const now = new Date("2026-11-02T08:45:00Z");

  test.each([
    ["24h", "America/New_York", "2026-11-01T09:00:00.000Z", 24, "hour"],
    ["7d", "America/New_York", "2026-10-27T04:00:00.000Z", 7, "day"],
    ["30d", "Asia/Kathmandu", "2026-10-03T18:15:00.000Z", 30, "day"],
    ["90d", "Asia/Shanghai", "2026-08-04T16:00:00.000Z", 90, "day"],
    ["1y", "America/St_Johns", "2025-12-01T03:30:00.000Z", 12, "month"],
    ["mtd", "Asia/Kolkata", "2026-10-31T18:30:00.000Z", 39, "hour"],
    ["qtd", "UTC", "2026-10-01T00:00:00.000Z", 33, "day"],
    ["ytd", "UTC", "2026-01-01T00:00:00.000Z", 11, "month"],
  ] as const)(
    "%s in %s begins at %s and has %i buckets",
    async (interval, timezone, from, count, unit) => {
      const bounds = { workspacePk: scope.workspacePk, keptDays: null };
      const period = await periodOf({ interval, timezone }, bounds, now);
      expect([new Date(period.from).toISOString(), period.unit]).toEqual([from, unit]);
      const buckets = await bucketsOf(period.unit, timezone, period);
      expect([buckets.length, buckets[0]?.start.toISOString()]).toEqual([count, from]);
      // Only the last one is not over yet.
      expect(buckets.filter((one) => one.until > now)).toEqual(buckets.slice(-1));
      expect(buckets.slice(0, -1).map((one) => one.until)).toEqual(
        buckets.slice(1).map((one) => one.start),
      );
      expect(period.previous?.until).toBeLessThanOrEqual(period.from);
    },
  );

  test("where clocks change at midnight, each day ends where the next one begins", async () => {
    const period = {
      from: Date.parse("2026-04-22T22:00Z"),
      until: Date.parse("2026-04-26T12:00Z"),
    };
    const buckets = await bucketsOf("day", "Africa/Cairo", period);
    expect(buckets.map(({ start }) => start.toISOString())).toEqual([
      "2026-04-22T22:00:00.000Z",
      "2026-04-23T22:00:00.000Z",
      "2026-04-24T21:00:00.000Z",
      "2026-04-25T21:00:00.000Z",
    ]);
    expect(buckets.slice(0, -1).map(({ until }) => until)).toEqual(
      buckets.slice(1).map(({ start }) => start),
    );
  });

  test("today ends now and is compared with the same hours of yesterday; yesterday is whole", async () => {
    const bounds = { workspacePk: scope.workspacePk, keptDays: null };
    const timezone = "America/New_York";
    const today = await periodOf({ interval: "today", timezone }, bounds, now);
    expect(texts(today)).toEqual(["2026-11-02T05:00:00.000Z", now.toISOString()]);
    // The clock was turned back in the night before: the same hour of the clock is 25 hours away or less.
    expect(texts(today.previous)).toEqual(["2026-11-01T04:00:00.000Z", "2026-11-01T08:45:00.000Z"]);
    const yesterday = await periodOf({ interval: "yesterday", timezone }, bounds, now);
    expect(texts(yesterday)).toEqual(["2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"]);
    expect(texts(yesterday.previous)).toEqual([
      "2026-10-31T04:00:00.000Z",
      "2026-11-01T04:00:00.000Z",
    ]);
    expect([today.unit, yesterday.unit]).toEqual(["hour", "hour"]);
  });

  test("a period is compared with the same dates a year earlier, unless the plan kept fewer days", async () => {
    const request = { interval: "7d", timezone: "America/New_York" } as const;
    const { workspacePk } = scope;
    const { yearBefore } = await periodOf(request, { workspacePk, keptDays: null }, now);
    expect(texts(yearBefore)).toEqual(["2025-10-27T04:00:00.000Z", "2025-11-02T08:45:00.000Z"]);
    const short = await periodOf(request, { workspacePk, keptDays: 365 }, now);
    expect(short.yearBefore).toBeUndefined();
    expect(short.previous).toBeDefined();
    const all = await periodOf(
      { ...request, interval: "all" },
      { workspacePk, keptDays: null },
      now,
    );
    expect(all.yearBefore).toBeUndefined();
  });

  test("the plan's retention limits the period, and removes a comparison that would be incomplete", async () => {
    const request = { interval: "30d", timezone: "UTC" } as const;
    const bounds = { workspacePk: scope.workspacePk, keptDays: 10 };
    const { from, previous } = await periodOf(request, bounds, now);
    expect(new Date(from).toISOString()).toBe("2026-10-23T08:45:00.000Z");
    expect(previous).toBeUndefined();
  });
});

function texts(period: { from: number; until: number } | undefined): string[] {
  return period ? [period.from, period.until].map((ms) => new Date(ms).toISOString()) : [];
}

describe("buckets of a requested length", () => {
  const start = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

  test("are whole weeks from Monday, and add up to the total like all others", async () => {
    const { workspacePk } = scope;
    const until = new Date(Date.now() - dayMs);
    const from = new Date(until.getTime() - 20 * dayMs);
    await query({
      text: "DELETE FROM analytics.click WHERE workspace_pk = $1",
      values: [workspacePk],
    });
    await putClicks({ workspacePk, count: 60, from, until });
    const request = { start: start(24), timezone: "Asia/Kolkata", interval: "30d" };
    const sums = new Map<string, number>();
    for (const granularity of ["hour", "day", "week", "month"]) {
      const series = await ask({ ...request, granularity });
      sums.set(
        granularity,
        series.reduce((sum, { clicks }) => sum + clicks, 0),
      );
      if (granularity !== "week") continue;
      const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "Asia/Kolkata" });
      const days = series.map((one) => weekday.format(new Date(String(one["start"]))));
      expect(new Set(days)).toEqual(new Set(["Monday"]));
    }
    const [total] = await ask({ ...request, groupBy: "count" });
    expect(total?.clicks).toBeGreaterThan(0);
    expect([...sums.values()]).toEqual(Array(4).fill(total?.clicks));
  });

  test(`are at most ${bucketsMax}, and one more is refused`, async () => {
    const until = "2026-01-01T00:00:00Z";
    const since = (days: number) => new Date(Date.parse(until) - days * dayMs).toISOString();
    const request = { end: until, granularity: "day" };
    expect(await ask({ ...request, start: since(bucketsMax) })).toHaveLength(bucketsMax);
    await expect(ask({ ...request, start: since(bucketsMax + 1) })).rejects.toMatchObject({
      code: "unprocessable_entity",
      message: expect.stringContaining("week or month"),
    });
  });

  test("are no hours where only days are kept", async () => {
    const hours = { granularity: "hour", timezone: "UTC" };
    expect(await ask({ ...hours, start: start(90), end: start(90) })).toHaveLength(24);
    await expect(ask({ ...hours, start: start(95), end: start(95) })).rejects.toMatchObject({
      code: "unprocessable_entity",
      message: expect.stringContaining("93 days"),
    });
  });
});

describe("limits", () => {
  const until = "2026-01-01T00:00:00Z";
  const ago = (ms: number) => new Date(Date.parse(until) - ms).toISOString();

  test(`a period has ${periodDaysMax} days, and not a second more`, async () => {
    const longest = { start: ago(periodDaysMax * dayMs), end: until };
    expect((await ask(longest)).length).toBeGreaterThan(100);
    const longer = { start: ago(periodDaysMax * dayMs + 1_000), end: until };
    await expect(ask(longer)).rejects.toMatchObject({ code: "unprocessable_entity" });
  });

  test(`a filter has ${filterValuesMax} values, and not one more`, async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `os ${at}`).join(",");
    const count = { groupBy: "count", linkId };
    expect(await ask({ ...count, os: names(filterValuesMax) })).toMatchObject([{ clicks: 0 }]);
    await expect(ask({ ...count, os: names(filterValuesMax + 1) })).rejects.toMatchObject({
      code: "unprocessable_entity",
      message: expect.stringContaining("os"),
    });
  });

  test("a filter has 8,192 characters, and not one more", () => {
    expect(analyticsQuery.safeParse({ os: "x".repeat(8_192) }).success).toBe(true);
    expect(analyticsQuery.safeParse({ os: "x".repeat(8_193) }).success).toBe(false);
  });

  test("an answer has 1,000 rows, and not one more", () => {
    expect(analyticsQuery.safeParse({ limit: "1000" }).success).toBe(true);
    expect(analyticsQuery.safeParse({ limit: "1001" }).success).toBe(false);
  });
});

describe.each(["Asia/Shanghai", "America/St_Johns"])("buckets that are running: %s", (timezone) => {
  /** In the morning of the second day of a month, and of a week. */
  const now = new Date("2026-06-02T15:20:00Z");
  const partsAt = async (granularity: string, moment: Date, period: Record<string, string>) =>
    (await ask({ granularity, timezone, ...period }, moment)).map(({ partial }) => partial);

  test.each([
    ["hour", "24h"],
    ["day", "7d"],
    ["week", "90d"],
    ["month", "1y"],
  ])("of the last %ss only the last one is", async (granularity, interval) => {
    const parts = await partsAt(granularity, now, { interval });
    expect(parts.length).toBeGreaterThan(6);
    expect(parts.at(-1)).toBe(true);
    expect(parts.slice(0, -1)).not.toContain(true);
  });

  test("a day is over at the midnight of the zone, not a moment before", async () => {
    const [bounds] = await query<{ midnight: Date }>({
      text: "SELECT '2026-06-02'::timestamp AT TIME ZONE $1 AS midnight",
      values: [timezone],
    });
    const midnight = bounds?.midnight.getTime() ?? 0;
    const period = { start: "2026-05-31", end: "2026-06-02" };
    const before = await partsAt("day", new Date(midnight - 1), period);
    expect(before).toEqual([false, true, true]);
    expect(await partsAt("day", new Date(midnight), period)).toEqual([false, false, true]);
  });
});
