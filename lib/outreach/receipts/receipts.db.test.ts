/** Receipts and replies: twice, in any order, forged, and of others. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { checkOptOuts } from "#lib/outreach/opt-outs";
import { getSending, listSends, sendDue, startSending } from "#lib/outreach/sending";
import { listSendsQuery } from "#lib/outreach/sending/schema";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import {
  type GatewayKind,
  type SmsGateway,
  settingsOf,
  startSmsGateway,
} from "../../../test/gateways.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { addReceipts, receiveFromGateway } from "./index.ts";

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let server: SmsGateway;

// Before the configuration is read.
beforeAll(async () => {
  server = await startSmsGateway();
  process.env["FUXI_TWILIO_URL"] = server.origin;
  process.env["FUXI_ALIBABA_SMS_URL"] = server.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});
beforeEach(async () => {
  Object.assign(server, { sent: [], cut: false });
  await query(sql`UPDATE campaign_sending SET state = 'cancelled'`);
  await query(sql`DELETE FROM sms_gateway`);
});
afterAll(async () => await server.close());

let first = 600_000;

/** A gateway, and a campaign that was sent with it. */
async function sent(kind: GatewayKind, count = 3, scope = ada) {
  const body = { name: kind, settings: settingsOf(server, kind), secret: server.secret, rate: 500 };
  const gateway = await createGateway(scope, createGatewayBody.parse(body));
  const { id } = await createCampaign(scope, campaignBody());
  const rows = recipientRows(count, first);
  first += count;
  await addRecipients(scope, id, rows);
  await startSending(scope, id, { gatewayId: gateway.id, rate: 500 });
  while (await sendDue());
  const url = String(gateway.receiptUrl);
  return { id, rows, url, token: url.split("/").at(-1) ?? "" };
}

async function post(token: string, body: object) {
  return await receiveFromGateway(
    token,
    { search: "", headers: {}, body: JSON.stringify(body) },
    "192.0.2.1",
  );
}

/** A status callback of Twilio, signed. */
async function postTwilio(
  url: string,
  search: string,
  fields: Record<string, string>,
  secret?: string,
) {
  const form = new URLSearchParams(fields);
  const names = [...form.keys()].sort();
  const text = url + search + names.map((name) => name + form.get(name)).join("");
  const signature = createHmac("sha1", secret ?? server.secret)
    .update(text)
    .digest("base64");
  const headers = { "x-twilio-signature": signature };
  const token = url.split("/").at(-1) ?? "";
  return await receiveFromGateway(token, { search, headers, body: form.toString() }, "192.0.2.1");
}

const sendsOf = (id: string, scope = ada) => listSends(scope, id, listSendsQuery.parse({}));
const statesOf = async (id: string) => (await sendsOf(id)).map(({ state }) => state);
const idOf = (at: number) => String(server.sent[at]?.id);
const receipt = (gatewayId: string, state: string, reason?: string) => ({
  gatewayId,
  state,
  reason,
});

test("receipts settle messages, twice and in any order; delivered is final", async () => {
  const { id, token } = await sent("http");
  const [one, two] = [idOf(0), idOf(1)];
  await post(token, { receipts: [receipt(one, "delivered"), receipt(two, "failed", "30005")] });
  expect(await statesOf(id)).toEqual(["delivered", "failed", "accepted"]);
  const before = await sendsOf(id);
  await post(token, { receipts: [receipt(one, "delivered"), receipt(two, "failed", "30005")] });
  await post(token, { receipts: [receipt(one, "failed")] });
  expect(await sendsOf(id)).toEqual(before);
  await post(token, { receipts: [receipt(two, "delivered"), receipt(newId("x"), "delivered")] });
  expect(await statesOf(id)).toEqual(["delivered", "delivered", "accepted"]);
  expect((await getSending(ada, id)).codes).toEqual([]);
});

test("receipts settle messages whose response was lost: by Fuxi’s id, or by the phone", async () => {
  server.cut = true;
  const http = await sent("http");
  const twilio = await sent("twilio");
  const alibaba = await sent("alibaba");
  server.cut = false;
  for (const { id } of [http, twilio, alibaba]) {
    expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
  }
  for (const { recipientId } of await sendsOf(http.id)) {
    await post(http.token, { receipts: [{ messageId: recipientId, state: "delivered" }] });
  }
  for (const { recipientId } of await sendsOf(twilio.id)) {
    const fields = { MessageSid: `SM${recipientId}`, MessageStatus: "delivered" };
    await postTwilio(twilio.url, `?message=${recipientId}`, fields);
  }
  const reports = alibaba.rows.map(({ phone }) => {
    return { phone_number: phone.slice(3), success: true, biz_id: "1^1" };
  });
  expect(await post(alibaba.token, reports)).toEqual({ code: 0, msg: "OK" });
  for (const { id } of [http, twilio, alibaba]) {
    expect(await statesOf(id)).toEqual(["delivered", "delivered", "delivered"]);
  }
});

test("one id of a gateway for several messages settles that of the phone", async () => {
  const { id, rows, token } = await sent("alibaba");
  const bizId = idOf(0);
  const report = (at: number, success: boolean) => {
    return { phone_number: rows[at]?.phone.slice(3), success, err_code: "MK:1", biz_id: bizId };
  };
  await post(token, [report(1, true), report(2, false)]);
  expect(await statesOf(id)).toEqual(["accepted", "delivered", "failed"]);
});

test("forged requests change nothing: a wrong token, a wrong signature, a replay at another address", async () => {
  const http = await sent("http", 1);
  const body = { receipts: [receipt(idOf(0), "delivered")] };
  await expect(post("x".repeat(32), body)).rejects.toMatchObject({ code: "not_found" });
  const twilio = await sent("twilio", 1);
  const sid = idOf(1);
  const fields = { MessageSid: sid, MessageStatus: "delivered" };
  await expect(postTwilio(twilio.url, "", fields, "wrong")).rejects.toThrow("no gateway");
  await expect(post(twilio.token, body)).rejects.toThrow("no gateway");
  const other = await sent("twilio", 1);
  // Signed for another address.
  const signature = {
    "x-twilio-signature": createHmac("sha1", server.secret)
      .update(`${twilio.url}MessageSid${sid}MessageStatusdelivered`)
      .digest("base64"),
  };
  const replayed = { search: "", headers: signature, body: new URLSearchParams(fields).toString() };
  await expect(receiveFromGateway(other.token, replayed, "192.0.2.1")).rejects.toThrow(
    "no gateway",
  );
  for (const { id } of [http, twilio, other]) expect(await statesOf(id)).toEqual(["accepted"]);
  // The same request at its own address is a receipt.
  await receiveFromGateway(twilio.token, replayed, "192.0.2.1");
  expect(await statesOf(twilio.id)).toEqual(["delivered"]);
});

test("an invalid row is named, and all others of the call are applied", async () => {
  const { id, token, rows } = await sent("http");
  const body = {
    receipts: [
      receipt(idOf(0), "delivered"),
      { gatewayId: idOf(1), state: 7 },
      { state: "delivered" },
      receipt(idOf(2), "failed"),
    ],
    replies: [{ phone: rows[0]?.phone, text: "R" }],
  };
  const refusal = { code: "unprocessable_entity" };
  await expect(post(token, body)).rejects.toMatchObject(refusal);
  await expect(post(token, body)).rejects.toThrow(/receipts\.1\.state: .*receipts\.2\.messageId: /);
  expect(await statesOf(id)).toEqual(["delivered", "accepted", "failed"]);
  const phones = rows.map(({ phone }) => phone);
  expect((await checkOptOuts(ada, { phones })).optedOut).toMatchObject([{ row: 0 }]);
  await expect(post(token, { receipt: [] })).rejects.toThrow("receipts: Send receipts");
  await expect(post(token, [])).rejects.toMatchObject(refusal);
  const alibaba = await sent("alibaba", 1);
  await expect(post(alibaba.token, [{ phone_number: "1", success: "yes" }])).rejects.toThrow(
    /0\.success: .*0\.biz_id is required/,
  );
});

test("calls with a valid token never count as forged, whatever they say", async () => {
  const { token } = await sent("http", 1);
  const twilio = await sent("twilio", 1);
  for (let call = 0; call < limits.gatewayTokenPerAddress.max + 1; call++) {
    await expect(post(token, {})).rejects.toMatchObject({ code: "unprocessable_entity" });
    await expect(post(twilio.token, {})).rejects.toMatchObject({ code: "not_found" });
  }
  await expect(post("x".repeat(32), {})).rejects.toMatchObject({ code: "not_found" });
});

test("a state that Fuxi does not know is kept as the code, until a known one comes", async () => {
  const { id, token } = await sent("http");
  await post(token, {
    receipts: [receipt(idOf(0), "BUFFERED"), receipt(idOf(1), "号码 13812345678")],
  });
  const codes = async () => (await sendsOf(id)).map(({ state, code }) => [state, code]);
  expect(await codes()).toEqual([
    ["accepted", "BUFFERED"],
    ["accepted", "other"],
    ["accepted", null],
  ]);
  expect((await getSending(ada, id)).codes).toEqual([
    { state: "accepted", code: "BUFFERED", rows: 1 },
    { state: "accepted", code: "other", rows: 1 },
  ]);
  await post(token, {
    receipts: [
      receipt(idOf(0), "delivered"),
      receipt(idOf(0), "BUFFERED"),
      receipt(idOf(1), "EXPIRED"),
      receipt(idOf(1), "failed", "4"),
    ],
  });
  await post(token, { receipts: [receipt(idOf(1), "BUFFERED")] });
  expect(await codes()).toEqual([
    ["delivered", null],
    ["failed", "4"],
    ["accepted", null],
  ]);
});

test("a failed receipt ends a message that waits to be sent again", async () => {
  const { id, token } = await sent("http", 1);
  await query(sql`
    UPDATE campaign_send SET state = 'later'
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  await post(token, { receipts: [receipt(idOf(0), "failed", "4")] });
  expect(await statesOf(id)).toEqual(["failed"]);
});

test("a gateway settles only what it was asked to send, also with the ids of others", async () => {
  const own = await sent("http", 1);
  const theirs = await sent("http", 1, bob);
  const [mine] = await sendsOf(own.id);
  await post(theirs.token, {
    receipts: [receipt(idOf(0), "delivered"), { messageId: mine?.recipientId, state: "failed" }],
  });
  expect(await statesOf(own.id)).toEqual(["accepted"]);
});

test("an unsubscribed recipient is opted out, and the message failed", async () => {
  const { id, rows, token } = await sent("http", 2);
  await post(token, { receipts: [receipt(idOf(0), "opted_out")] });
  const phones = rows.map(({ phone }) => phone);
  expect((await checkOptOuts(ada, { phones })).optedOut).toMatchObject([{ row: 0 }]);
  expect((await sendsOf(id))[0]).toMatchObject({ state: "failed", code: "opted_out" });
});

test("a reply opts out its phone, in the workspace of the gateway only; other replies do not", async () => {
  const { rows, token } = await sent("http", 2);
  const phones = rows.map(({ phone }) => phone);
  const replies = [
    { phone: phones[0], text: "退订" },
    { phone: phones[1], text: "谢谢" },
    { phone: "not a phone", text: "STOP" },
  ];
  await post(token, { replies });
  await post(token, { replies });
  expect((await checkOptOuts(ada, { phones })).optedOut).toMatchObject([{ row: 0 }]);
  expect((await checkOptOuts(bob, { phones })).optedOut).toEqual([]);
});

test("a number that is read in two ways is the one that a message was sent to", async () => {
  const { rows, token } = await sent("alibaba", 1);
  const number = String(rows[0]?.phone).slice(3);
  await post(token, [{ phone_number: number, content: "R", sign_name: "示例" }]);
  const phones = [`+86${number}`, `+${number}`];
  expect((await checkOptOuts(ada, { phones })).optedOut).toMatchObject([{ row: 0 }]);
});

test("a program adds receipts by message, for campaigns that Fuxi sends or not", async () => {
  const { id, rows } = await sent("http", 2);
  const messageId = String(rows[0]?.messageId);
  const receipts = [
    { messageId, state: "delivered" as const },
    { messageId: "other", state: "delivered" as const },
  ];
  expect(await addReceipts(ada, id, { receipts })).toEqual({ applied: 1, repeated: 0, unknown: 1 });
  expect(await addReceipts(ada, id, { receipts })).toEqual({ applied: 0, repeated: 1, unknown: 1 });
  const own = await createCampaign(ada, campaignBody());
  await addRecipients(ada, own.id, recipientRows(2, 900_000));
  const failed = { messageId: "m-900000", state: "failed" as const, reason: "+8613800900000" };
  await addReceipts(ada, own.id, { receipts: [failed] });
  // A reason that may have a phone is not stored.
  expect(await sendsOf(own.id)).toMatchObject([{ state: "failed", code: "other" }]);
  await expect(addReceipts(bob, id, { receipts })).rejects.toMatchObject({ code: "not_found" });
});

test("of the receipts that a program adds, an invalid one is named, and the others are applied", async () => {
  const { id, rows } = await sent("http");
  const idAt = (at: number) => String(rows[at]?.messageId);
  const receipts = [
    { messageId: idAt(0), state: "delivered" },
    { messageId: idAt(1), state: 7 },
    "x",
    { messageId: idAt(2), state: "failed", reason: "x".repeat(201) },
  ];
  const adding = () => addReceipts(ada, id, { receipts });
  await expect(adding()).rejects.toMatchObject({ code: "unprocessable_entity" });
  await expect(adding()).rejects.toThrow(
    /^receipts\.1\.state: .*receipts\.2: .*receipts\.3\.reason: .* All other rows were applied\.$/,
  );
  expect(await statesOf(id)).toEqual(["delivered", "accepted", "accepted"]);
  await expect(addReceipts(ada, id, { receipts: receipts.slice(1) })).rejects.not.toThrow(
    "were applied",
  );
});

test("receipts of erased people are settled, and change no opt-outs", async () => {
  const { id, token } = await sent("http", 1);
  await query(sql`
    UPDATE campaign_recipient SET sealed = NULL, key_version = NULL, phone_hash = NULL
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  await post(token, { receipts: [receipt(idOf(0), "opted_out")] });
  expect(await statesOf(id)).toEqual(["failed"]);
});
