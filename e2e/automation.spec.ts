/**
 * The guide for n8n, Zapier and Make: its requests as they stand. curl takes the place of the steps that send them, and a local
 * program that of the triggers.
 */
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { commandsIn, runAsItStands } from "../test/documents.ts";
import { settingsOf, startSmsGateway } from "../test/gateways.ts";
import { startWebhookReceiver } from "../test/webhooks.ts";
import { siteOrigin, test } from "./journey.ts";

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("the requests of the guide create a link, and a click, a lead and a campaign start workflows", async ({
  workspace: { make },
}) => {
  const trigger = await startWebhookReceiver();
  const scopes = ["links.write", "webhooks.read", "webhooks.write"];
  const { key } = await make<{ key: string }>("/api-keys", { name: "Automation", scopes });
  const run = async (command = "") => {
    const own = command.replaceAll("https://hooks.example.com", new URL(trigger.url).origin);
    const { status, stdout, stderr } = await runAsItStands(`${own} -sS --fail-with-body`, {
      FUXI_URL: siteOrigin,
      FUXI_API_KEY: key,
    });
    expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
    return JSON.parse(stdout);
  };
  const received = (path: string) =>
    trigger.got.flatMap(({ url, body }) => (url === path ? [JSON.parse(body)] : []));
  const commands = commandsIn(readFileSync("docs/guides/automation.en.md", "utf8"));
  expect(commands).toHaveLength(5);
  const [create, onClick, onLead, onCampaign, samples] = commands;

  const link = await run(create);
  expect((await run(create)).id).toBe(link.id);
  for (const command of [onClick, onLead, onCampaign]) {
    expect((await run(command)).id).toMatch(/^wh_/);
  }
  expect(await run(samples)).toMatchObject([{ type: "campaign.finished" }]);

  const visit = await fetch(`${siteOrigin}/${link.key}`, {
    redirect: "manual",
    headers: { "User-Agent": browser },
  });
  const clickId = new URL(visit.headers.get("location") ?? "").searchParams.get("dub_id");
  const { id, externalId } = link;
  await expect
    .poll(() => received("/clicks"))
    .toMatchObject([{ type: "link.clicked", data: { link: { id, externalId }, click: {} } }]);

  const customerExternalId = "order-4711";
  await make("/track/lead", { clickId, eventName: "Sign up", customerExternalId, mode: "wait" });
  const customer = { externalId: customerExternalId };
  await expect
    .poll(() => received("/leads"))
    .toMatchObject([
      { type: "lead.created", data: { eventName: "Sign up", customer, link: { id }, click: {} } },
    ]);

  const gateway = await startSmsGateway();
  const settings = settingsOf(gateway, "http");
  const { id: gatewayId } = await make("/gateways", {
    name: "Local",
    settings,
    secret: gateway.secret,
    rate: 100,
  });
  const campaign = await make("/campaigns", {
    name: "Parcels",
    kind: "service",
    defaultCountry: "US",
    template: "Your parcel: {link}",
    destination: "https://example.com/parcels",
  });
  await make(`/campaigns/${campaign.id}/recipients`, [{ messageId: "1", phone: "+12025550101" }]);
  await make(`/campaigns/${campaign.id}/start`, { gatewayId, rate: 100 });
  await expect
    .poll(() => received("/campaigns"))
    .toMatchObject([{ type: "campaign.finished", data: { id: campaign.id, name: "Parcels" } }]);
});
