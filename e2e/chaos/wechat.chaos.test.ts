/**
 * Visitors who share their WeChat account, while WeChat fails and cuts connections, and the worker that exchanges their
 * codes is killed: everyone goes on at once, and every person whose exchange a worker got is a contact, once.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../test/http-client.ts";
import { type LocalWechat, startWechat } from "../../test/wechat.ts";
import { newOpenid } from "../../test/wechat-users.ts";
import { askAsOwner } from "./owner.ts";
import { openStage, type Process, type Stage } from "./stage.ts";

const visitors = process.env["TEST_LONG"] ? 2_000 : 60;
const kills = process.env["TEST_LONG"] ? 10 : 2;
/** Workers start seldom and slowly on a busy machine. */
const endMs = 900_000;
const host = "tea.localhost";
const destination = "https://shop.example/start";
const appId = "wx00000000000c4a05";
const secret = "0123456789abcdefABCDEF0123456789";
const agent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.69(0x18004539) NetType/WIFI Language/zh_CN";

let stage: Stage;
let front: Process;
let wechat: LocalWechat;
let env: Record<string, string>;

beforeAll(async () => {
  wechat = await startWechat();
  wechat.addApp(appId, secret);
  env = {
    FUXI_FETCH: "loopback",
    FUXI_WECHAT_URL: wechat.origin,
    FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
  };
  stage = await openStage();
  // The pages have the sign-in.
  [front] = await Promise.all([stage.start("server.ts", env), stage.start("workers/web.ts", env)]);
});

afterAll(async () => {
  await stage.close();
  await wechat.close();
});

async function make(path: string, body: object) {
  const answer = await front.call("POST", path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The key of a link whose form asks for the WeChat account. */
async function makeLink(): Promise<string> {
  const body = { kind: "officialAccount", name: "Tea", appId, secret };
  const added = await askAsOwner(stage, front, "POST", "/wechat-accounts", body);
  expect([added.status, added.text]).toMatchObject([201, expect.any(String)]);
  await make("/domains", { slug: host });
  const { id: accountId } = JSON.parse(added.text);
  const put = await front.call("PUT", `/wechat-domains/${host}`, { accountId, callback: true });
  expect(put.status).toBe(200);
  const form = await make("/forms", {
    name: "Offer",
    published: true,
    title: "Get the offer",
    consent: "We greet you by your WeChat name.",
    controller: "Acme Ltd, London",
    privacyUrl: "https://acme.example/privacy",
    fields: [{ type: "wechat" }],
  });
  const link = await make("/links", { url: destination, domain: host, formId: form.id });
  return link.key;
}

/** Shares the account, and arrives. */
async function share(key: string, at: number): Promise<void> {
  const openid = newOpenid();
  wechat.users.person = { openid, nickname: `N${at}`, headimgurl: "" };
  const head = {
    Host: host,
    "User-Agent": agent,
    "X-Forwarded-For": `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
  };
  const left = await send(`${front.url}/${key}`, {
    method: "POST",
    headers: head,
    body: new URLSearchParams({ version: "1", consent: "1", wechat: "1" }),
  });
  const cookies = (left.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  const shown = await fetch(String(left.headers.location).split("#")[0] ?? "");
  const [, back = ""] = /href="([^"]+)"/.exec(await shown.text()) ?? [];
  const { pathname, search } = new URL(back.replaceAll("&amp;", "&"));
  const headers = { ...head, Cookie: cookies };
  const returned = await send(`${front.url}${pathname}${search}`, { headers });
  const onward = await send(`${front.url}${returned.headers.location}`, { headers });
  expect([onward.status, onward.headers.location]).toEqual([302, destination]);
}

let cuts = 0;
/** Every tenth exchange ends early, every 15th is refused as too many, and every 25th loses its answer. */
function failSometimes() {
  let calls = 0;
  return ({ path }: { path: string }) => {
    if (!path.startsWith("/sns/")) return undefined;
    calls += 1;
    if (calls % 25 === 0) {
      if (path === "/sns/oauth2/access_token") cuts += 1;
      return "cut" as const;
    }
    if (calls % 10 === 0) return "reset" as const;
    return calls % 15 === 0 ? 45_011 : undefined;
  };
}

async function countOf(text: string): Promise<number> {
  const { rows } = await stage.db.query(`SELECT count(*)::int AS count FROM ${text}`);
  return rows[0].count;
}

/** The openids of all contacts. */
async function listOpenids(): Promise<string[]> {
  const openids: string[] = [];
  let query = "";
  for (;;) {
    const { body } = await front.call("GET", `/contacts?pageSize=100${query}`);
    for (const { wechat: users } of body) for (const { openid } of users) openids.push(openid);
    if (body.length < 100) return openids;
    query = `&startingAfter=${body.at(-1).id}`;
  }
}

test("nobody waits, no code is exchanged twice, and everyone whom a worker got is one contact", {
  timeout: endMs + 60_000,
}, async () => {
  const key = await makeLink();
  wechat.fault = failSometimes();
  wechat.delayMs = 20;
  for (let at = 0; at < visitors; at++) await share(key, at);
  expect(wechat.callsTo("/sns/oauth2/access_token")).toEqual([]);
  let worker = await stage.start("workers/index.ts", env);
  let killed = 0;
  let lostAtKills = 0;
  const end = Date.now() + endMs;
  while ((await countOf("wechat_code WHERE stage <> 'done'")) > 0) {
    if (Date.now() > end) throw new Error("The codes were not exchanged in time");
    // Waits after failures end at once. What a worker has is left out.
    await stage.db.query(
      "UPDATE wechat_code SET due_at = now() WHERE leased_until IS NULL AND due_at > now() AND stage <> 'done'",
    );
    const known = await countOf("contact_wechat");
    if (killed < kills && known >= ((killed + 1) * visitors) / (kills + 2)) {
      killed += 1;
      worker.kill("SIGKILL");
      // What WeChat had answered, and the killed worker had not stored.
      lostAtKills += await countOf("wechat_code WHERE leased_until > now() AND stage = 'code'");
      // Skips the wait for the leases to end.
      await stage.db.query(
        "UPDATE wechat_code SET leased_until = NULL, due_at = now() WHERE stage <> 'done'",
      );
      worker = await stage.start("workers/index.ts", env);
    }
    await setTimeout(50);
  }
  // A busy machine misses some of the moments.
  expect(killed).toBeGreaterThanOrEqual(kills / 2);
  const issued = [...wechat.users.codes.values()];
  expect(issued).toHaveLength(visitors);
  // Each reached WeChat, which accepted each once.
  expect(issued.map(({ exchanged }) => exchanged)).toEqual(issued.map(() => 1));
  const openids = await listOpenids();
  expect(new Set(openids).size).toBe(openids.length);
  const known = new Set(issued.map(({ person }) => person.openid));
  expect(openids.filter((openid) => !known.has(openid))).toEqual([]);
  expect(visitors - openids.length).toBeLessThanOrEqual(cuts + lostAtKills);
  expect(openids.length).toBeGreaterThan(visitors / 2);
  // Every person became a contact.
  expect(await countOf("contact")).toBe(openids.length);
  expect(await countOf("contact_wechat")).toBe(openids.length);
  worker.kill("SIGTERM");
});
