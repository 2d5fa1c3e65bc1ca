import { describe, expect, test } from "vitest";
import {
  apiQueryOf,
  granularitiesFor,
  intervalsWithin,
  parseBoardQuery,
  replaceFilter,
  toggleValue,
  writeBoardQuery,
} from "./board-query.ts";

const read = (text: string) => parseBoardQuery(new URLSearchParams(text));
const again = (text: string) => writeBoardQuery(new URLSearchParams(text), read(text)).toString();

describe("an address", () => {
  test.each([
    "",
    "interval=7d",
    "start=2026-01-01&end=2026-01-31",
    "country=DE%2CFR&referer=-t.co&compare=off&bots=on",
    "places=cities&linkId=link_1",
    "interval=today&compare=year&granularity=hour&timezone=Asia%2FTokyo",
  ])("%s is read and written back", (text) => {
    expect(again(text)).toBe(text);
    expect(read(again(text))).toEqual(read(text));
  });

  test("keeps unrelated parameters, and leaves out invalid ones", () => {
    expect(again("places=cities&interval=nonsense&country=&start=2026-02-01&end=2026-01-01")).toBe(
      "places=cities",
    );
    expect(read("start=2026-13-01&end=2026-14-01").period).toEqual({ interval: "30d" });
    expect(read("device=-").filters).toEqual([]);
    expect(again("timezone=Mars%2FOlympus&granularity=minute&compare=never")).toBe("");
    expect(again("timezone=%2B02%3A00")).toBe("");
  });
});

test("the query of the API has the period, the zone and the filters, and nothing of the view", () => {
  const query = read("interval=7d&country=-DE,FR&places=cities&bots=on");
  expect(apiQueryOf(query, "Asia/Shanghai").toString()).toBe(
    "interval=7d&timezone=Asia%2FShanghai&country=-DE%2CFR",
  );
});

test("a value is added, removed again, and ends an exclusion", () => {
  const one = toggleValue([], "country", "DE");
  const two = toggleValue(one, "country", "FR");
  expect(two).toEqual([{ name: "country", excluded: false, values: ["DE", "FR"] }]);
  expect(toggleValue(toggleValue(two, "country", "DE"), "country", "FR")).toEqual([]);
  const without = replaceFilter(two, { name: "country", excluded: true, values: ["US"] });
  expect(toggleValue(without, "country", "FR")).toEqual([
    { name: "country", excluded: false, values: ["FR"] },
  ]);
});

describe("the lengths of buckets that are offered", () => {
  const now = Date.parse("2026-06-15T12:00:00Z");

  test.each([
    ["today", ["hour"]],
    ["7d", ["hour", "day"]],
    ["30d", ["hour", "day", "week"]],
    ["90d", ["day", "week", "month"]],
    ["all", ["week", "month"]],
  ] as const)("for %s are %j", (interval, offered) => {
    expect(granularitiesFor({ interval }, now)).toEqual(offered);
  });

  test("are no hours for days whose hours are gone, and no days for many years", () => {
    expect(granularitiesFor({ start: "2026-06-01", end: "2026-06-02" }, now)).toContain("hour");
    expect(granularitiesFor({ start: "2026-01-01", end: "2026-01-02" }, now)).not.toContain("hour");
    expect(granularitiesFor({ start: "2020-01-01", end: "2026-01-02" }, now)).not.toContain("day");
  });
});

test("a limit of seven days offers today, yesterday and a week", () => {
  expect(intervalsWithin(7)).toEqual(["today", "yesterday", "24h", "7d"]);
});
