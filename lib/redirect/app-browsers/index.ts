/**
 * What the in-app browsers of apps can open, and how visitors leave them.
 *
 * Sources: WeChat opens no other apps from web pages (developers.weixin.qq.com, "JS-SDK": only wx-open-launch-app for apps
 * registered there), no plain URL Scheme of a mini program ("URL Scheme": "从短信、邮件、微信外网页等场景打开"), and no packages of Android apps;
 * QQ and WeCom have the same browser. App Store links open in WeChat on iPhones. Links with openExternalBrowser=1 leave LINE
 * (developers.line.biz, "Use LINE features with the LINE URL scheme"). KakaoTalk uses kakaotalk://web/openExternal
 * (devtalk.kakao.com). Intents are those of Chrome ("Android Intents with Chrome"), which the browsers of Meta and X on Android
 * pass on too.
 *
 * In-app browsers on computers have a button for the system’s browser, so they need no help.
 */
import { isAppUrl } from "#lib/basics/urls";
import { parseAgent } from "#lib/platform/request-info";
import type { AppName } from "#lib/platform/request-info/schema";

export { findUrlLink } from "./url-links.ts";
export { authorizeUrl } from "./wechat-pages.ts";
export { findCallbackSite, type SignedPage, signRequest } from "./wechat-sites.ts";

export interface AppBrowser {
  app: AppName;
  system: "ios" | "android";
}

/** The in-app browser of a phone or tablet. Undefined for other visitors and bots. */
export function appBrowserOf(userAgent: string): AppBrowser | undefined {
  const { app, bot } = parseAgent(userAgent);
  if (app === null || bot) return undefined;
  if (/iPhone|iPad|iPod/.test(userAgent)) return { app, system: "ios" };
  return isAndroid(userAgent) ? { app, system: "android" } : undefined;
}

/** HarmonyOS NEXT names itself OpenHarmony. */
function isAndroid(userAgent: string): boolean {
  return /Android|OpenHarmony/.test(userAgent);
}

/** A phone or tablet, which may have WeChat. */
export function isPhone(userAgent: string): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || isAndroid(userAgent);
}

/** Browsers that open no other apps, with the URLs of their own apps. */
const closedBrowsers: Partial<Record<AppName, RegExp>> = {
  wechat: /^(?:weixin|wechat):/i,
  wecom: /^wxwork:/i,
  qq: /^mqq(?:api)?:/i,
};

/** The phone handles calls and messages. */
const contactScheme = /^(?:tel|sms|smsto|mailto|facetime):/i;

/** These only work outside WeChat. */
const miniProgramScheme = /^weixin:\/\/dl\/business\//i;

const androidPackage = /^https?:\/\/[^?#]*\.apk(?:[?#]|$)/i;
const iosPackage = /^https?:\/\/[^?#]*\.ipa(?:[?#]|$)/i;
const playStore = /^https?:\/\/(?:play\.google\.com\/store|market\.android\.com)\b/i;

/** Downloads and stores, which some in-app browsers cannot open. Computed once per cached link. */
export function isAppDownload(url: string): boolean {
  return androidPackage.test(url) || iosPackage.test(url) || playStore.test(url);
}

export function cannotOpen({ app, system }: AppBrowser, url: string): boolean {
  const own = closedBrowsers[app];
  if (isAppUrl(url)) {
    if (own === undefined || contactScheme.test(url)) return false;
    return !own.test(url) || miniProgramScheme.test(url);
  }
  if (system === "ios") return iosPackage.test(url);
  return androidPackage.test(url) || (own !== undefined && playStore.test(url));
}

/** The menu that opens the browser is at the right end of this edge. */
type MenuEdge = "top" | "bottom";

const menuEdges: Partial<Record<AppName, Record<AppBrowser["system"], MenuEdge>>> = {
  wecom: { ios: "top", android: "top" },
  wechat: { ios: "top", android: "top" },
  qq: { ios: "top", android: "top" },
  weibo: { ios: "top", android: "top" },
  dingtalk: { ios: "top", android: "top" },
  feishu: { ios: "top", android: "top" },
  alipay: { ios: "top", android: "top" },
  douyin: { ios: "top", android: "top" },
  xiaohongshu: { ios: "top", android: "top" },
  kuaishou: { ios: "top", android: "top" },
  instagram: { ios: "top", android: "top" },
  messenger: { ios: "bottom", android: "top" },
  facebook: { ios: "bottom", android: "top" },
  tiktok: { ios: "top", android: "top" },
  linkedin: { ios: "top", android: "top" },
  telegram: { ios: "top", android: "top" },
};

/** Undefined if the place differs between versions of the app. The page then shows no arrow. */
export function menuEdgeOf({ app, system }: AppBrowser): MenuEdge | undefined {
  return menuEdges[app]?.[system];
}

interface WayOut {
  url: string;
  /** The app follows it without a tap. */
  isAutomatic: boolean;
}

export const lineParameter = "openExternalBrowser=1";
const intentApps: ReadonlySet<AppName> = new Set(["facebook", "messenger", "instagram", "x"]);

export function wayOutOf({ app, system }: AppBrowser, address: string): WayOut | undefined {
  if (app === "line") {
    // If the page still opens inside LINE, it would load again and again.
    if (address.includes(lineParameter)) return undefined;
    const separator = address.includes("?") ? "&" : "?";
    return { url: `${address}${separator}${lineParameter}`, isAutomatic: true };
  }
  if (app === "kakaotalk") {
    const url = `kakaotalk://web/openExternal?url=${encodeURIComponent(address)}`;
    return { url, isAutomatic: true };
  }
  if (system === "android" && intentApps.has(app)) {
    return { url: intentOf(address), isAutomatic: false };
  }
  return undefined;
}

function intentOf(address: string): string {
  const end = address.indexOf("://");
  const parts = [
    `scheme=${address.slice(0, end)}`,
    "action=android.intent.action.VIEW",
    "category=android.intent.category.BROWSABLE",
  ];
  return `intent${address.slice(end)}#Intent;${parts.join(";")};end`;
}
