/** Questions about messages whose response was lost: settled where the gateway is certain, and never sent again. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { createGateway, deleteGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
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
import { askGateways, listSends, sendDue, settleSends, startSending } from "./index.ts";
import { listSendsQuery } from "./schema.ts";

const kinds = ["http", "twilio", "alibaba"] as const;
const questionsMax = 5;

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
  Object.assign(server, { sent: [], asked: 0, cut: false, status: undefined });
  server.receipts.clear();
  await query(sql`UPDATE campaign_send SET ask_at = NULL`);
});
afterAll(async () => await server.close());

let first = 800_000;

/** A campaign whose responses were all lost. */
async function sendLost(kind: GatewayKind, change: object = {}) {
  const settings = { ...settingsOf(server, kind), ...change };
  const body = { name: kind, settings, secret: server.secret, rate: 500 };
  const gateway = await createGateway(ada, createGatewayBody.parse(body));
  const { id } = await createCampaign(ada, campaignBody());
  const rows = recipientRows(3, first);
  first += rows.length;
  await addRecipients(ada, id, rows);
  server.cut = true;
  await startSending(ada, id, { gatewayId: gateway.id, rate: 500 });
  while (await sendDue());
  server.cut = false;
  return { id, rows, gatewayId: gateway.id, url: String(gateway.receiptUrl) };
}

/** As if the pause before the next question had passed. */
async function askNow(): Promise<number> {
  await query(
    sql`UPDATE campaign_send SET ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL`,
  );
  return await askGateways();
}

async function statesOf(id: string): Promise<string[]> {
  return (await listSends(ada, id, listSendsQuery.parse({}))).map(({ state }) => state);
}

const numberOf = (kind: GatewayKind, phone = "") => (kind === "alibaba" ? phone.slice(3) : phone);

test.each(kinds)("%s: messages that the gateway has are settled, and sent once", async (kind) => {
  const { id, rows } = await sendLost(kind);
  expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
  server.receipts.set(numberOf(kind, rows[1]?.phone), "delivered");
  server.receipts.set(numberOf(kind, rows[2]?.phone), "failed");
  expect(await askNow()).toBe(3);
  expect(await statesOf(id)).toEqual(["accepted", "delivered", "failed"]);
  expect(await askNow()).toBe(0);
  while (await sendDue());
  expect(server.sent).toHaveLength(rows.length);
});

test.each(kinds)(
  "%s: a message that it does not have stays unknown, and is asked about five times",
  async (kind) => {
    const { id } = await sendLost(kind);
    server.sent = [];
    const pauses: number[] = [];
    for (let asked = 1; asked <= questionsMax; asked++) {
      expect(await askNow()).toBe(3);
      const [row] = await query<{ seconds: number | null }>(sql`
      SELECT extract(epoch FROM ask_at - now())::int AS seconds
      FROM campaign_send
      WHERE state = 'unknown' AND asked = ${asked}`);
      if (row?.seconds) pauses.push(row.seconds);
    }
    expect(pauses).toHaveLength(questionsMax - 1);
    expect(pauses.every((one, at) => at === 0 || one > (pauses[at - 1] ?? 0))).toBe(true);
    expect(await askNow()).toBe(0);
    expect(server.asked).toBe(3 * questionsMax);
    expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
    while (await sendDue());
    expect(server.sent).toEqual([]);
  },
);

test("nothing is asked before the first pause, twice at once, or about what is settled meanwhile", async () => {
  const { id, rows } = await sendLost("twilio");
  expect(await askGateways()).toBe(0);
  await settleSends(ada, id, { messageIds: [String(rows[0]?.messageId)], as: "sent" });
  await query(
    sql`UPDATE campaign_send SET ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL`,
  );
  const asked = await Promise.all([askGateways(), askGateways(), askGateways()]);
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(2);
  expect(server.asked).toBe(2);
});

test("a message that is attempted again is asked about from the start", async () => {
  const { id, rows } = await sendLost("twilio");
  server.sent = [];
  await askNow();
  server.cut = true;
  await settleSends(ada, id, { messageIds: [String(rows[0]?.messageId)], as: "again" });
  while (await sendDue());
  server.cut = false;
  const [row] = await query<{ asked: number; attempts: number }>(sql`
    SELECT asked, attempts FROM campaign_send WHERE attempts = 2`);
  expect(row).toEqual({ asked: 0, attempts: 2 });
  await askNow();
  expect((await statesOf(id))[0]).toBe("accepted");
});

test("a gateway without a URL for states, a busy one and a deleted one settle nothing", async () => {
  const plain = await sendLost("http", { statusUrl: "" });
  expect(await askNow()).toBe(3);
  expect(server.asked).toBe(0);
  const busy = await sendLost("twilio");
  server.status = 503;
  await askNow();
  server.status = undefined;
  await deleteGateway(ada, busy.gatewayId);
  await askNow();
  for (const { id } of [plain, busy]) {
    expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
  }
});

test("without the slug in a variable, a message of Alibaba Cloud is not certain", async () => {
  const { id } = await sendLost("alibaba", { variables: { name: "{name|客户}" } });
  expect(await askNow()).toBe(3);
  expect(server.asked).toBe(0);
  expect(await statesOf(id)).toEqual(["unknown", "unknown", "unknown"]);
});
