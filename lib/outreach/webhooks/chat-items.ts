/** The lines of a message to a chat. */

import { minorDigits } from "#lib/basics/formats/schema";
import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";
import type { Locale } from "#lib/platform/messages/schema";
import type { EventData } from "./bodies.ts";

interface ImportResult {
  failed: boolean;
  created: number;
  refused: number;
}

interface ChatTexts {
  counted: (counted: Counted, count: number) => string;
  amount: (amount: number, currency: string) => string;
  import: (result: ImportResult) => string;
  more: (count: number) => string;
  usual: (count: number) => string;
}

const number = (locale: Locale) => (count: number) => new Intl.NumberFormat(locale).format(count);

/** Singular and plural in English, and a Chinese text with `#` for the number. */
export type Counted = readonly [one: string, many: string, inChinese: string];
export const clicksText: Counted = ["1 click", "clicks", "# 次点击"];

const countIn: Readonly<Record<Locale, (counted: Counted, count: number) => string>> = {
  en: ([one, many], count) => (count === 1 ? one : `${number("en")(count)} ${many}`),
  zh: ([, , inChinese], count) => inChinese.replace("#", number("zh")(count)),
};

const money = (locale: Locale) => (amount: number, currency: string) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    amount / 10 ** (minorDigits(currency) ?? 0),
  );

function inEnglish(): ChatTexts {
  const shown = number("en");
  const ending = (one: string, many: string, rest: string) => (count: number) =>
    `${shown(count)} ${count === 1 ? one : many} ${rest}`;
  return {
    counted: countIn.en,
    amount: money("en"),
    import: ({ failed, created, refused }) => {
      const links = ending("link", "links", "created")(created);
      const rows = ending("row", "rows", "refused")(refused);
      return `${failed ? "failed, " : ""}${links}, ${rows}`;
    },
    more: (count) => `and ${shown(count)} more`,
    usual: (count) => `usually about ${shown(count)}`,
  };
}

function inChinese(): ChatTexts {
  const shown = number("zh");
  return {
    counted: countIn.zh,
    amount: money("zh"),
    import: ({ failed, created, refused }) =>
      `${failed ? "失败，" : ""}创建 ${shown(created)} 条链接，${shown(refused)} 行未导入`,
    more: (count) => `另有 ${shown(count)} 项`,
    usual: (count) => `平时约 ${shown(count)} 次`,
  };
}

export const chatTexts: Readonly<Record<Locale, ChatTexts>> = { en: inEnglish(), zh: inChinese() };

export interface ChatItem {
  name: string;
  href: string | null;
  fact: string;
}

export interface Wording {
  language: Locale;
  texts: ChatTexts;
  base: string;
}

const nameCharsMax = 60;

const lookAlikes: Readonly<Record<string, string>> = {
  "@": "＠",
  "<": "＜",
  ">": "＞",
  "[": "［",
  "]": "］",
  "|": "｜",
  "*": "∗",
  "`": "ʼ",
  "\\": "＼",
};

/** Makes users’ text safe in any chat. Changes the scheme of URLs, so that chats don’t turn them into links. */
export function plainText(text: string, charsMax = nameCharsMax): string {
  const flat = text
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replaceAll("://", "：//")
    // defence: chat-names-without-markup
    .replace(/[@<>[\]|*`\\]/g, (char) => lookAlikes[char] ?? "")
    .trim();
  const chars = [...flat];
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join("")}…` : flat;
}

/** Several changes of one link make one item. */
export function linkItems(events: readonly EventData[], { base }: Wording): ChatItem[] {
  const links = new Map(events.map((data): [string, Link] => [data.id, data]));
  return [...links.values()].map((link) => {
    const host = parseUrl(link.url)?.host;
    return {
      name: nameOf(link),
      href: `${base}/links/${link.id}`,
      fact: host === undefined ? "" : plainText(`→ ${host}`),
    };
  });
}

export function clickedItems(clicked: readonly Link[], { texts, base }: Wording): ChatItem[] {
  const counts = new Map<string, { link: Link; count: number }>();
  for (const link of clicked) {
    counts.set(link.id, { link, count: (counts.get(link.id)?.count ?? 0) + 1 });
  }
  const most = [...counts.values()].sort((a, b) => b.count - a.count);
  return most.map(({ link, count }) => ({
    name: nameOf(link),
    href: `${base}/links/${link.id}`,
    fact: texts.counted(clicksText, count),
  }));
}

/** Without the scheme, because chats turn URLs into links. */
export function nameOf({ shortLink }: Link): string {
  return plainText(bareUrl(shortLink).replace(/\/$/, ""));
}
