/** Access tokens of WeChat, for all processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeRedis, redis, redisReady } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { type LocalWechat, startWechat } from "../../../test/wechat.ts";
import {
  digestOf,
  fetchTicket,
  findToken,
  forgetShared,
  makeUrlLink,
  peekTicket,
  retryAt,
} from "./index.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });
afterAll(() => wechat.close());

let count = 0;
let app = { appId: "", secret: "" };
beforeEach(() => {
  count += 1;
  app = { appId: `wx${String(count).padStart(16, "0")}`, secret: `secret-${count}` };
  wechat.addApp(app.appId, app.secret);
  wechat.fault = undefined;
  wechat.delayMs = 0;
  wechat.tokenSeconds = 7_200;
  wechat.calls = [];
  wechat.urlLink = undefined;
  wechat.ticket = undefined;
  wechat.ticketSeconds = 7_200;
  forgetShared();
});
const ticketCalls = () => wechat.callsTo("/cgi-bin/ticket/getticket");
const tokenCalls = () => wechat.callsTo("/cgi-bin/stable_token");

const racers = process.env["TEST_LONG"] ? 8 : 3;

test.each([
  ["token", "/cgi-bin/stable_token"],
  ["ticket", "/cgi-bin/ticket/getticket"],
])(`${racers} processes fetch a %s once`, async (wanted, path) => {
  wechat.delayMs = 300;
  const flags = ["--import", "./scripts/help.mjs", "--import", "tsx", "test/wechat-child.ts"];
  const children = Array.from({ length: racers }, () =>
    spawn(process.execPath, [...flags, app.appId, app.secret, wanted], {
      stdio: ["pipe", "pipe", "inherit"],
      env: process.env,
    }),
  );
  const lines = children.map(({ stdout }) => createInterface({ input: stdout }));
  await Promise.all(lines.map((one) => once(one, "line")));
  const answers = lines.map((one) => once(one, "line"));
  for (const { stdin } of children) stdin.write("go\n");
  const found = await Promise.all(answers);
  expect(new Set(found.map(([line]) => line)).size).toBe(1);
  expect(JSON.parse(String(found[0]?.[0]))).toMatchObject({ ok: true });
  expect(wechat.callsTo(path)).toHaveLength(1);
  expect(tokenCalls()).toHaveLength(1);
});

test("in Redis a token is sealed, and an account with another AppSecret does not get it", async () => {
  const token = await findToken(app);
  expect(token).toMatchObject({ ok: true });
  const keys = await redis().keys("wechat:*");
  const stored = await Promise.all(keys.map((key) => redis().get(key)));
  expect(JSON.stringify([keys, stored])).not.toContain(app.appId);
  expect(stored.map((one) => Buffer.from(one ?? "", "base64").toString()).join()).not.toContain(
    `token-${app.appId}`,
  );
  expect(await findToken({ ...app, secret: "guessed" })).toMatchObject({
    ok: false,
    problem: "secret",
    errcode: 40001,
  });
});

test("a token is fetched again before it expires, and the previous one is used until then", async () => {
  // WeChat issues the next one in the last 5 minutes.
  wechat.tokenSeconds = 260;
  const first = await findToken(app);
  const second = await findToken(app);
  expect([first.ok, second.ok]).toEqual([true, true]);
  expect(second).not.toEqual(first);
  const before = tokenCalls().length;
  wechat.fault = () => -1;
  expect(await findToken(app)).toEqual(second);
  expect(tokenCalls()).toHaveLength(before + 1);
});

test.each([40001, 42001])(
  "a token that WeChat refuses with %i is replaced, and the call repeated",
  async (errcode) => {
    await findToken(app);
    let refusals = 0;
    wechat.revoke(app.appId);
    wechat.fault = ({ path }) => {
      if (path !== "/wxa/generate_urllink" || refusals > 0) return undefined;
      refusals += 1;
      return errcode;
    };
    const made = await makeUrlLink(app, "pages/index/index");
    expect(made).toMatchObject({ ok: true });
    expect(tokenCalls()).toHaveLength(2);
    expect(tokenCalls().map(({ body }) => body["force_refresh"])).toEqual([false, false]);
  },
);

test("only a current token that is refused is replaced by force, once for many calls", async () => {
  const refused = await findToken(app);
  const value = refused.ok ? refused.value : "";
  wechat.delayMs = 50;
  const next = await Promise.all(Array.from({ length: 8 }, () => findToken(app, value)));
  expect(new Set(next.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(next[0]).not.toEqual(refused);
  expect(tokenCalls().map(({ body }) => body["force_refresh"])).toEqual([false, false, true]);
});

test("a visit finds a ticket that a job has fetched, and never calls WeChat", async () => {
  expect(await peekTicket(digestOf(app))).toBeUndefined();
  expect(wechat.calls).toEqual([]);
  const ticket = await fetchTicket(app);
  forgetShared(); // another process
  expect(await peekTicket(digestOf(app))).toBe(ticket.ok && ticket.value);
  expect(await peekTicket(digestOf({ ...app, secret: "guessed" }))).toBeUndefined();
  expect(ticketCalls()).toHaveLength(1);
});

test("a ticket that ends within a minute is used by no page, and replaced by the job", async () => {
  wechat.ticketSeconds = 59;
  await fetchTicket(app);
  expect(await peekTicket(digestOf(app))).toBeUndefined();
  wechat.ticketSeconds = 7_200;
  const next = await fetchTicket(app);
  expect(await peekTicket(digestOf(app))).toBe(next.ok && next.value);
  expect(ticketCalls()).toHaveLength(2);
});

test("a ticket that Redis lost is fetched again, although the worker remembers it", async () => {
  await fetchTicket(app);
  const keys = await redis().keys("wechat:*:ticket");
  expect(keys).toContain(`wechat:{${digestOf(app)}}:ticket`);
  await redis().del(`wechat:{${digestOf(app)}}:ticket`);
  await fetchTicket(app);
  await fetchTicket(app);
  forgetShared();
  expect(await peekTicket(digestOf(app))).toBeDefined();
  expect(ticketCalls()).toHaveLength(2);
});

test.each([40001, 42001])(
  "a ticket is fetched with another token when WeChat refuses the first with %i",
  async (errcode) => {
    await findToken(app);
    wechat.revoke(app.appId);
    let refusals = 0;
    wechat.fault = ({ path }) => {
      if (path !== "/cgi-bin/ticket/getticket" || refusals > 0) return undefined;
      refusals += 1;
      return errcode;
    };
    expect(await fetchTicket(app)).toMatchObject({ ok: true });
    expect([tokenCalls().length, ticketCalls().length]).toEqual([2, 2]);
  },
);

test("an answer without a ticket is none", async () => {
  for (const ticket of ["", 7, { a: 1 }]) {
    wechat.ticket = ticket;
    expect(await fetchTicket(app)).toMatchObject({ ok: false, problem: "unreachable" });
    expect(await peekTicket(digestOf(app))).toBeUndefined();
  }
});

test.each([
  [40001, "secret"],
  [40002, "refused"],
  [40013, "appId"],
  [40164, "address"],
  [40165, "page"],
  [40212, "query"],
  [44990, "busy"],
  [45009, "dailyLimit"],
  [85079, "unpublished"],
] as const)("error %i is the problem %s", async (errcode, problem) => {
  wechat.fault = ({ path }) => (path === "/wxa/generate_urllink" ? errcode : undefined);
  const address = problem === "address" ? "203.0.113.7" : null;
  expect(await makeUrlLink(app, "pages/index/index")).toEqual({
    ok: false,
    problem,
    errcode,
    address,
  });
});

test("what people correct here waits for them, the rest is tried again at its time", () => {
  const now = Date.parse("2026-11-24T15:30:00Z");
  expect(retryAt("secret", 0, now)).toBeNull();
  expect(retryAt("appId", 3, now)).toBeNull();
  expect(retryAt("address", 0, now)).toBe(now + 3_600_000);
  expect([0, 1, 2, 10, 1_000].map((n) => Number(retryAt("busy", n, now)) - now)).toEqual([
    60_000, 120_000, 240_000, 3_600_000, 3_600_000,
  ]);
  // Midnight in China.
  expect(retryAt("dailyLimit", 0, now)).toBe(Date.parse("2026-11-24T16:00:00Z"));
  expect(retryAt("dailyLimit", 0, now + 1_800_000)).toBe(Date.parse("2026-11-25T16:00:00Z"));
});

test("a URL of another site is no URL Link", async () => {
  for (const url of ["https://wxaurl.cn.evil.example/T", "javascript:alert(1)", "", 7]) {
    wechat.urlLink = url;
    expect(await makeUrlLink(app, "pages/index/index")).toMatchObject({ problem: "unreachable" });
  }
  wechat.urlLink = "https://wxmpurl.cn/T1";
  expect(await makeUrlLink(app, "pages/index/index")).toMatchObject({ value: wechat.urlLink });
});

test("without Redis, a process fetches its own token once", async () => {
  redis().disconnect();
  wechat.delayMs = 100;
  const tokens = await Promise.all(Array.from({ length: 8 }, () => findToken(app)));
  expect(new Set(tokens.map((one) => JSON.stringify(one)))).toHaveProperty("size", 1);
  expect(tokens[0]).toMatchObject({ ok: true });
  expect(await findToken(app)).toEqual(tokens[0]);
  expect(tokenCalls()).toHaveLength(1);
  await closeRedis();
  await redisReady(redis(), 10_000);
});
