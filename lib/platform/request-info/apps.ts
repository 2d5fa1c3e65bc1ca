/**
 * Recognizes in-app browsers by their User-Agent.
 *
 * Sources: the documents of WeCom ("判断企业微信客户端": wxwork and MicroMessenger), WeChat (MicroMessenger), DingTalk
 * (AliApp(DingTalk/…)), Alipay (AlipayClient), Feishu ("Lark/…", in both of its editions) and Meta (FBAN, FB_IAB); the
 * lists of matomo-org/device-detector (regexes/client/mobile_apps.yml) and faisalman/ua-parser-js for the others.
 *
 * Not every app can be recognized: X and Telegram on iPhones mostly show the browser of the system, whose name is that
 * of Safari.
 */
import { type AppName, appNames } from "./schema.ts";

const patterns: Record<AppName, RegExp> = {
  // Also says MicroMessenger.
  wecom: /\bwxwork\//i,
  wechat: /\bMicroMessenger\//i,
  // MQQBrowser, a browser of its own, is not meant.
  qq: /(?:^|\s)QQ\/\d/,
  weibo: /__weibo__|\bWeibo \(/i,
  dingtalk: /\bDingTalk\//i,
  feishu: /\b(?:Lark|Feishu)\/\d/i,
  alipay: /\bAlipayClient\//i,
  douyin: /\baweme(?:_lite)?[_/]\d|\bAppName\/aweme/i,
  xiaohongshu: /\b(?:xiaohongshu|xhsdiscover|XHS|discover)\/\d+\.\d/i,
  kuaishou: /\b(?:Kwai(?:_Lite|_Pro)?|ksNebula)\/\d/i,
  instagram: /\bInstagram\b/,
  // Both also have the marks of Facebook.
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

/** Null for a browser, and for an app that is not recognized. */
export function appOf(userAgent: string): AppName | null {
  return appNames.find((name) => patterns[name].test(userAgent)) ?? null;
}
