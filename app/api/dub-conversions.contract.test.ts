/** Leads, sales and customers through Dub's SDK, which rejects any unexpected response. */
import { gzipSync } from "node:zlib";
import { Dub } from "dub";
import { expect, test, vi } from "vitest";
import { apiKey, apiUrl, call, makeLink, origin, runSuffix } from "../../test/contract-server.ts";
import { send } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });
const waitMs = 300_000;
const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const customerExternalId = `user-${runSuffix}`;

test("a click becomes a lead and sales, which analytics, events, links and customers show at once", async () => {
  const link = await makeLink({
    url: `https://shop.example.com/${runSuffix}`,
    trackConversion: true,
    // Other tests change the default domain.
    domain: origin.hostname,
  });
  const visit = await send(`${origin.origin}/${link.key}`, { headers: { "User-Agent": browser } });
  const clickId = new URL(String(visit.headers["location"])).searchParams.get("dub_id") ?? "";
  const body = { clickId, eventName: "Sign up", customerExternalId, mode: "wait" } as const;
  const lead = await vi.waitFor(
    () => dub.track.lead({ ...body, customerEmail: "ada@example.com", metadata: { plan: "pro" } }),
    { timeout: waitMs, interval: 500 },
  );
  expect(lead).toMatchObject({ click: { id: clickId }, link: { id: link.id, key: link.key } });
  const invoiceId = `invoice-${runSuffix}`;
  for (let calls = 0; calls < 2; calls++) {
    const sale = await dub.track.sale({ customerExternalId, amount: 1_580, invoiceId });
    expect(sale.sale).toMatchObject({ amount: 1_580, currency: "USD", invoiceId });
  }
  const counts = { clicks: 0, leads: 0, sales: 1, saleAmount: 1_580 };
  const ask = { linkId: link.id };
  expect(await dub.analytics.retrieve({ ...ask, event: "sales" })).toEqual(counts);
  expect(await dub.analytics.retrieve({ ...ask, event: "composite" })).toEqual({
    ...counts,
    clicks: 1,
    leads: 1,
  });
  expect(
    await dub.analytics.retrieve({ ...ask, event: "leads", groupBy: "browsers" }),
  ).toMatchObject([{ browser: "Chrome", leads: 1 }]);
  expect(
    await dub.analytics.retrieve({ ...ask, event: "sales", groupBy: "top_links" }),
  ).toMatchObject([{ id: link.id, saleAmount: 1_580 }]);
  expect(await dub.events.list({ ...ask, event: "leads" })).toMatchObject([
    { event: "lead", metadata: { plan: "pro" }, customer: { email: "ada@example.com" } },
  ]);
  expect(await dub.events.list({ ...ask, event: "sales" })).toMatchObject([
    { event: "sale", sale: { amount: 1_580, invoiceId }, click: { id: clickId } },
  ]);
  expect(await dub.links.get({ linkId: link.id })).toMatchObject({
    trackConversion: true,
    leads: 1,
    conversions: 1,
    sales: 1,
    saleAmount: 1_580,
  });
  const { result } = await dub.customers.list({ externalId: customerExternalId });
  expect(result).toMatchObject([{ externalId: customerExternalId, link: { id: link.id } }]);
  const customer = await dub.customers.get({ id: String(result[0]?.id) });
  expect(customer).toMatchObject({ sales: 1, saleAmount: 1_580 });
  const requestBody = { name: "Ada", country: "de" };
  expect(await dub.customers.update({ id: customer.id, requestBody })).toMatchObject({
    name: "Ada",
    email: "ada@example.com",
    country: "DE",
    externalId: customerExternalId,
  });
  const { text } = await send(`${apiUrl}/events/export?event=sales&linkId=${link.id}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  expect(text).toContain(`1580,USD,1580,USD,custom,${invoiceId}`);
  expect(await dub.customers.delete(customer.id)).toEqual({ id: customer.id });
  await expect(dub.customers.get({ id: customer.id })).rejects.toMatchObject({ statusCode: 404 });
});

test("the script of sites is below 2 KB as it is sent, and cached for an hour", async () => {
  const answer = await fetch(`${apiUrl}/track/script.js`, {
    headers: { "Accept-Encoding": "gzip", Origin: "https://shop.example" },
  });
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(gzipSync(await answer.text()).length).toBeLessThan(2_048);
});

test("an open with one key is one click, which a lead can name", async () => {
  const link = await makeLink({ url: `https://shop.example.com/open-${runSuffix}` });
  const body = { deepLink: link.shortLink, userAgent: "ShopApp/3.1" };
  const key = { "Idempotency-Key": `open-${runSuffix}` };
  const answers = [
    await call("POST", "/track/open", body, key),
    await call("POST", "/track/open", body, key),
  ];
  expect(answers[0]).toMatchObject({ status: 200, body: { link: { id: link.id } } });
  const { clickId } = answers[0]?.body ?? {};
  expect(answers[1]?.body.clickId).toBe(clickId);
  const customer = `app-${runSuffix}`;
  const lead = { clickId, eventName: "Open", customerExternalId: customer, mode: "wait" } as const;
  await vi.waitFor(() => dub.track.lead(lead), { timeout: waitMs, interval: 500 });
  expect(await dub.analytics.retrieve({ linkId: link.id })).toMatchObject({ clicks: 1 });
});

test("a sale of nobody who came through a link is accepted, and an unknown click is a 404", async () => {
  const unknown = `nobody-${runSuffix}`;
  expect(await dub.track.sale({ customerExternalId: unknown, amount: 1 })).toEqual({
    eventName: "Purchase",
    customer: null,
    sale: null,
  });
  const clickId = "1700000000000-00000000-0000-4000-8000-000000000000";
  const lead = { clickId, eventName: "Sign up", customerExternalId: unknown };
  await expect(dub.track.lead(lead)).rejects.toMatchObject({ statusCode: 404 });
  const ignored = await call("POST", "/track/sale", {
    customerExternalId: unknown,
    amount: 1,
    newer: true,
  });
  expect(ignored.headers["x-fuxi-ignored"]).toBe("newer");
});
