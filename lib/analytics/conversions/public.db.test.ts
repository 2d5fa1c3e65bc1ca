/** Leads and sales of public keys: what they can report, from where, and what they cannot change. */
import { WebhookEvent$inboundSchema } from "dub/models/components";
import { beforeAll, expect, test } from "vitest";
import { getCustomer } from "#lib/analytics/customers";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import { createTrackingKey, deleteTrackingKey } from "#lib/analytics/tracking-keys";
import { createWebhook } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { trackLead, trackLeadPublicly, trackSale, trackSalePublicly } from "./index.ts";
import { trackLeadBody, trackSaleBody } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("site");

const origin = "https://shop.example";
let key: string;

beforeAll(async () => {
  await openIngest();
  key = (await createTrackingKey(scope(), { name: "Shop", hosts: ["shop.example"] })).key;
});

async function clicked() {
  const link = await make({ url: "https://shop.example/", trackConversion: true });
  const { headers } = await ask(`/${link.key}`);
  await ingestAll();
  const clickId = new URL(String(headers.location)).searchParams.get("dub_id") ?? "";
  return { id: link.id, clickId };
}

let addresses = 0;
function callOf(more: object = {}) {
  addresses += 1;
  return { key, origin, address: `203.0.113.${addresses}`, ...more };
}

const leadBody = (body: object) => trackLeadBody.parse({ eventName: "Sign up", ...body });
const saleBody = (body: object) => trackSaleBody.parse({ amount: 500, ...body });

async function sums(linkId: string, verification: string) {
  const asked = { event: "composite", linkId, verification };
  const { answer } = await askAnalytics(scope(), analyticsQuery.parse(asked));
  return Array.isArray(answer) ? undefined : [answer.leads, answer.sales, answer.saleAmount];
}

test("a sale of a public key is counted apart, and the same invoice of an API key replaces it", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = "public-1";
  await trackLeadPublicly(callOf(), leadBody({ clickId, customerExternalId }));
  const body = saleBody({ customerExternalId, invoiceId: "public-invoice" });
  for (let calls = 0; calls < 2; calls++) await trackSalePublicly(callOf(), body);
  expect(await sums(id, "verified")).toEqual([1, 0, 0]);
  expect(await sums(id, "unverified")).toEqual([1, 1, 500]);
  const before = await getCustomer(scope(), `ext_${customerExternalId}`);
  expect(before).toMatchObject({ sales: 0, saleAmount: 0 });
  await trackSale(scope(), { ...body, amount: 700 });
  await trackSalePublicly(callOf(), body);
  expect(await sums(id, "verified")).toEqual([1, 1, 700]);
  expect(await sums(id, "all")).toEqual([1, 1, 700]);
});

test("a public key changes nothing of a known customer", async () => {
  const { clickId } = await clicked();
  const customerExternalId = "public-2";
  const known = leadBody({ clickId, customerExternalId, customerName: "Ada" });
  await trackLead(scope(), known);
  await trackLeadPublicly(callOf(), { ...known, eventName: "Other", customerName: "Eve" });
  expect((await getCustomer(scope(), `ext_${customerExternalId}`)).name).toBe("Ada");
});

test("unknown and deleted keys, other sites and other workspaces are refused, and so are too many calls", async () => {
  const { clickId } = await clicked();
  const body = leadBody({ clickId, customerExternalId: "public-3" });
  const refusals = [
    [{ key: "fuxi_pk_unknown" }, "unknown or deleted"],
    [{ origin: "https://evil.example" }, "doesn’t accept requests from this site"],
    [{ origin: undefined }, "doesn’t accept requests from this site"],
  ] as const;
  for (const [more, message] of refusals) {
    await expect(trackLeadPublicly(callOf(more), body)).rejects.toThrow(message);
  }
  const other = await makeTestScope("other-site");
  const foreign = await createTrackingKey(other, { name: "Other", hosts: ["shop.example"] });
  await expect(trackLeadPublicly(callOf({ key: foreign.key }), body)).rejects.toThrow(
    "recorded yet",
  );
  await expect(deleteTrackingKey(scope(), foreign.id)).rejects.toThrow("not found");
  await deleteTrackingKey(other, foreign.id);
  await expect(trackLeadPublicly(callOf({ key: foreign.key }), body)).rejects.toThrow("deleted");
  const call = callOf({ key: "fuxi_pk_guess" });
  for (let calls = 0; calls < 120; calls++) await trackLeadPublicly(call, body).catch(() => null);
  await expect(trackLeadPublicly(call, body)).rejects.toThrow("Too many requests");
});

test("webhooks are told about leads and sales in the form of the dub package, without personal data", async () => {
  const events = ["lead.created", "sale.created"];
  const hook = { name: "CRM", url: "https://example.com/hook", format: "dub", events };
  await createWebhook(scope(), createWebhookBody.parse(hook));
  const { clickId } = await clicked();
  const customerExternalId = "told-1";
  const body = leadBody({ clickId, customerExternalId, customerEmail: "secret@example.com" });
  for (let calls = 0; calls < 2; calls++) await trackLead(scope(), body);
  await trackSale(scope(), saleBody({ customerExternalId, invoiceId: "told" }));
  const rows = await query<{ id: string; type: string; at: Date; data: object }>(
    sql`
      SELECT event.*
      FROM webhook_outbox
      CROSS JOIN LATERAL json_to_recordset(events)
        AS event (id text, type text, at timestamptz, data jsonb)
      ORDER BY pk`,
  );
  expect(rows.map(({ type }) => type)).toEqual(events);
  expect(JSON.stringify(rows)).not.toContain("secret");
  const parsed = rows.map(({ id, type, at, data }) =>
    WebhookEvent$inboundSchema.parse({ id, event: type, createdAt: at.toISOString(), data }),
  );
  expect(parsed).toMatchObject([
    { data: { customer: { externalId: customerExternalId }, click: { id: clickId } } },
    { data: { sale: { amount: 500, currency: "USD" }, link: { leads: 1, sales: 1 } } },
  ]);
});
