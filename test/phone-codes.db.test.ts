/** Codes by SMS for forms: guesses, replays, limits, opt-outs, erasure, gateways that fail, and workers that end. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eraseContact, exportContacts, listContacts } from "#lib/audience/contacts";
import { exportContactsQuery, listContactsQuery } from "#lib/audience/contacts/schema";
import { changeForm, createForm } from "#lib/audience/forms";
import { newForm } from "#lib/audience/forms/schema";
import { codeTriesMax } from "#lib/audience/phone-codes/schema";
import { campaignJobs } from "#lib/outreach/campaigns";
import { erasePerson } from "#lib/outreach/erasing";
import { createGateway, deleteGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { addOptOuts, checkOptOuts } from "#lib/outreach/opt-outs";
import { sendPhoneCodes } from "#lib/outreach/phone-code-sending";
import { createWebhook, webhookJobs } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { limits } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { switchFeature } from "#lib/tenancy/features";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { sweep } from "#lib/transfer/retention";
import { openFormVisitors } from "./form-visitors.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "./gateways.ts";
import { openTestVisits } from "./redirect-server.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver } from "./webhooks.ts";

let server: SmsGateway;

// Before the configuration is read.
beforeAll(async () => {
  server = await startSmsGateway();
  process.env["FUXI_TWILIO_URL"] = server.origin;
  process.env["FUXI_ALIBABA_SMS_URL"] = server.origin;
});
openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1", FUXI_FETCH: "loopback" });
const visits = openTestVisits("phone-codes");
const { ask, scope } = visits;
const { asking, post } = openFormVisitors(visits);

afterAll(() => server.close());

let gatewayId: string;
beforeAll(async () => {
  gatewayId = await addGateway("http");
});

async function addGateway(kind: "http" | "twilio" | "alibaba", own: WorkspaceScope = scope()) {
  const settings = settingsOf(server, kind);
  const body = { name: kind, settings, secret: server.secret, rate: 500 };
  return (await createGateway(own, createGatewayBody.parse(body))).id;
}

beforeEach(async () => {
  server.sent.length = 0;
  server.status = undefined;
  server.fault = undefined;
  server.seen = undefined;
  await query(sql`DELETE FROM phone_code`);
  const keys = await redis().keys("*limit*");
  if (keys.length > 0) await redis().del(...keys);
});

let numbers = 0;
/** A phone that no other test uses. */
function nextPhone(): string {
  numbers += 1;
  return `+4474001${String(20_000 + numbers)}`;
}

const confirming = (more: object = {}) => asking({ confirmPhone: true, gatewayId, ...more });
const contacts = (asked: object = {}) => listContacts(scope(), listContactsQuery.parse(asked));
const codeOf = (phone: string) => {
  const sent = server.sent.filter((one) => one.phone === phone).at(-1);
  return /\b\d{6}\b/.exec(sent?.text ?? "")?.[0] ?? "no code";
};
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The answers of a phone; returns the address of the page for the code. */
async function answer(key: string, phone: string, head: Record<string, string> = {}) {
  const given = await post(key, { f0: phone, f2: "Ada" }, head);
  expect(given.status).toBe(303);
  expect(given.headers["set-cookie"]).toBeUndefined();
  const address = String(given.headers.location);
  expect(address).toMatch(new RegExp(`^/${key}\\?fuxi_code=[0-9a-f-]{36}$`));
  return address.slice(1);
}

const enter = (address: string, code: string) => post(address, { code });

test("an answer counts once the code was entered that was sent to the phone", async () => {
  const phone = nextPhone();
  const { link, form } = await confirming();
  const address = await answer(link.key, phone);
  expect(server.sent).toEqual([]);
  expect(await contacts({ formId: form.id })).toEqual([]);
  expect(await sendPhoneCodes()).toBe(1);
  expect(server.sent).toMatchObject([{ phone, text: expect.stringContaining("Get the offer") }]);
  const page = await ask(`/${address}`, { headers: { "accept-language": "en" } });
  expect(page.status).toBe(200);
  expect(page.body).toContain("+44 **** ");
  expect(page.body).not.toContain(phone.slice(3));
  expect(page.body).not.toContain("Ada");
  expect(page.body).not.toContain("<script");
  expect(Buffer.byteLength(page.body)).toBeLessThan(10_000);
  const code = codeOf(phone);
  const done = await enter(address, ` ${code.slice(0, 3)} ${code.slice(3)} `);
  expect(done.status).toBe(303);
  expect(String(done.headers["set-cookie"])).toContain("fuxi_form=");
  const onward = await ask(String(done.headers.location));
  expect([onward.status, onward.headers.location]).toEqual([302, "https://shop.example/start"]);
  expect(await contacts({ formId: form.id })).toMatchObject([
    { phone, name: "Ada", phoneConfirmed: true, answers: 1 },
  ]);
  expect(await query(sql`SELECT 1 FROM phone_code`)).toEqual([]);
});

test("a code works once, also when it is entered twice at the same time", async () => {
  const phone = nextPhone();
  const { link, form } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  const code = codeOf(phone);
  const both = await Promise.all([enter(address, code), enter(address, code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  expect((await enter(address, code)).status).toBe(410);
  expect(await contacts({ formId: form.id })).toMatchObject([{ answers: 1 }]);
});

test("five wrong codes end it, however many are sent at once, and the right one is refused then", async () => {
  const phone = nextPhone();
  const { link, form } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  const code = codeOf(phone);
  const other = wrong(code);
  expect((await enter(address, other)).body).toContain("4 tries left");
  const guesses = await Promise.all(Array.from({ length: 20 }, () => enter(address, other)));
  const judged = guesses.filter(({ body }) => body.includes("left."));
  expect(judged).toHaveLength(codeTriesMax - 2);
  expect((await enter(address, code)).status).toBe(410);
  expect(await contacts({ formId: form.id })).toEqual([]);
});

test("what is no code costs no try, and digits of a Chinese keyboard are one", async () => {
  const phone = nextPhone();
  const { link } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  for (const text of ["", "12345", "1234567", "abcdef", "１２３"]) {
    expect((await enter(address, text)).status).toBe(422);
  }
  expect(await query(sql`SELECT tries FROM phone_code`)).toEqual([{ tries: 0 }]);
  const wide = codeOf(phone).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  expect((await enter(address, wide)).status).toBe(303);
});

test("a code of another phone, link or form is refused", async () => {
  const [one, two] = [nextPhone(), nextPhone()];
  const first = await confirming();
  const second = await confirming();
  const address = await answer(first.link.key, one);
  const other = await answer(second.link.key, two);
  await sendPhoneCodes();
  const id = address.split("?")[1];
  // The code of the other phone; only by chance is it the same.
  if (codeOf(one) !== codeOf(two)) expect((await enter(address, codeOf(two))).status).toBe(422);
  expect((await enter(`${second.link.key}?${id}`, codeOf(one))).status).toBe(410);
  const sibling = await visits.make({ url: "https://shop.example/", formId: first.form.id });
  expect((await enter(`${sibling.key}?${id}`, codeOf(one))).status).toBe(410);
  const tries = await query(sql`SELECT tries FROM phone_code ORDER BY pk`);
  expect(tries).toEqual([{ tries: codeOf(one) === codeOf(two) ? 0 : 1 }, { tries: 0 }]);
  expect((await enter(other, codeOf(two))).status).toBe(303);
  expect((await enter(address, codeOf(one))).status).toBe(303);
});

test("a row with the digest of another row’s code opens nothing", async () => {
  const [one, two] = [nextPhone(), nextPhone()];
  const { link } = await confirming();
  const address = await answer(link.key, one);
  await answer(link.key, two);
  await sendPhoneCodes();
  await query(sql`
    UPDATE phone_code
    SET code_hash = (SELECT code_hash FROM phone_code ORDER BY pk DESC LIMIT 1)`);
  expect((await enter(address, codeOf(two))).status).toBe(422);
});

test("a code is refused a moment after ten minutes, and unknown or malformed ids are answered alike", async () => {
  const phone = nextPhone();
  const { link } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  const valid = sql`SELECT expires_at - asked_at = interval '10 minutes' AS ok FROM phone_code`;
  expect(await query(valid)).toEqual([{ ok: true }]);
  await query(sql`UPDATE phone_code SET expires_at = now() - interval '1 millisecond'`);
  expect((await enter(address, codeOf(phone))).status).toBe(410);
  for (const id of ["0198f3a0-1111-4222-8333-444455556666", "x", "%27", ""]) {
    const page = await ask(`/${link.key}?fuxi_code=${id}`);
    expect(page.status).toBe(id === "" ? 200 : 410);
    expect((await enter(`${link.key}?fuxi_code=${id}`, "123456")).status).toBe(410);
  }
  expect(await sweep()).toBe(1);
});

test("another code can be asked for after a minute, replaces the first, and keeps its tries", async () => {
  const phone = nextPhone();
  const { link } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  const first = codeOf(phone);
  await enter(address, wrong(first));
  const early = await post(address, { again: "1" });
  expect([early.status, early.headers["retry-after"]]).toEqual([429, "60"]);
  await query(sql`UPDATE phone_code SET asked_at = asked_at - interval '61 seconds'`);
  // Where the new code is the same by chance, there is another one.
  for (let at = 0; at < 2 && codeOf(phone) === first; at++) {
    await query(sql`UPDATE phone_code SET asked_at = asked_at - interval '61 seconds'`);
    expect((await post(address, { again: "1", code: "" })).status).toBe(200);
    await sendPhoneCodes();
  }
  expect((await enter(address, first)).body).toContain("3 tries left");
  expect((await enter(address, codeOf(phone))).status).toBe(303);
});

test("a phone gets one code in a minute and five in an hour, from any link and address", async () => {
  const phone = nextPhone();
  const [one, other] = [await confirming(), await confirming()];
  const start = (at: number) =>
    post(
      (at % 2 === 0 ? one : other).link.key,
      { f0: phone },
      { "x-forwarded-for": `198.51.100.${at}` },
    );
  const forgetMinute = async () => {
    const keys = await redis().keys("*formCodePerPhoneAndMinute*");
    expect(keys).toHaveLength(1);
    await redis().del(...keys);
  };
  expect((await start(0)).status).toBe(303);
  const soon = await start(1);
  expect(soon.status).toBe(429);
  expect(soon.body).toContain("Too many codes");
  for (let at = 2; at <= limits.formCodePerPhone.max; at++) {
    await forgetMinute();
    expect((await start(at)).status).toBe(303);
  }
  await forgetMinute();
  expect((await start(9)).status).toBe(429);
  expect((await post(one.link.key, { f0: nextPhone() })).status).toBe(303);
});

test("an address asks for as many codes as its limit says, and not for one more", async () => {
  const { link } = await confirming();
  const { max } = limits.formCodePerAddress;
  const head = { "x-forwarded-for": "203.0.113.77" };
  for (let at = 0; at < max; at++) {
    expect((await post(link.key, { f0: nextPhone() }, head)).status).toBe(303);
  }
  expect((await post(link.key, { f0: nextPhone() }, head)).status).toBe(429);
  expect((await post(link.key, { f0: nextPhone() })).status).toBe(303);
});

test("a phone that opted out gets no code, and looks like one that does, also to who asks again", async () => {
  const [before, after, other] = [nextPhone(), nextPhone(), nextPhone()];
  const { link } = await confirming();
  await addOptOuts(scope(), { phones: [before] });
  const addresses: string[] = [];
  for (const phone of [before, after, other]) addresses.push(await answer(link.key, phone));
  await addOptOuts(scope(), { phones: [after] });
  await sendPhoneCodes();
  expect(server.sent.map(({ phone }) => phone)).toEqual([other]);
  const texts = async (get: (address: string) => ReturnType<typeof ask>) =>
    await Promise.all(
      addresses.map(async (address) => {
        const { status, body } = await get(address);
        return [status, body.replace(/\*{4} \d\d/, "").replaceAll(/fuxi_code=[0-9a-f-]+/g, "")];
      }),
    );
  const same = async (get: (address: string) => ReturnType<typeof ask>) => {
    const [first, ...rest] = await texts(get);
    for (const one of rest) expect(one).toEqual(first);
  };
  await same((address) => ask(`/${address}`));
  await same((address) => enter(address, wrong(codeOf(other))));
  await query(sql`UPDATE phone_code SET asked_at = asked_at - interval '61 seconds'`);
  await same((address) => post(address, { again: "1" }));
  await sendPhoneCodes();
  await same((address) => ask(`/${address}`));
  expect(server.sent.map(({ phone }) => phone)).toEqual([other, other]);
});

test("a worker that ends in the middle of an attempt leaves it: nothing is sent twice, and another code can be asked for", async () => {
  const phone = nextPhone();
  const { link } = await confirming();
  const address = await answer(link.key, phone);
  // The gateway gets the message, and its response never arrives.
  server.fault = () => "cut";
  await sendPhoneCodes();
  await sendPhoneCodes();
  expect(server.sent).toHaveLength(1);
  server.fault = undefined;
  await query(sql`UPDATE phone_code SET state = 'attempting'`);
  expect(await sendPhoneCodes()).toBe(0);
  expect(server.sent).toHaveLength(1);
  await query(sql`UPDATE phone_code SET asked_at = asked_at - interval '61 seconds'`);
  expect((await post(address, { again: "1" })).status).toBe(200);
  expect(await sendPhoneCodes()).toBe(1);
  expect((await enter(address, codeOf(phone))).status).toBe(303);
});

test("the attempt and its digest are stored before the gateway is called, and workers share no row", async () => {
  const phones = [nextPhone(), nextPhone(), nextPhone()];
  const { link } = await confirming();
  for (const phone of phones) await answer(link.key, phone);
  const states: unknown[] = [];
  server.seen = async () => {
    const rows = await query<{ state: string }>(
      sql`SELECT state FROM phone_code WHERE state = 'attempting' AND code_hash IS NOT NULL`,
    );
    states.push(rows.length > 0);
  };
  await Promise.all(Array.from({ length: 5 }, () => sendPhoneCodes()));
  expect(states).toEqual([true, true, true]);
  expect(server.sent.map(({ phone }) => phone).sort()).toEqual(phones.sort());
});

test("a gateway that sent nothing is asked again, one that refuses is not, and the page says so", async () => {
  const [busy, bad, unsubscribed] = [nextPhone(), nextPhone(), nextPhone()];
  const { link } = await confirming();
  await answer(link.key, busy);
  server.status = 429;
  await sendPhoneCodes();
  expect(await query(sql`SELECT state FROM phone_code`)).toEqual([{ state: "due" }]);
  expect(await sendPhoneCodes()).toBe(0);
  server.status = undefined;
  await query(sql`UPDATE phone_code SET due_at = now() - interval '1 second'`);
  expect(await sendPhoneCodes()).toBe(1);
  expect(server.sent).toMatchObject([{ phone: busy }]);
  server.badNumbers.add(bad);
  const address = await answer(link.key, bad);
  await sendPhoneCodes();
  expect((await ask(`/${address}`)).body).toContain("could not be sent");
  server.unsubscribed.add(unsubscribed);
  const twilio = await confirming({ gatewayId: await addGateway("twilio") });
  await answer(twilio.link.key, unsubscribed);
  await sendPhoneCodes();
  expect((await checkOptOuts(scope(), { phones: [unsubscribed] })).optedOut).toHaveLength(1);
});

test("owners and admins hear once a day that the gateway of a form sends nothing, and not about single numbers", async () => {
  const { form, link } = await confirming();
  const told = () =>
    query(
      sql`
        SELECT details, mail_due AS mail
        FROM notice
        WHERE kind = 'form.failing' AND subject = ${form.id}`,
    );
  const bad = nextPhone();
  server.badNumbers.add(bad);
  await answer(link.key, bad);
  await sendPhoneCodes();
  server.status = 429;
  await answer(link.key, nextPhone());
  await sendPhoneCodes();
  // The first is refused for good, and the second is tried again.
  expect(await told()).toEqual([]);
  server.status = 401;
  for (let visitor = 0; visitor < 3; visitor++) await answer(link.key, nextPhone());
  await sendPhoneCodes();
  const news = { details: { name: form.name, reason: "401" }, mail: true };
  expect(await told()).toEqual([news]);
  await query(
    sql`
      UPDATE form
      SET code_failure_told_at = code_failure_told_at - interval '24 hours'
      WHERE id = ${form.id}`,
  );
  // Tried again for too long.
  server.status = 429;
  await query(sql`
    UPDATE phone_code
    SET due_at = now() - interval '1 second', asked_at = now() - interval '10 minutes'
    WHERE state = 'due'`);
  await sendPhoneCodes();
  expect(await told()).toEqual([news, { details: { name: form.name, reason: "429" }, mail: true }]);
});

test("an answer that cannot be opened delays nobody else’s code", async () => {
  const { link } = await confirming();
  await answer(link.key, nextPhone());
  await query(sql`UPDATE phone_code SET sealed = decode(repeat('00', 40), 'hex')`);
  const phones = Array.from({ length: 5 }, nextPhone);
  for (const phone of phones) await answer(link.key, phone);
  await expect(sendPhoneCodes()).rejects.toThrow();
  expect(server.sent.map(({ phone }) => phone).toSorted()).toEqual(phones.toSorted());
});

test("a template gets the code in its variable, and texts are in the language of the page", async () => {
  const [one, two] = ["+8613800138021", "+8613800138022"];
  const alibaba = await confirming({ gatewayId: await addGateway("alibaba") });
  await answer(alibaba.link.key, one);
  await sendPhoneCodes();
  expect(JSON.parse(String(server.sent[0]?.text))).toEqual({
    code: expect.stringMatching(/^\d{6}$/),
    name: "客户",
  });
  const { link } = await confirming();
  await answer(link.key, two, { "accept-language": "zh-CN" });
  await sendPhoneCodes();
  expect(server.sent.at(-1)?.text).toMatch(/^验证码 \d{6}，/);
});

test("a workspace whose gateway is slow has at most ten calls at once, and others get their codes meanwhile", async () => {
  const slow = await confirming();
  const other = await makeTestScope("other-codes");
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
  for (let at = 0; at < 12; at++) {
    await post(slow.link.key, { f0: nextPhone() }, { "x-forwarded-for": `198.51.100.${at}` });
  }
  await query(sql`
    UPDATE phone_code SET state = 'attempting', attempted_at = clock_timestamp()
    WHERE pk IN (SELECT pk FROM phone_code ORDER BY pk LIMIT 10)`);
  expect(await sendPhoneCodes()).toBe(0);
  await query(sql`
    UPDATE phone_code SET workspace_pk = ${other.workspacePk}
    WHERE pk = (SELECT max(pk) FROM phone_code)`);
  // It is taken, and the keys of the other workspace do not open it.
  await expect(sendPhoneCodes()).rejects.toThrow("unable to authenticate");
  expect(await query(sql`SELECT 1 FROM phone_code WHERE state = 'due'`)).toHaveLength(1);
});

test("without a gateway the code is in the log, and nowhere else", async () => {
  const written = vi.spyOn(log, "info").mockImplementation(() => undefined);
  const phone = nextPhone();
  const { link, form } = await confirming({ gatewayId: null });
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  expect(server.sent).toEqual([]);
  const lines = written.mock.calls.map(([line]) => Object(line));
  written.mockRestore();
  const line = lines.find(({ event }) => event === "phone-code.logged");
  expect(Object.keys(line).sort()).toEqual(["code", "event", "form"]);
  expect(line.form).toBe(form.id);
  expect((await enter(address, line.code)).status).toBe(303);
});

test("erasing a person deletes what waits for a code, whether or not there is a contact", async () => {
  const [stranger, known] = [nextPhone(), nextPhone()];
  const { link } = await confirming();
  const plain = await asking();
  const address = await answer(link.key, stranger);
  await erasePerson(scope(), { phone: stranger });
  expect(await sendPhoneCodes()).toBe(0);
  expect((await enter(address, "123456")).status).toBe(410);
  expect((await post(plain.link.key, { f0: known })).status).toBe(303);
  await answer(link.key, known);
  const [contact] = await contacts({ person: known });
  expect(contact?.phoneConfirmed).toBe(false);
  await eraseContact(scope(), String(contact?.id));
  expect(await query(sql`SELECT 1 FROM phone_code`)).toEqual([]);
});

test("a key of personal data is kept as long as something that waits was encrypted with it", async () => {
  const phone = nextPhone();
  const { link } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  await rotatePeopleKeys(scope());
  for (const job of campaignJobs) if (job.name.includes("tend")) await job.handle({});
  expect((await enter(address, codeOf(phone))).status).toBe(303);
});

test("the answers that count are those of the page, with the version that they were given to", async () => {
  const phone = nextPhone();
  const { link, form } = await confirming();
  const address = await answer(link.key, phone);
  await sendPhoneCodes();
  await changeForm(scope(), form.id, { consent: "We sell your number." });
  expect((await enter(address, codeOf(phone))).status).toBe(303);
  const rows = await query(sql`
    SELECT given.form_version FROM contact_answer AS given
    JOIN form ON form.pk = given.form_pk WHERE form.id = ${form.id}`);
  expect(rows).toEqual([{ form_version: 1 }]);
});

test("exports and webhooks say whether the phone was confirmed", async () => {
  const receiver = await startWebhookReceiver();
  try {
    const body = { name: "CRM", url: receiver.url, events: ["contact.created"] };
    await createWebhook(scope(), createWebhookBody.parse(body));
    const phone = nextPhone();
    const { link, form } = await confirming();
    const address = await answer(link.key, phone);
    await sendPhoneCodes();
    await enter(address, codeOf(phone));
    for (const job of webhookJobs) await job.handle({});
    const [got] = receiver.got.map(({ body: text }) => JSON.parse(text));
    expect(got.data.contact).toMatchObject({ phoneConfirmed: true, country: "GB" });
    const chunks: Uint8Array[] = [];
    const asked = exportContactsQuery.parse({ formId: form.id });
    await (await exportContacts(scope(), asked)).send((bytes) => {
      chunks.push(bytes);
      return Promise.resolve();
    });
    const [head, row] = Buffer.concat(chunks).toString().trim().split(/\r?\n/);
    expect(head).toContain("answeredAt,phoneConfirmed");
    expect(row).toMatch(new RegExp(`${phone.slice(1)},.*,true,,,,,$`));
  } finally {
    await receiver.close();
  }
});

test("while an administrator turned sending off, nobody waits for a code in vain", async () => {
  const operator = await operatorOfCommandLine();
  const { link } = await confirming();
  await switchFeature(operator, "sending", { enabled: false, reason: "abuse" });
  const refused = await post(link.key, { f0: nextPhone() });
  expect(refused.status).toBe(503);
  expect(refused.body).toContain("can’t be sent at the moment");
  expect(await sendPhoneCodes()).toBe(0);
  await switchFeature(operator, "sending", { enabled: true, reason: "over" });
});

test("a form names a gateway of its workspace, needs a required phone, and keeps its gateway from being deleted", async () => {
  const other = await makeTestScope("strange-gateways");
  const foreign = await addGateway("http", other);
  const optional = [{ type: "phone", required: false }];
  await expect(confirming({ gatewayId: foreign })).rejects.toThrow("not found in this workspace");
  await expect(confirming({ fields: optional })).rejects.toThrow("Add a required phone number");
  const { form } = await confirming();
  expect(form).toMatchObject({ confirmPhone: true, gatewayId });
  await expect(deleteGateway(scope(), gatewayId)).rejects.toThrow("Forms use this gateway");
  const changed = await changeForm(scope(), form.id, { gatewayId: null });
  expect(changed).toMatchObject({ gatewayId: null, version: 1 });
  const { permissions } = scope();
  const writer: WorkspaceScope = {
    ...scope(),
    permissions: new Set([...permissions].filter((one) => one !== "campaigns.write")),
  };
  await expect(changeForm(writer, form.id, { gatewayId })).rejects.toThrow("campaigns.write");
  const body = { name: "No", title: "No", fields: [{ type: "phone" }], gatewayId };
  await expect(createForm(writer, newForm.parse(body))).rejects.toThrow("campaigns.write");
});
