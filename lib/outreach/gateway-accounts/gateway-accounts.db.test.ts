/** Gateways of a workspace: who changes them, and where their secrets are. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { createCampaign } from "#lib/outreach/campaigns";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { campaignBody } from "../../../test/campaigns.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  checkGateway,
  createGateway,
  deleteGateway,
  editGateway,
  getGateway,
  listGateways,
  listOpenCampaigns,
  openGatewayByToken,
  openGatewayOf,
} from "./index.ts";
import { createGatewayBody, editGatewayBody, rateMax } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let member: WorkspaceScope;
const secret = "the-secret-of-the-account";
const accountSid = `AC${"0".repeat(32)}`;
const settings = { kind: "twilio" as const, accountSid, sender: "+14155550100" };

function bodyOf(change: object = {}) {
  return createGatewayBody.parse({ name: "Twilio", settings, secret, ...change });
}

function httpSettings(url: string) {
  return { kind: "http" as const, url, format: "json" as const, body: '{"to":"{phone}"}' };
}

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  member = await joinTestScope(ada, "member", "member");
});

test("a secret is sealed in its table, and in no response and no audit entry", async () => {
  const created = await createGateway(ada, bodyOf());
  const edited = await editGateway(ada, created.id, { secret: "another-secret", rate: 20 });
  const audit = await listAudit(ada, { pageSize: 100, subject: created.id });
  const rows = await query(sql`SELECT sms_gateway::text AS row FROM sms_gateway`);
  const token = String(created.receiptUrl).split("/").at(-1) ?? "";
  const shown = JSON.stringify([created, edited, await listGateways(ada), audit, rows]);
  for (const text of [secret, "another-secret"]) {
    expect(shown).not.toContain(text);
    expect(shown).not.toContain(Buffer.from(text).toString("hex"));
  }
  expect(JSON.stringify([audit, rows])).not.toContain(token);
  expect(audit.map(({ action }) => action)).toEqual(["gateway.edit", "gateway.create"]);
  expect(edited).toMatchObject({ rate: 20, name: "Twilio" });
});

test("a secret cannot be opened in the row of another gateway", async () => {
  const [one, two] = [await createGateway(ada, bodyOf()), await createGateway(ada, bodyOf())];
  await query(sql`
    UPDATE sms_gateway
    SET sealed = (SELECT sealed FROM sms_gateway WHERE id = ${one.id})
    WHERE id = ${two.id}`);
  await expect(openGatewayOf(ada, two.id)).rejects.toThrow();
  await query(sql`DELETE FROM sms_gateway WHERE id = ${two.id}`);
});

test("members use gateways, and only owners and admins change them and see the receipt URL", async () => {
  const { id, receiptUrl } = await createGateway(ada, bodyOf());
  expect(receiptUrl).toMatch(/\/api\/campaigns\/receipts\/[\w-]{32}$/);
  expect(await getGateway(member, id)).toMatchObject({ id, receiptUrl: null });
  await expect(createGateway(member, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
  await expect(editGateway(member, id, { name: "x" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(deleteGateway(member, id)).rejects.toMatchObject({ code: "forbidden" });
});

test("a gateway of another workspace answers exactly like a missing one", async () => {
  const { id } = await createGateway(ada, bodyOf());
  for (const other of [id, newId("gw"), "gw_1", "' OR 1"]) {
    const message = `Gateway "${other}" not found in this workspace.`;
    await expect(getGateway(bob, other)).rejects.toThrow(message);
    await expect(editGateway(bob, other, { name: "x" })).rejects.toThrow(message);
    await expect(deleteGateway(bob, other)).rejects.toThrow(message);
    await expect(checkGateway(bob, other)).rejects.toThrow(message);
    await expect(openGatewayOf(bob, other)).rejects.toThrow(message);
  }
  expect(await listGateways(bob)).toEqual([]);
});

test("the secret is never sent to another account or URL without being entered again", async () => {
  const http = await createGateway(ada, bodyOf({ settings: httpSettings("https://one.example/") }));
  const twilio = await createGateway(ada, bodyOf());
  const changes = [
    [http.id, { ...httpSettings("https://two.example/") }],
    [http.id, { ...httpSettings("https://one.example/"), header: "X-Key" }],
    [http.id, settings],
    [twilio.id, { ...settings, accountSid: `AC${"1".repeat(32)}` }],
  ] as const;
  for (const [id, changed] of changes) {
    const body = editGatewayBody.parse({ settings: changed });
    await expect(editGateway(ada, id, body)).rejects.toThrow("secret: Enter the secret again");
    await expect(editGateway(ada, id, { ...body, secret })).resolves.toMatchObject({ id });
  }
  const sender = editGatewayBody.parse({ settings: { ...settings, sender: "Fuxi" } });
  const third = await createGateway(ada, bodyOf());
  expect(await editGateway(ada, third.id, sender)).toMatchObject({
    settings: { sender: "Fuxi" },
  });
});

test.each([
  "http://gateway.example/",
  "http://127.0.0.1/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://gateway.example:22/",
  "https://user:password@gateway.example/",
])("%s is no URL of a gateway", async (url) => {
  const body = bodyOf({ settings: httpSettings(url) });
  await expect(createGateway(ada, body)).rejects.toThrow("settings.url: Use an https URL");
});

test.each([
  ["json", '{"to":"{phone}","ref":"{messageId}"}', true],
  ["json", '{"to":"{phone}"}', false],
  ["json", '{"{messageId}":"{phone}"}', false],
  ["json", "{messageId}", false],
  ["form", "to={phone}&ref={messageId}", true],
  ["form", "{messageId}={phone}", false],
] as const)("messages are sent again only with their id: %s %s", (format, body, isAllowed) => {
  const http = { ...httpSettings("https://gateway.example/"), format, body };
  const parse = (afterError: string) =>
    createGatewayBody.safeParse({ ...bodyOf(), settings: { ...http, afterError } });
  expect(parse("unknown").success).toBe(true);
  const parsed = parse("resend");
  expect(parsed.success).toBe(isAllowed);
  if (!isAllowed)
    expect(parsed.error?.issues).toMatchObject([{ path: ["settings", "afterError"] }]);
});

test("campaigns that still have to be sent keep their gateway, and are named to those who see them", async () => {
  const dora = await makeTestScope("dora");
  const colleague = await joinTestScope(dora, "dora-member", "member");
  const { id: gatewayId } = await createGateway(dora, bodyOf());
  const { id } = await createCampaign(dora, campaignBody({ name: "Autumn" }));
  const put = (state: string) =>
    query(sql`
      INSERT INTO campaign_sending (
        campaign_pk, workspace_pk, gateway_pk, state, starts_at, rate, next_at
      )
      SELECT campaign.pk, campaign.workspace_pk, gateway.pk, ${state}, now(), 1, now()
      FROM campaign, sms_gateway AS gateway
      WHERE campaign.id = ${id} AND gateway.id = ${gatewayId}
      ON CONFLICT (campaign_pk) DO UPDATE SET state = excluded.state`);
  for (const state of ["scheduled", "sending", "paused"]) {
    await put(state);
    const open = [{ gatewayId, id, name: "Autumn", state }];
    expect(await listOpenCampaigns(dora)).toEqual(open);
    await expect(deleteGateway(dora, gatewayId)).rejects.toMatchObject({ code: "conflict" });
  }
  expect(await listOpenCampaigns(colleague)).toEqual([]);
  expect(await listOpenCampaigns(bob)).toEqual([]);
  await put("finished");
  expect(await listOpenCampaigns(dora)).toEqual([]);
  expect(await deleteGateway(dora, gatewayId)).toEqual({ id: gatewayId });
});

test("a new receipt URL ends the previous one", async () => {
  const created = await createGateway(ada, bodyOf());
  const tokenOf = (url: string | null) => String(url).split("/").at(-1) ?? "";
  const edited = await editGateway(ada, created.id, { newReceiptUrl: true });
  expect(await openGatewayByToken(tokenOf(created.receiptUrl))).toBeUndefined();
  expect(await openGatewayByToken(tokenOf(edited.receiptUrl))).toMatchObject({ id: created.id });
  await deleteGateway(ada, created.id);
  expect(await openGatewayByToken(tokenOf(edited.receiptUrl))).toBeUndefined();
});

test("a workspace has up to 50 gateways, and a gateway up to 500 messages per second", async () => {
  const carl = await makeTestScope("carl");
  for (let made = 0; made < 50; made++) await createGateway(carl, bodyOf());
  await expect(createGateway(carl, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
  expect(createGatewayBody.safeParse({ ...bodyOf(), rate: rateMax }).success).toBe(true);
  expect(createGatewayBody.safeParse({ ...bodyOf(), rate: rateMax + 1 }).success).toBe(false);
});
