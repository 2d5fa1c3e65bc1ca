import { beforeAll, expect, test } from "vitest";
import { openPlaces, parseAgent, parseLanguage, placeOf } from "#lib/agents";

beforeAll(openPlaces);

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1";

test("a browser is a person with device, browser and system", () => {
  expect(parseAgent(iphone)).toEqual({
    bot: false,
    device: "Mobile",
    browser: "Safari",
    os: "iOS",
  });
});

test("crawlers, command lines and silence are bots", () => {
  for (const agent of ["Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.5.0", ""]) {
    expect(parseAgent(agent).bot).toBe(true);
  }
});

test("the first language counts, without its region", () => {
  expect(parseLanguage("de-DE,de;q=0.9,en;q=0.8")).toBe("de");
  expect(parseLanguage("zh-CN")).toBe("zh");
  for (const none of ["", "*", "1234", "toolong-XX"]) expect(parseLanguage(none)).toBeNull();
});

test("an address is in its country; one that is nowhere is nowhere", () => {
  expect(placeOf("81.2.69.142")).toMatchObject({ country: "GB", continent: "EU" });
  expect(placeOf("::ffff:8.8.8.8")).toMatchObject({ country: "US", continent: "NA" });
  for (const none of ["127.0.0.1", "10.0.0.1", "::1", "", "not an address"]) {
    expect(placeOf(none)).toEqual({ continent: null, country: null, city: null });
  }
});
