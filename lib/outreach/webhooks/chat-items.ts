/** The lines of a message to a chat. */

import { bareUrl, parseUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";
import type { Locale } from "#lib/platform/messages/schema";
import type { EventData } from "./bodies.ts";
import { type ChatTexts, clicksText } from "./chat-texts.ts";

/** A line about one link, import and so on. */
export interface ChatItem {
  name: string;
  /** Its page in the dashboard. */
  href: string | null;
  /** After its name, such as a number. */
  fact: string;
}

export interface Wording {
  language: Locale;
  texts: ChatTexts;
  /** Of the workspace in the dashboard. */
  base: string;
}

const nameCharsMax = 60;

/** Characters of markup in some chat, and others that look like them. */
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

/**
 * A text of users in a message: on one line, without characters that make a mention, a link or a format in any chat.
 * Chats turn URLs in texts into links; without the scheme they do not.
 */
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

/** Several changes of one link are one item. */
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

/** Links with their clicks, those with the most first. */
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

/** Without the scheme: chats make a link of their own of a URL. */
export function nameOf({ shortLink }: Link): string {
  return plainText(bareUrl(shortLink).replace(/\/$/, ""));
}
