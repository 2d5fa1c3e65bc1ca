/** Chats limit messages per minute, so pending events become one, grouped by type. */

import { config } from "#lib/platform/config";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { type EventRow, narrowed } from "./bodies.ts";
import { type ChatItem, chatTexts, plainText } from "./chat-items.ts";
import { eventKinds } from "./event-kinds.ts";
import type { Place, WebhookRow } from "./store.ts";

export interface ChatPart {
  head: string;
  items: ChatItem[];
  more: string | null;
}

export interface ChatMessage {
  title: string;
  parts: ChatPart[];
}

const itemsPerPartMax = 5;
/** Keeps a message below the 4,096 bytes that WeCom accepts. */
const itemBytesMax = 2_400;
const markupBytes = 24;
const titleCharsMax = 40;

type Reader = Pick<
  WebhookRow,
  "id" | "events" | "domains" | "folder_ids" | "tag_ids" | "chosen_links" | "language"
>;

export function messageOf(
  webhook: Reader,
  events: readonly EventRow[],
  { name, slug }: Place,
): ChatMessage {
  const { language } = webhook;
  const texts = chatTexts[language];
  const wording = { language, texts, base: `${config().FUXI_URL}/app/${slug}` };
  let bytesLeft = itemBytesMax;
  const parts = webhookEventTypes.flatMap((type): ChatPart[] => {
    const found = events.filter((event) => event.type === type);
    if (found.length === 0) return [];
    const own = found.map((event) => narrowed(webhook, event));
    const kind = eventKinds[type];
    const items = kind.items(own, wording);
    const shown: ChatItem[] = [];
    for (const item of items.slice(0, itemsPerPartMax)) {
      bytesLeft -= bytesOf(item);
      if (bytesLeft < 0) break;
      shown.push(item);
    }
    const hidden = items.length - shown.length;
    return [
      {
        head: texts.counted(kind.head, kind.count?.(own) ?? items.length),
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
