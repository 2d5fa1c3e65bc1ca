import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import {
  addRecipients,
  campaignJobs,
  createCampaign,
  listRecipients,
} from "#lib/outreach/campaigns";
import { listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { erasePerson } from "#lib/outreach/erasing";
import {
  checkGateway,
  createGateway,
  editGateway,
  openGatewayOf,
} from "#lib/outreach/gateway-accounts";
import { createGatewayBody, editGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { openGateway } from "#lib/outreach/gateways";
import { getSending, sendDue, sendTest, startSending } from "#lib/outreach/sending";
import { startSendingBody } from "#lib/outreach/sending/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listDemoMessages, storeDemoMessages } from "./index.ts";
import { messagesMax, shownMax } from "./schema.ts";

openTestStores();

let demo: WorkspaceScope;
let other: WorkspaceScope;
let made = 0;
const body = createGatewayBody.parse({ name: "Outbox", settings: { kind: "demo" } });

beforeAll(async () => {
  await openLinks();
  demo = await makeTestScope("demo-owner");
  other = await makeTestScope("other-owner");
  await query(sql`UPDATE workspace SET demo = true WHERE pk = ${demo.workspacePk}`);
});

async function newCampaign(count: number) {
  const { id } = await createCampaign(demo, campaignBody());
  const rows = recipientRows(count, 200_000 + made);
  made += count;
  await addRecipients(demo, id, rows);
  return { id, rows };
}

async function count(scope = demo): Promise<number> {
  const [row] = await query<{ rows: number }>(sql`
    SELECT count(*)::int AS rows FROM demo_message WHERE workspace_pk = ${scope.workspacePk}`);
  return row?.rows ?? 0;
}

const texts = async (scope = demo) => (await listDemoMessages(scope))?.map(({ text }) => text);

test("a test and a campaign arrive in the outbox with their real links, newest first", async () => {
  const { id: gatewayId, receiptUrl } = await createGateway(demo, body);
  expect(receiptUrl).toBeNull();
  expect(await checkGateway(demo, gatewayId)).toMatchObject({ ok: true });
  const { id, rows } = await newCampaign(2);
  const tested = await sendTest(demo, id, { gatewayId, phone: "+8613700000001" });
  expect(tested.state).toBe("accepted");
  expect(await listDemoMessages(demo)).toMatchObject([
    { phone: "+8613700000001", text: tested.text },
  ]);
  await startSending(demo, id, startSendingBody.parse({ gatewayId, rate: 500 }));
  while (await sendDue());
  expect(await getSending(demo, id)).toMatchObject({ state: "finished", counts: { accepted: 2 } });
  const recipients = await listRecipients(demo, id, listRecipientsQuery.parse({}));
  const [last, first, oldest] = (await listDemoMessages(demo)) ?? [];
  expect(new Set([last?.phone, first?.phone])).toEqual(new Set(rows.map(({ phone }) => phone)));
  expect(new Set([last?.text, first?.text])).toEqual(new Set(recipients.map(({ text }) => text)));
  expect(oldest?.text).toBe(tested.text);
});

test("no other workspace gets the demo gateway, by creating, by editing or by a stored message", async () => {
  const problem = { problem: { code: "gateway_demo" }, code: "unprocessable_entity" };
  await expect(createGateway(other, body)).rejects.toMatchObject(problem);
  const http = createGatewayBody.parse({
    name: "Own",
    secret: "secret",
    settings: {
      kind: "twilio",
      accountSid: `AC${"0".repeat(32)}`,
      sender: "+14155550100",
    },
  });
  const { id } = await createGateway(other, http);
  const edit = editGatewayBody.parse({ settings: { kind: "demo" } });
  await expect(editGateway(other, id, edit)).rejects.toMatchObject(problem);
  expect(await listDemoMessages(other)).toBeUndefined();
  // As if a row had got there anyway.
  const client = openGateway({
    workspacePk: other.workspacePk,
    settings: { kind: "demo" },
    secret: "",
    callback: "",
    networks: [],
  });
  const message = {
    messageId: "rcp_1",
    phone: "+8613700000001",
    text: "x",
    variables: {},
    slug: "a",
  };
  expect(await client.send([message])).toMatchObject([{ state: "stopped", code: "demo_only" }]);
  expect(await count(other)).toBe(0);
});

test("other kinds still need a secret, and the demo gateway becomes one of them only with it", async () => {
  const twilio = { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100" };
  expect(createGatewayBody.safeParse({ name: "x", settings: twilio }).success).toBe(false);
  const { id } = await createGateway(demo, body);
  await expect(
    editGateway(demo, id, editGatewayBody.parse({ settings: twilio })),
  ).rejects.toMatchObject({ problem: { code: "gateway_secret" } });
  expect((await openGatewayOf(demo, id)).settings.kind).toBe("demo");
});

test("the outbox keeps its newest messages, and shows the newest of them", async () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      phone: "+8613700000009",
      text: `message ${from + at}`,
    }));
  await query(sql`DELETE FROM demo_message`);
  await storeDemoMessages(demo.workspacePk, many(0, messagesMax));
  expect(await count()).toBe(messagesMax);
  await storeDemoMessages(demo.workspacePk, many(messagesMax, messagesMax + 1));
  expect(await count()).toBe(messagesMax);
  const shown = (await texts()) ?? [];
  expect(shown).toHaveLength(shownMax);
  expect(shown[0]).toBe(`message ${messagesMax}`);
});

test("members who may not see people get neither phones nor texts", async () => {
  await storeDemoMessages(demo.workspacePk, [{ phone: "+8613700000001", text: "Hello Ada" }]);
  const member = await joinTestScope(demo, "demo-member", "member");
  const [message] = (await listDemoMessages(member)) ?? [];
  expect(message).toMatchObject({ text: null, phone: expect.stringContaining("*") });
});

test("an erased person leaves the outbox, and a new key keeps it readable", async () => {
  await query(sql`DELETE FROM demo_message`);
  const [gone, kept] = ["+8613700000021", "+8613700000022"];
  await storeDemoMessages(demo.workspacePk, [
    { phone: gone, text: "gone" },
    { phone: kept, text: "kept" },
  ]);
  await erasePerson(demo, { phone: gone });
  expect(await texts()).toEqual(["kept"]);
  await rotatePeopleKeys(demo);
  await campaignJobs[0]?.handle({});
  const [row] = await query<{ versions: number }>(sql`
    SELECT count(*)::int AS versions
    FROM people_key
    WHERE workspace_pk = ${demo.workspacePk} AND version > 0`);
  expect(row?.versions).toBe(1);
  expect(await texts()).toEqual(["kept"]);
});
