/** Visitors inside WeChat who share their account with a form: what they see, and that they always go on. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { getContact, listContacts } from "#lib/audience/contacts";
import { listContactsQuery } from "#lib/audience/contacts/schema";
import { exchangeWechatCodes } from "#lib/audience/wechat-exchange";
import { editLink } from "#lib/links/editing";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "./redirect-server.ts";
import { openTestStores } from "./stores.ts";
import { type LocalWechat, startWechat } from "./wechat.ts";
import { newOpenid } from "./wechat-users.ts";
import { cookiesOf, destination, openWechatVisitors, wechatAgent } from "./wechat-visitors.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback", FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const visits = openTestVisits("wechat-users");
const { ask, scope } = visits;
const { asking, get, post, leave, comeBack, share } = openWechatVisitors(visits, () => wechat);
beforeAll(() => openIngest());
afterAll(() => wechat.close());

beforeEach(() => {
  wechat.fault = undefined;
  wechat.calls = [];
  wechat.users.person = {
    openid: newOpenid(),
    nickname: "小明 🍵",
    headimgurl: "https://thirdwx.qlogo.cn/mmopen/vi_32/abc/132",
  };
});

const contacts = (asked: object = {}) => listContacts(scope(), listContactsQuery.parse(asked));
const codesOf = ({ formId }: { formId: string }) =>
  query(sql`SELECT 1 FROM wechat_code JOIN form ON form.pk = form_pk WHERE form.id = ${formId}`);
const desktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36";
const phoneField = { type: "phone", required: false };

test("a visitor shares name and picture by a button, goes on at once, and is a contact", async () => {
  const at = await asking();
  const page = await get(`/${at.key}`, at.host);
  expect(page.status).toBe(200);
  expect(page.body).toContain("Share WeChat name and picture");
  expect(page.body).toContain("Continue without WeChat");
  expect(page.body).not.toContain("<script");
  expect(Buffer.byteLength(page.body)).toBeLessThan(10_000);
  const { address } = await leave(at);
  const back = encodeURIComponent(`http://${at.host}/${at.key}?fuxi_wechat=1`);
  expect(address.replace(/state=[0-9a-f]{32}/, "state=S")).toBe(
    `${wechat.origin}/connect/oauth2/authorize?appid=${at.appId}&redirect_uri=${back}&response_type=code&scope=snsapi_userinfo&state=S#wechat_redirect`,
  );
  expect(await contacts({ formId: at.formId })).toEqual([]);
  await share(at);
  expect(wechat.calls.filter(({ path }) => path.startsWith("/sns/"))).toEqual([]);
  expect(await exchangeWechatCodes()).toBe(1);
  const { openid, nickname, headimgurl } = wechat.users.person;
  const shared = { appId: at.appId, openid, unionid: null, nickname, picture: headimgurl };
  const [contact] = await contacts({ formId: at.formId });
  expect(contact).toMatchObject({ answers: 1, wechat: [{ ...shared, at: expect.any(String) }] });
  await ingestAll();
  const { history, visits: clicks } = await getContact(scope(), String(contact?.id));
  expect(history).toMatchObject([{ consent: "We greet you by your WeChat name.", version: 1 }]);
  expect(clicks).toHaveLength(1);
  expect(await exchangeWechatCodes()).toBe(0);
});

test("where only the openid is asked for, WeChat asks nothing, and no name is fetched", async () => {
  const at = await asking({ fields: [{ type: "wechat", profile: false }], button: "Open" });
  const page = await get(`/${at.key}`, at.host);
  expect(page.body).toContain(">Open</button>");
  expect(page.body).toContain("openid");
  expect((await leave(at)).address).toContain("&scope=snsapi_base&");
  await share(at);
  await exchangeWechatCodes();
  expect(wechat.callsTo("/sns/userinfo")).toEqual([]);
  expect(await contacts({ formId: at.formId })).toMatchObject([
    { wechat: [{ openid: wechat.users.person.openid, nickname: null, unionid: null }] },
  ]);
});

test("continuing without it is always offered, needs no consent, and stores nothing", async () => {
  const at = await asking();
  const without = await post(`/${at.key}`, at.host, {});
  expect(without.status).toBe(303);
  const onward = await get(String(without.headers.location), at.host, cookiesOf(without));
  expect(onward.headers.location).toBe(destination);
  expect(await codesOf(at)).toEqual([]);
  expect(await contacts({ formId: at.formId })).toEqual([]);
  const mixed = await asking({ fields: [{ type: "phone" }, { type: "wechat" }] });
  const answered = await post(`/${mixed.key}`, mixed.host, { f0: "+442079460018", consent: "1" });
  expect(String(answered.headers.location)).toMatch(/^\/.+fuxi_answered=/);
  expect(await contacts({ formId: mixed.formId })).toMatchObject([
    { phone: "+442079460018", wechat: [] },
  ]);
});

test("sharing needs the consent, and other required fields", async () => {
  const at = await asking();
  const refused = await post(`/${at.key}`, at.host, { wechat: "1" });
  expect(refused.status).toBe(422);
  expect(refused.body).toContain("Check this box");
  const mixed = await asking({ fields: [{ type: "phone" }, { type: "wechat" }] });
  const missing = await post(`/${mixed.key}`, mixed.host, { wechat: "1", consent: "1" });
  expect(missing.status).toBe(422);
  expect(missing.body).toContain("Share WeChat name and picture");
});

test("browsers, other apps, bots and other domains are asked for the rest, or for nothing", async () => {
  const alone = await asking();
  const mixed = await asking({ fields: [phoneField, { type: "wechat" }] });
  const agents = [
    desktop,
    `${wechatAgent} wxwork/4.1.0`,
    wechatAgent.replace(/MicroMessenger.*/, "QQ/9.1.75.25965"),
    `${wechatAgent} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ];
  for (const agent of agents) {
    const plain = await get(`/${alone.key}`, alone.host, "", { "user-agent": agent });
    expect([plain.status, plain.headers.location]).toEqual([302, destination]);
    const rest = await get(`/${mixed.key}`, mixed.host, "", { "user-agent": agent });
    expect(rest.body).toContain("Phone number");
    expect(rest.body).not.toContain("WeChat account");
    expect(rest.body).not.toMatch(/name="wechat"/);
    // A page that was made by hand.
    const entered = { wechat: "1", consent: "1" };
    const forged = await post(`/${mixed.key}`, mixed.host, entered, { "user-agent": agent });
    expect(String(forged.headers.location)).toMatch(/^\//);
  }
  const elsewhere = await visits.make({ url: destination, formId: alone.formId });
  expect((await get(`/${elsewhere.key}`, "localhost")).headers.location).toBe(destination);
  await query(sql`UPDATE wechat_domain SET callback = false WHERE host = ${mixed.host}`);
  const fresh = await asking({ fields: [phoneField, { type: "wechat" }] });
  await query(sql`UPDATE wechat_domain SET callback = false WHERE host = ${fresh.host}`);
  expect((await get(`/${fresh.key}`, fresh.host)).body).not.toMatch(/name="wechat"/);
});

test("who answers and shares is one contact, and who turns back at WeChat goes on", async () => {
  const at = await asking({
    fields: [phoneField, { type: "name", required: false }, { type: "wechat" }],
  });
  const { cookies } = await leave(at, { f0: "+442079460030", f1: "Ada" });
  expect(await contacts({ formId: at.formId })).toMatchObject([{ name: "Ada", wechat: [] }]);
  // The button of the phone, and the link again.
  const again = await get(`/${at.key}`, at.host, cookies);
  expect(again.headers.location).toBe(destination);
  await share(at, { f0: "+442079460030", f1: "Ada" });
  await exchangeWechatCodes();
  const nickname = wechat.users.person.nickname;
  expect(await contacts({ formId: at.formId })).toMatchObject([
    { phone: "+442079460030", name: "Ada", answers: 2, wechat: [{ nickname }] },
  ]);
});

test("a refusal at WeChat brings no code, and the visitor goes on", async () => {
  const at = await asking();
  const { path, cookies } = await comeBack(at);
  const declined = await get(path.replace(/code=[0-9a-f]+&/, ""), at.host, cookies);
  expect(declined.status).toBe(303);
  const onward = await get(
    String(declined.headers.location),
    at.host,
    cookiesOf(declined, cookies),
  );
  expect(onward.headers.location).toBe(destination);
  expect(await codesOf(at)).toEqual([]);
});

test("code and state reach no destination, and the visit is one click with the parameters of the visitor", async () => {
  const at = await asking({}, undefined, { forwardQuery: true });
  const left = await post(`/${at.key}?code=own&b=2`, at.host, { consent: "1", wechat: "1" });
  const [, uri = ""] = /redirect_uri=([^&]+)/.exec(String(left.headers.location)) ?? [];
  const [, state = ""] = /state=([0-9a-f]{32})/.exec(String(left.headers.location)) ?? [];
  const back = new URL(decodeURIComponent(uri));
  const path = `${back.pathname}${back.search}&code=0123456789abcdef&state=${state}`;
  const returned = await get(path, at.host, cookiesOf(left));
  expect(returned.headers.location).not.toMatch(/0123456789abcdef|state=/);
  const onward = await get(String(returned.headers.location), at.host, cookiesOf(returned));
  expect(onward.headers.location).toBe(`${destination}?b=2`);
  await ingestAll();
  const rows = await query<{ row: string }>(
    sql`SELECT to_jsonb(click)::text AS row FROM analytics.click`,
  );
  expect(JSON.stringify(rows)).not.toContain("0123456789abcdef");
  expect(JSON.stringify(rows)).not.toContain(state);
  // Parameters of the link itself, without a callback, are the visitor’s own.
  const plain = await visits.make({ url: destination, domain: at.host, forwardQuery: true });
  const own = await get(`/${plain.key}?code=1&state=2`, at.host);
  expect(own.headers.location).toBe(`${destination}?code=1&state=2`);
});

test("code and state reach no destination of a link that lost its form meanwhile", async () => {
  const at = await asking({}, undefined, { forwardQuery: true });
  const { path, cookies } = await comeBack(at);
  await editLink(scope(), at.id, { formId: null });
  await expect
    .poll(async () => (await get(`/${at.key}`, at.host)).headers.location)
    .toBe(destination);
  const onward = await get(path, at.host, cookies);
  expect(onward.headers.location).toBe(destination);
});

test("a callback counts once, in the browser that asked for it, at its link and form, and within ten minutes", async () => {
  const at = await asking();
  const other = await asking();
  const { path, cookies } = await comeBack(at);
  const rows = () =>
    query(
      sql`SELECT 1 FROM wechat_code JOIN form ON form.pk = form_pk WHERE form.id = ${at.formId}`,
    );
  const stranger = await get(path, at.host);
  expect([stranger.status, stranger.headers.location]).toEqual([200, undefined]);
  const state = /state=([0-9a-f]{32})/.exec(path)?.[1] ?? "";
  const theirs = await comeBack(at);
  for (const [url, host, cookie] of [
    [path, at.host, theirs.cookies],
    [path.replace(state, "0".repeat(32)), at.host, cookies],
    [path.replace(state, "x"), at.host, cookies],
    [path.replace(at.key, other.key), other.host, cookies],
    [
      path,
      at.host,
      cookies.replace(/fuxi_wechat=(\d+)/, (_, ends) => `fuxi_wechat=${Number(ends) + 1}`),
    ],
    [path, at.host, cookies.replace(/(fuxi_wechat=\d+\.)(\d+)/, "$11")],
  ] as const) {
    const answer = await get(url, host, cookie);
    expect(String(answer.headers.location ?? "")).not.toContain("code=");
    expect(await rows()).toEqual([]);
  }
  for (const more of [{ "sec-purpose": "prefetch" }]) await get(path, at.host, cookies, more);
  await ask(path, {
    method: "HEAD",
    headers: { host: at.host, "user-agent": wechatAgent, cookie: cookies },
  });
  expect(await rows()).toEqual([]);
  const both = await Promise.all([get(path, at.host, cookies), get(path, at.host, cookies)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  await get(path.replace(/code=[0-9a-f]+/, "code=another"), at.host, cookies);
  expect(await rows()).toHaveLength(1);
  await exchangeWechatCodes();
  await get(path, at.host, cookies);
  expect(await rows()).toHaveLength(1);
  expect(await contacts({ formId: at.formId })).toHaveLength(1);
});

test("a form with a code by SMS asks WeChat once the code was entered", async () => {
  const fields = [{ type: "phone" }, { type: "wechat" }];
  const at = await asking({ fields, confirmPhone: true, codeCountries: ["GB"] });
  const entered = { f0: "+447400198700", consent: "1", wechat: "1" };
  const sent = await post(`/${at.key}`, at.host, entered);
  expect(String(sent.headers.location)).toContain("fuxi_code=");
  const { sendPhoneCodes } = await import("#lib/outreach/phone-code-sending");
  const { log } = await import("#lib/platform/log");
  const lines: unknown[] = [];
  const info = log.info.bind(log);
  log.info = ((line: unknown) => void lines.push(line)) as typeof log.info;
  await sendPhoneCodes();
  log.info = info;
  const code = String(Object(lines.find((line) => "code" in Object(line))).code);
  const confirmed = await post(String(sent.headers.location), at.host, { code });
  expect(String(confirmed.headers.location)).toContain("/connect/oauth2/authorize?appid=");
});
