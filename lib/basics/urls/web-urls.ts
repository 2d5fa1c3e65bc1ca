/** URLs that visitors may be sent to: web URLs, and URLs of a fixed list of apps. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafe = /[\x00-\x20\x7f\\]/;
const schemePattern = /^([a-z][a-z0-9+.-]*):./i;

/** Refuses everything else that `new URL` accepts. */
export function isWebUrl(text: string): boolean {
  // defence: destination-schemes
  return !unsafe.test(text) && /^https?:\/\//i.test(text) && parseUrl(text) !== undefined;
}

/** Schemes that open an app. None shows or runs anything within a browser. */
export const appSchemes: ReadonlySet<string> = new Set([
  ...["tel", "sms", "smsto", "mailto", "facetime", "geo"],
  ...["intent", "market", "itms", "itms-apps", "itms-appss"],
  ...["whatsapp", "tg", "weixin", "wechat", "mqq", "mqqapi", "dingtalk", "lark", "feishu"],
  ...["wxwork", "line", "viber", "skype", "slack", "discord", "zoomus", "msteams"],
  ...["fb-messenger", "kakaotalk"],
  ...["alipay", "alipays", "taobao", "tbopen", "tmall", "openapp.jdmobile", "pinduoduo"],
  ...["imeituan", "meituanwaimai", "eleme", "dianping", "ctrip"],
  ...["snssdk1128", "snssdk1233", "snssdk143", "snssdk1112", "tiktok", "kwai", "bilibili"],
  ...["xhsdiscover", "sinaweibo", "zhihu", "fb", "instagram", "twitter", "linkedin", "pinterest"],
  ...["reddit", "snapchat", "youtube", "vnd.youtube", "spotify", "orpheus", "qqmusic"],
  ...["comgooglemaps", "waze", "baidumap", "iosamap", "androidamap", "amapuri"],
]);

export function isAppUrl(text: string): boolean {
  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase() ?? "";
  if (!appSchemes.has(scheme) || unsafe.test(text) || !parseUrl(text)) return false;
  return scheme !== "intent" || isSafeIntent(text);
}

const intentStart = "#Intent;";
const intentEnd = ";end";

/** Allowed parts of an intent. Others could start internal components of an app. */
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

/** The pages that a URL may open. An https intent opens its page in the browser if no app takes it. */
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

/** Not `URL.canParse`: optimized by Node.js 20, it soon answers false for letters like ü. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function bareUrl(url: string): string {
  return url.replace(/^https?:\/\//i, "");
}
