import type { Locale } from "#lib/platform/messages/schema";

/** In-app browsers, in the order of their patterns (apps.ts): the first match wins. */
export const appNames = [
  "wecom",
  "wechat",
  "qq",
  "weibo",
  "dingtalk",
  "feishu",
  "alipay",
  "douyin",
  "xiaohongshu",
  "kuaishou",
  "instagram",
  "messenger",
  "facebook",
  "tiktok",
  "line",
  "kakaotalk",
  "linkedin",
  "snapchat",
  "pinterest",
  "x",
  "telegram",
] as const;
export type AppName = (typeof appNames)[number];

const chineseNames: Partial<Record<AppName, string>> = {
  wecom: "企业微信",
  wechat: "微信",
  weibo: "微博",
  dingtalk: "钉钉",
  feishu: "飞书",
  alipay: "支付宝",
  douyin: "抖音",
  xiaohongshu: "小红书",
  kuaishou: "快手",
};

const englishNames: Record<AppName, string> = {
  wecom: "WeCom",
  wechat: "WeChat",
  qq: "QQ",
  weibo: "Weibo",
  dingtalk: "DingTalk",
  feishu: "Feishu",
  alipay: "Alipay",
  douyin: "Douyin",
  xiaohongshu: "Xiaohongshu",
  kuaishou: "Kuaishou",
  instagram: "Instagram",
  messenger: "Messenger",
  facebook: "Facebook",
  tiktok: "TikTok",
  line: "LINE",
  kakaotalk: "KakaoTalk",
  linkedin: "LinkedIn",
  snapchat: "Snapchat",
  pinterest: "Pinterest",
  x: "X",
  telegram: "Telegram",
};

export function appLabel(app: AppName, locale: Locale): string {
  return (locale === "zh" && chineseNames[app]) || englishNames[app];
}
