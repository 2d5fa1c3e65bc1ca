/** The events of webhooks about domains that an app seems to block. */

import { Webhook as StandardWebhook } from "standardwebhooks";
import { beforeAll, expect, test } from "vitest";
import { checkHealth, dismissDomainAlarm, getDomainHealth } from "#lib/analytics/domain-health";
import { maintainRollups } from "#lib/analytics/rollups";
import { createWebhook, sendTestEvent, webhookJobs } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { claimDomain, dayMs, morning, putUsualVisits, putVisits, today } from "./domain-visits.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhooks.ts";

openTestStores({ FUXI_DOMAINS_TRUSTED: "yes", FUXI_FETCH: "loopback" });

let ada: WorkspaceScope;
let receiver: WebhookReceiver;

beforeAll(async () => {
  openCoherence();
  ada = await makeTestScope("ada");
  receiver = await startWebhookReceiver();
  await maintainRollups();
  return () => receiver.close();
});

function makeWebhook(scope: WorkspaceScope, more: object = {}) {
  const events = ["domain.blocked", "domain.unblocked"];
  return createWebhook(
    scope,
    createWebhookBody.parse({ name: "Alarms", url: receiver.url, events, ...more }),
  );
}

/** What the receiver got since the last time. */
async function delivered() {
  receiver.got.length = 0;
  await webhookJobs[0]?.handle({});
  return [...receiver.got];
}

/** The names of the fields, and the types of their values. */
function shapeOf(value: object): object {
  const fields = Object.entries(value).map(([name, one]) => [
    name,
    typeof one === "object" ? shapeOf(one) : typeof one,
  ]);
  return Object.fromEntries(fields);
}

test("webhooks of the workspace get an alarm once, with its evidence, and its end when visits are back", async () => {
  const { id, secret } = await makeWebhook(ada);
  await makeWebhook(await makeTestScope("eve"));
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 3);
  await Promise.all([checkHealth(morning(-1)), checkHealth(morning(-1))]);
  await checkHealth(new Date(morning(-1).getTime() + 7_200_000));
  const [alarm] = (await getDomainHealth(ada, slug)).alarms;
  const [blocked, ...more] = await delivered();
  expect(more).toEqual([]);
  const event = new StandardWebhook(String(secret)).verify(
    String(blocked?.body),
    Object(blocked?.headers),
  );
  const since = new Date(today - 2 * dayMs).toISOString().slice(0, 10);
  expect(event).toEqual({
    type: "domain.blocked",
    timestamp: expect.any(String),
    data: {
      id: expect.stringMatching(/^dom_/),
      domain: slug,
      app: "wechat",
      source: "visits",
      since,
      evidence: alarm?.evidence,
      appealUrl: "https://weixin110.qq.com",
    },
  });
  expect(alarm?.evidence).toMatchObject({ visits: 60, inApp: 0, until: since });
  await sendTestEvent(ada, id, "domain.blocked");
  const [sample] = await delivered();
  expect(shapeOf(JSON.parse(String(sample?.body)).data)).toEqual(shapeOf(Object(event).data));

  await putVisits(ada, { slug, from: 1, until: 1, browser: "WeChat", count: 40 });
  await checkHealth(morning(0));
  const ended = await delivered();
  expect(ended.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "domain.unblocked", data: { domain: slug, app: "wechat" } },
  ]);
});

test("the end of a dismissed alarm is no event", async () => {
  await makeWebhook(ada, { name: "Dub", format: "dub" });
  const slug = await claimDomain(ada);
  await putUsualVisits(ada, slug, 3);
  await checkHealth(morning(-1));
  const bodies = (await delivered()).map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ event }) => event)).toContain("domain.blocked");
  await dismissDomainAlarm(ada, slug, "wechat");
  await putVisits(ada, { slug, from: 1, until: 1, browser: "WeChat", count: 40 });
  await checkHealth(morning(0));
  expect((await getDomainHealth(ada, slug)).alarms).toEqual([]);
  expect(await delivered()).toEqual([]);
});
