/** The visitors of the demo: location, device and referrer. Values are those of enrichment. */
import type { Click } from "#lib/analytics/ingest";
import type { DemoLink } from "./catalogue.ts";
import type { Chance } from "./chance.ts";

interface Country {
  weight: number;
  country: string;
  continent: string;
  language: string;
  /** With the last part of their region's code. */
  cities: string[];
}

type Choices<T> = readonly [T, ...T[]];

const everywhere: Choices<Country> = [
  land(26, "DE", "EU", "de", "Berlin:BE,Munich:BY,Hamburg:HH,Cologne:NW,Leipzig:SN"),
  land(17, "US", "NA", "en", "New York:NY,Denver:CO,Seattle:WA,San Francisco:CA,Portland:OR"),
  land(10, "GB", "EU", "en", "London:ENG,Manchester:ENG,Edinburgh:SCT"),
  land(8, "FR", "EU", "fr", "Paris:IDF,Lyon:ARA,Grenoble:ARA"),
  land(7, "AT", "EU", "de", "Vienna:9,Innsbruck:7"),
  land(7, "CH", "EU", "de", "Zurich:ZH,Bern:BE,Geneva:GE"),
  land(5, "NL", "EU", "nl", "Amsterdam:NH,Utrecht:UT"),
  land(4, "JP", "AS", "ja", "Tokyo:13,Osaka:27"),
  land(4, "CA", "NA", "en", "Vancouver:BC,Toronto:ON,Calgary:AB"),
  land(4, "SE", "EU", "sv", "Stockholm:AB,Gothenburg:O"),
  land(3, "CN", "AS", "zh", "Shanghai:SH,Beijing:BJ"),
  land(2, "AU", "OC", "en", "Sydney:NSW,Melbourne:VIC"),
  land(2, "BR", "SA", "pt", "São Paulo:SP,Rio de Janeiro:RJ"),
  land(1, "IN", "AS", "en", "Bengaluru:KA,Mumbai:MH"),
];

const china: Choices<Country> = [
  land(
    88,
    "CN",
    "AS",
    "zh",
    "Shanghai:SH,Beijing:BJ,Shenzhen:GD,Hangzhou:ZJ,Chengdu:SC,Guangzhou:GD",
  ),
  land(5, "HK", "AS", "zh", "Hong Kong"),
  land(3, "SG", "AS", "zh", "Singapore"),
  land(4, "US", "NA", "zh", "San Francisco:CA,New York:NY"),
];

function land(weight: number, country: string, continent: string, language: string, of: string) {
  return { weight, country, continent, language, cities: of.split(",") };
}

interface Machine {
  weight: number;
  device: string;
  browser: string;
  os: string;
  userAgent: string;
}

const phones: Choices<Machine> = [
  machine(46, "Mobile", "Safari", "iOS"),
  machine(40, "Mobile", "Chrome", "Android"),
  machine(8, "Mobile", "Samsung Internet for Android", "Android"),
  machine(6, "Tablet", "Safari", "iOS"),
];

const chinesePhones: Choices<Machine> = [
  machine(58, "Mobile", "WeChat", "Android"),
  machine(27, "Mobile", "WeChat", "iOS"),
  machine(15, "Mobile", "Chrome", "Android"),
];

const desks: Choices<Machine> = [
  machine(44, "Desktop", "Chrome", "Windows"),
  machine(16, "Desktop", "Microsoft Edge", "Windows"),
  machine(18, "Desktop", "Safari", "macOS"),
  machine(10, "Desktop", "Chrome", "macOS"),
  machine(9, "Desktop", "Firefox", "Windows"),
  machine(3, "Desktop", "Firefox", "Linux"),
];

function machine(weight: number, device: string, browser: string, os: string): Machine {
  return { weight, device, browser, os, userAgent: `Demo (${os}) ${browser}` };
}

const phoneShare = { mail: 0.55, social: 0.9, search: 0.46, print: 0.98, sms: 0.97, partner: 0.5 };

interface Sender {
  weight: number;
  /** Empty: the visit has none. */
  host: string;
}

const senders: Record<DemoLink["channel"], Choices<Sender>> = {
  mail: [sender(82, ""), sender(12, "mail.google.com"), sender(6, "outlook.live.com")],
  social: [
    sender(40, "instagram.com"),
    sender(18, "youtube.com"),
    sender(14, "t.co"),
    sender(9, "linkedin.com"),
    sender(8, "reddit.com"),
    sender(11, ""),
  ],
  search: [
    sender(58, "google.com"),
    sender(8, "bing.com"),
    sender(6, "duckduckgo.com"),
    sender(28, ""),
  ],
  print: [sender(1, "")],
  sms: [sender(1, "")],
  partner: [sender(70, "blog.ridgeline.example"), sender(30, "")],
};

const chineseSenders: Choices<Sender> = [
  sender(34, ""),
  sender(26, "xiaohongshu.com"),
  sender(18, "douyin.com"),
  sender(14, "weibo.com"),
  sender(8, "baidu.com"),
];

function sender(weight: number, host: string): Sender {
  return { weight, host };
}

function isChinese(link: DemoLink): boolean {
  return link.tags.includes("中国");
}

type Agent = Pick<Click, "device" | "browser" | "os">;
type Where = Pick<Click, "continent" | "country" | "region" | "city" | "language">;

const crawler = { device: null, browser: null, os: null };

/** Location and device of a click. */
export function originOf(
  link: DemoLink,
  bot: boolean,
  chance: Chance,
): { place: Where; agent: Agent; userAgent: string } {
  const { continent, country, language, cities } = chance.pick(
    isChinese(link) ? china : everywhere,
  );
  const [city = "", part] = cities[Math.floor(chance.next() * cities.length)]?.split(":") ?? [];
  const region = part ? `${country}-${part}` : null;
  const place = { continent, country, region, city, language };
  const onPhone = chance.next() < phoneShare[link.channel];
  const hand = isChinese(link) ? chinesePhones : phones;
  const { device, browser, os, userAgent } = chance.pick(onPhone ? hand : desks);
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

/** The referrer of a click, and its campaign. */
export function reachOf(
  link: DemoLink,
  chance: Chance,
): Pick<Click, "referer" | "refererUrl" | "utm"> {
  const mayBeChinese = isChinese(link) && link.channel === "social";
  const { host } = chance.pick(mayBeChinese ? chineseSenders : senders[link.channel]);
  const campaign = link.tags.includes("campaign") ? link.name : null;
  return {
    referer: host || null,
    refererUrl: host ? `https://${host}/` : null,
    utm: {
      utm_source: campaign === null ? null : link.channel,
      utm_medium: campaign === null ? null : (mediumOf[link.channel] ?? null),
      utm_campaign: campaign,
      utm_term: null,
      utm_content: null,
    },
  };
}
