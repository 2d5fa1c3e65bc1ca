/** Webhooks: who sees and changes them, and their limits. */
import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  webhooksMax,
} from "./index.ts";
import { createWebhookBody, filterValuesMax, listDeliveriesQuery } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let made = 0;

beforeEach(async () => {
  made += 1;
  ada = await makeTestScope(`ada-${made}`);
});

function bodyOf(change: object = {}) {
  const url = "https://example.com/hook";
  return createWebhookBody.parse({ name: "CRM", url, events: ["link.created"], ...change });
}

test("a webhook of another workspace answers exactly like a missing one", async () => {
  const { id } = await createWebhook(ada, bodyOf());
  const bob = await makeTestScope(`bob-${made}`);
  for (const other of [id, newId("wh"), "wh_1", "' OR 1"]) {
    const message = `Webhook "${other}" not found in this workspace.`;
    await expect(getWebhook(bob, other)).rejects.toThrow(message);
    await expect(editWebhook(bob, other, { name: "x" })).rejects.toThrow(message);
    await expect(deleteWebhook(bob, other)).rejects.toThrow(message);
    await expect(rotateSecret(bob, other, 1)).rejects.toThrow(message);
    await expect(sendTestEvent(bob, other, "link.created")).rejects.toThrow(message);
    await expect(resendDelivery(bob, other, "evt_1")).rejects.toThrow(message);
    await expect(listDeliveries(bob, other, listDeliveriesQuery.parse({}))).rejects.toThrow(
      message,
    );
  }
  expect(await listWebhooks(bob)).toEqual([]);
});

test("only owners and admins see and change webhooks: deliveries show links of all folders", async () => {
  const { id } = await createWebhook(ada, bodyOf());
  for (const role of ["member", "viewer"] as const) {
    const other = await joinTestScope(ada, `${role}-${made}`, role);
    await expect(listWebhooks(other)).rejects.toMatchObject({ code: "forbidden" });
    await expect(createWebhook(other, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
    await expect(deleteWebhook(other, id)).rejects.toMatchObject({ code: "forbidden" });
  }
});

test("the secret is sealed in its table, and in no audit entry", async () => {
  const created = await createWebhook(ada, bodyOf());
  const rotated = await rotateSecret(ada, created.id, 0);
  const rows = await query(sql`SELECT webhook::text AS row FROM webhook`);
  const audit = await listAudit(ada, { pageSize: 100, subject: created.id });
  for (const secret of [created.secret, rotated.secret]) {
    const bytes = String(secret).slice("whsec_".length);
    for (const text of [bytes, Buffer.from(bytes).toString("hex")]) {
      expect(JSON.stringify([rows, audit])).not.toContain(text);
    }
  }
  expect(audit.map(({ action }) => action)).toEqual(["webhook.rotate", "webhook.create"]);
});

test.each([
  "http://example.com/hook",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://example.com:22/",
  "https://user:password@example.com/",
  "ftp://example.com/",
])("%s is no URL of a webhook", async (url) => {
  await expect(createWebhook(ada, bodyOf({ url }))).rejects.toThrow("url: Use an https URL");
});

test(`a workspace has up to ${webhooksMax} webhooks, and a filter up to ${filterValuesMax} values`, async () => {
  const { id } = await createWebhook(ada, bodyOf());
  await query(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links, ordered, sealed
    )
    SELECT
      'wh_' || number, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed
    FROM webhook, generate_series(1, ${webhooksMax - 2}) AS number
    WHERE id = ${id}`);
  await createWebhook(ada, bodyOf());
  await expect(createWebhook(ada, bodyOf())).rejects.toMatchObject({ code: "forbidden" });
  const values = (count: number) => Array.from({ length: count }, (_, at) => `d${at}.example`);
  const parse = (count: number) =>
    createWebhookBody.safeParse({ ...bodyOf(), domains: values(count) }).success;
  expect(parse(filterValuesMax)).toBe(true);
  expect(parse(filterValuesMax + 1)).toBe(false);
});
