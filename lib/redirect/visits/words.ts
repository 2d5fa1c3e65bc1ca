/** The texts of pages that say one thing, in the languages that they can say it in. */
import type { Language } from "./document.ts";

export type PageName =
  | "missing"
  | "ended"
  | "early"
  | "banned"
  | "unavailable"
  | "refused"
  | "password"
  | "wrongPassword"
  | "tooMany"
  | "people";

interface Words {
  title: string;
  text: string;
}

export const words: Record<PageName, Record<Language, Words>> = {
  missing: {
    en: {
      title: "This link does not exist",
      text: "Check that the address was copied in full. It may also have been removed.",
    },
    zh: { title: "链接不存在", text: "请检查网址是否复制完整，链接也可能已被删除。" },
  },
  ended: {
    en: { title: "This link has ended", text: "Its owner closed it, or it has reached its end." },
    zh: { title: "链接已失效", text: "链接已到期、已停用，或已达到访问次数上限。" },
  },
  early: {
    en: { title: "This link is not open yet", text: "Come back later: it opens at a set time." },
    zh: { title: "链接尚未生效", text: "链接将在设定的时间开放，请稍后再来。" },
  },
  banned: {
    en: { title: "This link was blocked", text: "It broke the rules of this service." },
    zh: { title: "链接已被封禁", text: "该链接违反了本服务的使用规则。" },
  },
  unavailable: {
    en: { title: "One moment, please", text: "The service is briefly unavailable. Try again." },
    zh: { title: "请稍候", text: "服务暂时不可用，请稍后重试。" },
  },
  refused: {
    en: { title: "This method is not allowed", text: "A short link is opened with GET." },
    zh: { title: "不支持该请求方法", text: "短链接只能通过 GET 打开。" },
  },
  password: {
    en: { title: "This link has a password", text: "Whoever sent it to you can tell it to you." },
    zh: { title: "该链接需要密码", text: "请向发送者索取密码。" },
  },
  wrongPassword: {
    en: { title: "That is not the password", text: "Check it and try again." },
    zh: { title: "密码不正确", text: "请核对后重试。" },
  },
  tooMany: {
    en: { title: "Too many attempts", text: "Wait a while before you try again." },
    zh: { title: "尝试次数过多", text: "请稍后再试。" },
  },
  people: {
    en: { title: "This link opens for people only", text: "Open it in a browser." },
    zh: { title: "该链接仅供访客打开", text: "请在浏览器中打开。" },
  },
};
