import { expect, test } from "vitest";
import type { Rule } from "#lib/links/link-cache/schema";
import { parseAgent } from "#lib/platform/request-info";
import { giveSettings } from "../../../test/settings.ts";
import { tryVisit } from "./index.ts";
import { compileRule, ruleMatches } from "./rules.ts";
import { choiceReasons, tryBody } from "./schema.ts";

giveSettings();

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";
const vienna = { continent: "EU", country: "AT", region: "AT-9", city: "Vienna" };

function matches(rule: Omit<Rule, "url">, visitor: { language?: string; now?: number } = {}) {
  const request = { agent: parseAgent(iphone), place: vienna, language: "de-AT,de;q=0.9", now: 0 };
  return ruleMatches(compileRule({ ...rule, url: "https://a.example/" }), {
    ...request,
    ...visitor,
  });
}

test("conditions are compared without regard to case, and all of them must hold", () => {
  expect(matches({ os: ["ios"] })).toBe(true);
  expect(matches({ browser: ["safari"], device: ["mobile"] })).toBe(true);
  expect(matches({ browser: ["safari"], device: ["desktop"] })).toBe(false);
  expect(matches({ country: ["DE", "AT"], city: ["vienna"] })).toBe(true);
  expect(matches({ country: ["DE"], city: ["vienna"] })).toBe(false);
  expect(matches({ region: ["DE-BY", "AT-9"] })).toBe(true);
  expect(matches({ region: ["AT-8"] })).toBe(false);
});

test("a language also matches its regional forms, not the other way round", () => {
  expect(matches({ language: ["de"] })).toBe(true);
  expect(matches({ language: ["de-at"] })).toBe(true);
  expect(matches({ language: ["de-at"] }, { language: "de" })).toBe(false);
  expect(matches({ language: ["de"] }, { language: "den" })).toBe(false);
  expect(matches({ language: ["de"] }, { language: "en,de" })).toBe(false);
  expect(matches({ language: ["de"] }, { language: "" })).toBe(false);
});

test.each([
  ["2026-01-05T08:00:00Z", "09:00", "17:00", [1], true],
  ["2026-01-05T07:59:59Z", "09:00", "17:00", [1], false],
  ["2026-01-05T15:59:59Z", "09:00", "17:00", [1], true],
  ["2026-01-05T16:00:00Z", "09:00", "17:00", [1], false],
  ["2026-01-05T10:00:00Z", "09:00", "17:00", [2], false],
  // Over midnight the window belongs to the day on which it started; from Sunday to Monday too.
  ["2026-01-05T22:00:00Z", "22:00", "06:00", [1], true],
  ["2026-01-06T04:59:00Z", "22:00", "06:00", [1], true],
  ["2026-01-06T05:00:00Z", "22:00", "06:00", [1], false],
  ["2026-01-05T04:00:00Z", "22:00", "06:00", [1], false],
  ["2026-01-05T04:00:00Z", "22:00", "06:00", [7], true],
  // Summer time: two hours ahead of UTC
  ["2026-07-06T07:00:00Z", "09:00", "17:00", [1], true],
])("at %s it is between %s and %s in Berlin on days %j: %s", (at, from, until, days, expected) => {
  const time = { zone: "Europe/Berlin", from, until, days };
  expect(matches({ time }, { now: Date.parse(at) })).toBe(expected);
});

const link = {
  url: "https://a.example/",
  rules: [
    { url: "https://a.example/shop", country: ["DE"], os: ["android"] },
    {
      url: "https://a.example/morning",
      device: ["mobile"],
      language: ["de"],
      time: { zone: "Europe/Berlin", from: "09:00", until: "12:00" },
    },
  ],
};
const german = { userAgent: iphone, language: "de-DE", country: "DE", at: "2026-01-05T08:00:00Z" };
const tried = (more: object, visitor: object = german) =>
  tryVisit(tryBody.parse({ link: { ...link, ...more }, visitor }));

test("a dry run names the rule that applies, and the unmet conditions of the others", () => {
  expect(tried({})).toEqual({
    url: "https://a.example/morning",
    reason: "rule",
    rule: 1,
    rules: [
      { holds: false, failed: ["os"] },
      { holds: true, failed: [] },
    ],
    variants: null,
    visitor: { device: "Mobile", os: "iOS", browser: "Safari", app: null },
  });
  expect(tried({}, { at: "2026-01-05T11:00:00Z" })).toMatchObject({
    url: "https://a.example/",
    reason: "url",
    rule: null,
    rules: [{ failed: ["os", "country"] }, { failed: ["device", "language", "time"] }],
    visitor: { device: null, os: null, browser: null, app: null },
  });
});

test("without a matching rule the system decides, then the country, then a running test, then the url", () => {
  const geo = { DE: "https://a.example/de" };
  const testVariants = [
    { url: "https://a.example/a", percentage: 60 },
    { url: "https://a.example/b", percentage: 40 },
  ];
  const rest = { rules: [], geo, testVariants };
  expect(tried({ ...rest, ios: "tel:110" })).toMatchObject({ reason: "ios", url: "tel:110" });
  expect(tried(rest)).toMatchObject({ reason: "geo", url: geo.DE });
  expect(tried({ ...rest, geo: null })).toMatchObject({
    reason: "test",
    url: null,
    variants: testVariants,
  });
  const over = { testCompletedAt: german.at };
  expect(tried({ ...rest, ...over, geo: null })).toMatchObject({ reason: "url", url: link.url });
});

test("a destination is chosen in the order that the form names: rules, device, country, test, url", () => {
  const to = (name: string) => `https://${name}.example/`;
  const all = {
    url: to("url"),
    rules: [{ os: ["ios"], url: to("rule") }],
    ios: to("ios"),
    geo: { AT: to("geo") },
    testVariants: [
      { url: to("one"), percentage: 50 },
      { url: to("two"), percentage: 50 },
    ],
  };
  const visitor = { userAgent: iphone, language: "", country: "AT" };
  const reasonWithout = (...names: (keyof typeof all)[]) => {
    const link = Object.fromEntries(
      Object.entries(all).filter(([name]) => !names.some((one) => one === name)),
    );
    return tryVisit(tryBody.parse({ link, visitor })).reason;
  };
  // An iPhone has no Android destination.
  expect(choiceReasons.filter((reason) => reason !== "android")).toEqual([
    reasonWithout(),
    reasonWithout("rules"),
    reasonWithout("rules", "ios"),
    reasonWithout("rules", "ios", "geo"),
    reasonWithout("rules", "ios", "geo", "testVariants"),
  ]);
});
