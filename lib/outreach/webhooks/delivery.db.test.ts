/** Webhooks: who changes them, which events they get, and that each arrives. */
import { createHmac } from "node:crypto";
import { WebhookEvent$inboundSchema } from "dub/models/components";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { deleteLink, editLink } from "#lib/links/editing";
import type { Link } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createTag } from "#lib/links/tags";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { make } from "../../../test/links.ts";
import { browser, openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  type ReceivedEvent,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../../test/webhooks.ts";
import { deliverAll } from "./delivery-jobs.ts";
import {
  createWebhook,
  editWebhook,
  getWebhook,
  listDeliveries,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
} from "./index.ts";
import { routeEvents } from "./routing.ts";
import { createWebhookBody, listDeliveriesQuery, type Webhook } from "./schema.ts";

openTestStores({ FUXI_FETCH: "loopback" });
const visits = openTestVisits("visited");

let ada: WorkspaceScope;
let receiver: WebhookReceiver;

beforeAll(openIngest);

let made = 0;

beforeEach(async () => {
  made += 1;
  ada = await makeTestScope(`ada-${made}`);
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await query(sql`DELETE FROM webhook`);
  await receiver.close();
});

function bodyOf(change: object = {}) {
  const events = ["link.created", "link.updated", "link.deleted"];
  return createWebhookBody.parse({ name: "CRM", url: receiver.url, events, ...change });
}

/** Visits a link, and counts the clicks. */
async function visit(shortLink: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await visits.ask(new URL(shortLink).pathname, { headers: { "user-agent": browser } });
  }
  await ingestAll();
}

/** Ends the pauses after failures. */
async function makeDue(): Promise<void> {
  await query(
    sql`UPDATE webhook_delivery SET due_at = now() - interval '1 second' WHERE state = 'waiting'`,
  );
  await query(sql`UPDATE webhook SET due_at = now() - interval '1 second'`);
}

async function waiting(): Promise<number> {
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM webhook_delivery WHERE state = 'waiting'`,
  );
  return row?.count ?? 0;
}

async function countOf({ id }: Webhook): Promise<number> {
  return (await listDeliveries(ada, id, listDeliveriesQuery.parse({}))).length;
}

const typesOf = () => receiver.got.map(({ body }) => JSON.parse(body).type);

test("a link that is created, changed and deleted arrives as three signed events in the Standard format", async () => {
  const webhook = await createWebhook(ada, bodyOf());
  const [link] = await make(ada, [{ url: "https://example.com/a" }]);
  await editLink(ada, String(link?.id), { title: "New" });
  await deleteLink(ada, String(link?.id));
  await deliverAll();
  const verifier = new StandardWebhook(String(webhook.secret));
  const events = receiver.got.map(({ body, headers }) =>
    verifier.verify(body, headers as Record<string, string>),
  );
  expect(events).toMatchObject([
    { type: "link.created", data: { id: link?.id, title: null } },
    { type: "link.updated", data: { id: link?.id, title: "New" } },
    { type: "link.deleted", data: { id: link?.id, title: "New" } },
  ]);
  expect(await getWebhook(ada, webhook.id)).toMatchObject({ waiting: 0, failingSince: null });
  const [forged] = receiver.got;
  expect(() =>
    verifier.verify(`${forged?.body} `, forged?.headers as Record<string, string>),
  ).toThrow();
});

test("events in the format dub are parsed by its package, and signed in Dub-Signature", async () => {
  const events = ["link.created", "link.clicked"];
  const webhook = await createWebhook(ada, bodyOf({ format: "dub", events }));
  const [link] = await make(ada, [{ url: "https://example.com/a" }]);
  await visit(String(link?.shortLink));
  await deliverAll();
  const parsed = receiver.got.map(({ body }) => WebhookEvent$inboundSchema.parse(JSON.parse(body)));
  expect(parsed).toMatchObject([
    { event: "link.created", data: { id: link?.id } },
    { event: "link.clicked", data: { link: { id: link?.id } } },
  ]);
  for (const { headers, body } of receiver.got) {
    const expected = createHmac("sha256", String(webhook.secret)).update(body).digest("hex");
    expect(headers["dub-signature"]).toBe(expected);
  }
});

test("a click says whether it is the first of its link, alone and in a group", async () => {
  await createWebhook(ada, bodyOf({ events: ["link.clicked", "link.clicks"] }));
  const links = await make(ada, [
    { url: "https://example.com/a" },
    { url: "https://example.com/b" },
  ]);
  for (const { shortLink } of links) await visit(shortLink, 2);
  await deliverAll();
  await visit(String(links[0]?.shortLink));
  await deliverAll();
  const events = receiver.got.map(({ body }) => JSON.parse(body));
  const alone = events.filter(({ type }) => type === "link.clicked").map(({ data }) => data);
  const grouped = events
    .filter(({ type }) => type === "link.clicks")
    .flatMap(({ data }) => data.clicks);
  for (const clicks of [alone, grouped]) {
    expect(clicks).toHaveLength(5);
    for (const { id } of links) {
      const own = clicks.filter(({ link }) => link.id === id);
      expect(own.filter(({ first }) => first)).toHaveLength(1);
    }
  }
});

test("a click of a recipient names campaign and message, and whether it is their first", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["campaign.clicked"] }));
  const { id } = await createCampaign(ada, campaignBody());
  const [ready] = await addRecipients(ada, id, recipientRows(1));
  if (ready?.status !== "ready") throw new Error("no message");
  // Another link with the id of the recipient is not theirs.
  const { recipientId: externalId } = ready;
  await editLink(ada, ready.linkId, { externalId: null });
  const [other] = await make(ada, [{ url: "https://example.com/1", externalId }]);
  await visit(String(other?.shortLink));
  await editLink(ada, String(other?.id), { externalId: null });
  await editLink(ada, ready.linkId, { externalId });
  await visit(ready.shortLink, 2);
  await visit(ready.shortLink);
  await deliverAll();
  const events = receiver.got.map(({ body }) => JSON.parse(body));
  expect(events.map(({ data }) => data.first)).toEqual(
    expect.arrayContaining([true, false, false]),
  );
  expect(events).toHaveLength(3);
  expect(events[0]).toMatchObject({
    type: "campaign.clicked",
    data: {
      campaign: { id, name: "Autumn" },
      recipient: { id: externalId, messageId: ready.messageId },
      link: { id: ready.linkId },
      click: { url: expect.stringContaining(externalId) },
    },
  });
  expect(JSON.stringify(events)).not.toContain("13810000000");
  expect(await countOf(webhook)).toBe(3);
});

test.each([
  ["domains", async (link: Link) => ({ domains: [link.domain] }), { domains: ["other.example"] }],
  [
    "folderIds",
    async (link: Link) => ({ folderIds: [String(link.folderId)] }),
    { folderIds: ["fold_1"] },
  ],
  [
    "tagIds",
    async (link: Link) => ({ tagIds: [String(link.tags?.[0]?.id)] }),
    { tagIds: ["tag_1"] },
  ],
])("the filter %s leaves out other links", async (_name, matching, other) => {
  await createTag(ada, { name: "a" });
  const folder = await createFolder(ada, { name: "F", accessLevel: "write" });
  const [first] = await make(ada, [
    { url: "https://example.com/1", tagNames: ["a"], folderId: folder.id },
  ]);
  if (!first) throw new Error("no link");
  const wanted = await createWebhook(
    ada,
    bodyOf({ events: ["link.updated"], ...(await matching(first)) }),
  );
  const unwanted = await createWebhook(ada, bodyOf({ events: ["link.updated"], ...other }));
  await editLink(ada, first.id, { title: "x" });
  await deliverAll();
  expect(await countOf(wanted)).toBe(1);
  expect(await countOf(unwanted)).toBe(0);
});

test("a webhook for chosen links gets those whose webhookIds name it", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"], chosenLinks: true }));
  await make(ada, [{ url: "https://example.com/1" }]);
  const [chosen] = await make(ada, [{ url: "https://example.com/2", webhookIds: [webhook.id] }]);
  await deliverAll();
  expect(receiver.got.map(({ body }) => JSON.parse(body).data.id)).toEqual([chosen?.id]);
});

test("without a webhook, or with one for other events, nothing is written", async () => {
  await make(ada, [{ url: "https://example.com/1" }]);
  await createWebhook(ada, bodyOf({ events: ["link.deleted"] }));
  await make(ada, [{ url: "https://example.com/2" }]);
  expect(
    await query(sql`SELECT FROM webhook_outbox WHERE workspace_pk = ${ada.workspacePk}`),
  ).toEqual([]);
});

test("an event that was refused arrives later, with the same id and body", async () => {
  const webhook = await createWebhook(ada, bodyOf());
  const seen: ReceivedEvent[] = [];
  receiver.answer = (event) => {
    seen.push(event);
    return seen.length < 3 ? 500 : 200;
  };
  await make(ada, [{ url: "https://example.com/1" }]);
  for (let attempt = 0; attempt < 3; attempt++) {
    await deliverAll();
    await makeDue();
  }
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  expect(await getWebhook(ada, webhook.id)).toMatchObject({ waiting: 0, failingSince: null });
  const [delivery] = await listDeliveries(ada, webhook.id, listDeliveriesQuery.parse({}));
  expect(delivery).toMatchObject({ state: "delivered", attempts: 3, lastAttempt: { status: 200 } });
});

test("a webhook that fails is tried with one event at a time, and gets all of them once it answers", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  receiver.answer = () => 503;
  await make(
    ada,
    Array.from({ length: 60 }, (_, at) => ({ url: `https://example.com/${at}` })),
  );
  await deliverAll();
  let calls = 0;
  receiver.answer = () => {
    calls += 1;
    return 503;
  };
  await makeDue();
  await deliverAll();
  expect(calls).toBe(1);
  expect(await getWebhook(ada, webhook.id)).toMatchObject({
    waiting: 60,
    failingSince: expect.any(String),
  });
  receiver.answer = () => 200;
  await makeDue();
  await deliverAll();
  await makeDue();
  await deliverAll();
  const ids = receiver.got.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(60);
  expect(ids).toHaveLength(60);
});

test("ordered: an event that fails delays the later ones of its link, and no others", async () => {
  await createWebhook(ada, bodyOf({ ordered: true, events: ["link.created", "link.updated"] }));
  const [one, two] = await make(ada, [
    { url: "https://example.com/1" },
    { url: "https://example.com/2" },
  ]);
  receiver.answer = ({ body }) => {
    const { type, data } = JSON.parse(body);
    return data.id === one?.id && type === "link.created" ? 500 : 200;
  };
  await editLink(ada, String(one?.id), { title: "first" });
  await editLink(ada, String(one?.id), { title: "second" });
  await editLink(ada, String(two?.id), { title: "other" });
  await deliverAll();
  const idsOf = () => receiver.got.map(({ body }) => JSON.parse(body).data.id);
  expect(new Set(idsOf())).toEqual(new Set([two?.id]));
  // Until the first one is due again, there is nothing to do.
  const [next] = await query<{ due: boolean }>(
    sql`SELECT due_at > now() AS due FROM webhook WHERE workspace_pk = ${ada.workspacePk}`,
  );
  expect(next).toEqual({ due: true });
  receiver.got.length = 0;
  receiver.answer = () => 200;
  await makeDue();
  await deliverAll();
  expect(receiver.got.map(({ body }) => JSON.parse(body).data.title)).toEqual([
    null,
    "first",
    "second",
  ]);
});

test("after three days of failures an event is given up, the webhook disabled, and its creator told", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  receiver.answer = () => 500;
  await make(ada, [{ url: "https://example.com/1" }]);
  await deliverAll();
  await query(sql`UPDATE webhook_delivery SET created_at = now() - interval '3 days'`);
  await query(sql`UPDATE webhook SET failing_since = now() - interval '3 days'`);
  await makeDue();
  await deliverAll();
  expect(await getWebhook(ada, webhook.id)).toMatchObject({ state: "disabled", waiting: 0 });
  const [delivery] = await listDeliveries(
    ada,
    webhook.id,
    listDeliveriesQuery.parse({ state: "failed" }),
  );
  expect(delivery).toMatchObject({ attempts: 2 });
  expect(await listNotifications(ada)).toMatchObject([
    { kind: "webhook.disabled", subject: webhook.id },
  ]);
  await make(ada, [{ url: "https://example.com/2" }]);
  await editWebhook(ada, webhook.id, { state: "active" });
  receiver.answer = () => 200;
  await make(ada, [{ url: "https://example.com/3" }]);
  await deliverAll();
  expect(receiver.got.map(({ body }) => JSON.parse(body).data.url)).toEqual([
    "https://example.com/3",
  ]);
});

test("a receiver that says it is gone is disabled at once", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  receiver.answer = () => 410;
  await make(ada, [{ url: "https://example.com/1" }]);
  await deliverAll();
  expect(await getWebhook(ada, webhook.id)).toMatchObject({ state: "disabled" });
});

test("a paused webhook keeps its events", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  await editWebhook(ada, webhook.id, { state: "paused" });
  await make(ada, [{ url: "https://example.com/1" }]);
  await deliverAll();
  expect(receiver.got).toHaveLength(0);
  await editWebhook(ada, webhook.id, { state: "active" });
  await deliverAll();
  expect(receiver.got).toHaveLength(1);
});

test("a worker that died in the middle: its events are delivered again, and none is lost", async () => {
  await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  // The response of every second one is not seen, as if the worker had ended after the request.
  let calls = 0;
  receiver.answer = () => (calls++ % 2 === 0 ? undefined : 200);
  await make(
    ada,
    Array.from({ length: 40 }, (_, at) => ({ url: `https://example.com/${at}` })),
  );
  for (let round = 0; round === 0 || (round < 60 && (await waiting()) > 0); round++) {
    await deliverAll();
    await makeDue();
  }
  const ids = new Set(receiver.got.map(({ headers }) => headers["webhook-id"]));
  expect(ids.size).toBe(40);
});

test("a replaced secret signs for some hours beside the new one", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  const rotated = await rotateSecret(ada, webhook.id, 24);
  await make(ada, [{ url: "https://example.com/1" }]);
  await deliverAll();
  const verify = (secret: string | null) => () => {
    const { body, headers } = receiver.got.at(-1) ?? { body: "", headers: {} };
    return new StandardWebhook(String(secret)).verify(body, headers as Record<string, string>);
  };
  expect(rotated.secret).not.toBe(webhook.secret);
  expect(verify(webhook.secret)).not.toThrow();
  expect(verify(rotated.secret)).not.toThrow();
  await query(sql`UPDATE webhook SET previous_until = now() - interval '1 second'`);
  await make(ada, [{ url: "https://example.com/2" }]);
  await deliverAll();
  expect(verify(webhook.secret)).toThrow();
  expect(verify(rotated.secret)).not.toThrow();
});

test("a test event of every type goes to its webhook only, and a delivery can be sent again", async () => {
  const webhook = await createWebhook(ada, bodyOf());
  await createWebhook(ada, bodyOf());
  for (const type of webhookEventTypes) await sendTestEvent(ada, webhook.id, type);
  await deliverAll();
  expect(typesOf().sort()).toEqual([...webhookEventTypes].sort());
  const [last] = await listDeliveries(ada, webhook.id, listDeliveriesQuery.parse({ pageSize: 1 }));
  await resendDelivery(ada, webhook.id, String(last?.id));
  await deliverAll();
  const again = receiver.got.filter(({ headers }) => headers["webhook-id"] === last?.id);
  expect(again).toHaveLength(2);
  expect(again[0]?.body).toBe(again[1]?.body);
});

test("pages of deliveries go on after an event", async () => {
  const webhook = await createWebhook(ada, bodyOf());
  for (let sent = 0; sent < 5; sent++) await sendTestEvent(ada, webhook.id, "link.created");
  const page = (startingAfter?: string) =>
    listDeliveries(ada, webhook.id, listDeliveriesQuery.parse({ pageSize: 2, startingAfter }));
  const seen: string[] = [];
  for (let part = await page(); part.length > 0; part = await page(seen.at(-1))) {
    seen.push(...part.map(({ id }) => id));
  }
  expect(new Set(seen).size).toBe(5);
  await expect(page("evt_1")).rejects.toThrow("startingAfter");
});

test("events beyond the limit are counted and dropped; those that were deleted free their place", async () => {
  const webhook = await createWebhook(ada, bodyOf({ events: ["link.created"] }));
  await editWebhook(ada, webhook.id, { state: "paused" });
  const waitingMax = 3;
  const route = async (count: number) => {
    await make(
      ada,
      Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}` })),
    );
    await routeEvents(waitingMax);
    return await getWebhook(ada, webhook.id);
  };
  expect(await route(waitingMax)).toMatchObject({ waiting: waitingMax, dropped: 0 });
  expect(await route(1)).toMatchObject({ waiting: waitingMax, dropped: 1 });
  await query(sql`DELETE FROM webhook_event`);
  expect(await route(2)).toMatchObject({ waiting: 2, dropped: 1 });
});

test("events of a workspace never reach the webhook of another", async () => {
  const bob = await makeTestScope(`bob-${made}`);
  await createWebhook(bob, bodyOf());
  await make(ada, [{ url: "https://example.com/1" }]);
  await deliverAll();
  expect(receiver.got).toHaveLength(0);
});

test("a failing webhook of one workspace delays no other", async () => {
  const bob = await makeTestScope(`bob-${made}`);
  await createWebhook(ada, bodyOf({ url: "http://127.0.0.1:9/" }));
  await createWebhook(bob, bodyOf());
  await make(ada, [{ url: "https://example.com/1" }]);
  await make(bob, [{ url: "https://example.com/2" }]);
  await deliverAll();
  expect(receiver.got).toHaveLength(1);
});
