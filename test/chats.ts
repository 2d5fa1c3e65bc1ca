/**
 * Local robots of chats that follow public documentation, as of November 2026:
 *
 * - Slack: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks ("Handling errors")
 * - WeCom: developer.work.weixin.qq.com/document/path/91770 (4,096 bytes of markdown, 20 messages per minute), and its
 *   table of error codes, path/90313
 * - DingTalk: open.dingtalk.com/document/orgapp/custom-robots-send-group-messages and …/customize-robot-security-settings
 *   (signature, 20 messages per minute)
 * - Feishu: open.feishu.cn/document/client-docs/bot-v3/add-custom-bot (signature, 20 KB, 100 messages per minute)
 *
 * All but Slack answer with status 200 and an error in the body.
 */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatFormat } from "#lib/outreach/webhooks/schema";

interface Answer {
  status: number;
  body: string;
}

export interface ChatServer {
  urlOf: (format: ChatFormat) => string;
  /** The accepted bodies. */
  messages: string[];
  /** Requests, also refused ones. */
  calls: number;
  /** An answer instead of the usual one. */
  fault: Answer | undefined;
  /** Only robots of DingTalk and Feishu have one. */
  secret: string;
  close: () => Promise<void>;
}

const wecomBytesMax = 4_096;
const feishuBytesMax = 20 * 1_024;
const perMinute = { slack: 60, wecom: 20, dingtalk: 20, feishu: 100 };
const signatureAgeMaxMs = 3_600_000;

export async function startChatServer(): Promise<ChatServer> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const { status, body } = answerTo(
        chat,
        new URL(String(req.url), origin()),
        Buffer.concat(parts).toString(),
      );
      res.writeHead(status, { "content-type": "application/json" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = () => `http://127.0.0.1:${port}`;
  const chat: ChatServer = {
    urlOf: (format) => `${origin()}/${format}?access_token=token-1&key=key-1`,
    messages: [],
    calls: 0,
    fault: undefined,
    secret: "SEC0123456789",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return chat;
}

function answerTo(chat: ChatServer, url: URL, text: string): Answer {
  chat.calls += 1;
  if (chat.fault) return chat.fault;
  const format = url.pathname.slice(1) as ChatFormat;
  const refused = robots[format](chat, url, text);
  if (refused) return refused;
  chat.messages.push(text);
  if (chat.messages.length > perMinute[format]) return tooMany[format];
  return accepted[format];
}

const json = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

const accepted: Record<ChatFormat, Answer> = {
  slack: { status: 200, body: "ok" },
  wecom: json({ errcode: 0, errmsg: "ok" }),
  dingtalk: json({ errcode: 0, errmsg: "ok" }),
  feishu: json({ StatusCode: 0, StatusMessage: "success", code: 0, data: {}, msg: "success" }),
};

const tooMany: Record<ChatFormat, Answer> = {
  slack: { status: 429, body: "rate_limited" },
  wecom: json({ errcode: 45_009, errmsg: "api freq out of limit" }),
  dingtalk: json({ errcode: 130_101, errmsg: "send too fast, exceed 20 times per minute" }),
  feishu: json({ code: 11_232, msg: "frequency limited" }),
};

/** The answer to a wrong request. */
const robots: Record<ChatFormat, (chat: ChatServer, url: URL, text: string) => Answer | undefined> =
  {
    slack: (_, __, text) =>
      typeof JSON.parse(text).text === "string" ? undefined : { status: 400, body: "no_text" },
    wecom: (_, url, text) => {
      const { msgtype, markdown } = JSON.parse(text);
      if (url.searchParams.get("key") !== "key-1")
        return json({ errcode: 93_000, errmsg: "invalid webhook url" });
      return msgtype === "markdown" && Buffer.byteLength(markdown.content) <= wecomBytesMax
        ? undefined
        : json({ errcode: 40_058, errmsg: "markdown.content exceed max length 4096" });
    },
    dingtalk: ({ secret }, url, text) => {
      const timestamp = url.searchParams.get("timestamp") ?? "";
      const sign = createHmac("sha256", secret).update(`${timestamp}\n${secret}`).digest("base64");
      const isRecent = Math.abs(Date.now() - Number(timestamp)) < signatureAgeMaxMs;
      if (!isRecent || url.searchParams.get("sign") !== sign)
        return json({ errcode: 310_000, errmsg: "sign not match" });
      const { msgtype, markdown } = JSON.parse(text);
      return msgtype === "markdown" && markdown.title && markdown.text
        ? undefined
        : json({ errcode: 40_035, errmsg: "param error" });
    },
    feishu: ({ secret }, _, text) => {
      const { timestamp, sign, msg_type: type, content } = JSON.parse(text);
      const expected = createHmac("sha256", `${timestamp}\n${secret}`).digest("base64");
      const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < signatureAgeMaxMs / 1_000;
      if (!isRecent || sign !== expected)
        return json({ code: 19_021, msg: "sign match fail or timestamp is not within one hour" });
      return type === "post" && content.post && Buffer.byteLength(text) <= feishuBytesMax
        ? undefined
        : json({ code: 9_499, msg: "Bad Request" });
    },
  };
