/** What the page of a form says by itself, in both languages. */
import type { Language } from "./document.ts";

const english = {
  phone: "Phone number",
  email: "Email address",
  name: "Name",
  optional: "optional",
  go: "Continue",
  skip: "Skip",
  controller: (name: string) => `Your answers go to ${name}.`,
  privacy: "Privacy policy",
  read: "Read it",
  withdraw: "You can have your answers deleted later at",
  changed: "This page changed. Check your answers and continue again.",
  failed: "Your answers could not be saved. Try again in a moment.",
  wrong: "Check the marked fields.",
  empty: "Leave this field empty",
  problems: {
    required: "Fill in this field.",
    phone: "Enter a phone number with its country code, such as +44 20 7946 0018.",
    email: "Enter an email address, such as ada@example.com.",
    name: (max: number) => `Use at most ${max} characters.`,
    choice: "Choose one.",
    check: "Tick this box to continue.",
  },
  withdrawTitle: "Delete your answers",
  withdrawText: "What you entered for this link is deleted. This can’t be undone.",
  withdrawButton: "Delete my answers",
  withdrawnTitle: "Your answers were deleted",
  withdrawnText: "If you open the link again, it asks again.",
  unknownTitle: "No answers from this browser",
  unknownText: (name: string) =>
    `This browser has no answers for this link, or they were deleted. For answers from another device, contact ${name}.`,
};
export type FormTexts = typeof english;

const chinese: FormTexts = {
  phone: "手机号码",
  email: "电子邮箱",
  name: "姓名",
  optional: "选填",
  go: "继续",
  skip: "跳过",
  controller: (name) => `你填写的信息将提交给 ${name}。`,
  privacy: "隐私政策",
  read: "查看全文",
  withdraw: "如需删除已填写的信息，请访问",
  changed: "页面内容有更新，请核对后再次提交。",
  failed: "信息未能保存，请稍后重试。",
  wrong: "请检查标出的内容。",
  empty: "请勿填写此项",
  problems: {
    required: "请填写此项。",
    phone: "请填写正确的手机号码，境外号码请加上国家或地区代码，例如 +852 5123 4567。",
    email: "请填写正确的邮箱地址，例如 ada@example.com。",
    name: (max) => `最多 ${max} 个字符。`,
    choice: "请选择一项。",
    check: "请勾选后继续。",
  },
  withdrawTitle: "删除填写的信息",
  withdrawText: "你在此链接填写的信息将被删除，且无法恢复。",
  withdrawButton: "删除我的信息",
  withdrawnTitle: "信息已删除",
  withdrawnText: "再次打开该链接时，需要重新填写。",
  unknownTitle: "此浏览器中没有填写记录",
  unknownText: (name) =>
    `你没有在此浏览器中填写过信息，或信息已被删除。如果是在其他设备上填写的，请联系 ${name}。`,
};

export const formTexts: Record<Language, FormTexts> = { en: english, zh: chinese };
