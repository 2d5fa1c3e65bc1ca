/** Private networks that the administrator has opened: for one workspace, its SMS gateways and its webhooks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createWebhook,
  getWebhook,
  listDeliveries,
  sendTestEvent,
  webhookJobs,
} from "#lib/outreach/webhooks";
import { createWebhookBody, listDeliveriesQuery } from "#lib/outreach/webhooks/schema";
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type SmsGateway, settingsOf, startSmsGateway } from "../../../test/gateways.ts";
import { connectInside } from "../../../test/inside.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/webhooks.ts";
import { checkGateway, createGateway, editGateway, openGatewayOf } from "./index.ts";
import { createGatewayBody } from "./schema.ts";

// As on a server without access to the internet: opened networks work there too.
openTestStores({ FUXI_FETCH: "none" });

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let server: SmsGateway;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startSmsGateway();
  receiver = await startWebhookReceiver();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  // The setting names the id of a workspace, which exists only now.
  const network = { workspaceId: ada.workspaceId, network: "10.2.0.0/16", port: "8080" };
  config().FUXI_PRIVATE_NETWORKS.push(network);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const inside = "http://10.2.0.1:8080/send";
const gatewayAt = (url: string, more: object = {}) =>
  createGatewayBody.parse({
    name: "Inside",
    settings: { ...settingsOf(server, "http"), url, statusUrl: "", ...more },
    secret: server.secret,
  });
const webhookAt = (url: string) =>
  createWebhookBody.parse({ name: "CRM", url, events: ["link.created"] });

test("a gateway in an opened network sends, for its workspace only", async () => {
  const { id } = await createGateway(ada, gatewayAt(inside));
  connectInside(server.port);
  expect(await checkGateway(ada, id)).toMatchObject({ ok: true });
  const { client } = await openGatewayOf(ada, id);
  const message = {
    messageId: "rcp_1",
    phone: "+8613812345678",
    text: "x",
    variables: {},
    slug: "x",
  };
  expect(await client.send([message])).toMatchObject([{ state: "accepted" }]);
  expect(server.sent).toHaveLength(1);
  await expect(createGateway(bob, gatewayAt(inside))).rejects.toThrow("settings.url: Use an https");
});

test("a gateway that lost its network sends nothing", async () => {
  const { id } = await createGateway(ada, gatewayAt(inside));
  connectInside(server.port);
  const [opened] = config().FUXI_PRIVATE_NETWORKS.splice(0);
  expect(await checkGateway(ada, id)).toMatchObject({ ok: false, code: "unreachable" });
  if (opened) config().FUXI_PRIVATE_NETWORKS.push(opened);
});

test("without access to the internet, nothing is sent to a public server", async () => {
  const { id } = await createGateway(ada, gatewayAt("https://gateway.example:8443/"));
  connectInside(server.port);
  expect(await checkGateway(ada, id)).toMatchObject({ ok: false, code: "unreachable" });
});

test.each([
  ...["http://10.3.0.1:8080/", "http://10.2.0.1:9000/", "http://127.0.0.1:8080/"],
  ...["http://169.254.169.254:8080/", "http://gateway.example/", "http://93.184.216.34:8080/"],
])("%s is in no opened network", async (url) => {
  await expect(createGateway(ada, gatewayAt(url))).rejects.toThrow("settings.url: Use an https");
  const { id } = await createGateway(ada, gatewayAt(inside));
  const { settings } = gatewayAt(inside, { statusUrl: url });
  await expect(editGateway(ada, id, { settings, secret: "x" })).rejects.toThrow(
    "settings.statusUrl",
  );
  await expect(createWebhook(ada, webhookAt(url))).rejects.toThrow("url: Use an https URL");
});

test("a webhook in an opened network gets its events, for its workspace only", async () => {
  const url = "http://10.2.0.1:8080/hook";
  await expect(createWebhook(bob, webhookAt(url))).rejects.toThrow("url: Use an https URL");
  const { id } = await createWebhook(ada, webhookAt(url));
  connectInside(Number(new URL(receiver.url).port));
  await sendTestEvent(ada, id, "link.created");
  for (const { handle } of webhookJobs) await handle({});
  expect(await listDeliveries(ada, id, listDeliveriesQuery.parse({}))).toMatchObject([
    { state: "delivered" },
  ]);
  expect(await getWebhook(ada, id)).toMatchObject({ state: "active" });
});
