/** Mini programs that open with a button of WeChat, on the domains of official accounts. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeUrlLinks } from "#lib/audience/mini-programs";
import { createWechatAccount, fetchTickets } from "#lib/audience/wechat-accounts";
import { deleteWechatDomain, putWechatDomain } from "#lib/audience/wechat-domains";
import { createDomain } from "#lib/links/domains";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { forgetShared } from "#lib/platform/wechat";
import { outcomes } from "#lib/redirect/visitor-pages";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type LocalWechat, startWechat } from "../../../test/wechat.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });
afterAll(() => wechat.close());
const { ask, make, scope } = openTestVisits("open-tag");

const url = "https://example.com/there";
const ios =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const agents = {
  wechat: `${ios} MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
  qq: `${ios} QQ/9.1.75.25965 NetType/WIFI`,
  iphone: `${ios} Version/18.7 Safari/604.1`,
  bot: `${ios} MicroMessenger/8.0.69 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
};
const secret = "0123456789abcdefABCDEF0123456789";
const program = { open: "miniProgram", appId: "wx00000000000000aa", path: "pages/index/index" };
let count = 0;
let appId = "";
let account = "";
let host = "";

beforeEach(async () => {
  count += 1;
  appId = `wx${String(count).padStart(16, "0")}`;
  host = `tag${count}.localhost`;
  wechat.addApp(appId, secret);
  wechat.fault = undefined;
  wechat.ticketSeconds = 7_200;
  wechat.calls = [];
  forgetShared();
  await query(sql`DELETE FROM wechat_account`);
  const added = { kind: "officialAccount", name: "Tea", appId, secret } as const;
  account = (await createWechatAccount(scope(), added)).id;
  await createDomain(scope(), { slug: host });
  await putWechatDomain(scope(), host, { accountId: account, file: null, callback: false });
});
const linkOn = (domain: string, more: object = {}, inside: object = {}) =>
  make({ url, domain, insideApps: { ...program, ...inside }, ...more });
const visit = (path: string, on = host, agent: keyof typeof agents = "wechat") =>
  ask(`/${path}`, { headers: { host: on, "user-agent": agents[agent] } });
const textOf = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
function attribute(body: string, name: string): string {
  return textOf(new RegExp(`<wx-open-launch-weapp[^>]* ${name}="([^"]*)"`).exec(body)?.[1] ?? "");
}
const hasTag = (body: string) => body.includes("wx-open-launch-weapp id=");

test("inside WeChat the page has the tag, signed for exactly this URL", async () => {
  const { key } = await linkOn(host, {}, { query: "from=mail&x='1'" });
  await fetchTickets();
  for (const path of [key, `${key}?from=singlemessage&isappinstalled=0`]) {
    const { status, headers, body } = await visit(path);
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(headers.vary).toBe("Accept-Language, User-Agent");
    expect(attribute(body, "appid")).toBe(program.appId);
    expect(attribute(body, "path")).toBe("pages/index/index.html?from=mail&x='1'");
    const signed = JSON.parse(attribute(body, "data-signed"));
    // The ticket of the local server.
    const text = `jsapi_ticket=ticket-token-${appId}-1-1&noncestr=${signed.nonceStr}&timestamp=${signed.timestamp}&url=http://${host}/${path}`;
    const signature = createHash("sha1").update(text).digest("hex");
    expect(signed).toEqual({
      appId,
      nonceStr: expect.any(String),
      timestamp: expect.any(Number),
      signature,
    });
    expect(Math.abs(signed.timestamp - Date.now() / 1_000)).toBeLessThan(60);
    expect(body).not.toContain("ticket-token");
  }
  expect(wechat.callsTo("/cgi-bin/ticket/getticket")).toHaveLength(1);
});

test("other apps, browsers and bots get what they get without it", async () => {
  const { key } = await linkOn(host);
  await fetchTickets();
  const iphone = await visit(key, host, "iphone");
  expect(iphone.body).toContain("weixin://dl/business/");
  const qq = await visit(key, host, "qq");
  expect(qq.body).toContain("Open this link in your browser");
  const bot = await visit(key, host, "bot");
  expect(bot.headers.location).toBe(url);
  for (const { body, headers } of [iphone, qq, bot]) {
    expect(hasTag(body)).toBe(false);
    expect(String(headers["content-security-policy"])).not.toContain("qq.com");
  }
  const plain = await make({ url, domain: host });
  expect((await visit(plain.key)).headers.location).toBe(url);
});

test("the policy of the page has the SDK, its own script and the frames of WeChat, and nothing else", async () => {
  const { key } = await linkOn(host);
  await fetchTickets();
  const { headers, body } = await visit(key);
  const directives = String(headers["content-security-policy"]).split(/; ?/);
  expect(directives).toContain("default-src 'none'");
  expect(directives).toContain("base-uri 'none'");
  expect(directives).toContain("frame-src https://*.qq.com webcompt:");
  const [, own = ""] = /<script>([^<]+)<\/script><\/main>/.exec(body) ?? [];
  const hash = createHash("sha256").update(own).digest("base64");
  expect(directives).toContain(
    `script-src https://res.wx.qq.com/open/js/jweixin-1.6.0.js 'sha256-${hash}'`,
  );
  expect(directives.join()).not.toMatch(/unsafe|\*(?!\.qq\.com)/);
  const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
  expect(scripts).toEqual([
    ' type="text/wxtag-template"',
    ' id="sdk" async src="https://res.wx.qq.com/open/js/jweixin-1.6.0.js"',
    "",
  ]);
});

test("without a ticket, and with one that ends, the page comes without the tag, and calls nobody", async () => {
  const { key } = await linkOn(host);
  wechat.fault = () => "hang";
  const startedAt = Date.now();
  const { body } = await visit(key);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect([hasTag(body), body.includes("Open this link in your browser")]).toEqual([false, true]);
  expect(wechat.calls).toEqual([]);
  wechat.fault = undefined;
  wechat.ticketSeconds = 59;
  await fetchTickets();
  expect(hasTag((await visit(key)).body)).toBe(false);
  // Lost by Redis, in a process that knows none.
  wechat.ticketSeconds = 7_200;
  await query(sql`UPDATE wechat_account SET ticket_at = now() - interval '1 second'`);
  await fetchTickets();
  expect(hasTag((await visit(key)).body)).toBe(true);
  forgetShared();
  const names = await redis().keys("wechat:*:ticket");
  if (names.length > 0) await Promise.all(names.map((name) => redis().del(name)));
  expect(hasTag((await visit(key)).body)).toBe(false);
});

test("WeChat’s refusal of a ticket leaves the page without the tag", async () => {
  const { key } = await linkOn(host);
  wechat.fault = ({ path }) => (path === "/cgi-bin/ticket/getticket" ? 40001 : undefined);
  expect(await fetchTickets()).toBe(0);
  expect(hasTag((await visit(key)).body)).toBe(false);
});

test("no signature is made for another host, another port, or an address that a visitor sends", async () => {
  const { key } = await linkOn(host);
  await createDomain(scope(), { slug: `other-${host}` });
  const other = await linkOn(`other-${host}`);
  const short = await make({ url, insideApps: program });
  await fetchTickets();
  expect(hasTag((await visit(key)).body)).toBe(true);
  for (const [path, on] of [
    [other.key, `other-${host}`],
    [short.key, "localhost"],
    [key, `${host}:8443`],
  ] as const) {
    const { body } = await visit(path, on);
    expect([path, body.includes("signature")]).toEqual([path, false]);
    expect(body).toContain("Open this link in your browser");
  }
  // With the URL of another page as a parameter, the signature is still of this page.
  const sent = `${key}?url=https://evil.example/&signature=1`;
  const { body } = await visit(sent);
  const { nonceStr, timestamp, signature } = JSON.parse(attribute(body, "data-signed"));
  const text = `jsapi_ticket=ticket-token-${appId}-1-1&noncestr=${nonceStr}&timestamp=${timestamp}&url=http://${host}/${sent}`;
  expect(signature).toBe(createHash("sha1").update(text).digest("hex"));
  expect(body).not.toContain("evil.example");
  expect((await visit(`missing-${key}`)).body).not.toContain("signature");
});

test("text in the address cannot leave its attributes", async () => {
  const { key } = await linkOn(host);
  await fetchTickets();
  const { body } = await visit(`${key}?x="><script>alert(1)</script>'`);
  expect(hasTag(body)).toBe(true);
  expect(body).not.toContain("alert(1)");
});

test("a domain that is removed, or in another workspace, has no tag", async () => {
  const { key } = await linkOn(host);
  await fetchTickets();
  expect(hasTag((await visit(key)).body)).toBe(true);
  await deleteWechatDomain(scope(), host);
  expect(hasTag((await visit(key)).body)).toBe(false);
  await putWechatDomain(scope(), host, { accountId: account, file: null, callback: false });
  expect(hasTag((await visit(key)).body)).toBe(true);
  // The entry of a workspace that does not have the domain any more.
  const eve = await makeTestScope("eve");
  await putWechatDomain(scope(), host, { accountId: account, file: null, callback: false });
  await query(sql`UPDATE wechat_domain SET workspace_pk = ${eve.workspacePk}`);
  expect(hasTag((await visit(key)).body)).toBe(false);
});

test("an account of another workspace signs nothing, whatever the entry of the domain says", async () => {
  const { key } = await linkOn(host);
  const eve = await makeTestScope("eve-account");
  await fetchTickets();
  await query(sql`UPDATE wechat_account SET workspace_pk = ${eve.workspacePk}`);
  expect(hasTag((await visit(key)).body)).toBe(false);
});

test("the other way is the URL Link where there is one, else the browser; the web where it is allowed", async () => {
  const [open, closed] = [await linkOn(host), await linkOn(host, {}, { canContinue: false })];
  await fetchTickets();
  const without = await visit(open.key);
  expect(without.body).toContain("open this page in your browser");
  expect(without.body).toContain(`href="${url}">Continue on the web`);
  expect((await visit(closed.key)).body).not.toContain("Continue on the web");
  wechat.addApp(program.appId, secret);
  const added = { kind: "miniProgram", name: "Shop", appId: program.appId, secret } as const;
  await createWechatAccount(scope(), added);
  await makeUrlLinks();
  const { body } = await visit((await linkOn(host)).key);
  await expect
    .poll(async () => (await visit(open.key)).body)
    .toMatch(/<a id="other" class="button" href="https:\/\/wxaurl\.cn\/Ticket\d+">/);
  expect(hasTag(body)).toBe(true);
});

test("the page is one click, and takes one of a limit", async () => {
  const { key } = await linkOn(host, { maxClicks: 1 });
  await fetchTickets();
  const before = outcomes.sentOn;
  expect(hasTag((await visit(key)).body)).toBe(true);
  expect(outcomes.sentOn).toBe(before + 1);
  expect((await visit(key)).status).toBe(410);
});

test("what visitors share has the preview of the link, and its address without their parameters", async () => {
  const texts = { title: 'Tea & "cake"', description: "Fresh", image: "https://example.com/a.png" };
  const shared = await linkOn(host, { ...texts, proxy: true });
  const plain = await linkOn(host);
  await fetchTickets();
  const { body } = await visit(`${shared.key}?from=timeline`);
  expect(JSON.parse(attribute(body, "data-card"))).toEqual({
    title: texts.title,
    desc: texts.description,
    link: `http://${host}/${shared.key}`,
    imgUrl: texts.image,
  });
  expect(attribute((await visit(plain.key)).body, "data-card")).toBe("");
});
