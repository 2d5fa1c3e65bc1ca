/** The webhook of Stripe on the running server: what proves an event, and what any order and number of them lead to. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { apiUrl } from "../../test/contract-server.ts";
import { send } from "../../test/http-client.ts";
import { eventBody, type FakeSubscription, newStripeId, signatureOf } from "../../test/stripe.ts";
import { FakeStripeSite } from "../../test/stripe-pages.ts";

const port = Number(process.env["TEST_STRIPE_PORT"]);
const endpoint = `${apiUrl}/stripe/webhook`;
const stripe = new FakeStripeSite(`http://127.0.0.1:${port}`, endpoint);
const db = new pg.Pool({ connectionString: process.env["TEST_INSTANCE_DATABASE_URL"], max: 2 });
const eventBytesMax = 256 * 1024;
const daySeconds = 86_400;

beforeAll(() => stripe.listen(port));
afterAll(async () => {
  await stripe.close();
  await db.end();
});

let customer: string;
let workspacePk: number;

/** A workspace on Free that has opened Checkout once. */
beforeEach(async () => {
  customer = newStripeId("cus");
  const slug = `billed-${randomBytes(4).toString("hex")}`;
  const { rows } = await db.query(
    "INSERT INTO workspace (id, name, slug, plan) VALUES ($1, $2, $2, 'free') RETURNING pk",
    [`ws_${slug}`, slug],
  );
  workspacePk = rows[0].pk;
  await db.query("INSERT INTO billing_account (workspace_pk, customer_id) VALUES ($1, $2)", [
    workspacePk,
    customer,
  ]);
});

async function planOf(): Promise<string> {
  const { rows } = await db.query("SELECT plan FROM workspace WHERE pk = $1", [workspacePk]);
  return rows[0].plan;
}

function subscribe(): FakeSubscription {
  const created = Math.floor(Date.now() / 1_000);
  const subscription = {
    id: newStripeId("sub"),
    customer,
    status: "active",
    created,
    metadata: { fuxi_plan: "personal" },
    current_period_end: created + 30 * daySeconds,
  };
  stripe.subscriptions.push(subscription);
  return subscription;
}

async function post(body: string, signature?: string) {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (signature !== undefined) headers["Stripe-Signature"] = signature;
  const answer = await send(endpoint, { method: "POST", headers, body });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

const created = () => eventBody("customer.subscription.created", { customer });

test("a signed event gives the plan that Stripe answers with, and not what the event says", async () => {
  subscribe();
  const body = eventBody("customer.subscription.updated", {
    customer,
    status: "canceled",
    metadata: { fuxi_plan: "enterprise" },
  });
  expect(await post(body, signatureOf(body))).toEqual({ status: 200, body: { received: true } });
  expect(await planOf()).toBe("personal");
});

test("an event without a signature, with one of another key or another body is refused and changes nothing", async () => {
  subscribe();
  const body = created();
  const refused = [
    undefined,
    "",
    "t=1,v1=0",
    signatureOf(body, Date.now(), "whsec_of_someone_else"),
    signatureOf(`${body} `),
    signatureOf(body).replace("v1=", "v0="),
  ];
  for (const signature of refused) {
    const answer = await post(body, signature);
    expect([answer.status, answer.body.error.code], String(signature)).toEqual([
      400,
      "bad_request",
    ]);
  }
  expect(await planOf()).toBe("free");
});

test("a signature is accepted for five minutes", async () => {
  const body = created();
  const secondsAgo = (seconds: number) => signatureOf(body, Date.now() - seconds * 1_000);
  // Ten seconds for a busy machine.
  expect((await post(body, secondsAgo(290))).status).toBe(200);
  const late = await post(body, secondsAgo(301));
  expect(late.status).toBe(400);
  expect(late.body.error.message).toMatch(/too old/);
});

test("a payment that is announced twice is applied once", async () => {
  const id = newStripeId("cs_test");
  stripe.sessions.set(id, {
    id,
    customer,
    mode: "payment",
    payment_status: "paid",
    metadata: { fuxi_plan: "personal", fuxi_months: "12" },
    amount_total: 60_000,
    currency: "cny",
    payment_intent: `pi_${id}`,
    url: "",
    success_url: "",
    cancel_url: "",
    subscription_metadata: {},
  });
  const body = eventBody("checkout.session.completed", { id, customer });
  const signature = signatureOf(body);
  const answers = await Promise.all([post(body, signature), post(body, signature)]);
  answers.push(await post(body, signature));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { rows } = await db.query(
    "SELECT amount::text, outcome FROM plan_payment WHERE workspace_pk = $1",
    [workspacePk],
  );
  expect(rows).toEqual([{ amount: "600.00", outcome: "applied" }]);
  const { rows: ends } = await db.query(
    "SELECT plan, plan_ends_at < now() + interval '367 days' AS once FROM workspace WHERE pk = $1",
    [workspacePk],
  );
  expect(ends).toEqual([{ plan: "personal", once: true }]);
});

test("events in the wrong order lead to the state that Stripe has now", async () => {
  const subscription = subscribe();
  await stripe.send("invoice.paid", { customer, parent: { subscription_details: {} } });
  expect(await planOf()).toBe("personal");
  subscription.status = "canceled";
  expect(await stripe.send("customer.subscription.deleted", subscription)).toBe(200);
  // The event of its beginning arrives last.
  expect(await stripe.send("customer.subscription.created", subscription)).toBe(200);
  const { rows } = await db.query(
    `SELECT status, plan_ends_at <= now() AS ended
     FROM billing_account JOIN workspace ON workspace.pk = workspace_pk
     WHERE workspace_pk = $1`,
    [workspacePk],
  );
  expect(rows).toEqual([{ status: "canceled", ended: true }]);
});

test("an unknown event, one of an unknown customer and one without an object are accepted, so that they are not sent again", async () => {
  expect(await stripe.send("radar.early_fraud_warning.created", {})).toBe(200);
  expect(await stripe.send("customer.subscription.updated", { customer: "cus_unknown" })).toBe(200);
  expect(await stripe.send("customer.subscription.updated", {})).toBe(200);
  expect(await planOf()).toBe("free");
});

test("an event has up to 256 KB, also when it does not say its length", async () => {
  const padded = (bytes: number) => {
    const body = eventBody("customer.created", { description: "" });
    return body.replace('"description":""', `"description":"${"x".repeat(bytes - body.length)}"`);
  };
  const [most, more] = [padded(eventBytesMax), padded(eventBytesMax + 1)];
  expect((await post(most, signatureOf(most))).status).toBe(200);
  expect((await post(more, signatureOf(more))).status).toBe(400);
  const streamed: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { "Stripe-Signature": signatureOf(more) },
    body: new Blob([more]).stream(),
    duplex: "half",
  };
  expect((await fetch(endpoint, streamed)).status).toBe(400);
});

test("while Stripe is down, the webhook asks for the event again with a 503", async () => {
  subscribe();
  stripe.isDown = true;
  const body = created();
  const answer = await post(body, signatureOf(body));
  stripe.isDown = false;
  expect([answer.status, answer.body.error.code]).toEqual([503, "service_unavailable"]);
  expect((await post(body, signatureOf(body))).status).toBe(200);
  expect(await planOf()).toBe("personal");
});
