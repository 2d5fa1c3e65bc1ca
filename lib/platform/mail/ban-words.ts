/** What an email about a ban is about, in both languages. */
import type { EmailValues } from "./emails.ts";

export function bannedObject({ banned, name }: EmailValues): string {
  const kinds = { host: "the destination", link: "your link", workspace: "your workspace" };
  return banned === "user" || !banned ? "your account" : `${kinds[banned]} ${name}`;
}

export function bannedSubject(values: EmailValues): string {
  const text = bannedObject(values);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function bannedEffect({ banned, links = 0 }: EmailValues): string {
  if (banned === "user") return "You can’t sign in.";
  if (banned === "workspace") {
    return "Its links don’t redirect, and the workspace can only be viewed and exported.";
  }
  if (banned === "link") return "Visitors see that it was disabled.";
  return `${links === 1 ? "1 link" : `${links} links`} of your workspace redirect to it. Visitors see that they were disabled.`;
}

export function bannedInChinese({ banned, name }: EmailValues): string {
  const kinds = { host: "目标网站", link: "你的链接", workspace: "你的工作区" };
  return banned === "user" || !banned ? "你的账户" : `${kinds[banned]} ${name} `;
}

export function effectInChinese({ banned, links }: EmailValues): string {
  if (banned === "user") return "你无法登录。";
  if (banned === "workspace") return "工作区内的链接不再跳转，你只能查看和导出数据。";
  if (banned === "link") return "访问者会看到该链接已被停用。";
  return `你的工作区有 ${links} 条链接跳转到该网站，访问者会看到这些链接已被停用。`;
}
