/** Messages to chats: their texts, and that no text of users changes what a message is. */
import { beforeAll, expect, test } from "vitest";
import type { EventRow } from "./bodies.ts";
import { plainText } from "./chat-items.ts";
import { messageOf } from "./chat-message.ts";
import { chatBody, chatRequest, judgeChat } from "./chats.ts";
import { chatFormats } from "./schema.ts";

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://localhost/none",
    REDIS_URL: "redis://localhost",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    FUXI_URL: "https://fuxi.example",
  });
});

const none = { domains: [], folder_ids: [], tag_ids: [], chosen_links: false };
const webhook = { id: "wh_1", events: [], ...none, language: "en" as const };
const place = { name: "Acme", slug: "acme" };
let made = 0;

function eventOf(type: string, data: object): EventRow {
  made += 1;
  return { pk: made, id: `evt_${made}`, type, link_id: null, data, at: new Date(0) };
}

const linkOf = (key: string, url = "https://example.com/page") => ({
  id: `link_${key}`,
  shortLink: `https://go.example/${key}`,
  url,
});

test("events are grouped by type, with their number, and the first ones by name", () => {
  const links = Array.from({ length: 7 }, (_, at) => eventOf("link.created", linkOf(`k${at}`)));
  const updated = [1, 2].map(() => eventOf("link.updated", linkOf("same")));
  const { title, parts } = messageOf(webhook, [...updated, ...links], place);
  expect(title).toBe("Fuxi · Acme");
  expect(parts.map(({ head, more }) => [head, more])).toEqual([
    ["7 links created", "and 2 more"],
    ["Link updated", null],
  ]);
  expect(parts[0]?.items[0]).toEqual({
    name: "go.example/k0",
    href: "https://fuxi.example/app/acme/links/link_k0",
    fact: "→ example.com",
  });
});

test("clicks are counted per link, those with the most first", () => {
  const clicks = (key: string, count: number) =>
    Array.from({ length: count }, () => ({ click: {}, link: linkOf(key) }));
  const event = eventOf("link.clicks", { clicks: [...clicks("a", 1), ...clicks("b", 1_200)] });
  const [part] = messageOf(webhook, [event], place).parts;
  expect(part?.head).toBe("1,201 clicks");
  expect(part?.items.map(({ name, fact }) => [name, fact])).toEqual([
    ["go.example/b", "1,200 clicks"],
    ["go.example/a", "1 click"],
  ]);
});

test("a sale is shown with its amount, in the digits of its currency", () => {
  const saleOf = (amount: number, currency: string) =>
    eventOf("sale.created", { link: linkOf("shop"), sale: { amount, currency } });
  const events = [saleOf(123_456, "EUR"), saleOf(1_980, "JPY"), saleOf(1_500, "KWD")];
  const [part] = messageOf(webhook, events, place).parts;
  expect(part?.head).toBe("3 sales");
  expect(part?.items.map(({ name, fact }) => [name, fact])).toEqual([
    ["go.example/shop", "€1,234.56"],
    ["go.example/shop", "¥1,980"],
    ["go.example/shop", "KWD\u00a01.500"],
  ]);
  const [lead] = messageOf(
    { ...webhook, language: "zh" },
    [eventOf("lead.created", { link: linkOf("shop") })],
    place,
  ).parts;
  expect([lead?.head, lead?.items[0]?.fact]).toEqual(["1 条新线索", ""]);
});

test("a message is in the language of the webhook, with amounts and links to the dashboard", () => {
  const events = [
    eventOf("import.finished", {
      id: "imp_1",
      name: "a.csv",
      state: "done",
      created: 20,
      refused: 1,
    }),
    eventOf("campaign.finished", { id: "camp_1", name: "秋季促销" }),
    eventOf("recipient.opted_out", { id: "opt_1", messages: [] }),
    eventOf("domain.failing", { id: "dom_1", domain: "go.example" }),
    eventOf("domain.blocked", { id: "dom_1", domain: "go.example", app: "wechat" }),
    eventOf("link.deleted", linkOf("gone")),
  ];
  const body = chatBody("wecom", messageOf({ ...webhook, language: "zh" }, events, place), "zh");
  expect(body).toEqual({
    msgtype: "markdown",
    markdown: {
      content: [
        "**Fuxi · Acme**",
        "删除了 1 条链接",
        "> go.example/gone → example.com",
        "1 个导入已完成",
        "> [a.csv](https://fuxi.example/app/acme/imports/imp_1) 创建 20 条链接，1 行未导入",
        "1 个营销活动已发送完毕",
        "> [秋季促销](https://fuxi.example/app/acme/campaigns/camp_1/report)",
        "1 位收件人退订",
        "1 个域名缺少 DNS 记录",
        "> [go.example](https://fuxi.example/app/acme/domains)",
        "1 个域名可能被应用拦截",
        "> [go.example](https://fuxi.example/app/acme/domains/go.example) 微信",
      ].join("\n"),
    },
  });
});

const hostile = [
  "<!channel>",
  "<@U012AB3CD>",
  "<https://evil.example|Sign in>",
  "[Sign in](https://evil.example)",
  "![](https://evil.example/pixel.png)",
  "<@all>",
  "@all @所有人",
  '<at user_id="all">all</at>',
  '<font color="warning">x</font>',
  "a\n# heading\n> quote",
  "&lt;!here&gt;",
  "`code` *bold*",
  "\u202eabc\u200b",
];

test.each(chatFormats)("no text of users makes a mention, a link or a line in %s", (format) => {
  for (const text of hostile) {
    const events = [
      eventOf("campaign.finished", { id: "camp_1", name: text }),
      eventOf("link.created", {
        ...linkOf("x", `https://evil.example/${text}`),
        shortLink: `https://go.example/${text}`,
      }),
    ];
    const message = messageOf(webhook, events, { name: text, slug: "acme" });
    const body = JSON.stringify(chatBody(format, message, "en"));
    const without = body
      .replaceAll(/<https:\/\/fuxi\.example\/app\/acme\/[\w/]+\|/g, "")
      .replaceAll(/\]\(https:\/\/fuxi\.example\/app\/acme\/[\w/]+\)/g, "")
      .replaceAll(/"href":"https:\/\/fuxi\.example\/app\/acme\/[\w/]+"/g, "");
    expect(without).not.toMatch(/https?:\/\//);
    expect(without).not.toMatch(/<[!@a-z]|\]\(|!\[|@|\\n[#>] ?(heading|quote)|\p{Cf}/iu);
    // What looks like an escaped bracket stays text.
    if (format === "slack") expect(without).not.toMatch(/&(?!amp;)/);
  }
});

test("a text is cut by characters, not in the middle of one", () => {
  expect(plainText("😀".repeat(61))).toBe(`${"😀".repeat(59)}…`);
  expect(plainText("😀".repeat(60))).toBe("😀".repeat(60));
});

test("the largest message has no more than the 4,096 bytes that WeCom takes", () => {
  const long = "宽".repeat(300);
  const events = [
    ...["link.created", "link.updated", "link.deleted"].flatMap((type) =>
      Array.from({ length: 30 }, (_, at) => eventOf(type, linkOf(`${at}${long}`))),
    ),
    ...Array.from({ length: 30 }, (_, at) =>
      eventOf("link.clicks", { clicks: [{ link: linkOf(`${at}${long}`) }] }),
    ),
    ...["import.finished", "campaign.finished", "domain.failing", "domain.verified"].flatMap(
      (type) =>
        Array.from({ length: 30 }, () =>
          eventOf(type, { id: "x_1", name: long, domain: long, created: 1_000, refused: 1_000 }),
        ),
    ),
    eventOf("recipient.opted_out", {}),
  ];
  const message = messageOf({ ...webhook, language: "zh" }, events, { name: long, slug: "acme" });
  const { content } = Object(chatBody("wecom", message, "zh")).markdown;
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4_096);
  expect(message.parts.map(({ items, more }) => items.length > 0 || more !== null)).toEqual(
    Array(8).fill(true).toSpliced(6, 0, false),
  );
});

test("a message without a secret is not signed", () => {
  const url = "https://oapi.dingtalk.com/robot/send?access_token=1";
  for (const format of chatFormats) {
    const request = chatRequest(format, { url, secret: "", now: new Date() }, { a: 1 });
    expect(request).toEqual({ url, body: '{"a":1}' });
  }
});

test.each([
  ["slack", 200, "ok", true],
  ["slack", 200, '{"ok":true}', false],
  ["slack", 500, "ok", false],
  ["wecom", 200, '{"errcode":0,"errmsg":"ok"}', true],
  ["wecom", 200, '{"errcode":40058}', false],
  ["wecom", 200, "<html>", false],
  ["wecom", 200, '{"errcode":"0"}', false],
  ["dingtalk", 200, '{"errcode":310000}', false],
  ["feishu", 200, '{"StatusCode":0}', true],
  ["feishu", 200, '{"code":19021,"StatusCode":0}', false],
] as const)("the answer of %s with status %i and %s: accepted %s", (format, status, body, ok) => {
  expect(judgeChat(format, status, body).isAccepted).toBe(ok);
});
