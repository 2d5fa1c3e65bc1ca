import { beforeAll, expect, test } from "vitest";
import { createDomain } from "#lib/links/domains";
import { editLink } from "#lib/links/editing";
import { targetEntry } from "#lib/links/link-cache";
import { publishChanges } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { browser, openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("onward");

const url = "https://example.com/secret-place?a=1";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";
const android =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";
const as = (agent: string, more: Record<string, string> = {}) => ({
  headers: { "user-agent": agent, ...more },
});

/** A host of the workspace: that of the dashboard shows no frames. */
const own = "frames.localhost";
const onOwn = { headers: { host: own } };

beforeAll(async () => {
  await createDomain(scope(), { slug: own });
});

/** The fields of the clicks since the last call. */
async function clicks(): Promise<string[][]> {
  const entries = await redis().xrange(redisKeys.clickStream(0), "-", "+");
  await redis().del(redisKeys.clickStream(0));
  return entries.flatMap(([, fields]) => {
    const events = (fields[fields.indexOf("e") + 1] ?? "").split("\x1e").slice(0, -1);
    return events.map((event) => event.split("\x1f"));
  });
}

const card = {
  proxy: true,
  title: 'Sale "now" <b>&',
  description: "d".repeat(400),
  image: "https://example.com/a.png?x=1&y='2'",
  video: "https://example.com/a.mp4",
};

test.each([
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; +https://www.linkedin.com)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.23.20.0 A",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
])("%s gets the card of a link, with escaped texts, and is a click", async (agent) => {
  const { key } = await make({ url, ...card });
  await clicks();
  const { status, headers, body, all } = await ask(`/${key}`, as(agent));
  expect([status, headers.location]).toEqual([200, undefined]);
  expect(body).toContain(
    '<meta property="og:title" content="Sale &quot;now&quot; &lt;b&gt;&amp;">',
  );
  expect(body).toContain(`<meta property="og:description" content="${"d".repeat(300)}">`);
  expect(body).toContain(
    '<meta property="og:image" content="https://example.com/a.png?x=1&amp;y=&#39;2&#39;">',
  );
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect(body).toContain("https://example.com/a.mp4");
  expect(all).not.toContain("secret-place");
  expect(Buffer.byteLength(body)).toBe(Number(headers["content-length"]));
  const counted = await clicks();
  expect(counted.map((event) => [event[5], event[9]])).toEqual([[agent, ""]]);
});

test.each([
  browser,
  iphone,
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  `${iphone} MicroMessenger/8.0.50(0x18003231)`,
  `${iphone} [FBAN/FBIOS;FBAV/440.0]`,
  `${iphone} [Pinterest/iOS]`,
  `${android} Line/13.20.0`,
])("%s is redirected past a card", async (agent) => {
  const { key } = await make({ url, ...card });
  expect((await ask(`/${key}`, as(agent))).headers.location).toBe(url);
});

test("a link with a password, without proxy, or without texts has no card", async () => {
  const closed = await make({ url, ...card, password: "open sesame" });
  const answer = await ask(`/${closed.key}`, as("Twitterbot/1.0"));
  expect(answer.status).toBe(401);
  expect(answer.all).not.toMatch(/Sale|a\.png|secret-place/);
  for (const body of [{ ...card, proxy: false }, { proxy: true }]) {
    const { key } = await make({ url, ...body });
    expect((await ask(`/${key}`, as("Twitterbot/1.0"))).headers.location).toBe(url);
  }
});

test("a card of a link with a limit uses up no visit", async () => {
  const { key } = await make({ url, ...card, maxClicks: 1 });
  for (let visit = 0; visit < 3; visit++) {
    expect((await ask(`/${key}`, as("Twitterbot/1.0"))).body).toContain("og:title");
  }
  expect((await ask(`/${key}`)).headers.location).toBe(url);
  expect((await ask(`/${key}`)).status).toBe(410);
});

test("a framed destination is one frame of its origin alone, counted, and noindex like every link", async () => {
  const { key } = await make({
    url,
    domain: own,
    rewrite: true,
    title: "Our <shop>",
    forwardQuery: true,
  });
  await clicks();
  const { status, headers, body } = await ask(`/${key}?b=2`, onOwn);
  expect([status, headers.location, headers["x-robots-tag"]]).toEqual([200, undefined, "noindex"]);
  // A framed site may navigate the visitor away after a click, and not by itself.
  expect(/ sandbox="([^"]+)"/.exec(body)?.[1]?.split(" ")).not.toContain("allow-top-navigation");
  expect(body).toMatch(/ sandbox="[^"]*allow-top-navigation-by-user-activation/);
  expect(body).toContain('<iframe src="https://example.com/secret-place?a=1&amp;b=2"');
  expect(body).toContain("<title>Our &lt;shop&gt;</title>");
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toContain("frame-src https://example.com");
  expect(policy).toContain("default-src 'none'");
  expect(await clicks()).toHaveLength(1);
  const head = await ask(`/${key}`, { method: "HEAD", ...onOwn });
  expect([head.status, head.body]).toEqual([200, ""]);
});

test("a host that would split the policy of a frame is redirected to instead", async () => {
  for (const host of ["a;sandbox", "a,b.example", "[::1]"]) {
    const { key } = await make({ url: `https://${host}/x`, domain: own, rewrite: true });
    expect((await ask(`/${key}`, onOwn)).headers.location).toBe(`https://${host}/x`);
  }
});

test("on the host of the dashboard no link is framed, also one from before", async () => {
  await expect(make({ url, rewrite: true })).rejects.toThrow("Use another domain.");
  const { key, id } = await make({ url });
  const refusal = { ok: false, code: "frame_forbidden" };
  expect(await editLink(scope(), id, { rewrite: true })).toMatchObject(refusal);
  const framed = await make({ url, domain: own, rewrite: true });
  const moved = await editLink(scope(), framed.id, { domain: "localhost" });
  expect(moved).toMatchObject(refusal);
  // As an instance whose dashboard moves to the host of its links.
  const [next] = await query<{ revision: number }>(sql`SELECT nextval('revision') AS revision`);
  const [row] = await query<{ domainPk: number; revision: number }>(sql`
    UPDATE link SET rewrite = true, revision = ${next?.revision} WHERE key = ${key}
    RETURNING domain_pk AS "domainPk", revision`);
  const entry = targetEntry(Number(row?.domainPk), key);
  await publishChanges([{ entry, revision: Number(row?.revision) }]);
  const { status, headers } = await ask(`/${key}`);
  expect([status, headers.location]).toEqual([302, url]);
});

test("on the host of the dashboard, pages that ask for something say that a user made the link", async () => {
  const notice = "created by a user of localhost";
  const fields = [
    { password: "open sesame" },
    { ios: "whatsapp://send" },
    { ios: "tel:+4930123456" },
  ];
  for (const body of fields) {
    const shared = await make({ url, ...body });
    expect((await ask(`/${shared.key}`, as(iphone))).body).toContain(notice);
    const inChinese = await ask(`/${shared.key}`, as(iphone, { "accept-language": "zh" }));
    expect(inChinese.body).toContain("localhost 的用户创建");
    const { key } = await make({ url, domain: own, ...body });
    const elsewhere = await ask(`/${key}`, as(iphone, { host: own }));
    expect(elsewhere.body).not.toContain(notice);
    expect(elsewhere.body).toContain("<main>");
  }
  const shared = await make({ url, password: "open sesame" });
  const wrong = await ask(`/${shared.key}`, { method: "POST", form: "password=wrong" });
  expect([wrong.status, wrong.body.includes(notice)]).toEqual([403, true]);
});

test("a password takes precedence over a frame", async () => {
  const { key } = await make({
    url,
    domain: own,
    rewrite: true,
    password: "open sesame",
    title: "Sale",
  });
  const { status, all } = await ask(`/${key}`, onOwn);
  expect(status).toBe(401);
  expect(all).not.toMatch(/secret-place|Sale/);
});

test("an app is opened by a page without a script, which offers the web address and is a click of the app's", async () => {
  const ios = "whatsapp://send?text=a&phone='1'";
  const { key } = await make({ url, ios });
  await clicks();
  const { status, headers, body } = await ask(`/${key}`, as(iphone));
  expect([status, headers.location]).toEqual([200, undefined]);
  const escaped = "whatsapp://send?text=a&amp;phone=&#39;1&#39;";
  expect(body).toContain(`<meta http-equiv="refresh" content="0;url=${escaped}">`);
  expect(body).toContain(`href="${escaped}"`);
  expect(body).toContain('href="https://example.com/secret-place?a=1"');
  expect(body).not.toMatch(/<script/i);
  expect((await clicks()).map((event) => event[9])).toEqual([ios]);
  expect((await ask(`/${key}`, as(android))).headers.location).toBe(url);
});

test("a rule leads into an app as well, and programs get the web address of the link", async () => {
  const intent =
    "intent://x/#Intent;scheme=weixin;package=com.tencent.mm;S.browser_fallback_url=https%3A%2F%2Fexample.com;end";
  const { key } = await make({ url, rules: [{ os: ["android"], url: intent }], forwardPath: true });
  const page = await ask(`/${key}/more`, as(android));
  expect(page.body).toContain(`content="0;url=${intent}"`);
  expect(page.body).toContain('href="https://example.com/secret-place/more?a=1"');
  const bot = `${android} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`;
  expect((await ask(`/${key}`, as(bot))).headers.location).toBe(url);
});

test.each([
  ["tel:+49%2030%20123", "+49 30 123", "Call"],
  ["sms:+8613800000000?body=hi", "+8613800000000", "Write message"],
  ["mailto:ada@example.com?subject=x", "ada@example.com", "Write email"],
])(
  "%s shows the recipient that the visitor would reach, and begins nothing by itself",
  async (ios, shown, button) => {
    const { key } = await make({ url, ios });
    const { body } = await ask(`/${key}`, as(iphone));
    expect(body).toContain(`>${shown}</p>`);
    expect(body).toContain(`>${button}</a>`);
    expect(body).not.toContain("http-equiv");
  },
);

test("an app is tried in browsers of apps that open others, and in the app’s own", async () => {
  const { key } = await make({ url, ios: "taobao://item.taobao.com/1" });
  const own = await make({ url, ios: "weixin://dl/chat" });
  const inWeChat = await ask(`/${own.key}`, as(`${iphone} MicroMessenger/8.0.50`));
  expect(inWeChat.body).toContain("http-equiv");
  const mobileQqBrowser = await ask(`/${key}`, as(`${iphone} MQQBrowser/14.2`));
  expect(mobileQqBrowser.body).toContain("http-equiv");
});

test("a page that is a click is not sent before the click is safe", async () => {
  const { key } = await make({ url, domain: own, rewrite: true });
  await ask(`/${key}`, onOwn);
  const pauseMs = 70;
  // Redis accepts writes again this long after this moment, or later.
  const before = performance.now();
  await redis().client("PAUSE", pauseMs, "WRITE");
  expect((await ask(`/${key}`, onOwn)).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(pauseMs / 2);
});

test("pages for visitors have headers against caching, framing, indexing and type guessing", async () => {
  const { key } = await make({ url, password: "open sesame" });
  for (const path of ["/nobody", `/${key}`, `/${key}+`]) {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      vary: "Accept-Language",
    });
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  }
});
