/**
 * Events as a message for people. Chats limit messages per minute, so all events of a moment are one message: by type,
 * with their number, and the names of the first ones.
 */

import { config } from "#lib/platform/config";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { type EventRow, narrowed } from "./bodies.ts";
import { type ChatItem, plainText } from "./chat-items.ts";
import { chatTexts } from "./chat-texts.ts";
import { eventKinds } from "./event-kinds.ts";
import type { Place, WebhookRow } from "./store.ts";

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
const titleCharsMax = 40;

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
