/** Undoing recipients whose campaign was started. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createCampaign } from "#lib/outreach/campaigns";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  sendDue,
  startSending,
} from "#lib/outreach/sending";
import { startSendingBody } from "#lib/outreach/sending/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody } from "../../../test/campaigns.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "../../../test/gateways.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { fileOfRecipients, uploadText } from "../../../test/sources.ts";
import { openTestStores } from "../../../test/stores.ts";
import { getRecipientSource, runSource, startSource, undoSource } from "./index.ts";

openTestStores({ FUXI_FETCH: "loopback" });

let ada: WorkspaceScope;
let server: SmsGateway;
let gatewayId: string;

beforeAll(async () => {
  server = await startSmsGateway();
  await openLinks();
  ada = await makeTestScope("ada");
  const body = {
    name: "Local",
    settings: settingsOf(server, "http"),
    secret: server.secret,
    rate: 500,
  };
  gatewayId = (await createGateway(ada, createGatewayBody.parse(body))).id;
});
afterAll(async () => await server.close());

async function newSource(first: number): Promise<{ campaign: string; source: string }> {
  const { id: campaign } = await createCampaign(ada, campaignBody({}));
  const { id: source } = await uploadText(ada, campaign, fileOfRecipients(3, first));
  await startSource(ada, source);
  await runSource(source);
  return { campaign, source };
}

const start = (campaign: string, change: object = {}) =>
  startSending(ada, campaign, startSendingBody.parse({ gatewayId, rate: 500, ...change }));

test("recipients are undone until a message is sent or scheduled", async () => {
  const { campaign, source } = await newSource(30_000);
  await start(campaign, { at: new Date(Date.now() + 3_600_000).toISOString() });
  await expect(undoSource(ada, source)).rejects.toThrow("already been sent or scheduled");
  await cancelCampaign(ada, campaign);
  await undoSource(ada, source);
  await runSource(source);
  expect(await getRecipientSource(ada, source)).toMatchObject({ state: "undone" });

  const sent = await newSource(31_000);
  await start(sent.campaign);
  while (await sendDue());
  await expect(undoSource(ada, sent.source)).rejects.toThrow("already been sent or scheduled");
});

test("a campaign is neither started nor resumed while its recipients are undone", async () => {
  const { campaign, source } = await newSource(32_000);
  await undoSource(ada, source);
  await expect(start(campaign)).rejects.toThrow("are being removed");
  await runSource(source);
  await expect(start(campaign)).rejects.toThrow("Add recipients");

  const paused = await newSource(33_000);
  await start(paused.campaign);
  await pauseCampaign(ada, paused.campaign);
  await undoSource(ada, paused.source);
  await expect(resumeCampaign(ada, paused.campaign)).rejects.toThrow("are being removed");
});
