/** Events as messages to local robots that follow the documents of the chats. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { type ChatServer, startChatServer } from "../../../test/chats.ts";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { deliverAll } from "./delivery-jobs.ts";
import {
  createWebhook,
  editWebhook,
  getWebhook,
  listDeliveries,
  rotateSecret,
  sendTestEvent,
} from "./index.ts";
import {
  type ChatFormat,
  canSign,
  chatFormats,
  createWebhookBody,
  editWebhookBody,
  listDeliveriesQuery,
  signingSecretCharsMax,
} from "./schema.ts";

openTestStores({ FUXI_FETCH: "loopback" });

let ada: WorkspaceScope;
let chat: ChatServer;
let made = 0;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

beforeEach(async () => {
  made += 1;
  chat = await startChatServer();
});

afterEach(async () => {
  await query(sql`DELETE FROM webhook`);
  await query(sql`DELETE FROM webhook_event`);
  await query(sql`DELETE FROM webhook_outbox`);
  await chat.close();
  await forgetLimits();
});

afterAll(async () => {
  await forgetLimits();
});

/** As if a minute had passed. */
async function forgetLimits(): Promise<void> {
  const names = await redis().keys("*PerUrl*");
  if (names.length > 0) await redis().del(...names);
}

function bodyOf(format: ChatFormat, change: object = {}) {
  return createWebhookBody.parse({
    name: `Chat ${made}`,
    url: chat.urlOf(format),
    format,
    events: ["link.created"],
    ...(canSign(format) ? { signingSecret: chat.secret } : {}),
    ...change,
  });
}

async function makeLinks(count: number): Promise<void> {
  const links = Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}` }));
  await make(ada, links);
}

/** Ends the pauses after failures. */
async function makeDue(): Promise<void> {
  await query(
    sql`UPDATE webhook_delivery SET due_at = now() - interval '1 second' WHERE state = 'waiting'`,
  );
  await query(sql`UPDATE webhook SET due_at = now() - interval '1 second'`);
}

const listed = (id: string) => listDeliveries(ada, id, listDeliveriesQuery.parse({}));

test.each(chatFormats)(
  "events of a moment are one message to %s, also when two workers deliver",
  async (format) => {
    const webhook = await createWebhook(ada, bodyOf(format));
    await makeLinks(3);
    await Promise.all([deliverAll(), deliverAll()]);
    expect(chat.calls).toBe(1);
    expect(chat.messages[0]).toContain("3 links created");
    const deliveries = await listed(webhook.id);
    expect(deliveries.map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
    expect(deliveries[0]?.request).toContain("Link created");
    await deliverAll();
    expect(chat.calls).toBe(1);
  },
);

test.each(["dingtalk", "feishu"] as const)(
  "a wrong signature for %s is no success, although the status is 200",
  async (format) => {
    const webhook = await createWebhook(ada, bodyOf(format, { signingSecret: "wrong" }));
    await makeLinks(2);
    await deliverAll();
    expect(chat.messages).toEqual([]);
    const [delivery] = await listed(webhook.id);
    expect(delivery).toMatchObject({ state: "waiting", attempts: 1, lastAttempt: { status: 200 } });
    expect(await getWebhook(ada, webhook.id)).toMatchObject({ failingSince: expect.any(String) });
    await editWebhook(ada, webhook.id, { signingSecret: chat.secret });
    await makeDue();
    await deliverAll();
    expect(chat.messages).toHaveLength(1);
    expect(chat.messages[0]).toContain("2 links created");
    expect(await getWebhook(ada, webhook.id)).toMatchObject({ failingSince: null, waiting: 0 });
  },
);

test("more events than a chat takes per minute wait for the next message, and none is lost", async () => {
  const one = await createWebhook(ada, bodyOf("wecom"));
  // The same robot: both share what it permits.
  const other = await createWebhook(ada, bodyOf("wecom"));
  for (let round = 0; round < 11; round++) {
    await sendTestEvent(ada, one.id, "recipient.opted_out");
    await sendTestEvent(ada, other.id, "recipient.opted_out");
    await deliverAll();
  }
  expect(chat.calls).toBe(18);
  await forgetLimits();
  chat.messages.length = 0;
  await makeDue();
  await deliverAll();
  expect(chat.messages).toHaveLength(2);
  const states = [...(await listed(one.id)), ...(await listed(other.id))].map((one) => one.state);
  expect(states).toEqual(Array(22).fill("delivered"));
});

test("a chat that asks for a pause gets nothing for a while", async () => {
  const webhook = await createWebhook(ada, bodyOf("dingtalk"));
  chat.fault = { status: 200, body: JSON.stringify({ errcode: 130_101, errmsg: "too fast" }) };
  await makeLinks(1);
  await deliverAll();
  const [row] = await query<{ pause: number }>(
    sql`SELECT extract(epoch FROM due_at - now())::int AS pause FROM webhook`,
  );
  expect(row?.pause).toBeGreaterThan(590);
  expect(await getWebhook(ada, webhook.id)).toMatchObject({ state: "active", waiting: 1 });
});

test("a robot that was removed disables its webhook, which says why until it is activated", async () => {
  const url = chat.urlOf("wecom").replace("key-1", "key-2");
  const webhook = await createWebhook(ada, bodyOf("wecom", { url }));
  await makeLinks(1);
  await deliverAll();
  expect(await getWebhook(ada, webhook.id)).toMatchObject({
    state: "disabled",
    disabledReason: "gone",
  });
  const body = { state: "active", url: chat.urlOf("wecom") } as const;
  expect(await editWebhook(ada, webhook.id, body)).toMatchObject({ disabledReason: null });
  await makeDue();
  await deliverAll();
  expect(chat.messages).toHaveLength(1);
});

test("every event can be tested, in both languages, whatever the webhook is limited to", async () => {
  for (const language of ["en", "zh"] as const) {
    const change = { language, domains: ["go.example"], tagIds: ["tag_1"], chosenLinks: true };
    const webhook = await createWebhook(ada, bodyOf("slack", change));
    await sendTestEvent(ada, webhook.id, "link.clicks");
    await deliverAll();
    expect(chat.messages.at(-1)).toContain(language === "en" ? "1 click" : "1 次点击");
    await forgetLimits();
  }
});

test("the signing secret and the URL of a chat are shown to nobody who may not change them", async () => {
  const webhook = await createWebhook(ada, bodyOf("dingtalk"));
  await editWebhook(ada, webhook.id, { url: `${chat.urlOf("dingtalk")}&changed=1` });
  const reader = { ...ada, permissions: new Set(["webhooks.read"] as const) };
  const seen = await getWebhook(reader, webhook.id);
  expect(seen).toMatchObject({ secret: null, signed: true });
  expect(seen.url).toBe(`${new URL(chat.urlOf("dingtalk")).origin}/…`);
  expect((await getWebhook(ada, webhook.id)).secret).toBeNull();
  const audit = await listAudit(ada, { pageSize: 10, subject: webhook.id });
  expect(audit[0]?.details).toEqual({ url: true });
  const rows = await query(sql`SELECT encode(sealed, 'escape') AS sealed FROM webhook`);
  for (const hidden of [chat.secret, "token-1"]) {
    expect(JSON.stringify([seen, audit])).not.toContain(hidden);
  }
  expect(JSON.stringify(rows)).not.toContain(chat.secret);
});

test("a chat gets no single clicks, only some are signed, and their secrets are not ours to replace", async () => {
  const clicks = bodyOf("slack", { events: ["link.clicked"] });
  await expect(createWebhook(ada, clicks)).rejects.toThrow("Use link.clicks");
  const signed = bodyOf("slack", { signingSecret: "x" });
  await expect(createWebhook(ada, signed)).rejects.toThrow("signingSecret");
  const webhook = await createWebhook(ada, bodyOf("feishu"));
  await expect(rotateSecret(ada, webhook.id, 1)).rejects.toThrow("signingSecret");
  const parse = (chars: number) =>
    editWebhookBody.safeParse({ signingSecret: "s".repeat(chars) }).success;
  expect([parse(signingSecretCharsMax), parse(signingSecretCharsMax + 1)]).toEqual([true, false]);
});

test("a chat that becomes a program gets a secret of its own, and the other way round keeps none", async () => {
  const webhook = await createWebhook(ada, bodyOf("feishu"));
  const program = await editWebhook(ada, webhook.id, { format: "standard" });
  expect(program).toMatchObject({ secret: expect.stringMatching(/^whsec_/), signed: true });
  const again = await editWebhook(ada, webhook.id, { format: "feishu" });
  expect(again).toMatchObject({ secret: null, signed: false });
});
