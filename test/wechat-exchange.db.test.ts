/** Codes of visitors from WeChat: errors, delays, tokens that end, workers at the same time, and who is one contact. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { getContact, listContacts, withdrawContact } from "#lib/audience/contacts";
import { listContactsQuery } from "#lib/audience/contacts/schema";
import {
  checkWechatAccount,
  editWechatAccount,
  listWechatAccounts,
} from "#lib/audience/wechat-accounts";
import { exchangeWechatCodes } from "#lib/audience/wechat-exchange";
import { parseId } from "#lib/basics/ids";
import { createWebhook, webhookJobs } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "./redirect-server.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver } from "./webhooks.ts";
import { type LocalWechat, startWechat } from "./wechat.ts";
import { newOpenid } from "./wechat-users.ts";
import { type Asking, openWechatVisitors, wechatSecret } from "./wechat-visitors.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback", FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const visits = openTestVisits("wechat-exchange");
const { scope } = visits;
const { asking, get, comeBack, share } = openWechatVisitors(visits, () => wechat);
beforeAll(() => openIngest());
afterAll(() => wechat.close());

beforeEach(async () => {
  wechat.fault = undefined;
  wechat.delayMs = 0;
  wechat.calls = [];
  newPerson();
  await query(sql`DELETE FROM wechat_account`);
});

function newPerson(more: object = {}) {
  const picture = "https://thirdwx.qlogo.cn/mmopen/vi_32/abc/132";
  wechat.users.person = { openid: newOpenid(), nickname: "小明", headimgurl: picture, ...more };
  return wechat.users.person;
}

const contacts = (asked: object = {}) => listContacts(scope(), listContactsQuery.parse(asked));
const exchanges = () => wechat.callsTo("/sns/oauth2/access_token");
const again = () =>
  query(sql`UPDATE wechat_code SET due_at = now() - interval '1 second', leased_until = NULL`);
const stages = () =>
  query<{ stage: string; sealed: number }>(
    sql`SELECT stage, length(sealed) AS sealed FROM wechat_code`,
  );
async function accountOf({ accountId }: Asking) {
  const all = await listWechatAccounts(scope());
  return all.find(({ id }) => id === accountId);
}

test.each([40_029, 40_163, 41_008])(
  "a code that WeChat refuses with %i is ended, changes nothing of the account, and leaves no empty contact",
  async (errcode) => {
    const at = await asking();
    await share(at);
    wechat.fault = ({ path }) => (path === "/sns/oauth2/access_token" ? errcode : undefined);
    await exchangeWechatCodes();
    expect(await stages()).toEqual([{ stage: "done", sealed: 0 }]);
    expect(await contacts({ formId: at.formId })).toEqual([]);
    expect(await accountOf(at)).toMatchObject({ problem: null, userProblem: null });
    await again();
    expect(await exchangeWechatCodes()).toBe(0);
    expect(exchanges()).toHaveLength(1);
  },
);

test.each([-1, 45_011, 42_001, "reset", "hang"] as const)(
  "after %s, a code is tried again, and the visitor is not lost",
  async (fault) => {
    const at = await asking();
    await share(at);
    wechat.fault = ({ path }) => (path === "/sns/oauth2/access_token" ? fault : undefined);
    await exchangeWechatCodes();
    expect(await exchangeWechatCodes()).toBe(0);
    wechat.fault = undefined;
    await again();
    await exchangeWechatCodes();
    expect(exchanges()).toHaveLength(2);
    const { openid } = wechat.users.person;
    expect(await contacts({ formId: at.formId })).toMatchObject([{ wechat: [{ openid }] }]);
    expect(await accountOf(at)).toMatchObject({ userProblem: null });
  },
);

test("an answer that is cut off has used the code up: it is not exchanged twice, and the answers of the form stay", async () => {
  const fields = [{ type: "phone" }, { type: "wechat" }];
  const at = await asking({ fields });
  await share(at, { f0: "+442079460040" });
  wechat.fault = ({ path }) => (path === "/sns/oauth2/access_token" ? "cut" : undefined);
  await exchangeWechatCodes();
  wechat.fault = undefined;
  await again();
  await exchangeWechatCodes();
  expect([...wechat.users.codes.values()].map(({ exchanged }) => exchanged)).not.toContain(2);
  expect(await stages()).toEqual([{ stage: "done", sealed: 0 }]);
  expect(await contacts({ formId: at.formId })).toMatchObject([
    { phone: "+442079460040", wechat: [] },
  ]);
});

test("an address that is not on the list of the account is shown, and the code is tried until it is too old", async () => {
  const at = await asking();
  await share(at);
  wechat.fault = ({ path }) => (path.startsWith("/sns/") ? 40_164 : undefined);
  await exchangeWechatCodes();
  const problem = { code: "address", errcode: 40_164, address: "203.0.113.7" };
  expect(await accountOf(at)).toMatchObject({ problem: null, userProblem: problem });
  wechat.fault = undefined;
  await query(sql`UPDATE wechat_code SET valid_until = now() - interval '1 millisecond'`);
  await again();
  await exchangeWechatCodes();
  expect(exchanges()).toHaveLength(1);
  expect(await stages()).toEqual([{ stage: "done", sealed: 0 }]);
  const valid = sql`SELECT expires_at - valid_until AS rest FROM wechat_code`;
  expect(await query(valid)).toHaveLength(1);
});

test("a code is not exchanged five minutes after it was issued", async () => {
  const at = await asking();
  await share(at);
  const [row] = await query<{ seconds: number }>(sql`
    SELECT extract(epoch FROM valid_until - due_at)::int AS seconds FROM wechat_code`);
  expect(row?.seconds).toBe(290);
});

test.each([
  [40_125, "secret"],
  [40_013, "appId"],
  [48_001, "permission"],
] as const)(
  "while WeChat refuses the account with %i, no visitor is asked, until somebody checks it",
  async (errcode, code) => {
    const at = await asking();
    await share(at);
    wechat.fault = ({ path }) => (path === "/sns/oauth2/access_token" ? errcode : undefined);
    await exchangeWechatCodes();
    expect(await accountOf(at)).toMatchObject({ problem: null, userProblem: { code } });
    // Its host is not in memory yet.
    const other = await asking({}, at);
    expect((await get(`/${other.key}`, other.host)).status).toBe(302);
    wechat.fault = undefined;
    await checkWechatAccount(scope(), at.accountId);
    const next = await asking({}, at);
    expect((await get(`/${next.key}`, next.host)).body).toContain("Share WeChat name");
    await query(sql`UPDATE wechat_account SET user_problem = ${code} WHERE id = ${at.accountId}`);
    await editWechatAccount(scope(), at.accountId, { secret: wechatSecret });
    expect(await accountOf(at)).toMatchObject({ userProblem: null });
  },
);

test("a token of the visitor that ended is replaced once; without another one, the openid stays", async () => {
  const endToken = () => {
    for (const token of wechat.users.tokens.values()) token.isEnded = true;
  };
  const at = await asking();
  for (const refreshes of [true, false]) {
    const { openid, nickname } = newPerson();
    await share(at);
    let ended = false;
    wechat.fault = ({ path }) => {
      if (path === "/sns/userinfo" && !ended) {
        ended = true;
        endToken();
      }
      return path === "/sns/oauth2/refresh_token" && !refreshes ? 40_030 : undefined;
    };
    await exchangeWechatCodes();
    expect(await contacts({ person: openid })).toMatchObject([
      { wechat: [{ openid, nickname: refreshes ? nickname : null }] },
    ]);
    expect(await accountOf(at)).toMatchObject({ userProblem: null });
  }
  expect(wechat.callsTo("/sns/oauth2/refresh_token")).toHaveLength(2);
});

test.each([
  [48_001, "permission"],
  [45_011, "busy"],
] as const)(
  "when WeChat refuses the profile with %i, the openid is stored",
  async (errcode, code) => {
    const at = await asking();
    await share(at);
    wechat.fault = ({ path }) => (path === "/sns/userinfo" ? errcode : undefined);
    await exchangeWechatCodes();
    const { openid, nickname } = wechat.users.person;
    expect(await contacts({ formId: at.formId })).toMatchObject([
      { wechat: [{ openid, nickname: null }] },
    ]);
    expect(await accountOf(at)).toMatchObject({ userProblem: { code } });
    wechat.fault = undefined;
    await again();
    await exchangeWechatCodes();
    expect(exchanges()).toHaveLength(1);
    const isBusy = code === "busy";
    expect(await contacts({ formId: at.formId })).toMatchObject([
      { wechat: [{ nickname: isBusy ? nickname : null }] },
    ]);
    if (!isBusy) return;
    expect(await stages()).toEqual([{ stage: "done", sealed: 0 }]);
  },
);

test("a virtual person is counted, and nothing of it is stored, but what else was answered", async () => {
  const at = await asking({ fields: [{ type: "phone", required: false }, { type: "wechat" }] });
  newPerson({ isVirtual: true });
  await share(at);
  await share(at, { f0: "+442079460041" });
  await exchangeWechatCodes();
  expect(await accountOf(at)).toMatchObject({ virtualUsers: 2 });
  expect(await query(sql`SELECT 1 FROM contact_wechat WHERE app_id = ${at.appId}`)).toEqual([]);
  expect(await contacts({ formId: at.formId })).toMatchObject([
    { phone: "+442079460041", wechat: [] },
  ]);
  expect(wechat.callsTo("/sns/userinfo")).toEqual([]);
});

test("workers at the same time exchange each code once", async () => {
  const at = await asking();
  const people = [];
  for (let made = 0; made < 6; made++) {
    people.push(newPerson().openid);
    await share(at);
  }
  wechat.delayMs = 30;
  await Promise.all(Array.from({ length: 8 }, () => exchangeWechatCodes()));
  expect(exchanges()).toHaveLength(6);
  const found = await contacts({ formId: at.formId });
  expect(found.flatMap((one) => one.wechat.map(({ openid }) => openid)).sort()).toEqual(
    people.sort(),
  );
});

const racers = process.env["TEST_LONG"] ? 8 : 3;

test(`${racers} processes exchange each code once`, async () => {
  const at = await asking();
  const people = [];
  for (let made = 0; made < 12; made++) {
    people.push(newPerson().openid);
    await share(at);
  }
  wechat.delayMs = 100;
  const flags = ["--import", "./scripts/help.mjs", "--import", "tsx", "test/wechat-codes-child.ts"];
  const children = Array.from({ length: racers }, () =>
    spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"], env: process.env }),
  );
  const lines = children.map(({ stdout }) => createInterface({ input: stdout }));
  await Promise.all(lines.map((one) => once(one, "line")));
  const answers = lines.map((one) => once(one, "line"));
  for (const { stdin } of children) stdin.write("go\n");
  const taken = (await Promise.all(answers)).map(([line]) => Number(line));
  expect(taken.reduce((sum, one) => sum + one, 0)).toBe(12);
  expect(
    exchanges()
      .map((one) => one.query.get("code"))
      .sort(),
  ).toEqual([...new Set(exchanges().map((one) => one.query.get("code")))].sort());
  const found = await contacts({ formId: at.formId });
  expect(found.map(({ wechat: [user] }) => user?.openid).sort()).toEqual(people.sort());
});

test("visitors do not wait for WeChat, and a workspace with many codes leaves room for others", async () => {
  const at = await asking();
  wechat.fault = ({ path }) => (path.startsWith("/sns/") ? "hang" : undefined);
  for (let made = 0; made < 3; made++) await share(at);
  await query(sql`UPDATE wechat_code SET leased_until = now() + interval '1 minute'`);
  const rows = Array.from(
    { length: 17 },
    () => sql`
    INSERT INTO wechat_code (id, workspace_pk, account_pk, form_pk, form_version, link_pk, is_new, profile, stage,
      key_version, sealed, due_at, leased_until, valid_until, expires_at)
    SELECT gen_random_uuid(), workspace_pk, account_pk, form_pk, 1, link_pk, true, true, 'code', 1, '',
      now() + interval '1 minute', now() + interval '1 minute', now(), now()
    FROM wechat_code LIMIT 1`,
  );
  for (const row of rows) await query(row);
  expect(await exchangeWechatCodes()).toBe(0);
  await query(sql`UPDATE wechat_code SET leased_until = NULL WHERE sealed = ''`);
  wechat.fault = undefined;
  expect(await exchangeWechatCodes()).toBe(3);
});

test("a person who comes again is one contact, with both answers and clicks, and the first id is theirs too", async () => {
  const [one, other] = [await asking(), await asking()];
  const account = { appId: one.appId, accountId: one.accountId };
  const third = await asking({}, account);
  await share(one);
  await exchangeWechatCodes();
  newPerson({ ...wechat.users.person, nickname: "小红" });
  await share(third);
  const pending = await contacts({ formId: third.formId });
  await exchangeWechatCodes();
  await ingestAll();
  const [contact] = await contacts({ formId: one.formId });
  expect(contact).toMatchObject({ answers: 2, wechat: [{ nickname: "小红" }] });
  expect(await contacts({ formId: third.formId })).toEqual([contact]);
  const details = await getContact(scope(), String(contact?.id));
  expect(details.history.map(({ formId }) => formId)).toEqual([third.formId, one.formId]);
  expect(details.visits).toHaveLength(2);
  expect((await getContact(scope(), String(pending[0]?.id))).id).toBe(contact?.id);
  // Another account has another openid.
  newPerson();
  await share(other);
  await exchangeWechatCodes();
  expect(await contacts({ formId: other.formId })).not.toEqual([contact]);
  const uuid = parseId("con", String(pending[0]?.id)) ?? "";
  expect(await withdrawContact(scope().workspacePk, uuid)).toBe(true);
  expect(await contacts({ formId: one.formId })).toEqual([]);
});

test("a unionid makes one contact of two accounts, and a phone keeps two people apart", async () => {
  const fields = [{ type: "phone", required: false }, { type: "wechat" }];
  const [one, other] = [await asking({ fields }), await asking({ fields })];
  const unionid = newOpenid();
  newPerson({ unionid });
  await share(one);
  await exchangeWechatCodes();
  newPerson({ unionid, nickname: "同一人" });
  await share(other, { f0: "+442079460050" });
  await exchangeWechatCodes();
  const [contact] = await contacts({ person: unionid });
  expect(contact).toMatchObject({ phone: "+442079460050", answers: 2 });
  expect(contact?.wechat.map(({ appId }) => appId)).toEqual([other.appId, one.appId]);
  await share(other, { f0: "+442079460051" });
  await exchangeWechatCodes();
  const [newer] = await contacts({ person: "+442079460051" });
  expect(newer?.wechat.map(({ appId }) => appId)).toEqual([other.appId]);
  expect(await contacts({ person: "+442079460050" })).toMatchObject([
    { wechat: [{ appId: one.appId }] },
  ]);
});

test("a lead is counted once the person is known, once per link", async () => {
  const { countContactLeads } = await import("#lib/analytics/conversions");
  const at = await asking();
  const leads = () =>
    query(sql`
      SELECT leads FROM link_stat JOIN link ON link.pk = link_pk
      WHERE link.id = ${parseId("link", at.id) ?? null} AND leads > 0`);
  await share(at);
  await ingestAll();
  await countContactLeads();
  expect(await leads()).toEqual([]);
  await exchangeWechatCodes();
  await countContactLeads();
  await share(at);
  await exchangeWechatCodes();
  await ingestAll();
  await countContactLeads();
  expect(await leads()).toEqual([{ leads: 1 }]);
});

test("webhooks get contact.created of a person who became known, contact.updated later, and the account only with people", async () => {
  const receiver = await startWebhookReceiver();
  try {
    const events = ["contact.created", "contact.updated"];
    const body = { url: receiver.url, events };
    await createWebhook(scope(), createWebhookBody.parse({ ...body, name: "Plain" }));
    await createWebhook(scope(), createWebhookBody.parse({ ...body, name: "Rich", people: true }));
    const told = async () => {
      receiver.got.length = 0;
      await webhookJobs[0]?.handle({});
      return receiver.got
        .map(({ body: text }) => JSON.parse(text))
        .sort((a, b) => Number("wechat" in a.data.contact) - Number("wechat" in b.data.contact));
    };
    const at = await asking({ fields: [{ type: "phone", required: false }, { type: "wechat" }] });
    await share(at);
    expect(await told()).toEqual([]);
    await exchangeWechatCodes();
    const { openid, nickname } = wechat.users.person;
    const created = await told();
    expect(created.map(({ type }) => type)).toEqual(["contact.created", "contact.created"]);
    expect(JSON.stringify(created[0])).not.toMatch(new RegExp(`${openid}|${nickname}`));
    expect(created[1].data.contact.wechat).toMatchObject([{ openid, nickname }]);
    await share(at, { f0: "+442079460060" });
    expect((await told()).map(({ type }) => type)).toEqual(["contact.created", "contact.created"]);
    await exchangeWechatCodes();
    // At once of the contact that ended, and when name and picture are there.
    const updated = await told();
    expect(updated.map(({ type }) => type)).toEqual(Array(4).fill("contact.updated"));
    const [merged] = updated.filter(({ data }) => data.merged !== null);
    expect(merged.data).toMatchObject({
      merged: created[0].data.contact.id,
      link: { id: at.id },
    });
    expect(updated.at(-1)?.data.contact).toMatchObject({
      phone: "+442079460060",
      wechat: [{ openid }],
    });
  } finally {
    await receiver.close();
  }
});

test("a contact that is erased while a code waits gets nothing of it", async () => {
  const at = await asking({ fields: [{ type: "phone" }, { type: "wechat" }] });
  const { path, cookies } = await comeBack(at, { f0: "+442079460070" });
  await get(path, at.host, cookies);
  const { erasePerson } = await import("#lib/outreach/erasing");
  await erasePerson(scope(), { phone: "+442079460070" });
  expect(await exchangeWechatCodes()).toBe(0);
  expect(await contacts({ formId: at.formId })).toEqual([]);
  // Also one whose code comes after the erasure.
  const late = await comeBack(at, { f0: "+442079460071" });
  await erasePerson(scope(), { phone: "+442079460071" });
  expect((await get(late.path, at.host, late.cookies)).status).toBe(303);
  expect(await exchangeWechatCodes()).toBe(0);
});
