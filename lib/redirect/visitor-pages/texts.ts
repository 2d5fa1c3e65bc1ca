import type { Language } from "./document.ts";

export type BannedPage =
  | "banned"
  | "bannedPhishing"
  | "bannedMalware"
  | "bannedSpam"
  | "bannedIllegal"
  | "bannedCopyright";

export type PageName =
  | BannedPage
  | "missing"
  | "ended"
  | "early"
  | "unavailable"
  | "refused"
  | "password"
  | "wrongPassword"
  | "tooMany"
  | "people";

interface PageTexts {
  title: string;
  text: string;
}

function bannedTexts(because: string, inChinese: string): Record<Language, PageTexts> {
  return {
    en: {
      title: "This link was disabled",
      text: `This link was disabled because ${because}.`,
    },
    zh: { title: "链接已被停用", text: `该链接因${inChinese}，已被停用。` },
  };
}

export const pageTexts: Record<PageName, Record<Language, PageTexts>> = {
  missing: {
    en: {
      title: "Link not found",
      text: "Check that you copied the whole URL. The link may also have been deleted.",
    },
    zh: { title: "链接不存在", text: "请检查网址是否完整。该链接也可能已被删除。" },
  },
  ended: {
    en: { title: "Link expired", text: "This link has expired or was turned off." },
    zh: { title: "链接已失效", text: "该链接已过期、已停用，或已达到点击数上限。" },
  },
  early: {
    en: {
      title: "This link isn’t active yet",
      text: "It opens at a scheduled time. Check back later.",
    },
    zh: { title: "链接尚未生效", text: "该链接将在设定的时间生效，请稍后再来。" },
  },
  banned: bannedTexts("it violates the rules of this service", "违反了本服务的使用规则"),
  bannedPhishing: bannedTexts(
    "it was used to steal passwords or personal data",
    "被用于骗取密码或个人信息",
  ),
  bannedMalware: bannedTexts("it distributed harmful software", "被用于传播恶意软件"),
  bannedSpam: bannedTexts("it was used for spam", "被用于发送垃圾信息"),
  bannedIllegal: bannedTexts("its content is illegal", "涉及违法内容"),
  bannedCopyright: bannedTexts("of a copyright complaint", "收到版权投诉"),
  unavailable: {
    en: { title: "Temporarily unavailable", text: "Try again in a moment." },
    zh: { title: "服务暂时不可用", text: "请稍后重试。" },
  },
  refused: {
    en: { title: "Method not allowed", text: "Use GET to open a short link." },
    zh: { title: "不支持该请求方法", text: "请使用 GET 访问短链接。" },
  },
  password: {
    en: {
      title: "Enter the password",
      text: "Don’t have it? Ask the person who shared this link.",
    },
    zh: { title: "请输入密码", text: "没有密码？请联系分享此链接的人。" },
  },
  wrongPassword: {
    en: { title: "Incorrect password", text: "Check it and try again." },
    zh: { title: "密码错误", text: "请检查后重试。" },
  },
  tooMany: {
    en: { title: "Too many attempts", text: "Wait a few minutes, then try again." },
    zh: { title: "尝试次数过多", text: "请几分钟后再试。" },
  },
  people: {
    en: { title: "Open this link in a browser", text: "Automated tools can’t open it." },
    zh: { title: "请在浏览器中打开此链接", text: "自动化程序无法打开。" },
  },
};
