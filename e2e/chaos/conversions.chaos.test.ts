/** Leads and sales that are reported while the API is killed. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeLink, openStage, type Process, type Stage, visitOnce } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const customers = isLong ? 400 : 20;
const kills = isLong ? 3 : 2;
const deadlineMs = 600_000;

let stage: Stage;
let api: Process;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.start("workers/api.ts");
});

afterAll(() => stage.close());

/** Repeats a call until it is answered with 200, as a client with retries does. */
async function report(path: string, body: object, end: number): Promise<void> {
  while (Date.now() < end) {
    try {
      const { status } = await api.call("POST", path, body);
      if (status === 200) return;
    } catch {
      // The process was killed before it answered.
    }
    await setTimeout(200);
  }
  throw new Error(`${path} was never answered`);
}

test("an API that is killed during calls that are repeated counts each lead and sale once, and tells webhooks once", {
  timeout: deadlineMs + 60_000,
}, async () => {
  const redirect = await stage.start("workers/redirect.ts");
  await stage.start("workers/index.ts");
  const link = await makeLink(api, { url: "https://shop.example/", trackConversion: true });
  await api.call("POST", "/webhooks", {
    name: "CRM",
    url: "https://example.com/hook",
    events: ["lead.created", "sale.created"],
  });
  const visit = await visitOnce(`${redirect.url}/${link.key}`);
  const location = typeof visit === "object" ? visit.location : undefined;
  const clickId = new URL(location ?? "").searchParams.get("dub_id");
  const end = Date.now() + deadlineMs;
  const lead = { clickId, mode: "wait" };
  await report("/track/lead", { ...lead, eventName: "Seen", customerExternalId: "first" }, end);

  let finished = 0;
  const reporting = Array.from({ length: customers }, async (_, at) => {
    const customerExternalId = `customer-${at}`;
    const both = [
      report("/track/lead", { ...lead, eventName: "Sign up", customerExternalId }, end),
      report("/track/lead", { ...lead, eventName: "Sign up", customerExternalId }, end),
    ];
    await Promise.all(both);
    const sale = { customerExternalId, amount: 100, invoiceId: `invoice-${at}` };
    await Promise.all([report("/track/sale", sale, end), report("/track/sale", sale, end)]);
    finished += 1;
  });
  const killing = (async () => {
    for (let killed = 0; killed < kills; killed++) {
      const wanted = finished + Math.floor(customers / (kills + 2));
      while (finished < Math.min(wanted, customers - 1) && killed > 0 && Date.now() < end) {
        await setTimeout(5);
      }
      await setTimeout(killed === 0 ? 100 : 0);
      api.kill("SIGKILL");
      api = await stage.start("workers/api.ts");
    }
  })();
  await Promise.all([...reporting, killing]);

  const { rows: counted } = await stage.db.query(`
    SELECT
      count(*) FILTER (WHERE NOT sale)::int AS leads,
      count(*) FILTER (WHERE sale)::int AS sales,
      count(DISTINCT (customer_pk, sale, event_name))::int AS distinct
    FROM analytics.conversion`);
  expect(counted).toEqual([
    { leads: customers + 1, sales: customers, distinct: 2 * customers + 1 },
  ]);
  const { rows: stats } = await stage.db.query(
    "SELECT leads::int, conversions::int, sales::int, sale_amount::int AS amount FROM link_stat WHERE leads > 0",
  );
  expect(stats).toEqual([
    {
      leads: customers + 1,
      conversions: customers,
      sales: customers,
      amount: 100 * customers,
    },
  ]);
  const { rows: people } = await stage.db.query(
    "SELECT count(*)::int AS count, sum(sales)::int AS sales FROM customer",
  );
  expect(people).toEqual([{ count: customers + 1, sales: customers }]);
  await vi.waitFor(
    async () => {
      const { rows } = await stage.db.query("SELECT count(*)::int AS count FROM webhook_outbox");
      expect(rows).toEqual([{ count: 0 }]);
    },
    { timeout: 400_000, interval: 100 },
  );
  const { rows: told } = await stage.db.query(
    "SELECT type, count(*)::int AS count FROM webhook_event WHERE type IN ('lead.created', 'sale.created') GROUP BY 1 ORDER BY 1",
  );
  expect(told).toEqual([
    { type: "lead.created", count: customers + 1 },
    { type: "sale.created", count: customers },
  ]);
});
