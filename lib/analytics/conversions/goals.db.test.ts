/** Leads and sales by the names of their events. */
import { beforeAll, expect, test } from "vitest";
import { editCustomer, getCustomer } from "#lib/analytics/customers";
import { editCustomerBody } from "#lib/analytics/customers/schema";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { askAnalytics, exportAnalytics, listEvents } from "#lib/analytics/reports";
import { analyticsQuery, eventsQuery, exportQuery } from "#lib/analytics/reports/schema";
import { createShare, queryShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { createDomain, editDomain } from "#lib/links/domains";
import { getLink } from "#lib/links/reading";
import { listAudit } from "#lib/tenancy/audit";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { trackLead, trackSale } from "./index.ts";
import { trackLeadBody, trackSaleBody } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("goals");

beforeAll(() => openIngest());

const url = "https://shop.example/";
const host = "tracked.localhost";
const shownMs = 2_000;

async function clicked() {
  const link = await make({ url, trackConversion: true });
  const { headers } = await ask(`/${link.key}`);
  await ingestAll();
  const clickId = new URL(String(headers.location)).searchParams.get("dub_id") ?? "";
  return { ...link, clickId };
}

let made = 0;
/** A link with one click, two kinds of leads and a sale. */
async function converted() {
  made += 1;
  const customerExternalId = `goal-${made}`;
  const { id, clickId } = await clicked();
  for (const eventName of ["Sign up", "Trial, paid"]) {
    await trackLead(
      scope(),
      trackLeadBody.parse({ clickId, eventName, customerExternalId, eventQuantity: 2 }),
    );
  }
  await trackSale(scope(), trackSaleBody.parse({ customerExternalId, amount: 500 }));
  return { id, customerExternalId };
}

const analytics = async (linkId: string, more: object) =>
  (await askAnalytics(scope(), analyticsQuery.parse({ event: "composite", linkId, ...more })))
    .answer;

const byName = { groupBy: "event_names" };

test("each event name has its leads, sales and amount, and clicks have none", async () => {
  const { id } = await converted();
  expect(await analytics(id, byName)).toEqual([
    { eventName: "Purchase", clicks: 0, leads: 0, sales: 1, saleAmount: 500 },
    { eventName: "Sign up", clicks: 0, leads: 2, sales: 0, saleAmount: 0 },
    { eventName: "Trial, paid", clicks: 0, leads: 2, sales: 0, saleAmount: 0 },
  ]);
  expect(await analytics(id, { ...byName, event: "leads", limit: 1 })).toMatchObject([
    { eventName: "Sign up", leads: 2 },
  ]);
  expect(await analytics(id, { ...byName, event: "clicks" })).toEqual([]);
  expect(await analytics(id, { ...byName, search: "TRIAL" })).toMatchObject([{ leads: 2 }]);
});

test("a filter by name selects leads and sales, and keeps the clicks for their rate", async () => {
  const { id } = await converted();
  const of = (eventName: string) => analytics(id, { eventName });
  expect(await of("Sign up")).toMatchObject({ clicks: 1, leads: 2, sales: 0 });
  expect(await of("-Sign up")).toMatchObject({ clicks: 1, leads: 2, sales: 1 });
  expect(await of("Trial\\, paid,Purchase")).toMatchObject({ leads: 2, sales: 1 });
  expect(await of("Nothing")).toMatchObject({ clicks: 1, leads: 0, sales: 0 });
  const listed = (more: object) => listEvents(scope(), eventsQuery.parse({ linkId: id, ...more }));
  expect(await listed({ event: "leads", eventName: "Sign up" })).toHaveLength(1);
  expect(await listed({ event: "sales", eventName: "Sign up" })).toEqual([]);
});

test("a sale shows on the link, in analytics, in a share and in an export within 2 seconds", async () => {
  const { id } = await converted();
  const parts = ["figures", "top", "conversions"];
  const body = newShare.parse({ name: "Sales", kind: "link", subjectId: id, parts });
  const { token } = await createShare(scope(), body);
  const guest = { token, grant: undefined, address: "203.0.113.7" };
  const asked = { event: "sales", groupBy: "event_names", linkId: id };
  const seen = async () => {
    const { link } = await getLink(scope(), id);
    const shared = await queryShare(guest, new URLSearchParams("interval=30d&event=sales"));
    const file = await exportAnalytics(scope(), exportQuery.parse(asked));
    const written: string[] = [];
    await file.send((bytes) => Promise.resolve(void written.push(Buffer.from(bytes).toString())));
    const [, amount] = /Purchase,\d+,(\d+)/.exec(written.join("")) ?? [];
    return {
      link: link.saleAmount,
      analytics: Object(await analytics(id, { event: "sales" })).saleAmount,
      share: Object(shared).saleAmount,
      export: Number(amount),
    };
  };
  expect(await seen()).toEqual({ link: 500, analytics: 500, share: 500, export: 500 });
  const customerExternalId = `goal-${made}`;
  await trackSale(scope(), trackSaleBody.parse({ customerExternalId, amount: 700 }));
  await expect
    .poll(seen, { timeout: shownMs })
    .toEqual({ link: 1_200, analytics: 1_200, share: 1_200, export: 1_200 });
});

test("event names are exported, without rows where clicks are counted", async () => {
  const { id } = await converted();
  const text = async (event: string) => {
    const file = await exportAnalytics(
      scope(),
      exportQuery.parse({ groupBy: "event_names", linkId: id, event }),
    );
    const parts: Buffer[] = [];
    await file.send((bytes) => Promise.resolve(void parts.push(Buffer.from(bytes))));
    return Buffer.concat(parts).toString().trim();
  };
  expect(await text("sales")).toMatch(/^\uFEFF?eventName,sales,saleAmount\r?\nPurchase,1,500$/);
  expect(await text("clicks")).toMatch(/^\uFEFF?eventName,clicks$/);
});

test("the events of one customer are listed alone; clicks have no customers", async () => {
  const { customerExternalId } = await converted();
  await converted();
  const { id: customerId } = await getCustomer(scope(), `ext_${customerExternalId}`);
  const listed = (more: object) => listEvents(scope(), eventsQuery.parse({ customerId, ...more }));
  expect(await listed({ event: "leads" })).toHaveLength(2);
  expect(await listed({ event: "sales" })).toHaveLength(1);
  const missing = { event: "sales", customerId: "cus_missing" };
  expect(await listEvents(scope(), eventsQuery.parse(missing))).toEqual([]);
  expect(eventsQuery.safeParse({ customerId, event: "clicks" }).success).toBe(false);
  expect(eventsQuery.safeParse({ customerId }).success).toBe(false);
});

test("a customer is edited: other fields stay, a new external id finds it, a taken one is refused", async () => {
  const [first, second] = [await converted(), await converted()];
  const edit = (id: string, body: object, as = scope()) =>
    editCustomer(as, id, editCustomerBody.parse(body));
  const id = `ext_${first.customerExternalId}`;
  await edit(id, { name: "Ada", email: "ada@example.com" });
  const edited = await edit(id, { name: null, country: "de", externalId: "renamed" });
  expect(edited).toMatchObject({
    externalId: "renamed",
    name: null,
    email: "ada@example.com",
    country: "DE",
    sales: 1,
  });
  expect((await getCustomer(scope(), "ext_renamed")).id).toBe(edited.id);
  await expect(getCustomer(scope(), id)).rejects.toThrow("not found");
  // A later sale is one of the same customer.
  await trackSale(scope(), trackSaleBody.parse({ customerExternalId: "renamed", amount: 1 }));
  expect(await getCustomer(scope(), edited.id)).toMatchObject({ sales: 2 });
  await expect(edit(edited.id, { externalId: second.customerExternalId })).rejects.toMatchObject({
    code: "conflict",
  });
  const member = await joinTestScope(scope(), "editor", "member");
  await expect(edit(edited.id, { name: "Eve" }, member)).rejects.toThrow("people.view");
  const audit = await listAudit(scope(), { pageSize: 100 });
  const entries = audit.filter(({ action }) => action === "customer.edit");
  expect(entries[0]?.details).toEqual({ externalId: true, name: true, country: true });
  expect(JSON.stringify(audit)).not.toMatch(/ada@example|renamed/);
});

test("a domain that tracks conversions passes the id of each click on for all its links, until it is turned off", async () => {
  await createDomain(scope(), { slug: host });
  const plain = await make({ url, domain: host });
  const ruled = await make({ url, domain: host, ios: "https://apps.example/" });
  const go = async (key: string, more: Record<string, string> = {}) =>
    (await ask(`/${key}`, { headers: { host, ...more } })).headers.location;
  expect(await go(plain.key)).toBe(url);
  expect(await editDomain(scope(), host, { trackConversion: true })).toMatchObject({
    trackConversion: true,
  });
  const withId = /^https:\/\/shop\.example\/\?dub_id=\d{13}-[0-9a-f-]{36}$/;
  await expect.poll(() => go(plain.key)).toMatch(withId);
  expect(await go(ruled.key)).toMatch(withId);
  expect(await go(plain.key, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" })).toBe(
    url,
  );
  // The clicks have these ids.
  const location = (await go(plain.key)) ?? "";
  const clickId = new URL(location).searchParams.get("dub_id") ?? "";
  await ingestAll();
  const lead = { clickId, eventName: "Sign up", customerExternalId: "of-the-domain" };
  expect((await trackLead(scope(), trackLeadBody.parse(lead))).link?.id).toBe(plain.id);
  const off = await editDomain(scope(), host, { trackConversion: false });
  expect(off).not.toHaveProperty("trackConversion");
  await expect.poll(() => go(plain.key)).toBe(url);
});
