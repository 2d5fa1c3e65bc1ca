import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { memoryBound } from "../../../test/bounds.ts";
import { openPlaces, parseAgent, parseLanguage, placeOf } from "./index.ts";
import { openRegions, regionOf } from "./regions.ts";

beforeAll(async () => {
  await openPlaces();
  // Needed for building the file of locations only.
  await openRegions();
});

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1";

test("a browser is a person with device, browser and system", () => {
  expect(parseAgent(iphone)).toEqual({
    bot: false,
    botKind: null,
    device: "Mobile",
    browser: "Safari",
    os: "iOS",
    app: null,
  });
});

test("crawlers, command lines and an empty agent are bots", () => {
  for (const agent of ["Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.5.0", ""]) {
    expect(parseAgent(agent).bot).toBe(true);
  }
});

test("of an agent 512 characters are read, and text behind them is ignored", () => {
  const bot = "Googlebot/2.1";
  expect(parseAgent(iphone.padEnd(512 - bot.length) + bot).bot).toBe(true);
  expect(parseAgent(iphone.padEnd(512) + bot)).toEqual(parseAgent(iphone));
  expect(parseAgent(iphone + "x-".repeat(32 * 1024))).toEqual(parseAgent(iphone));
});

test("of a long header only the truncated agent is cached", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 500; at++) {
    const header = Buffer.from(`${at} ${iphone}`.padEnd(100_000, "x")).toString("latin1");
    parseAgent(header.slice(0, 512));
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(memoryBound(500 * 10_000));
});

test("a fetch on behalf of a person is a preview or a scanner; the browser of an app is a person", () => {
  const kinds: [string, string | null][] = [
    ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "preview"],
    ["WhatsApp/2.23.20.0 A", "preview"],
    ["TelegramBot (like TwitterBot)", "preview"],
    ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "preview"],
    [
      "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
      "preview",
    ],
    [
      "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
      "preview",
    ],
    ["Mozilla/5.0 (compatible; Barracuda Sentinel (EE))", "scanner"],
    ["Mozilla/4.0 (compatible; ms-office; MSOffice 16)", "scanner"],
    [
      "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
      "scanner",
    ],
    ["curl/8.5.0", "program"],
    ["python-requests/2.32.3", "program"],
    ["Googlebot/2.1 (+http://www.google.com/bot.html)", "crawler"],
    ["", "silent"],
    [iphone, null],
    [`${iphone} Instagram 350.0.0.0 (iPhone16,2; iOS 19_1)`, null],
    [`${iphone} KAKAOTALK 10.4.5 (INAPP)`, null],
    [`${iphone} Safari Line/14.1.0`, null],
    [`${iphone} [Pinterest/iOS]`, null],
    [
      "Mozilla/5.0 (Linux; Android 15; CPH2581) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0",
      null,
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
      null,
    ],
  ];
  for (const [agent, kind] of kinds)
    expect([agent, parseAgent(agent).botKind]).toEqual([agent, kind]);
});

test("the first language counts, without its region", () => {
  expect(parseLanguage("de-DE,de;q=0.9,en;q=0.8")).toBe("de");
  expect(parseLanguage("zh-CN")).toBe("zh");
  for (const none of ["", "*", "1234", "toolong-XX"]) expect(parseLanguage(none)).toBeNull();
});

test("an address has its country; an unassigned one has none", () => {
  expect(placeOf("81.2.69.142")).toMatchObject({ country: "GB", continent: "EU" });
  expect(placeOf("::ffff:8.8.8.8")).toMatchObject({ country: "US", continent: "NA" });
  for (const none of ["127.0.0.1", "10.0.0.1", "::1", "", "not an address"]) {
    expect(placeOf(none)).toEqual({ continent: null, country: null, region: null, city: null });
  }
});

test("the region of an address has its code, and so have names in other spellings", () => {
  expect(placeOf("8.8.8.8").region).toBe("US-CA");
  expect(placeOf("81.2.69.142").region).toBe("GB-ENG");
  expect(placeOf("202.96.128.86").region).toBe("CN-GD");
  const codes: [string, string, string | null][] = [
    ["FR", "Île-de-France", "FR-IDF"],
    ["FR", "Ile-de-France", "FR-IDF"],
    ["DE", "North Rhine-Westphalia", "DE-NW"],
    ["DE", "Baden-Wurttemberg", "DE-BW"],
    ["DE", "Free Hanseatic City of Bremen", "DE-HB"],
    ["CZ", "Hlavni mesto Praha", "CZ-10"],
    ["RO", "Sibiu County", "RO-SB"],
    // The region, not the province of the same name in it
    ["ES", "Madrid", "ES-MD"],
    ["NO", "Akershus", "NO-32"],
    ["HK", "Kowloon", null],
    ["US", "Bavaria", null],
    ["US", "", null],
  ];
  for (const [country, name, code] of codes) expect(regionOf(country, name), name).toBe(code);
});

test("nearly all addresses of the database have the code of their region", () => {
  const places = Array.from({ length: 20_000 }, (_, n) =>
    placeOf([1 + ((n * 7) % 223), (n * 131) % 256, (n * 17) % 256, n % 256].join(".")),
  ).filter(({ country }) => country !== null);
  const coded = places.filter(({ region }) => region !== null);
  expect(coded.length / places.length).toBeGreaterThan(0.97);
  expect(coded.every(({ country, region }) => region?.startsWith(`${country}-`))).toBe(true);
});
