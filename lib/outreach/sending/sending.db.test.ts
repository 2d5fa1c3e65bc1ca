/** Sending of campaigns through local gateways: each message once, whatever the gateway or a worker does. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { deleteLinksInBulk } from "#lib/links/editing";
import {
  addRecipients,
  createCampaign,
  getCampaignStatus,
  listRecipients,
} from "#lib/outreach/campaigns";
import { listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { createGateway, deleteGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { addOptOuts, checkOptOuts } from "#lib/outreach/opt-outs";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { switchFeature } from "#lib/tenancy/features";
import { listNotifications } from "#lib/tenancy/notifications";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import {
  type GatewayKind,
  type SmsGateway,
  settingsOf,
  startSmsGateway,
} from "../../../test/gateways.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  cancelCampaign,
  getSending,
  listSends,
  pauseCampaign,
  resumeCampaign,
  sendDue,
  sendTest,
  settleSends,
  startSending,
  tryStart,
} from "./index.ts";
import { listSendsQuery, startSendingBody } from "./schema.ts";

let ada: WorkspaceScope;
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
});
beforeEach(async () => {
  Object.assign(server, { sent: [], calls: 0, cut: false, status: undefined });
  server.badNumbers.clear();
  server.unsubscribed.clear();
  await query(sql`UPDATE campaign_sending SET state = 'cancelled'`);
  await query(sql`DELETE FROM sms_gateway`);
});
afterAll(async () => await server.close());

async function newGateway(kind: GatewayKind = "http", change: object = {}) {
  const body = { name: kind, settings: settingsOf(server, kind), secret: server.secret, rate: 500 };
  return (await createGateway(ada, createGatewayBody.parse({ ...body, ...change }))).id;
}

let first = 100_000;
/** A campaign with recipients. */
async function newCampaign(count: number, change: object = {}) {
  const { id } = await createCampaign(ada, campaignBody(change));
  const rows = recipientRows(count, first);
  first += count;
  await addRecipients(ada, id, rows);
  return { id, rows, phones: rows.map(({ phone }) => phone) };
}

async function start(id: string, change: object = {}) {
  const gatewayId = await newGateway();
  return await startSending(ada, id, startSendingBody.parse({ gatewayId, rate: 500, ...change }));
}

/** As a worker does, until nothing is due. */
async function sendAll() {
  while (await sendDue());
}

/** What waits is due now. */
async function skipWaits() {
  // Rounded to milliseconds, now could be later than now.
  await query(sql`
    UPDATE campaign_send SET due_at = now() - interval '1 second' WHERE state IN ('due', 'later')`);
  await query(sql`UPDATE campaign_sending SET next_at = now() - interval '1 second'`);
  await query(sql`UPDATE sms_gateway SET next_at = now() - interval '1 second'`);
}

const statesOf = async (id: string) =>
  (await listSends(ada, id, listSendsQuery.parse({}))).map(({ state }) => state);
const sentPhones = () => server.sent.map(({ phone }) => phone).toSorted();

describe.each(["http", "twilio", "alibaba"] as const)("with %s", (kind) => {
  test("every recipient gets their message once, and a second run sends nothing", async () => {
    const { id, phones } = await newCampaign(7);
    await start(id, { gatewayId: await newGateway(kind) });
    await sendAll();
    await sendAll();
    const prefix = kind === "alibaba" ? "" : "+86";
    expect(sentPhones()).toEqual(phones.map((phone) => prefix + phone.slice(3)).toSorted());
    expect(await getSending(ada, id)).toMatchObject({ state: "finished", counts: { accepted: 7 } });
    const [recipient] = await listRecipients(ada, id, listRecipientsQuery.parse({}));
    const code = recipient?.shortLink?.split("/").at(-1);
    const expected =
      kind === "alibaba"
        ? JSON.stringify({ code, name: recipient?.columns?.["name"] })
        : recipient?.text;
    expect(server.sent.map(({ text }) => text)).toContain(expected);
  });

  test("a lost response makes messages unknown, which nothing sends again by itself", async () => {
    const { id } = await newCampaign(3);
    server.cut = true;
    await start(id, { gatewayId: await newGateway(kind) });
    await sendAll();
    server.cut = false;
    await skipWaits();
    await sendAll();
    expect(server.sent).toHaveLength(3);
    expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("a busy gateway gets the messages later, once", async () => {
    const { id } = await newCampaign(3);
    server.status = 429;
    await start(id, { gatewayId: await newGateway(kind) });
    await sendAll();
    expect(await statesOf(id)).toEqual(["later", "later", "later"]);
    server.status = undefined;
    await skipWaits();
    await sendAll();
    expect(server.sent).toHaveLength(3);
    expect(await statesOf(id)).toEqual(["accepted", "accepted", "accepted"]);
  });

  test("a refused account pauses the campaign, which continues after a person resumes it", async () => {
    const { id } = await newCampaign(3);
    const gatewayId = await newGateway(kind, { secret: "wrong" });
    await start(id, { gatewayId });
    await sendAll();
    expect(await getSending(ada, id)).toMatchObject({ state: "paused", counts: { due: 3 } });
    expect((await getSending(ada, id)).reason).toMatch(/^(401|20003|SignatureDoesNotMatch)$/);
    await expect(deleteGateway(ada, gatewayId)).rejects.toMatchObject({ code: "conflict" });
    expect(server.sent).toEqual([]);
  });
});

test("an attempt is committed before the gateway is called", async () => {
  const { id } = await newCampaign(2);
  const gatewayId = await newGateway();
  const seen: string[][] = [];
  server.seen = async () => {
    seen.push(await statesOf(id));
  };
  await start(id, { gatewayId });
  await sendAll();
  server.seen = undefined;
  expect(seen).toEqual([
    ["attempting", "attempting"],
    ["attempting", "attempting"],
  ]);
});

test("what a killed worker was sending is unknown, and the rest is sent", async () => {
  const { id } = await newCampaign(5);
  await start(id);
  await sendAll();
  await query(sql`
    UPDATE campaign_send SET state = CASE WHEN position <= 2 THEN 'attempting' ELSE 'due' END
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  await query(sql`
    UPDATE campaign_sending
    SET state = 'sending', lease = gen_random_uuid(), lease_until = now() + interval '1 minute'
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  server.sent.length = 0;
  await skipWaits();
  await sendAll();
  // Its lease has not ended.
  expect(server.sent).toEqual([]);
  await query(sql`UPDATE campaign_sending SET lease_until = now() - interval '1 second'`);
  await sendAll();
  expect(server.sent).toHaveLength(3);
  expect(await statesOf(id)).toEqual(["unknown", "unknown", "accepted", "accepted", "accepted"]);
});

test("several workers at the same time send each message once", async () => {
  const { id, phones } = await newCampaign(300);
  await start(id);
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  await expect.poll(async () => (await getSending(ada, id)).state).toBe("finished");
  expect(sentPhones()).toEqual(phones.toSorted());
});

test("a person settles unknown messages: as sent, or to be sent again", async () => {
  const { id, rows } = await newCampaign(3);
  server.cut = true;
  await start(id);
  await sendAll();
  server.cut = false;
  const [one, two] = rows.map(({ messageId }) => messageId);
  expect(await settleSends(ada, id, { messageIds: [String(one)], as: "sent" })).toEqual({
    settled: 1,
  });
  expect(await settleSends(ada, id, { messageIds: [String(one)], as: "again" })).toEqual({
    settled: 0,
  });
  expect(await settleSends(ada, id, { messageIds: [String(two)], as: "again" })).toEqual({
    settled: 1,
  });
  server.sent.length = 0;
  await skipWaits();
  await sendAll();
  expect(server.sent.map(({ phone }) => phone)).toEqual([rows[1]?.phone]);
  expect(await statesOf(id)).toEqual(["accepted", "accepted", "unknown"]);
});

test("a phone that opts out after the start, an erased person and a deleted link get nothing", async () => {
  const { id, rows } = await newCampaign(4);
  await start(id, { at: new Date(Date.now() + 3_600_000).toISOString() });
  await addOptOuts(ada, { phones: [String(rows[0]?.phone)] });
  const recipients = await listRecipients(ada, id, listRecipientsQuery.parse({}));
  await deleteLinksInBulk(ada, [String(recipients[1]?.linkId)], []);
  await query(sql`
    UPDATE campaign_recipient
    SET sealed = NULL, key_version = NULL, phone_hash = NULL
    WHERE message_id = ${String(rows[2]?.messageId)}`);
  await skipWaits();
  await sendAll();
  expect(sentPhones()).toEqual([rows[3]?.phone]);
  const { codes } = await getSending(ada, id);
  expect(codes).toEqual([
    { state: "refused", code: "erased", rows: 1 },
    { state: "refused", code: "link_deleted", rows: 1 },
    { state: "refused", code: "opted_out", rows: 1 },
  ]);
});

test("a phone that the gateway knows as unsubscribed is opted out of the workspace", async () => {
  const { id, phones } = await newCampaign(2);
  server.unsubscribed.add(String(phones[0]));
  await start(id, { gatewayId: await newGateway("twilio") });
  await sendAll();
  expect(await statesOf(id)).toEqual(["refused", "accepted"]);
  expect((await checkOptOuts(ada, { phones })).optedOut).toMatchObject([{ row: 0 }]);
});

test("a scheduled campaign sends nothing before its time, and nothing while it is paused", async () => {
  const { id } = await newCampaign(2);
  const scheduled = await start(id, { at: new Date(Date.now() + 3_600_000).toISOString() });
  expect(scheduled.state).toBe("scheduled");
  await sendAll();
  expect(await pauseCampaign(ada, id)).toMatchObject({ state: "paused" });
  await skipWaits();
  await sendAll();
  expect(server.sent).toEqual([]);
  expect(await resumeCampaign(ada, id)).toMatchObject({ state: "scheduled" });
  await skipWaits();
  await sendAll();
  expect(await getSending(ada, id)).toMatchObject({ state: "finished", counts: { accepted: 2 } });
});

test("a cancelled campaign sends nothing, and cannot be started or resumed", async () => {
  const { id } = await newCampaign(2);
  await start(id);
  expect(await cancelCampaign(ada, id)).toMatchObject({ state: "cancelled" });
  await skipWaits();
  await sendAll();
  expect(server.sent).toEqual([]);
  await expect(resumeCampaign(ada, id)).rejects.toMatchObject({ code: "conflict" });
  await expect(start(id)).rejects.toMatchObject({ code: "conflict" });
});

test("a finished campaign sends to those who were added since, and to nobody twice", async () => {
  const { id } = await newCampaign(2);
  await start(id);
  await sendAll();
  const [added] = recipientRows(1, first++);
  await addRecipients(ada, id, [added]);
  await start(id);
  await sendAll();
  expect(server.sent).toHaveLength(3);
  expect((await getCampaignStatus(ada, id)).sending).toMatchObject({
    state: "finished",
    counts: { accepted: 3 },
  });
});

test("messages wait for the end of quiet hours at the recipient", async () => {
  const { id } = await newCampaign(2);
  const minutes = (shift: number) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Shanghai", timeStyle: "short" }).format(
      Date.now() + shift * 60_000,
    );
  await start(id, { quietHours: { from: minutes(-180), until: minutes(180) } });
  await sendAll();
  expect(server.sent).toEqual([]);
  const [row] = await query<{ hours: number }>(sql`
    SELECT extract(epoch FROM min(due_at) - now())::float8 / 3600 AS hours
    FROM campaign_send
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  expect(row?.hours).toBeGreaterThan(2.5);
  expect(await getSending(ada, id)).toMatchObject({ state: "sending", counts: { due: 2 } });
});

test("campaigns share the rate of their gateway", async () => {
  const gatewayId = await newGateway("http", { rate: 20 });
  const [one, two] = [await newCampaign(20), await newCampaign(20)];
  const startedAt = Date.now();
  await start(one.id, { gatewayId });
  await start(two.id, { gatewayId });
  const isDone = async () =>
    (await getSending(ada, one.id)).state === "finished" &&
    (await getSending(ada, two.id)).state === "finished";
  while (!(await isDone())) await sendDue();
  expect(server.sent).toHaveLength(40);
  // Two seconds of messages: the second one starts after the first.
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(950);
});

test("a dry run counts messages, costs and refusals, and sends nothing", async () => {
  const prices = { currency: "CNY", perPart: { CN: "0.05" } };
  const { id, phones } = await newCampaign(5, { prices });
  await addOptOuts(ada, { phones: [String(phones[0])] });
  const gatewayId = await newGateway("http", { rate: 2 });
  const body = startSendingBody.parse({ gatewayId, rate: 10 });
  expect(await tryStart(ada, id, body)).toMatchObject({
    messages: 4,
    parts: 4,
    cost: "0.2",
    currency: "CNY",
    seconds: 2,
    refused: [{ code: "opted_out", rows: 1 }],
    countries: [{ country: "CN", messages: 4, cost: "0.2" }],
  });
  expect([server.calls, (await getSending(ada, id)).state]).toEqual([0, "draft"]);
});

test("a test message goes to one phone, with the response of the gateway", async () => {
  const { id } = await newCampaign(2);
  const gatewayId = await newGateway();
  const tested = await sendTest(ada, id, { gatewayId, phone: "+8613700000001" });
  expect(server.sent).toMatchObject([{ phone: "+8613700000001", text: tested.text }]);
  expect(tested).toMatchObject({ state: "accepted", code: null });
  server.badNumbers.add("+8613700000002");
  expect(await sendTest(ada, id, { gatewayId, phone: "+8613700000002" })).toMatchObject({
    state: "refused",
    code: "422",
  });
  expect(await statesOf(id)).toEqual([]);
  const member = await joinTestScope(ada, "member", "member");
  await expect(sendTest(member, id, { gatewayId, phone: "+8613700000001" })).rejects.toThrow(
    "people.view",
  );
});

test("a campaign without recipients, consent or a known column of its gateway does not start", async () => {
  const empty = await createCampaign(ada, campaignBody());
  await expect(start(empty.id)).rejects.toThrow("Add recipients");
  const marketing = await newCampaign(1, {
    kind: "marketing",
    senderName: "福喜",
    optOutText: "STOP",
    consentSource: "Shop",
    consentOn: "2026-01-31",
  });
  await query(sql`UPDATE campaign SET consent_on = NULL WHERE id = ${marketing.id}`);
  await expect(start(marketing.id)).rejects.toThrow("consentOn");
  const { id } = await newCampaign(1);
  const unknown = { ...settingsOf(server, "alibaba"), variables: { x: "{other}" } };
  const gatewayId = await newGateway("alibaba", { settings: unknown });
  await expect(start(id, { gatewayId })).rejects.toThrow("{other} is unknown");
  await expect(start(id, { quietHours: { from: "10:00", until: "09:59" } })).rejects.toThrow(
    "leave no time to send to CN",
  );
  const at = new Date(Date.now() + 91 * 86_400_000).toISOString();
  expect(startSendingBody.safeParse({ gatewayId, rate: 1, at }).success).toBe(false);
});

test("campaigns and gateways of another workspace are missing", async () => {
  const bob = await makeTestScope("bob");
  const { id } = await newCampaign(1);
  const gatewayId = await newGateway();
  const body = startSendingBody.parse({ gatewayId, rate: 1 });
  const message = `Campaign "${id}" not found in this workspace.`;
  for (const verb of [getSending, pauseCampaign, resumeCampaign, cancelCampaign]) {
    await expect(verb(bob, id)).rejects.toThrow(message);
  }
  await expect(listSends(bob, id, listSendsQuery.parse({}))).rejects.toThrow(message);
  await expect(settleSends(bob, id, { messageIds: ["m"], as: "again" })).rejects.toThrow(message);
  await expect(startSending(bob, id, body)).rejects.toThrow(`Gateway "${gatewayId}" not found`);
  const own = await createCampaign(bob, campaignBody());
  await expect(startSending(bob, own.id, body)).rejects.toThrow(`Gateway "${gatewayId}" not found`);
  const missing = { ...body, gatewayId: newId("gw") };
  await expect(startSending(ada, id, missing)).rejects.toMatchObject({ code: "not_found" });
});

test("nothing is sent for a workspace that was banned or deleted", async () => {
  const { id } = await newCampaign(1);
  await start(id);
  for (const column of ["banned_at", "deleted_at"]) {
    await query({
      text: `UPDATE workspace SET ${column} = now() WHERE pk = $1`,
      values: [ada.workspacePk],
    });
    await skipWaits();
    await sendAll();
    expect(server.sent).toEqual([]);
    await query({
      text: `UPDATE workspace SET ${column} = NULL WHERE pk = $1`,
      values: [ada.workspacePk],
    });
  }
  await sendAll();
  expect(server.sent).toHaveLength(1);
});

test("a campaign that pauses by itself notifies its creator once, with the reason", async () => {
  await query(sql`DELETE FROM notice`);
  const { id } = await newCampaign(2);
  await start(id, { gatewayId: await newGateway("http", { secret: "wrong" }) });
  await sendAll();
  await sendAll();
  expect(await listNotifications(ada)).toMatchObject([
    { kind: "campaign.paused", subject: id, details: { name: "Autumn", reason: "401" } },
  ]);
  await resumeCampaign(ada, id);
  await pauseCampaign(ada, id);
  expect(await listNotifications(ada)).toHaveLength(1);
});

test("a start while its gateway is being deleted is a conflict, and nothing is scheduled", async () => {
  const { id } = await newCampaign(1);
  const gatewayId = await newGateway();
  let started: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await query(sql`DELETE FROM sms_gateway WHERE id = ${gatewayId}`, tx);
    started = startSending(ada, id, { gatewayId, rate: 1 });
    started.catch(() => undefined);
    await untilWaiting();
  });
  await expect(started).rejects.toMatchObject({ code: "conflict" });
  expect((await getSending(ada, id)).state).toBe("draft");
});

describe("while sending is turned off for the instance", () => {
  const turn = (enabled: boolean) =>
    switchFeature(operatorOfCommandLine(), "sending", { enabled, reason: "Test" });
  afterEach(() => turn(true));

  test("nothing is sent, not even a test, and campaigns continue once it is turned on", async () => {
    const { id } = await newCampaign(3);
    const gatewayId = await newGateway();
    await start(id, { gatewayId });
    await turn(false);
    expect(await sendDue()).toBe(false);
    const test = sendTest(ada, id, { gatewayId, phone: "+8613700000009" });
    await expect(test).rejects.toMatchObject({ code: "forbidden" });
    expect(server.calls).toBe(0);
    await turn(true);
    await sendAll();
    expect(server.sent).toHaveLength(3);
  });

  test("a campaign that is being sent stops after its slice", async () => {
    const { id } = await newCampaign(3);
    server.seen = () => turn(false);
    await start(id, { rate: 1 });
    await sendDue();
    server.seen = undefined;
    const { counts, state } = await getSending(ada, id);
    expect(state).toBe("sending");
    expect(counts).toMatchObject({ accepted: 1, due: 2 });
    await turn(true);
    await skipWaits();
    await sendAll();
    expect((await getSending(ada, id)).counts.accepted).toBeGreaterThan(1);
  });
});

test("no phone, name or text of a message is in the tables of the sending", async () => {
  const { id, rows } = await newCampaign(2);
  server.badNumbers.add(String(rows[0]?.phone));
  await start(id);
  await sendAll();
  const stored = await query<{ row: string }>(sql`
    SELECT campaign_send::text AS row FROM campaign_send
    UNION ALL
    SELECT campaign_sending::text FROM campaign_sending`);
  const text = stored.map(({ row }) => row).join("\n");
  expect(text).toContain("refused");
  for (const secret of [String(rows[0]?.phone).slice(3), "Person", "Hi "]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("hex"));
  }
});
