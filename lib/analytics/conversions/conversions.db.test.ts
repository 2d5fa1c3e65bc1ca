/** Leads and sales, from the visit of a short link to the counters. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { eraseCustomer, getCustomer, listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics, listEvents } from "#lib/analytics/reports";
import { analyticsQuery, eventsQuery } from "#lib/analytics/reports/schema";
import { eraseDue } from "#lib/analytics/rollups";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { parseId } from "#lib/basics/ids";
import { deleteLink } from "#lib/links/editing";
import { presentLinks } from "#lib/links/reading";
import { campaignJobs } from "#lib/outreach/campaigns";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { compactOldClicks } from "../../../test/clicks.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { trackLead, trackSale } from "./index.ts";
import { amountMax, trackLeadBody, trackSaleBody } from "./schema.ts";

openTestStores({ FUXI_CURRENCY_RATES: "EUR=1.1, JPY=0.0067, KWD=3.25" });
const { ask, make, scope } = openTestVisits("shop");

beforeAll(() => openIngest());

const url = "https://shop.example/start?a=1#top";

/** Visits a link that tracks conversions. Returns the id that the destination got. */
async function click(key: string): Promise<string> {
  const { headers } = await ask(`/${key}`);
  return new URL(String(headers.location)).searchParams.get("dub_id") ?? "";
}

async function clicked(fields: object = {}) {
  const link = await make({ url, trackConversion: true, ...fields });
  const clickId = await click(link.key);
  await ingestAll();
  return { ...link, clickId };
}

let made = 0;
function someone(): string {
  made += 1;
  return `customer-${made}`;
}

const lead = (body: object, as: WorkspaceScope = scope()) =>
  trackLead(as, trackLeadBody.parse({ eventName: "Sign up", ...body }));
const sale = (body: object, as: WorkspaceScope = scope()) =>
  trackSale(as, trackSaleBody.parse({ amount: 1_000, ...body }));

async function countsOf(id: string) {
  const [pk] = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE id = ${String(parseId("link", id))}`,
  );
  const link = (await presentLinks(scope(), [pk?.pk ?? 0])).get(pk?.pk ?? 0);
  return [link?.leads, link?.conversions, link?.sales, link?.saleAmount];
}

const total = async (linkId: string, more: object = {}) =>
  await askAnalytics(scope(), analyticsQuery.parse({ event: "composite", linkId, ...more })).then(
    ({ answer }) => answer,
  );

test("the destination gets the id of the click, after its own parameters and before its fragment", async () => {
  const { key } = await make({ url, trackConversion: true });
  const { headers } = await ask(`/${key}?dub_id=forged&x=1`);
  expect(headers.location).toMatch(
    /^https:\/\/shop\.example\/start\?a=1&dub_id=\d{13}-[0-9a-f-]{36}#top$/,
  );
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(await click(key)).not.toBe(await click(key));
});

test("what is no click of a person gets no id", async () => {
  const tracked = await make({ url, trackConversion: true });
  const plain = await make({ url });
  const visits = [
    [tracked.key, { method: "HEAD" }],
    [tracked.key, { headers: { "sec-purpose": "prefetch" } }],
    [tracked.key, { headers: { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" } }],
    [plain.key, {}],
  ] as const;
  for (const [key, options] of visits) {
    expect((await ask(`/${key}`, options)).headers.location).toBe(url);
  }
});

test("links with rules and forwarded parameters get one id, and no forged one", async () => {
  const { key } = await make({
    url,
    trackConversion: true,
    forwardQuery: true,
    rules: [{ device: ["desktop"], url: "https://shop.example/desktop" }],
  });
  const { headers } = await ask(`/${key}?b=2&dub_id=forged`);
  expect(headers.location).toMatch(
    /^https:\/\/shop\.example\/desktop\?b=2&dub_id=\d{13}-[0-9a-f-]{36}$/,
  );
});

test("a lead that is reported twenty times at once is counted once, with one customer", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => lead({ clickId, customerExternalId, customerName: "Ada" })),
  );
  expect(answers[0]).toMatchObject({
    click: { id: clickId },
    link: { id },
    customer: { externalId: customerExternalId, name: "Ada", email: null },
  });
  await lead({ clickId, customerExternalId, eventName: "Trial", eventQuantity: 3 });
  expect(await countsOf(id)).toEqual([4, 0, 0, 0]);
  expect(await total(id)).toMatchObject({ clicks: 1, leads: 4, sales: 0, saleAmount: 0 });
  const found = listCustomersQuery.parse({ externalId: customerExternalId });
  expect(await listCustomers(scope(), found)).toHaveLength(1);
});

test("customers are found by what is known about them, sorted, and paged in both directions", async () => {
  const link = await make({ url, trackConversion: true });
  const names = ["Ada", "Bea", "Cleo", "Dora"];
  for (const [at, customerName] of names.entries()) {
    const clickId = await click(link.key);
    await ingestAll();
    const customerExternalId = someone();
    const customerEmail = `${customerName}@shop.example`;
    await lead({ clickId, customerExternalId, customerName, customerEmail });
    if (at < 3) await sale({ customerExternalId, amount: [2_000, 3_000, 2_000][at] });
  }
  const rowsOf = async (asked: object, as = scope()) =>
    await listCustomers(as, listCustomersQuery.parse({ linkId: link.id, ...asked }));
  const namesOf = async (asked: object) => (await rowsOf(asked)).map(({ name }) => name);
  expect(await namesOf({ email: "bea@SHOP.example" })).toEqual(["Bea"]);
  expect(await namesOf({ search: "CLE" })).toEqual(["Cleo"]);
  expect(await namesOf({ search: "@shop", email: "nobody@shop.example" })).toEqual([]);
  const orders = [
    [{}, ["Dora", "Cleo", "Bea", "Ada"]],
    [{ sortOrder: "asc" }, names],
    [{ sortBy: "saleAmount" }, ["Bea", "Cleo", "Ada", "Dora"]],
    [{ sortBy: "firstSaleAt", sortOrder: "asc" }, ["Dora", "Ada", "Bea", "Cleo"]],
  ] as const;
  for (const [order, expected] of orders) {
    expect(await namesOf(order)).toEqual(expected);
    expect(await namesOf({ ...order, page: 2, pageSize: 3 })).toEqual(expected.slice(3));
    const [first, second, third] = await rowsOf(order);
    const after = { ...order, startingAfter: second?.id, pageSize: 1 };
    expect(await namesOf(after)).toEqual([expected[2]]);
    const before = { ...order, endingBefore: third?.id, pageSize: 1 };
    expect(await namesOf(before)).toEqual([expected[1]]);
    expect(await namesOf({ ...order, endingBefore: first?.id })).toEqual([]);
  }
  await expect(rowsOf({ startingAfter: "cus_none" })).rejects.toMatchObject({ status: 422 });
  for (const two of [{ endingBefore: "b" }, { page: 2 }]) {
    expect(listCustomersQuery.safeParse({ startingAfter: "a", ...two }).success).toBe(false);
  }
  const member = await joinTestScope(scope(), "no-people", "member");
  for (const personal of [{ email: "ada@shop.example" }, { search: "Ada" }]) {
    await expect(rowsOf(personal, member)).rejects.toThrow("people.view");
  }
});

test("a sale that is reported twenty times at once is counted once per invoice", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId });
  const invoiceId = `inv-${customerExternalId}`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sale({ customerExternalId, invoiceId })),
  );
  expect(new Set(answers.map((one) => one.customer?.id)).size).toBe(1);
  expect(answers[7]?.sale).toMatchObject({ amount: 1_000, currency: "USD", invoiceId });
  await sale({ customerExternalId, invoiceId: `${invoiceId}-2`, amount: 500 });
  expect(await countsOf(id)).toEqual([1, 1, 2, 1_500]);
  expect(await total(id, { event: "sales" })).toMatchObject({
    clicks: 0,
    leads: 0,
    sales: 2,
    saleAmount: 1_500,
    currency: "USD",
  });
  expect(await total(id, { event: "sales", saleType: "new" })).toMatchObject({ sales: 1 });
  const other = someone();
  await lead({ clickId, customerExternalId: other });
  await expect(sale({ customerExternalId: other, invoiceId })).rejects.toThrow("another customer");
});

test("two customers who report one invoice at once have one sale together", async () => {
  const { id, clickId } = await clicked();
  const both = [someone(), someone()];
  for (const customerExternalId of both) await lead({ clickId, customerExternalId });
  const invoiceId = `shared-${both[0]}`;
  const outcomes = await Promise.allSettled(
    both.map((customerExternalId) => sale({ customerExternalId, invoiceId })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await countsOf(id)).toEqual([2, 1, 1, 1_000]);
});

test("a click of another workspace, a malformed and a missing one are not found", async () => {
  const { clickId } = await clicked();
  const foreign = await makeTestScope("foreign");
  const customerExternalId = someone();
  const old = `${Date.now() - 86_400_000}-${randomUUID()}`;
  for (const missing of [old, "x", `${Date.now()}`, `9999999999999999-${randomUUID()}`]) {
    await expect(lead({ clickId: missing, customerExternalId })).rejects.toThrow("Click not found");
  }
  // A recent id may be that of a click on its way, whoever asks.
  const fresh = { clickId: `${Date.now()}-${randomUUID()}`, customerExternalId };
  const messages = await Promise.all(
    [{ clickId, customerExternalId }, fresh].map((body) =>
      lead({ ...body, mode: "wait" }, foreign).catch((error: Error) => error.message),
    ),
  );
  expect(messages[0]).toBe(messages[1]);
  expect(messages[0]).toContain("isn’t recorded yet");
});

test("a click that has moved into a block is found, with all that is known of it", async () => {
  const { id, clickId } = await clicked();
  const uuid = clickId.slice(clickId.indexOf("-") + 1);
  const at = new Date(Date.now() - 20 * 86_400_000);
  await ensurePartitions(["click"], [at.getTime()]);
  await query(sql`UPDATE analytics.click SET at = ${at}, city = 'Berlin' WHERE id = ${uuid}::uuid`);
  await compactOldClicks();
  expect(await query(sql`SELECT 1 FROM analytics.click WHERE id = ${uuid}::uuid`)).toEqual([]);
  const made = await lead({
    clickId: `${at.getTime()}-${uuid}`,
    customerExternalId: someone(),
  });
  expect(made.link?.id).toBe(id);
  const [event] = await query(sql`
    SELECT click_at, city FROM analytics.conversion WHERE click_id = ${uuid}::uuid`);
  expect(event).toEqual({ click_at: at, city: "Berlin" });
});

test("a lead that is reported before its click is counted waits for it", async () => {
  const link = await make({ url, trackConversion: true });
  const clickId = await click(link.key);
  const early = lead({ clickId, customerExternalId: someone() });
  await ingestAll();
  expect((await early).link?.id).toBe(link.id);
});

test("a deferred lead creates the customer only, and is counted by a call without a click", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId, mode: "deferred" });
  expect(await countsOf(id)).toEqual([0, 0, 0, 0]);
  const later = await lead({ clickId: "", customerExternalId, eventName: "Trial" });
  expect(later.click.id).toBe(clickId);
  expect(await countsOf(id)).toEqual([1, 0, 0, 0]);
  await expect(lead({ clickId: "", customerExternalId: someone() })).rejects.toThrow("not found");
});

test("a sale of nobody who came through a link counts nothing; with a click it makes a lead too", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  expect(await sale({ customerExternalId })).toEqual({
    eventName: "Purchase",
    customer: null,
    sale: null,
  });
  await sale({ customerExternalId, clickId, customerEmail: "ada@example.com" });
  expect(await countsOf(id)).toEqual([1, 1, 1, 1_000]);
  await expect(sale({ customerExternalId, leadEventName: "Nothing" })).rejects.toThrow("no lead");
});

test("a sale follows the last lead of its customer, or the named one", async () => {
  const [first, second] = [await clicked(), await clicked()];
  const customerExternalId = someone();
  await lead({ clickId: first.clickId, customerExternalId, eventName: "Trial" });
  await lead({ clickId: second.clickId, customerExternalId, eventName: "Upgrade" });
  await sale({ customerExternalId });
  await sale({ customerExternalId, leadEventName: "Trial", amount: 7 });
  expect(await countsOf(second.id)).toEqual([1, 1, 1, 1_000]);
  expect(await countsOf(first.id)).toEqual([1, 0, 1, 7]);
});

test("amounts are converted once, with the digits of their currency; without a rate they are refused", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId });
  for (const currency of ["usd", "EUR", "JPY", "KWD"]) {
    await sale({ customerExternalId, amount: 1_580, currency });
  }
  // 15.80 + 17.38 + 10.59 + 5.14
  expect((await countsOf(id))[3]).toBe(1_580 + 1_738 + 1_059 + 514);
  await expect(sale({ customerExternalId, currency: "GBP" })).rejects.toThrow(
    "no rate for GBP. Use one of USD, EUR, JPY, KWD",
  );
  expect(trackSaleBody.safeParse({ customerExternalId, amount: amountMax }).success).toBe(true);
  const refused = [
    { amount: amountMax + 1 },
    { amount: 1.5 },
    { amount: -1 },
    { amount: 1, currency: "XYZ" },
  ];
  for (const body of refused) {
    expect(trackSaleBody.safeParse({ customerExternalId, ...body }).success).toBe(false);
  }
});

test("conversions are grouped and filtered like their clicks, and add up", async () => {
  const { id, clickId } = await clicked({ url: `${url}`, utm_source: "news" });
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId });
  await sale({ customerExternalId });
  const groupings = ["timeseries", "hours", "countries", "cities", "browsers", "triggers"];
  const more = ["top_links", "top_urls", "utm_sources", "top_domains", "referers"];
  for (const groupBy of [...groupings, ...more]) {
    const rows = await total(id, { groupBy });
    const sums = ["clicks", "leads", "sales", "saleAmount"].map((name) =>
      (Array.isArray(rows) ? rows : []).reduce((sum, row) => sum + Number(row[name]), 0),
    );
    expect([groupBy, ...sums]).toEqual([groupBy, 1, 1, 1, 1_000]);
  }
  expect(await total(id, { browser: "Chrome" })).toMatchObject({ leads: 1, saleAmount: 1_000 });
  expect(await total(id, { browser: "-Chrome" })).toMatchObject({ leads: 0, sales: 0 });
  expect(await total(id, { groupBy: "browsers", search: "chro" })).toMatchObject([{ leads: 1 }]);
});

test("events have the lead or sale with its click, customer and link, and pages continue after one", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId, metadata: { seats: 3 } });
  for (const invoiceId of ["a", "b", "c"].map((name) => `${customerExternalId}-${name}`)) {
    await sale({ customerExternalId, invoiceId });
  }
  const list = (more: object) => listEvents(scope(), eventsQuery.parse({ linkId: id, ...more }));
  expect(await list({ event: "leads" })).toMatchObject([
    {
      event: "lead",
      eventName: "Sign up",
      metadata: { seats: 3 },
      click: { id: clickId },
      link: { id, leads: 1, sales: 3 },
      customer: { externalId: customerExternalId, sales: 3, saleAmount: 3_000 },
    },
  ]);
  const sales = await list({ event: "sales", limit: 2 });
  expect(sales).toHaveLength(2);
  const [, last] = sales;
  const cursor = last && "eventId" in last ? last.eventId : "";
  const [rest, ...none] = await list({ event: "sales", cursor });
  expect(none).toEqual([]);
  expect(rest).toMatchObject({ event: "sale", saleAmount: 1_000, sale: { currency: "USD" } });
});

test("who may not see people’s data sees the id of a customer only, in every answer", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId, customerEmail: "ada@example.com", metadata: { a: 1 } });
  const member = await joinTestScope(scope(), "member", "member");
  const known = await getCustomer(scope(), `ext_${customerExternalId}`);
  const seen = await getCustomer(member, known.id);
  expect(seen).toMatchObject({ id: known.id, externalId: known.id, email: null });
  const [event] = await listEvents(member, eventsQuery.parse({ linkId: id, event: "leads" }));
  expect(event).toMatchObject({ customer: { email: null, externalId: known.id }, metadata: null });
  const answer = await lead({ clickId, customerExternalId }, member);
  expect(answer.customer).toEqual({
    externalId: customerExternalId,
    name: null,
    email: null,
    avatar: null,
  });
  await expect(eraseCustomer(member, known.id)).rejects.toThrow("people.view");
});

async function storedText(): Promise<string> {
  const rows = await query(sql`
    SELECT row_to_json(customer)::text AS text FROM customer
    UNION ALL
    SELECT row_to_json(event)::text FROM analytics.conversion AS event
    UNION ALL
    SELECT row_to_json(told)::text FROM webhook_outbox AS told
    UNION ALL
    SELECT row_to_json(audit)::text FROM audit`);
  return JSON.stringify(rows);
}

test("personal data is stored encrypted, outlives a rotation of its key, and is gone once erased", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = "secret-external-id";
  const customerEmail = "secret@example.com";
  await lead({ clickId, customerExternalId, customerEmail, metadata: { note: "secret note" } });
  await sale({ customerExternalId });
  expect(await storedText()).not.toMatch(/secret/);
  const { workspacePk } = scope();
  const before = await openPeopleKeys(workspacePk);
  await rotatePeopleKeys(scope());
  await campaignJobs[0]?.handle({});
  const [older] = await query(
    sql`SELECT 1 FROM people_key WHERE workspace_pk = ${workspacePk} AND version = ${before.version}`,
  );
  expect(older).toBeUndefined();
  const found = await getCustomer(scope(), `ext_${customerExternalId}`);
  expect(found).toMatchObject({ email: customerEmail, sales: 1, link: { id } });
  const events = () => listEvents(scope(), eventsQuery.parse({ linkId: id, event: "leads" }));
  expect(await events()).toMatchObject([{ metadata: { note: "secret note" } }]);
  await eraseCustomer(scope(), found.id);
  await expect(getCustomer(scope(), found.id)).rejects.toThrow("not found");
  expect(await events()).toMatchObject([{ metadata: null, customer: { externalId: "erased" } }]);
  expect(await countsOf(id)).toEqual([1, 1, 1, 1_000]);
});

test("the leads and sales of a deleted link are erased with its stats, and its customers stay", async () => {
  const { id, clickId } = await clicked();
  const customerExternalId = someone();
  await lead({ clickId, customerExternalId });
  await sale({ customerExternalId });
  await deleteLink(scope(), id);
  // A sale of the customer has no link any more that it could count for.
  expect((await sale({ customerExternalId })).sale).toBeNull();
  await query(sql`DELETE FROM deleted_link`);
  await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 second'`);
  await eraseDue();
  const left = await query(sql`
    SELECT 1
    FROM analytics.conversion
    JOIN customer ON customer.pk = customer_pk
    WHERE customer.click_id::text = ${clickId.split("-").slice(1).join("-")}`);
  expect(left).toEqual([]);
  const kept = await getCustomer(scope(), `ext_${customerExternalId}`);
  expect(kept.link).toBeNull();
});
