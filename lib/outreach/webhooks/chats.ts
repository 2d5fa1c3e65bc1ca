/**
 * Messages to the robots of chats, following their public documents as of November 2026:
 *
 * - Slack: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * - WeCom: developer.work.weixin.qq.com/document/path/91770
 * - DingTalk: open.dingtalk.com/document/orgapp/custom-robots-send-group-messages
 * - Feishu: open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 *
 * Most of them answer errors with status 200 and a code in the body.
 */
import { createHmac } from "node:crypto";
import { type OtherLimit, tryLimits } from "#lib/platform/limits";
import type { Locale } from "#lib/platform/messages/schema";
import type { ChatItem } from "./chat-items.ts";
import type { ChatMessage } from "./chat-message.ts";
import type { ChatFormat } from "./schema.ts";

export interface ChatVerdict {
  isAccepted: boolean;
  isGone: boolean;
  retryAfterS: number;
}

export interface ChatRequest {
  url: string;
  body: string;
}

interface Chat {
  limits: readonly OtherLimit[];
  bodyOf: (message: ChatMessage, language: Locale) => object;
  sign?: (url: string, body: object, signing: { secret: string; now: Date }) => ChatRequest;
  judge: (status: number, body: string) => ChatVerdict;
}

/** After too many messages, DingTalk refuses all messages of a robot for 10 minutes. */
const dingtalkBlockS = 600;
const limitedS = 60;

const slack: Chat = {
  limits: ["slackPerUrl"],
  bodyOf: (message) => {
    const escaped = (text: string) => text.replaceAll("&", "&amp;");
    const lines = linesOf(message, {
      title: (title) => `*${escaped(title)}*`,
      head: (head) => head,
      link: (name, href) => `<${escaped(href)}|${escaped(name)}>`,
      item: (text, fact) => `• ${text}${fact && `  ${escaped(fact)}`}`,
      plain: escaped,
    });
    return { text: lines.join("\n"), unfurl_links: false, unfurl_media: false };
  },
  judge: (status, body) => ({
    isAccepted: status === 200 && body.trim() === "ok",
    isGone: status === 410 || /^(no_service|no_active_hooks|no_team)$/.test(body.trim()),
    retryAfterS: status === 429 ? 1 : 0,
  }),
};

const markdown = {
  link: (name: string, href: string) => `[${name}](${href})`,
  plain: (text: string) => text,
};

const wecom: Chat = {
  limits: ["wecomPerUrl"],
  bodyOf: (message) => {
    const lines = linesOf(message, {
      ...markdown,
      title: (title) => `**${title}**`,
      head: (head) => head,
      item: (text, fact) => `> ${text}${fact && ` ${fact}`}`,
    });
    return { msgtype: "markdown", markdown: { content: lines.join("\n") } };
  },
  judge: (_, body) => judgeCode(codeIn(body, "errcode"), { gone: [93_000], limited: [45_009] }),
};

const dingtalk: Chat = {
  limits: ["dingtalkPerUrl"],
  bodyOf: (message) => {
    const lines = linesOf(message, {
      ...markdown,
      title: (title) => `### ${title}`,
      head: (head) => `**${head}**`,
      item: (text, fact) => `- ${text}${fact && ` ${fact}`}`,
    });
    return {
      msgtype: "markdown",
      markdown: { title: message.parts[0]?.head ?? message.title, text: lines.join("\n\n") },
      at: { atMobiles: [], atUserIds: [], isAtAll: false },
    };
  },
  sign: (url, body, { secret, now }) => {
    const timestamp = String(now.getTime());
    const sign = createHmac("sha256", secret).update(`${timestamp}\n${secret}`).digest("base64");
    const signed = new URL(url);
    signed.searchParams.set("timestamp", timestamp);
    signed.searchParams.set("sign", sign);
    return { url: signed.href, body: JSON.stringify(body) };
  },
  judge: (_, body) =>
    judgeCode(
      codeIn(body, "errcode"),
      { gone: [300_001], limited: [130_101, 90_030] },
      dingtalkBlockS,
    ),
};

/** Feishu takes texts as JSON, so they need no escaping. */
const feishu: Chat = {
  limits: ["feishuPerUrlAndSecond", "feishuPerUrl"],
  bodyOf: ({ title, parts }, language) => {
    const text = (value: string) => ({ tag: "text", text: value });
    const itemOf = ({ name, href, fact }: ChatItem) => [
      text("• "),
      href === null ? text(name) : { tag: "a", text: name, href },
      ...(fact ? [text(` ${fact}`)] : []),
    ];
    const content = parts.flatMap(({ head, items, more }) => [
      [text(head)],
      ...items.map(itemOf),
      ...(more ? [[text(more)]] : []),
    ]);
    const post = { [language === "zh" ? "zh_cn" : "en_us"]: { title, content } };
    return { msg_type: "post", content: { post } };
  },
  sign: (url, body, { secret, now }) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const sign = createHmac("sha256", `${timestamp}\n${secret}`).digest("base64");
    return { url, body: JSON.stringify({ timestamp, sign, ...body }) };
  },
  judge: (_, body) =>
    judgeCode(codeIn(body, "code") ?? codeIn(body, "StatusCode"), {
      gone: [19_001],
      limited: [9_499, 11_232],
    }),
};

const chats: Readonly<Record<ChatFormat, Chat>> = { slack, wecom, dingtalk, feishu };

interface Markup {
  title: (title: string) => string;
  head: (head: string) => string;
  link: (name: string, href: string) => string;
  item: (text: string, fact: string) => string;
  plain: (text: string) => string;
}

function linesOf({ title, parts }: ChatMessage, markup: Markup): string[] {
  const textOf = ({ name, href }: ChatItem) =>
    href === null ? markup.plain(name) : markup.link(name, href);
  return [
    markup.title(title),
    ...parts.flatMap(({ head, items, more }) => [
      markup.head(head),
      ...items.map((item) => markup.item(textOf(item), item.fact)),
      ...(more ? [more] : []),
    ]),
  ];
}

function codeIn(body: string, name: string): number | undefined {
  try {
    const code: unknown = Object(JSON.parse(body))[name];
    return typeof code === "number" ? code : undefined;
  } catch {
    return undefined;
  }
}

function judgeCode(
  code: number | undefined,
  known: { gone: readonly number[]; limited: readonly number[] },
  waitS = limitedS,
): ChatVerdict {
  return {
    // defence: chat-answer-judged
    isAccepted: code === 0,
    isGone: code !== undefined && known.gone.includes(code),
    retryAfterS: code !== undefined && known.limited.includes(code) ? waitS : 0,
  };
}

/** Without a signature. */
export function chatBody(format: ChatFormat, message: ChatMessage, language: Locale): object {
  return chats[format].bodyOf(message, language);
}

export function chatRequest(
  format: ChatFormat,
  { url, secret, now }: { url: string; secret: string; now: Date },
  body: object,
): ChatRequest {
  const { sign } = chats[format];
  return sign && secret !== ""
    ? sign(url, body, { secret, now })
    : { url, body: JSON.stringify(body) };
}

export function judgeChat(format: ChatFormat, status: number, body: string): ChatVerdict {
  return chats[format].judge(status, body);
}

/** Counts a message against the limits of the chat. Returns the seconds to wait, or 0. */
export async function takeMessage(format: ChatFormat, url: string): Promise<number> {
  const attempt = await tryLimits(
    chats[format].limits.map((name): readonly [OtherLimit, string] => [name, url]),
  );
  return attempt.ok ? 0 : attempt.retryAfterSeconds;
}
