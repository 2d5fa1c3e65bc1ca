/** Messages that are sent again: to gateways that accept each id once, and after a 429. What a person sees of the pace. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "../../../test/gateways.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { getSending, listSends, sendDue, startSending } from "./index.ts";
import { listSendsQuery, startSendingBody } from "./schema.ts";

let ada: WorkspaceScope;
let server: SmsGateway;

openTestStores({ FUXI_FETCH: "loopback" });

beforeAll(async () => {
  server = await startSmsGateway();
  await openLinks();
  ada = await makeTestScope("ada");
});
beforeEach(async () => {
  Object.assign(server, { sent: [], calls: 0, cut: false, status: undefined, fault: undefined });
  await query(sql`UPDATE campaign_sending SET state = 'cancelled'`);
});
afterAll(async () => await server.close());

let first = 0;

interface Plan {
  count: number;
  afterError?: "unknown" | "resend";
  rate?: number;
  gatewayRate?: number;
}

async function started({ count, afterError = "unknown", rate = 500, gatewayRate = 500 }: Plan) {
  const settings = { ...settingsOf(server, "http"), afterError };
  const body = { name: "HTTP", settings, secret: server.secret, rate: gatewayRate };
  const gateway = await createGateway(ada, createGatewayBody.parse(body));
  const { id } = await createCampaign(ada, campaignBody());
  await addRecipients(ada, id, recipientRows(count, first));
  first += count;
  await startSending(ada, id, startSendingBody.parse({ gatewayId: gateway.id, rate }));
  return id;
}

async function sendAll() {
  while (await sendDue());
}

/** What waits is due now. */
async function skipWaits() {
  await query(sql`
    UPDATE campaign_send SET due_at = now() - interval '1 second' WHERE state IN ('due', 'later')`);
  await query(sql`UPDATE campaign_sending SET next_at = now() - interval '1 second'`);
}

const sendsOf = (id: string) => listSends(ada, id, listSendsQuery.parse({ pageSize: 500 }));
const refs = () => server.sent.map(({ ref }) => ref);

test("with resend, a gateway with 5xx, 429 and lost responses gets each message, and after dedupe none twice", async () => {
  const id = await started({ count: 120, afterError: "resend" });
  let call = 0;
  const faults = [503, undefined, 429, "cut", undefined, undefined, 500] as const;
  server.fault = () => faults[call++ % faults.length];
  // A message gets fewer than ten faults in a row.
  for (let round = 0; round < 8; round++) {
    await sendAll();
    await skipWaits();
  }
  server.fault = undefined;
  await sendAll();
  const sends = await sendsOf(id);
  expect(new Set(sends.map(({ state }) => state))).toEqual(new Set(["accepted"]));
  const wanted = sends.map(({ recipientId }) => recipientId).toSorted();
  expect([...new Set(refs())].toSorted()).toEqual(wanted);
  // Lost responses were repeated with the same id, which the gateway recognizes.
  expect(refs().length).toBeGreaterThan(wanted.length);
  expect(await getSending(ada, id)).toMatchObject({ state: "finished", counts: { accepted: 120 } });
});

test("with resend, a message is unknown after its last attempt, because it may have been sent", async () => {
  const id = await started({ count: 1, afterError: "resend" });
  server.status = 502;
  for (let attempt = 0; attempt < 12; attempt++) {
    await skipWaits();
    await sendAll();
  }
  expect(await sendsOf(id)).toMatchObject([{ state: "unknown", code: "502", attempts: 10 }]);
});

test.each([
  ["resend", "accepted", 2],
  ["unknown", "unknown", 0],
] as const)("what a killed worker was sending: %s", async (afterError, state, again) => {
  const id = await started({ count: 2, afterError });
  await sendAll();
  await query(sql`
    UPDATE campaign_send SET state = 'attempting'
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  await query(sql`
    UPDATE campaign_sending SET state = 'sending', lease_until = now() - interval '1 second'
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  server.sent = [];
  await skipWaits();
  await sendAll();
  expect((await sendsOf(id)).map((send) => send.state)).toEqual([state, state]);
  expect(server.sent).toHaveLength(again);
});

test("messages after a 429 are sent again before those that were never sent", async () => {
  const id = await started({ count: 60, rate: 20 });
  const campaign = sql`SELECT pk FROM campaign WHERE id = ${id}`;
  const [{ pk } = { pk: 0 }] = await query<{ pk: number }>(campaign);
  // A turn may end because the rate makes it wait.
  const sendSixty = async () => {
    server.sent = [];
    while (refs().length < 60) {
      await query(sql`UPDATE campaign_sending SET next_at = now() WHERE campaign_pk = ${pk}`);
      await sendAll();
    }
  };
  await sendSixty();
  await query(sql`
    UPDATE campaign_send
    SET state = CASE WHEN position > 56 THEN 'later' ELSE 'due' END,
      due_at = now() - CASE WHEN position > 56 THEN 1 ELSE 3600 END * interval '1 second'
    WHERE campaign_pk = ${pk}`);
  await query(sql`
    UPDATE campaign_sending SET state = 'sending', next_at = now(), finished_at = NULL
    WHERE campaign_pk = ${pk}`);
  await sendSixty();
  const postponed = (await sendsOf(id)).slice(-4).map(({ recipientId }) => recipientId);
  expect(refs().slice(0, 20)).toEqual(expect.arrayContaining(postponed));
  expect(refs()).toHaveLength(60);
});

test("the pace has the messages of the last minute, the limit and the time left", async () => {
  const id = await started({ count: 100, rate: 10, gatewayRate: 50 });
  const pk = sql`SELECT pk FROM campaign WHERE id = ${id}`;
  expect((await getSending(ada, id)).pace).toBeNull();
  const [row] = await query<{ pk: number }>(pk);
  const campaign = row?.pk ?? 0;
  await sendAll();
  const put = async (changes: { next: number; open: "due" | "later" }) => {
    await query(sql`
      UPDATE campaign_send
      SET state = CASE WHEN position <= 30 THEN 'accepted' ELSE ${changes.open} END,
        attempted_at = now() - CASE WHEN position <= 12 THEN 70 ELSE 10 END * interval '1 second'
      WHERE campaign_pk = ${campaign}`);
    await query(sql`
      UPDATE campaign_sending
      SET state = 'sending', started_at = now() - interval '5 minutes',
        next_at = now() + ${changes.next} * interval '1 second'
      WHERE campaign_pk = ${campaign}`);
    return (await getSending(ada, id)).pace;
  };
  // 18 messages a minute: 70 take 233 seconds.
  const paced = { lastMinute: 18, rate: 10, limit: "campaign", until: null, secondsLeft: 234 };
  expect(await put({ next: -1, open: "due" })).toEqual(paced);
  const busy = await put({ next: 60, open: "later" });
  expect(busy).toMatchObject({ limit: "busy", until: expect.stringContaining("T") });
  expect(busy?.secondsLeft).toBeGreaterThan(280);
  expect(await put({ next: 60, open: "due" })).toMatchObject({ limit: "quiet_hours" });
  await query(sql`UPDATE sms_gateway SET rate = 5`);
  expect(await put({ next: -1, open: "due" })).toMatchObject({ limit: "gateway", rate: 5 });
});
