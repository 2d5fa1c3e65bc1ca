/**
 * Events as a message for people. Chats limit messages per minute, so all events of a moment are one message: by type,
 * with their number, and the names of the first ones.
 */

import type { Link } from "#lib/links/fields/schema";
import { config } from "#lib/platform/config";
import { appLabel } from "#lib/platform/request-info/schema";
import { parseUrl } from "#lib/platform/url-parsing/schema";
import { type WebhookEventType, webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { type EventRow, linksOf } from "./bodies.ts";
import { type ChatTexts, chatTexts } from "./chat-texts.ts";
import type { Place, WebhookRow } from "./store.ts";

/** A line about one link, import and so on. */
export interface ChatItem {
  name: string;
  /** Its page in the dashboard. */
  href: string | null;
  /** After its name, such as a number. */
  fact: string;
}

export interface ChatPart {
  head: string;
  items: ChatItem[];
  /** How many are not named. */
  more: string | null;
}

export interface ChatMessage {
  title: string;
  parts: ChatPart[];
}

const itemsPerPartMax = 5;
/** Of all items. With the other lines, a message stays below the 4,096 bytes that WeCom takes. */
const itemBytesMax = 2_400;
/** What the markup of an item adds to its texts. */
const markupBytes = 24;
const nameCharsMax = 60;
const titleCharsMax = 40;

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

/** What of a webhook decides about its messages. */
type Reader = Pick<
  WebhookRow,
  "id" | "events" | "domains" | "folder_ids" | "tag_ids" | "chosen_links" | "language"
>;

export function messageOf(
  webhook: Reader,
  events: readonly EventRow[],
  { name, slug }: Place,
): ChatMessage {
  const texts = chatTexts[webhook.language];
  const base = `${config().FUXI_URL}/app/${slug}`;
  let bytesLeft = itemBytesMax;
  const parts = webhookEventTypes.flatMap((type): ChatPart[] => {
    const own = events.filter((event) => event.type === type);
    if (own.length === 0) return [];
    const { count, items } = itemsOf(webhook, type, own, { texts, base });
    const shown: ChatItem[] = [];
    for (const item of items.slice(0, itemsPerPartMax)) {
      bytesLeft -= bytesOf(item);
      if (bytesLeft < 0) break;
      shown.push(item);
    }
    const hidden = items.length - shown.length;
    return [
      {
        head: texts.heads[type](count),
        items: shown,
        more: hidden > 0 ? texts.more(hidden) : null,
      },
    ];
  });
  return { title: `Fuxi · ${plainText(name, titleCharsMax)}`, parts };
}

function bytesOf({ name, href, fact }: ChatItem): number {
  return Buffer.byteLength(name + (href ?? "") + fact) + markupBytes;
}

interface Wording {
  texts: ChatTexts;
  base: string;
}

/** `count` is what the head of a part says: of clicks it is more than there are items. */
function itemsOf(
  webhook: Reader,
  type: WebhookEventType,
  events: readonly EventRow[],
  wording: Wording,
): { count: number; items: ChatItem[] } {
  const { texts, base } = wording;
  const named = (items: ChatItem[]) => ({ count: items.length, items });
  const each = (itemOf: (data: EventRow["data"]) => ChatItem) =>
    named(events.map(({ data }) => itemOf(data)));
  switch (type) {
    case "link.clicked":
    case "link.clicks":
    case "campaign.clicked":
      return clickItems(webhook, events, wording);
    case "lead.created":
    case "sale.created":
    case "contact.created":
    case "contact.updated":
      return each(({ link, sale }) => ({
        name: nameOf(link),
        href: `${base}/links/${link.id}`,
        fact: sale ? texts.amount(sale.amount, sale.currency) : "",
      }));
    case "import.finished":
      return each(({ id, name, state, created, refused }) => ({
        name: plainText(String(name)),
        href: `${base}/imports/${id}`,
        fact: texts.import({ failed: state === "failed", created, refused }),
      }));
    case "campaign.finished":
      return each(({ id, name }) => ({
        name: plainText(String(name)),
        href: `${base}/campaigns/${id}/report`,
        fact: "",
      }));
    case "contact.erased":
    case "recipient.opted_out":
      return { count: events.length, items: [] };
    case "domain.verified":
    case "domain.failing":
      return each(({ domain }) => ({
        name: plainText(String(domain)),
        href: `${base}/domains`,
        fact: "",
      }));
    case "domain.blocked":
    case "domain.unblocked":
      return each(({ domain, app }) => ({
        name: plainText(String(domain)),
        href: `${base}/domains/${domain}`,
        fact: appLabel(app, webhook.language),
      }));
    default:
      return named(linkItems(type, events, base));
  }
}

/** Several changes of one link are one item. */
function linkItems(type: WebhookEventType, events: readonly EventRow[], base: string): ChatItem[] {
  const links = new Map(events.map(({ data }): [string, Link] => [data.id, data]));
  return [...links.values()].map((link) => {
    const host = parseUrl(link.url)?.host;
    return {
      name: nameOf(link),
      href: type === "link.deleted" ? null : `${base}/links/${link.id}`,
      fact: host === undefined ? "" : plainText(`→ ${host}`),
    };
  });
}

function clickItems(webhook: Reader, events: readonly EventRow[], { texts, base }: Wording) {
  const clicked = events.flatMap((event) => linksOf(webhook, event));
  const counts = new Map<string, { link: Link; count: number }>();
  for (const link of clicked) {
    counts.set(link.id, { link, count: (counts.get(link.id)?.count ?? 0) + 1 });
  }
  const most = [...counts.values()].sort((a, b) => b.count - a.count);
  const items = most.map(({ link, count }) => ({
    name: nameOf(link),
    href: `${base}/links/${link.id}`,
    fact: texts.clicks(count),
  }));
  return { count: clicked.length, items };
}

/** Without the scheme: chats make a link of their own of a URL. */
function nameOf({ shortLink }: Link): string {
  return plainText(shortLink.replace(/^https?:\/\//, "").replace(/\/$/, ""));
}
