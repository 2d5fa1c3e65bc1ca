/** URL Links of mini programs: one per page, made and renewed in the background. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  checkWechatAccount,
  createWechatAccount,
  editWechatAccount,
  listWechatAccounts,
} from "#lib/audience/wechat-accounts";
import { deleteLink } from "#lib/links/editing";
import { query, sql } from "#lib/platform/postgres";
import { forgetShared } from "#lib/platform/wechat";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type LocalWechat, startWechat } from "../../../test/wechat.ts";
import { getProgramCode, listRefusedPages, makeUrlLinks } from "./index.ts";
import { programCodeQuery } from "./schema.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });
afterAll(() => wechat.close());
const { ask, make, scope } = openTestVisits("mini-programs");

const url = "https://example.com/";
const ios =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const agents = {
  iphone: `${ios} Version/18.7 Safari/604.1`,
  wechat: `${ios} MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN`,
  qq: `${ios} QQ/9.1.75.25965 NetType/WIFI`,
  desktop:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36",
};
const as = (agent: keyof typeof agents) => ({ headers: { "user-agent": agents[agent] } });

let count = 0;
let appId = "";
const secret = "0123456789abcdefABCDEF0123456789";
const pages = ["pages/index/index", "pages/shop/item"];
beforeEach(async () => {
  count += 1;
  appId = `wx${String(count).padStart(16, "0")}`;
  wechat.addApp(appId, secret, pages);
  wechat.fault = undefined;
  wechat.calls = [];
  forgetShared();
  await query(sql`DELETE FROM wechat_account`);
});
const addAccount = (name = "Shop") =>
  createWechatAccount(scope(), { kind: "miniProgram", name, appId, secret });
const linkTo = (path = "pages/index/index", more: object = {}) =>
  make({ url, insideApps: { open: "miniProgram", appId, path, canContinue: true, ...more } });
const made = () => wechat.callsTo("/wxa/generate_urllink");
/** As if the time had come. */
const dueNow = () => query(sql`UPDATE wechat_page SET next_at = now() - interval '1 second'`);
const accountDue = () =>
  query(sql`UPDATE wechat_account SET next_at = now() - interval '1 second' WHERE next_at > now()`);
const location = async (key: string, agent: keyof typeof agents) =>
  (await ask(`/${key}`, as(agent))).headers.location;

test("one URL Link per page opens it for all links, with the query of each", async () => {
  await addAccount();
  const links = [];
  for (let at = 0; at < 5; at++) links.push(await linkTo(undefined, { query: `a=${at}&b=/?` }));
  links.push(await linkTo("pages/shop/item"));
  expect(await makeUrlLinks()).toBe(2);
  expect(await makeUrlLinks()).toBe(0);
  expect(made().map(({ body }) => body)).toEqual(
    pages.map((path) => ({ path, expire_type: 1, expire_interval: 30 })),
  );
  for (const [at, { key }] of links.entries()) {
    const cq = at < 5 ? `?cq=a%3D${at}%26b%3D%2F%3F` : "";
    for (const agent of ["iphone", "wechat"] as const) {
      expect(await location(key, agent)).toMatch(/^https:\/\/wxaurl\.cn\/Ticket\d+(?:\?|$)/);
      expect(String(await location(key, agent)).replace(/^[^?]*/, "")).toBe(cq);
    }
    expect(await location(key, "desktop")).toBe(url);
  }
});

test("parameters of a visit are not added to a URL Link, and a query of up to 256 characters is", async () => {
  await addAccount();
  const forwarding = await make({
    url,
    forwardQuery: true,
    trackConversion: true,
    insideApps: { open: "miniProgram", appId, path: pages[0], canContinue: true },
  });
  const max = await linkTo(undefined, { query: "q".repeat(256) });
  const longer = await linkTo(undefined, { query: "q".repeat(257) });
  await makeUrlLinks();
  expect(await location(`${forwarding.key}?utm_source=mail`, "iphone")).toMatch(/^[^?]*$/);
  expect(await location(max.key, "iphone")).toMatch(/\?cq=q{256}$/);
  const { status, body } = await ask(`/${longer.key}`, as("iphone"));
  expect([status, body.includes("weixin://dl/business/")]).toEqual([200, true]);
});

test("without a URL Link, and where it has expired, phones get the plain URL Scheme", async () => {
  const { key } = await linkTo();
  const plain = async () => (await ask(`/${key}`, as("iphone"))).body;
  expect(await plain()).toContain("weixin://dl/business/");
  await addAccount();
  await makeUrlLinks();
  await expect.poll(() => location(key, "iphone")).toMatch("wxaurl.cn");
  expect((await ask(`/${key}`, as("qq"))).body).toContain("Open this link in your browser");
  const other = await linkTo(pages[1]);
  await makeUrlLinks();
  await query(sql`UPDATE wechat_page SET expires_at = now() + interval '9 minutes'`);
  expect((await ask(`/${other.key}`, as("iphone"))).body).toContain("weixin://dl/business/");
});

test("a URL Link is renewed before it expires, and the old one stays while that fails", async () => {
  await addAccount();
  const { key } = await linkTo();
  await makeUrlLinks();
  const [row] = await query<{ days: number; renewed: number }>(sql`
    SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days,
      round(extract(epoch FROM next_at - now()) / 86400)::int AS renewed
    FROM wechat_page`);
  expect(row).toEqual({ days: 30, renewed: 25 });
  const before = await location(key, "iphone");
  await dueNow();
  wechat.fault = () => -1;
  expect(await makeUrlLinks()).toBe(0);
  expect(await location(key, "iphone")).toBe(before);
  wechat.fault = undefined;
  await accountDue();
  expect(await makeUrlLinks()).toBe(1);
  await expect.poll(() => location(key, "iphone")).not.toBe(before);
});

test("a visit never waits for WeChat, which hangs", async () => {
  await addAccount();
  const { key } = await linkTo();
  wechat.fault = () => "hang";
  const running = makeUrlLinks();
  const startedAt = Date.now();
  expect((await ask(`/${key}`, as("iphone"))).body).toContain("weixin://dl/business/");
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect(await running).toBe(0);
  expect(await listWechatAccounts(scope())).toMatchObject([{ problem: { code: "unreachable" } }]);
});

test("up to the limit of pages get a URL Link, and the rest the plain URL Scheme", async () => {
  await addAccount();
  wechat.apps.get(appId)?.pages.add("pages/zoo");
  const links = [];
  for (const path of [...pages, "pages/zoo"]) links.push(await linkTo(path));
  expect(await makeUrlLinks(2)).toBe(2);
  expect(await makeUrlLinks(2)).toBe(0);
  expect(made().map(({ body }) => body["path"])).toEqual(pages);
  const [, second, third] = links;
  expect(await location(second?.key ?? "", "iphone")).toMatch("wxaurl.cn");
  expect((await ask(`/${third?.key}`, as("iphone"))).body).toContain("weixin://dl/business/");
  expect(await makeUrlLinks()).toBe(1);
});

test("two workers at once make a URL Link once", async () => {
  await addAccount();
  await linkTo();
  wechat.delayMs = 200;
  const counts = await Promise.all([makeUrlLinks(), makeUrlLinks(), makeUrlLinks()]);
  wechat.delayMs = 0;
  expect(counts.sort()).toEqual([0, 0, 1]);
  expect(made()).toHaveLength(1);
});

test("a page that no link opens any more is forgotten, and not renewed", async () => {
  await addAccount();
  const { id } = await linkTo();
  await makeUrlLinks();
  await deleteLink(scope(), id);
  await dueNow();
  wechat.calls = [];
  expect(await makeUrlLinks()).toBe(0);
  expect(made()).toEqual([]);
  expect(await query(sql`SELECT FROM wechat_page`)).toEqual([]);
});

test.each([
  [40001, "secret", false],
  [40002, "refused", false],
  [40013, "appId", false],
  [40164, "address", true],
  [44990, "busy", true],
  [45009, "dailyLimit", true],
  [85079, "unpublished", true],
] as const)(
  "error %i stops the account: it’s shown as %s, tried again by itself: %s",
  async (errcode, code, retries) => {
    const { id } = await addAccount();
    await linkTo(pages[0]);
    await linkTo(pages[1]);
    const isOfToken = ["secret", "appId", "address"].includes(code);
    wechat.fault = ({ path }) =>
      path === (isOfToken ? "/cgi-bin/stable_token" : "/wxa/generate_urllink")
        ? errcode
        : undefined;
    expect(await makeUrlLinks()).toBe(0);
    const [shown] = await listWechatAccounts(scope());
    const address = code === "address" ? "203.0.113.7" : null;
    expect(shown?.problem).toMatchObject({ code, errcode, address });
    expect(shown?.problem?.nextAt === null).toBe(!retries);
    const calls = wechat.calls.length;
    expect(calls).toBeLessThan(4);
    // Nothing is called before its time.
    expect(await makeUrlLinks()).toBe(0);
    expect(wechat.calls).toHaveLength(calls);
    wechat.fault = undefined;
    await accountDue();
    expect(await makeUrlLinks()).toBe(retries ? 2 : 0);
    if (!retries) {
      expect(await checkWechatAccount(scope(), id)).toMatchObject({ problem: null });
      expect(await makeUrlLinks()).toBe(2);
    }
    expect(await listWechatAccounts(scope())).toMatchObject([{ problem: null }]);
  },
);

test.each([
  [40165, "page"],
  [40212, "query"],
] as const)(
  "error %i concerns the page, and no other page of the account",
  async (errcode, problem) => {
    await addAccount();
    await linkTo("pages/draft");
    await linkTo(pages[1]);
    wechat.fault = ({ path, body }) =>
      path === "/wxa/generate_urllink" && body["path"] === "pages/draft" ? errcode : undefined;
    expect(await makeUrlLinks()).toBe(1);
    expect(await listRefusedPages(scope())).toEqual([{ appId, path: "pages/draft", problem }]);
    expect(await listWechatAccounts(scope())).toMatchObject([{ problem: null }]);
    wechat.calls = [];
    await makeUrlLinks();
    expect(made()).toEqual([]);
  },
);

test("a new AppSecret makes calls possible again", async () => {
  const { id } = await createWechatAccount(scope(), {
    kind: "miniProgram",
    name: "Wrong",
    appId,
    secret: "f".repeat(32),
  });
  await linkTo();
  expect(await makeUrlLinks()).toBe(0);
  expect(await listWechatAccounts(scope())).toMatchObject([{ problem: { code: "secret" } }]);
  await editWechatAccount(scope(), id, { secret });
  expect(await makeUrlLinks()).toBe(1);
});

test("WeChat draws the code of a mini program, with the query or the slug as its scene", async () => {
  await addAccount();
  const plain = await linkTo();
  const max = await linkTo(undefined, { query: "q".repeat(32) });
  const drawn = await getProgramCode(scope(), plain.id, 280);
  expect(drawn.type).toBe("image/png");
  expect([...drawn.body.subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
  await getProgramCode(scope(), max.id, 1_280);
  expect(wechat.callsTo("/wxa/getwxacodeunlimit").map(({ body }) => body)).toEqual([
    { page: pages[0], scene: plain.key, width: 280, check_path: true },
    { page: pages[0], scene: "q".repeat(32), width: 1_280, check_path: true },
  ]);
});

test("a code that WeChat would refuse is refused before, and what WeChat refuses is no picture", async () => {
  const without = await linkTo();
  await expect(getProgramCode(scope(), without.id, 430)).rejects.toMatchObject({
    problem: { code: "wechat_no_account" },
  });
  await addAccount();
  const other = await make({ url });
  const problems = [
    [other.id, "wechat_no_program"],
    [(await linkTo(undefined, { query: "q".repeat(33) })).id, "wechat_scene"],
    [(await linkTo(undefined, { query: "a=%20" })).id, "wechat_scene"],
    [(await linkTo("pages/missing")).id, "wechat_page"],
  ];
  for (const [id = "", code] of problems) {
    await expect(getProgramCode(scope(), id, 430)).rejects.toMatchObject({ problem: { code } });
  }
  wechat.fault = ({ path }) => (path === "/wxa/getwxacodeunlimit" ? 45009 : undefined);
  await expect(getProgramCode(scope(), without.id, 430)).rejects.toMatchObject({
    code: "conflict",
    problem: { code: "wechat_refused" },
  });
  expect(await listWechatAccounts(scope())).toMatchObject([{ problem: { code: "dailyLimit" } }]);
});

test.each([
  [279, false],
  [280, true],
  [1_280, true],
  [1_281, false],
])("a code of %i pixels is allowed: %s", (width, allowed) => {
  expect(programCodeQuery.safeParse({ width }).success).toBe(allowed);
});
