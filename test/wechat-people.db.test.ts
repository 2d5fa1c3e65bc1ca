/**
 * What WeChat says of a visitor, through its whole life: at WeChat, waiting as a code, a contact, in a webhook and a file,
 * with new keys, and erased, also in a restored backup. At each step it is searched for in the clear.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { contactJobs, eraseContact, exportContacts, listContacts } from "#lib/audience/contacts";
import { exportContactsQuery, listContactsQuery } from "#lib/audience/contacts/schema";
import { exchangeWechatCodes } from "#lib/audience/wechat-exchange";
import { campaignJobs } from "#lib/outreach/campaigns";
import { erasePerson, replayErasures } from "#lib/outreach/erasing";
import { createWebhook, webhookJobs } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { query, sql } from "#lib/platform/postgres";
import { listErasures } from "#lib/tenancy/erasures";
import { rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { sweep } from "#lib/transfer/retention";
import { openTestVisits } from "./redirect-server.ts";
import { findInTables, openTextSearch } from "./searching.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver } from "./webhooks.ts";
import { type LocalWechat, startWechat } from "./wechat.ts";
import { openWechatVisitors } from "./wechat-visitors.ts";

let wechat: LocalWechat;
// Before the configuration is read.
beforeAll(async () => {
  wechat = await startWechat();
  process.env["FUXI_WECHAT_URL"] = wechat.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });
const visits = openTestVisits("wechat-people");
const { scope } = visits;
const { asking, share } = openWechatVisitors(visits, () => wechat);
beforeAll(() => openIngest());
afterAll(() => wechat.close());

const [openid, unionid] = ["oZhugeKongming0123456789abcd", "oUnionKongming0123456789abcd"];
const [nickname, picture] = ["诸葛孔明", "https://thirdwx.qlogo.cn/mmopen/kongming/132"];
const findAnywhere = openTextSearch([openid, unionid, nickname, picture]);
const person = { openid, unionid, nickname, headimgurl: picture };
const find = (text: string) => listContacts(scope(), listContactsQuery.parse({ person: text }));

/** Codes and tokens, which differ at each step. */
async function findSecrets(): Promise<string[]> {
  const { codes, tokens } = wechat.users;
  return await findInTables([...codes.keys(), ...tokens.keys()]);
}

async function expectHidden(): Promise<void> {
  expect(await findAnywhere()).toEqual([]);
  expect(await findSecrets()).toEqual([]);
}

test("openid, unionid, name and picture are nowhere in the clear, from the code to the erasure", async () => {
  const receiver = await startWebhookReceiver();
  try {
    const hook = { name: "CRM", url: receiver.url, events: ["contact.created"], people: true };
    await createWebhook(scope(), createWebhookBody.parse(hook));
    wechat.users.person = person;
    const at = await asking();
    await share(at);
    await expectHidden();
    wechat.fault = ({ path }) => (path === "/sns/oauth2/access_token" ? 45_011 : undefined);
    await exchangeWechatCodes();
    await expectHidden();
    wechat.fault = ({ path }) => (path === "/sns/userinfo" ? 45_011 : undefined);
    const again = sql`UPDATE wechat_code SET due_at = now() - interval '1 second'`;
    await query(again);
    await exchangeWechatCodes();
    expect(await find(openid)).toHaveLength(1);
    await expectHidden();
    wechat.fault = undefined;
    await query(again);
    await exchangeWechatCodes();
    await ingestAll();
    await expectHidden();
    for (const job of webhookJobs) await job.handle({});
    expect(receiver.got[0]?.body).toContain(openid);
    await expectHidden();

    const chunks: Uint8Array[] = [];
    const sent = await exportContacts(scope(), exportContactsQuery.parse({ person: unionid }));
    await sent.send((bytes) => {
      chunks.push(bytes);
      return Promise.resolve();
    });
    const file = Buffer.concat(chunks).toString();
    for (const text of [openid, unionid, nickname, picture, at.appId]) expect(file).toContain(text);
    await expectHidden();

    // With a newer key, the older one is dropped once nothing needs it.
    await share(at);
    await rotatePeopleKeys(scope());
    for (const job of campaignJobs) if (job.name.includes("tend")) await job.handle({});
    await exchangeWechatCodes();
    for (const job of campaignJobs) if (job.name.includes("tend")) await job.handle({});
    expect(await query(sql`SELECT DISTINCT key_version FROM contact_wechat`)).toEqual([
      { key_version: 2 },
    ]);
    const [contact] = await find(unionid);
    expect(contact).toMatchObject({ answers: 2, wechat: [{ openid, nickname }] });
    await expectHidden();

    await eraseContact(scope(), String(contact?.id));
    expect(await find(openid)).toEqual([]);
    expect(await find(unionid)).toEqual([]);
    for (const table of ["contact_wechat", "contact_alias"]) {
      expect(await query({ text: `SELECT 1 FROM ${table}`, values: [] })).toEqual([]);
    }
    for (const job of contactJobs) await job.handle({});
    await expectHidden();
    await query(sql`UPDATE wechat_code SET expires_at = now() - interval '1 second'`);
    expect(await sweep()).toBeGreaterThan(0);
    expect(await query(sql`SELECT 1 FROM wechat_code`)).toEqual([]);
  } finally {
    await receiver.close();
  }
});

/** The tables as an older backup has them. */
async function backUp() {
  const tables = ["contact", "contact_answer", "contact_wechat"];
  const saved = await Promise.all(
    tables.map((table) =>
      query<{ rows: unknown }>({
        text: `SELECT coalesce(json_agg(row), '[]') AS rows FROM ${table} AS row`,
        values: [],
      }),
    ),
  );
  return async () => {
    await query(sql`DELETE FROM contact`);
    for (const [index, table] of tables.entries()) {
      await query({
        text: `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
        values: [JSON.stringify(saved[index]?.[0]?.rows)],
      });
    }
  };
}

test("an erased person is erased again in a restored backup, where the person was another contact", async () => {
  const fields = [{ type: "phone", required: false }, { type: "wechat" }];
  const at = await asking({ fields });
  wechat.users.person = person;
  await share(at);
  await exchangeWechatCodes();
  const restore = await backUp();
  // The contact of the backup becomes one with a phone, which is erased by the phone.
  await share(at, { f0: "+442079460080" });
  await exchangeWechatCodes();
  expect(await find(openid)).toMatchObject([{ phone: "+442079460080", answers: 2 }]);
  await erasePerson(scope(), { phone: "+442079460080" });
  expect(await find(openid)).toEqual([]);
  await restore();
  expect(await find(openid)).toHaveLength(1);
  await replayErasures(await listErasures(new Date(0)));
  expect(await find(openid)).toEqual([]);
  expect(await query(sql`SELECT 1 FROM contact_wechat`)).toEqual([]);
  expect(await query(sql`SELECT 1 FROM contact`)).toEqual([]);
});
