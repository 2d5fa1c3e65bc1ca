/** Derives from a request: person or bot, device, browser, OS, app, language, location. */
import Bowser from "bowser";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { type AppName, appNames } from "./schema.ts";

export { isDataCenter, openDataCenters } from "./data-centers.ts";
export { openPlaces, type Place, placeOf, withCountry } from "./places.ts";

const agentsCachedMax = 20_000;
const agentCharsMax = 512;

export interface Agent {
  bot: boolean;
  botKind: BotKind | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  app: AppName | null;
}

const agents = new LRUCache<string, Agent>(atMost(agentsCachedMax));
const deviceNames: Record<string, string> = {
  desktop: "Desktop",
  mobile: "Mobile",
  tablet: "Tablet",
  tv: "TV",
};

/** Cached, because a thousand clicks have only a few dozen User-Agents. */
export function parseAgent(userAgent: string): Agent {
  // Long ones are not cached: anyone can send many, and a substring keeps the whole text.
  if (userAgent.length > agentCharsMax) return readAgent(userAgent.slice(0, agentCharsMax));
  let agent = agents.get(userAgent);
  if (!agent) {
    agent = readAgent(userAgent);
    agents.set(copyText(userAgent), agent);
  }
  return agent;
}

/** A cached substring would keep a header of 64 KB in memory. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function readAgent(userAgent: string): Agent {
  const botKind = botKindOf(userAgent);
  const bot = botKind !== null;
  if (userAgent === "") {
    return { bot, botKind, device: null, browser: null, os: null, app: null };
  }
  const { platform, browser, os } = Bowser.parse(userAgent);
  return {
    bot,
    botKind,
    device: deviceNames[platform.type ?? ""] ?? null,
    browser: browser.name || null,
    os: os.name || null,
    app: appOf(userAgent),
  };
}

export function parseLanguage(acceptLanguage: string): string | null {
  return /^\s*([a-z]{2,3})(?![a-z])/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? null;
}

const patterns: Record<AppName, RegExp> = {
  // Also says MicroMessenger.
  wecom: /\bwxwork\//i,
  wechat: /\bMicroMessenger\//i,
  // Not MQQBrowser, which is a separate browser.
  qq: /(?:^|\s)QQ\/\d/,
  weibo: /__weibo__|\bWeibo \(/i,
  dingtalk: /\bDingTalk\//i,
  feishu: /\b(?:Lark|Feishu)\/\d/i,
  alipay: /\bAlipayClient\//i,
  douyin: /\baweme(?:_lite)?[_/]\d|\bAppName\/aweme/i,
  xiaohongshu: /\b(?:xiaohongshu|xhsdiscover|XHS|discover)\/\d+\.\d/i,
  kuaishou: /\b(?:Kwai(?:_Lite|_Pro)?|ksNebula)\/\d/i,
  instagram: /\bInstagram\b/,
  // Both also look like Facebook.
  messenger: /\bFBAN\/Messenger|\bFB_IAB\/(?:Orca-Android|MESSENGER)/i,
  facebook: /\bFBAN\/|\bFB_IAB\/|\bFBAV\//,
  tiktok: /\b(?:musical_ly|trill)_\d|\bAppName\/(?:musical_ly|trill)|\bTikTok[ /]\d/i,
  line: /\bLine\/\d/,
  kakaotalk: /\bKAKAOTALK[ /]\d/,
  linkedin: /\bLinkedInApp\b/,
  snapchat: /\bSnapchat[ /]\d/,
  pinterest: /\[Pinterest\/(?:iOS|Android)\]/,
  x: /\bTwitter for (?:iPhone|iPad)\b|\bTwitterAndroid\b/,
  telegram: /\bTelegram-Android\/\d/,
};

function appOf(userAgent: string): AppName | null {
  return appNames.find((name) => patterns[name].test(userAgent)) ?? null;
}

/**
 * crawler: reads the web · preview: shows a link in a message · scanner: looks for malware ·
 * program: a developer tool · silent: sends no name · head: a HEAD request · repeat: a person
 * counted a moment ago · data_center: on the operator's list of networks · own: from a network or
 * browser of the workspace
 */
export type BotKind =
  | "crawler"
  | "preview"
  | "scanner"
  | "program"
  | "silent"
  | "head"
  | "repeat"
  | "data_center"
  | "own";

const previews =
  /facebookexternalhit|facebookcatalog|meta-external|facebot|twitterbot|^whatsapp|telegrambot|slackbot|slack-imgproxy|discordbot|linkedinbot|skypeuripreview|microsoftpreview|bingpreview|pinterestbot|redditbot|snap url preview|line-poker|kakaotalk-scrap|^viber|vkshare|mastodon|bluesky|cardyb|iframely|embedly|applebot|flipboardproxy|tumblr\/|nuzzel|quora link preview|xing-contenttabreceiver|googlemessages|link ?preview|urlpreview/i;

const scanners =
  /barracuda|mimecast|proofpoint|urldefense|symantec|messagelabs|trend ?micro|sophos|fortinet|fortiguard|forcepoint|fireeye|ironport|zscaler|cloudmark|bitdefender|kaspersky|norton safe|mcafee|google-?safety|google-?imageproxy|googleimageproxy|yahoomailproxy|ms-office|msoffice|microsoft office|microsoft outlook|urlscan|virustotal|safelinks|spamassassin|phish/i;

const programs =
  /^(curl|wget|python|go-http|okhttp|axios|node|undici|got |java|libwww|lwp|postman|insomnia|httpie|apache-http|ruby|guzzle|php|dart|rust|reqwest|perl|powershell|winhttp|aiohttp|http_|k6|ab\/|hey\/|wrk)/i;

/** Alipay writes | here, so isbot takes it for a crawler. */
const alipayScreen = /\bAlipayDefined\([^)]*\)/;

function botKindOf(userAgent: string): BotKind | null {
  // Every browser sends a name.
  if (userAgent === "") return "silent";
  if (previews.test(userAgent)) return "preview";
  if (scanners.test(userAgent)) return "scanner";
  if (programs.test(userAgent)) return "program";
  return isbot(userAgent.replace(alipayScreen, "")) ? "crawler" : null;
}
