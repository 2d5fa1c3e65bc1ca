/** URLs that a visitor may be sent to: web URLs, and those that open an app of a fixed list. */

import { parseUrl } from "./parsing.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafe = /[\x00-\x20\x7f\\]/;
const schemePattern = /^([a-z][a-z0-9+.-]*):./i;

/** True for a URL that a browser follows as a web URL; everything else that `new URL` accepts is refused. */
export function isWebUrl(text: string): boolean {
  // defence: destination-schemes
  return !unsafe.test(text) && /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

/** Schemes that a phone opens in an app. None of them shows or runs anything within a browser. */
export const appSchemes: ReadonlySet<string> = new Set([
  // Calls and messages
  ...["tel", "sms", "smsto", "mailto", "facetime", "geo"],
  // App stores, and any registered Android app
  ...["intent", "market", "itms", "itms-apps", "itms-appss"],
  // Messengers
  ...[
    "whatsapp",
    "tg",
    "weixin",
    "wechat",
    "mqq",
    "mqqapi",
    "dingtalk",
    "lark",
    "feishu",
    "wxwork",
  ],
  ...[
    "line",
    "viber",
    "skype",
    "slack",
    "discord",
    "zoomus",
    "msteams",
    "fb-messenger",
    "kakaotalk",
  ],
  // Shops and payment
  ...["alipay", "alipays", "taobao", "tbopen", "tmall", "openapp.jdmobile", "pinduoduo"],
  ...["imeituan", "meituanwaimai", "eleme", "dianping", "ctrip"],
  // Networks, video, music
  ...["snssdk1128", "snssdk1233", "snssdk143", "snssdk1112", "tiktok", "kwai", "bilibili"],
  ...["xhsdiscover", "sinaweibo", "zhihu", "fb", "instagram", "twitter", "linkedin", "pinterest"],
  ...["reddit", "snapchat", "youtube", "vnd.youtube", "spotify", "orpheus", "qqmusic"],
  // Maps
  ...["comgooglemaps", "waze", "baidumap", "iosamap", "androidamap", "amapuri"],
]);

/** True for a URL that opens an app of the list. */
export function isAppUrl(text: string): boolean {
  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase() ?? "";
  if (!appSchemes.has(scheme) || unsafe.test(text) || !parseUrl(text)) return false;
  return scheme !== "intent" || isSafeIntent(text);
}

const intentStart = "#Intent;";
const intentEnd = ";end";

/** The allowed parts of an intent; other parts could start internal components of an app. */
const intentParts: Record<string, (value: string) => boolean> = {
  scheme: (value) => /^https?$/i.test(value) || (value !== "intent" && appSchemes.has(value)),
  package: (value) => /^[\w.]+$/.test(value),
  action: (value) => value === "android.intent.action.VIEW",
  category: (value) => /^android\.intent\.category\.(?:BROWSABLE|DEFAULT)$/.test(value),
  "S.browser_fallback_url": isEncodedWebUrl,
};

function isSafeIntent(text: string): boolean {
  const start = text.indexOf(intentStart);
  if (start < 0 || !text.endsWith(intentEnd)) return false;
  const parts = text.slice(start + intentStart.length, -intentEnd.length).split(";");
  return parts.every((part) => {
    const end = part.indexOf("=");
    const name = part.slice(0, Math.max(end, 0));
    const fits = Object.hasOwn(intentParts, name) ? intentParts[name] : undefined;
    if (fits) return fits(part.slice(end + 1));
    // Text for the app itself.
    return /^S\.[A-Za-z]\w*$/.test(name);
  });
}

function isEncodedWebUrl(value: string): boolean {
  try {
    return isWebUrl(decodeURIComponent(value));
  } catch {
    return false; // a broken escape
  }
}

/**
 * The web pages that a URL may open: itself, or those that an intent names. An intent with the scheme https opens its
 * page in the browser where no app takes it.
 */
export function pagesOf(url: string): string[] {
  if (/^https?:/i.test(url)) return [url];
  if (!/^intent:/i.test(url)) return [];
  const start = url.indexOf(intentStart);
  const parts = new Map(
    url
      .slice(start + intentStart.length, -intentEnd.length)
      .split(";")
      .map(pairOf),
  );
  const scheme = parts.get("scheme") ?? "";
  const page = url.slice(0, start).replace(/^intent:(?:\/\/)?/i, `${scheme}://`);
  const fallback = decodeURIComponent(parts.get("S.browser_fallback_url") ?? "");
  return [/^https?$/i.test(scheme) ? page : "", fallback].filter(isWebUrl);
}

function pairOf(part: string): [string, string] {
  const end = part.indexOf("=");
  return [part.slice(0, end), part.slice(end + 1)];
}
