/**
 * What a visitor enters in a form, through its whole life: waiting for a code, a contact, in a webhook, exported, and
 * erased, also while another code is waited for. At each step it is searched for in the clear.
 */
import { beforeAll, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { contactJobs, listContacts } from "#lib/audience/contacts";
import { listContactsQuery } from "#lib/audience/contacts/schema";
import { erasePerson } from "#lib/outreach/erasing";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { sendPhoneCodes } from "#lib/outreach/phone-code-sending";
import { createWebhook, webhookJobs } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { openFormVisitors } from "./form-visitors.ts";
import { settingsOf, startSmsGateway } from "./gateways.ts";
import { openTestVisits } from "./redirect-server.ts";
import { findInTables, openTextSearch } from "./searching.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver } from "./webhooks.ts";

openTestStores({ FUXI_FETCH: "loopback" });
const visits = openTestVisits("form-people");
const { ask, scope } = visits;
const { asking, post } = openFormVisitors(visits);
beforeAll(() => openIngest());

const phone = "+447400198765";
const [email, name] = ["zhuge.kongming@example.com", "Zhuge Kongming"];
const texts = [phone.slice(1), "7400198765", "7400 198765", email, name];
const codes: string[] = [];
const findAnywhere = openTextSearch(texts);

/** The code itself is stored nowhere either. Its six digits are searched for as text only, where they could be whole. */
async function findCodes(): Promise<string[]> {
  const rows = await query<{ text: string }>(
    sql`SELECT to_jsonb(row)::text AS text FROM phone_code AS row`,
  );
  return codes.filter((code) => rows.some(({ text }) => text.includes(`"${code}"`)));
}

test("phones, addresses and names of forms are nowhere in the clear, from the code to the erasure", async () => {
  const [server, receiver] = [await startSmsGateway(), await startWebhookReceiver()];
  try {
    const settings = settingsOf(server, "http");
    const body = { name: "Local", settings, secret: server.secret, rate: 500 };
    const { id: gatewayId } = await createGateway(scope(), createGatewayBody.parse(body));
    const hook = { name: "CRM", url: receiver.url, events: ["contact.created"], people: true };
    await createWebhook(scope(), createWebhookBody.parse(hook));
    const { link } = await asking({ confirmPhone: true, gatewayId });
    const answer = async () => {
      const given = await post(link.key, { f0: "07400 198765", f1: email, f2: name });
      expect(given.status).toBe(303);
      return String(given.headers.location).slice(1);
    };

    const address = await answer();
    expect(await findAnywhere()).toEqual([]);
    server.status = 429;
    await sendPhoneCodes();
    expect(await findAnywhere()).toEqual([]);
    server.status = undefined;
    await query(sql`UPDATE phone_code SET due_at = now() - interval '1 second'`);
    await sendPhoneCodes();
    const code = /\d{6}/.exec(String(server.sent[0]?.text))?.[0] ?? "";
    codes.push(code);
    expect(server.sent[0]?.phone).toBe(phone);
    expect(await findCodes()).toEqual([]);
    expect(await findAnywhere()).toEqual([]);
    const page = await ask(`/${address}`);
    expect(texts.filter((text) => page.all.includes(text))).toEqual([]);
    await post(address, { code: "000000" === code ? "000001" : "000000" });
    expect(await findAnywhere()).toEqual([]);

    const onward = await post(address, { code });
    expect(onward.status).toBe(303);
    await ask(String(onward.headers.location));
    await ingestAll();
    expect(await findAnywhere()).toEqual([]);
    for (const job of webhookJobs) await job.handle({});
    expect(receiver.got[0]?.body).toContain(phone);
    expect(await findAnywhere()).toEqual([]);

    // Another answer waits while the person is erased.
    const limits = await redis().keys("*formCodePerPhoneAndMinute*");
    if (limits.length > 0) await redis().del(...limits);
    await answer();
    const find = () => listContacts(scope(), listContactsQuery.parse({ person: phone }));
    expect(await find()).toMatchObject([{ phone, email, name, phoneConfirmed: true }]);
    expect(await erasePerson(scope(), { phone })).toMatchObject({ contacts: 1 });
    expect(await find()).toEqual([]);
    expect(await query(sql`SELECT 1 FROM phone_code`)).toEqual([]);
    for (const job of contactJobs) await job.handle({});
    expect(await findAnywhere()).toEqual([]);
    // The search finds what is there.
    expect(await findInTables(["Get the offer"])).not.toEqual([]);
  } finally {
    await Promise.all([server.close(), receiver.close()]);
  }
});
