/** The visitors of the demo: location, device and referrer, with the same values as in enriched clicks. */
import type { Click } from "#lib/analytics/ingest";
import type { DemoLink } from "./catalogue.ts";
import type { SeededRandom } from "./seeded-random.ts";

interface Country {
  weight: number;
  country: string;
  continent: string;
  language: string;
  cities: string[];
}

type Choices<T> = readonly [T, ...T[]];

const allCountries: Choices<Country> = [
  countryOf(26, "DE", "EU", "de", "Berlin:BE,Munich:BY,Hamburg:HH,Cologne:NW,Leipzig:SN"),
  countryOf(17, "US", "NA", "en", "New York:NY,Denver:CO,Seattle:WA,San Francisco:CA,Portland:OR"),
  countryOf(10, "GB", "EU", "en", "London:ENG,Manchester:ENG,Edinburgh:SCT"),
  countryOf(8, "FR", "EU", "fr", "Paris:IDF,Lyon:ARA,Grenoble:ARA"),
  countryOf(7, "AT", "EU", "de", "Vienna:9,Innsbruck:7"),
  countryOf(7, "CH", "EU", "de", "Zurich:ZH,Bern:BE,Geneva:GE"),
  countryOf(5, "NL", "EU", "nl", "Amsterdam:NH,Utrecht:UT"),
  countryOf(4, "JP", "AS", "ja", "Tokyo:13,Osaka:27"),
  countryOf(4, "CA", "NA", "en", "Vancouver:BC,Toronto:ON,Calgary:AB"),
  countryOf(4, "SE", "EU", "sv", "Stockholm:AB,Gothenburg:O"),
  countryOf(3, "CN", "AS", "zh", "Shanghai:SH,Beijing:BJ"),
  countryOf(2, "AU", "OC", "en", "Sydney:NSW,Melbourne:VIC"),
  countryOf(2, "BR", "SA", "pt", "São Paulo:SP,Rio de Janeiro:RJ"),
  countryOf(1, "IN", "AS", "en", "Bengaluru:KA,Mumbai:MH"),
];

const china: Choices<Country> = [
  countryOf(
    88,
    "CN",
    "AS",
    "zh",
    "Shanghai:SH,Beijing:BJ,Shenzhen:GD,Hangzhou:ZJ,Chengdu:SC,Guangzhou:GD",
  ),
  countryOf(5, "HK", "AS", "zh", "Hong Kong"),
  countryOf(3, "SG", "AS", "zh", "Singapore"),
  countryOf(4, "US", "NA", "zh", "San Francisco:CA,New York:NY"),
];

function countryOf(
  weight: number,
  country: string,
  continent: string,
  language: string,
  of: string,
) {
  return { weight, country, continent, language, cities: of.split(",") };
}

interface Device {
  weight: number;
  device: string;
  browser: string;
  os: string;
  userAgent: string;
}

const phones: Choices<Device> = [
  deviceOf(46, "Mobile", "Safari", "iOS"),
  deviceOf(40, "Mobile", "Chrome", "Android"),
  deviceOf(8, "Mobile", "Samsung Internet for Android", "Android"),
  deviceOf(6, "Tablet", "Safari", "iOS"),
];

const chinesePhones: Choices<Device> = [
  deviceOf(58, "Mobile", "WeChat", "Android"),
  deviceOf(27, "Mobile", "WeChat", "iOS"),
  deviceOf(15, "Mobile", "Chrome", "Android"),
];

const desks: Choices<Device> = [
  deviceOf(44, "Desktop", "Chrome", "Windows"),
  deviceOf(16, "Desktop", "Microsoft Edge", "Windows"),
  deviceOf(18, "Desktop", "Safari", "macOS"),
  deviceOf(10, "Desktop", "Chrome", "macOS"),
  deviceOf(9, "Desktop", "Firefox", "Windows"),
  deviceOf(3, "Desktop", "Firefox", "Linux"),
];

function deviceOf(weight: number, device: string, browser: string, os: string): Device {
  return { weight, device, browser, os, userAgent: `Demo (${os}) ${browser}` };
}

const phoneShare = { mail: 0.55, social: 0.9, search: 0.46, print: 0.98, sms: 0.97, partner: 0.5 };

interface Referrer {
  weight: number;
  host: string;
}

const referrers: Record<DemoLink["channel"], Choices<Referrer>> = {
  mail: [referrer(82, ""), referrer(12, "mail.google.com"), referrer(6, "outlook.live.com")],
  social: [
    referrer(40, "instagram.com"),
    referrer(18, "youtube.com"),
    referrer(14, "t.co"),
    referrer(9, "linkedin.com"),
    referrer(8, "reddit.com"),
    referrer(11, ""),
  ],
  search: [
    referrer(58, "google.com"),
    referrer(8, "bing.com"),
    referrer(6, "duckduckgo.com"),
    referrer(28, ""),
  ],
  print: [referrer(1, "")],
  sms: [referrer(1, "")],
  partner: [referrer(70, "blog.ridgeline.example"), referrer(30, "")],
};

const chineseReferrers: Choices<Referrer> = [
  referrer(34, ""),
  referrer(26, "xiaohongshu.com"),
  referrer(18, "douyin.com"),
  referrer(14, "weibo.com"),
  referrer(8, "baidu.com"),
];

function referrer(weight: number, host: string): Referrer {
  return { weight, host };
}

function isChinese(link: DemoLink): boolean {
  return link.tags.includes("中国");
}

type Agent = Pick<Click, "device" | "browser" | "os">;
type Location = Pick<Click, "continent" | "country" | "region" | "city" | "language">;

const crawler = { device: null, browser: null, os: null };

export function originOf(
  link: DemoLink,
  bot: boolean,
  random: SeededRandom,
): { place: Location; agent: Agent; userAgent: string } {
  const { continent, country, language, cities } = random.pick(
    isChinese(link) ? china : allCountries,
  );
  const [city = "", part] = cities[Math.floor(random.next() * cities.length)]?.split(":") ?? [];
  const region = part ? `${country}-${part}` : null;
  const place = { continent, country, region, city, language };
  const onPhone = random.next() < phoneShare[link.channel];
  const hand = isChinese(link) ? chinesePhones : phones;
  const { device, browser, os, userAgent } = random.pick(onPhone ? hand : desks);
  return bot
    ? { place: { ...place, language: null }, agent: crawler, userAgent: "Demo crawler" }
    : { place, agent: { device, browser, os }, userAgent };
}

const mediumOf: Partial<Record<DemoLink["channel"], string>> = {
  mail: "email",
  social: "social",
  sms: "sms",
  print: "print",
};

export function referrerOf(
  link: DemoLink,
  random: SeededRandom,
): Pick<Click, "referer" | "referer_url" | "utm_source" | "utm_medium" | "utm_campaign"> {
  const mayBeChinese = isChinese(link) && link.channel === "social";
  const { host } = random.pick(mayBeChinese ? chineseReferrers : referrers[link.channel]);
  const campaign = link.tags.includes("campaign") ? link.name : null;
  return {
    referer: host || null,
    referer_url: host ? `https://${host}/` : null,
    utm_source: campaign === null ? null : link.channel,
    utm_medium: campaign === null ? null : (mediumOf[link.channel] ?? null),
    utm_campaign: campaign,
  };
}
