import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { listPayments, readPlanState, setPlan } from "#lib/tenancy/plan-changes";
import { reviewPlans } from "#lib/tenancy/plan-warnings";
import { deleteWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  eventBody,
  FakeStripe,
  type FakeSubscription,
  newStripeId,
  signatureOf,
  stripeKey,
  webhookSecret,
} from "../../../test/stripe.ts";
import {
  openPortal,
  readBilling,
  receiveEvent,
  refreshSubscriptions,
  startCheckout,
} from "./index.ts";

const stripe = new FakeStripe();
process.env["FUXI_STRIPE_API_URL"] = await stripe.listen();
openTestStores({
  FUXI_STRIPE_SECRET_KEY: stripeKey,
  FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
  FUXI_STRIPE_OFFERS: "personal month eur=9; personal 12 cny=600; enterprise 1 eur=50; trial eur=1",
});

const dayMs = 86_400_000;
const monthly = "personal month eur";
const yearPrepaid = "personal 12 cny";
const trial = "trial trial eur";
let names = 0;
let scope: WorkspaceScope;

beforeAll(() => {
  stripe.isDown = false;
});
afterAll(() => stripe.close());
beforeEach(async () => {
  names += 1;
  scope = await makeTestScope(`buyer${names}`);
  stripe.beforeAnswer = async () => undefined;
});

async function checkout(offer: string): Promise<string> {
  const page = await startCheckout(scope, offer);
  return page.split("/").at(-1) ?? "";
}

async function send(type: string, object: Record<string, unknown>, now?: Date): Promise<void> {
  const body = eventBody(type, object);
  await receiveEvent(Buffer.from(body), signatureOf(body), now);
}

async function pay(offer: string, now?: Date): Promise<string> {
  const id = await checkout(offer);
  const { customer } = stripe.pay(id);
  await send("checkout.session.completed", { id, object: "checkout.session", customer }, now);
  return id;
}

async function customerId(): Promise<string> {
  const [row] = await query<{ id: string }>(sql`
    SELECT customer_id AS id FROM billing_account WHERE workspace_pk = ${scope.workspacePk}`);
  return row?.id ?? "";
}

const inDays = (days: number, from = Date.now()) => new Date(from + days * dayMs);

/** The person subscribes: Stripe has the subscription, and no event has arrived yet. */
async function subscribe(status = "active", plan = "personal"): Promise<FakeSubscription> {
  const id = await checkout(monthly);
  const { customer } = stripe.pay(id);
  const subscription: FakeSubscription = {
    id: newStripeId("sub"),
    customer,
    status,
    created: Math.floor(Date.now() / 1_000),
    metadata: { fuxi_plan: plan },
    current_period_end: Math.floor(inDays(30).getTime() / 1_000),
  };
  stripe.subscriptions.push(subscription);
  return subscription;
}

const plan = async () => (await readPlanState(scope)).plan;

test("a workspace of an instance that sells plans is free, and can buy what is offered", async () => {
  expect(scope.plan).toBe("free");
  const billing = await readBilling(scope);
  expect(billing?.offers.map(({ name, amount, currency }) => [name, amount, currency])).toEqual([
    [monthly, 9, "EUR"],
    [yearPrepaid, 600, "CNY"],
    ["enterprise 1 eur", 50, "EUR"],
    [trial, 1, "EUR"],
  ]);
  expect(billing).toMatchObject({ subscription: null, hasPortal: false });
});

test("members see no billing, and cannot buy or open the portal", async () => {
  const member = await joinTestScope(scope, `member${names}`, "member");
  expect(await readBilling(member)).toBeUndefined();
  await expect(startCheckout(member, monthly)).rejects.toMatchObject({ code: "forbidden" });
  await expect(openPortal(member)).rejects.toMatchObject({ code: "forbidden" });
});

test("every call names the pinned version of the API, and two checkouts at once create one customer", async () => {
  const before = stripe.calls.length;
  await Promise.all([checkout(monthly), checkout(monthly)]);
  const calls = stripe.calls.slice(before);
  expect(new Set(calls.map(({ version }) => version))).toEqual(new Set(["2026-10-28.endive"]));
  const customers = calls.filter(({ path }) => path === "/v1/checkout/sessions");
  expect(new Set(customers.map(({ params }) => params.get("customer"))).size).toBe(1);
});

test("an event of a subscription gives the plan, until its period and a grace end", async () => {
  const subscription = await subscribe();
  await send("customer.subscription.created", { ...subscription, object: "subscription" });
  const state = await readPlanState(scope);
  expect(state).toMatchObject({ plan: "personal", source: "stripe" });
  const end = subscription.current_period_end * 1_000;
  expect(Date.parse(state.endsAt ?? "")).toBe(end + 3 * dayMs);
  expect(await readBilling(scope)).toMatchObject({
    offers: [],
    subscription: { plan: "personal", status: "active" },
    hasPortal: true,
  });
  expect(await openPortal(scope)).toMatch(/^https:\/\/billing\.stripe\.com\//);
});

test("an invoice names its subscription under parent, and one of a single payment changes nothing", async () => {
  const { customer, id } = await subscribe();
  await send("invoice.paid", { object: "invoice", customer, parent: null });
  expect(await plan()).toBe("free");
  const parent = { type: "subscription_details", subscription_details: { subscription: id } };
  await send("invoice.paid", { object: "invoice", customer, parent });
  expect(await plan()).toBe("personal");
});

test("replayed and reordered events end in the state that Stripe has", async () => {
  const subscription = await subscribe();
  const created = { ...subscription, object: "subscription" };
  subscription.status = "canceled";
  await send("customer.subscription.deleted", { ...subscription, object: "subscription" });
  expect(await plan()).toBe("free");
  // The event of the creation arrives late, twice, and still says active.
  await send("customer.subscription.created", created);
  await send("customer.subscription.created", created);
  expect(await plan()).toBe("free");
});

test("a fetch that began earlier never replaces one that began later", async () => {
  const subscription = await subscribe();
  const event = { ...subscription, object: "subscription" };
  let release = () => undefined as unknown;
  const held = new Promise<void>((done) => {
    release = done;
  });
  let reached = () => undefined as unknown;
  const waits = new Promise<void>((done) => {
    reached = done;
  });
  let isFirst = true;
  stripe.beforeAnswer = async ({ path }) => {
    if (path !== "/v1/subscriptions" || !isFirst) return;
    isFirst = false;
    reached();
    await held;
  };
  const early = send("customer.subscription.updated", event);
  await waits;
  subscription.status = "canceled";
  await send("customer.subscription.deleted", event);
  release();
  await early;
  expect((await readBilling(scope))?.subscription?.status).toBe("canceled");
  expect(await plan()).toBe("free");
});

test("an event that arrives twice at the same moment is applied once", async () => {
  const id = await checkout(yearPrepaid);
  const { customer } = stripe.pay(id);
  const body = eventBody("checkout.session.completed", { id, customer });
  const at = signatureOf(body);
  await Promise.all(Array.from({ length: 8 }, () => receiveEvent(Buffer.from(body), at)));
  expect(await listPayments(scope)).toHaveLength(1);
  const { endsAt } = await readPlanState(scope);
  expect(Date.parse(endsAt ?? "")).toBeLessThan(inDays(367).getTime());
});

test("past_due keeps the plan, unpaid ends it with the next review, and its state is shown", async () => {
  const subscription = await subscribe();
  const event = { ...subscription, object: "subscription" };
  for (const [status, expected] of [
    ["active", "personal"],
    ["past_due", "personal"],
    ["unpaid", "free"],
  ] as const) {
    subscription.status = status;
    await send("customer.subscription.updated", event);
    await reviewPlans(new Date());
    expect(await plan()).toBe(expected);
    expect((await readBilling(scope))?.subscription?.status).toBe(status);
  }
});

test("a canceled subscription keeps the plan until its end, and then the workspace is free", async () => {
  const subscription = await subscribe();
  subscription.cancel_at = subscription.current_period_end;
  await send("customer.subscription.updated", { ...subscription, object: "subscription" });
  const end = subscription.current_period_end * 1_000;
  expect(Date.parse((await readPlanState(scope)).endsAt ?? "")).toBe(end);
  await reviewPlans(new Date(end - 1));
  expect(await plan()).toBe("personal");
  await reviewPlans(new Date(end));
  expect(await plan()).toBe("free");
});

test("a subscription gives its plan to a workspace that an administrator set to Free or Trial", async () => {
  for (const given of ["free", "trial"] as const) {
    names += 1;
    scope = await makeTestScope(`given${names}`);
    await setPlan(operatorOfCommandLine(), scope.workspaceId, { plan: given, reason: "Pilot" });
    const subscription = await subscribe();
    await send("customer.subscription.created", { ...subscription, object: "subscription" });
    expect(await readPlanState(scope)).toMatchObject({ plan: "personal", source: "stripe" });
  }
});

test("a plan that an administrator set stays, whatever Stripe says", async () => {
  const subscription = await subscribe();
  await setPlan(operatorOfCommandLine(), scope.workspaceId, {
    plan: "enterprise",
    reason: "Contract",
  });
  await send("customer.subscription.updated", { ...subscription, object: "subscription" });
  expect(await plan()).toBe("enterprise");
  subscription.status = "canceled";
  await send("customer.subscription.deleted", { ...subscription, object: "subscription" });
  await reviewPlans(new Date());
  expect(await plan()).toBe("enterprise");
});

test("a lost event is made up for by the refresh after the period, and it can run twice", async () => {
  const subscription = await subscribe();
  await send("customer.subscription.created", { ...subscription, object: "subscription" });
  subscription.current_period_end += 30 * 86_400;
  const later = inDays(31);
  await refreshSubscriptions(later);
  await refreshSubscriptions(later);
  expect(Date.parse((await readPlanState(scope)).endsAt ?? "")).toBe(
    subscription.current_period_end * 1_000 + 3 * dayMs,
  );
});

test("the subscription of a deleted workspace is canceled at the end of its period, once", async () => {
  const subscription = await subscribe();
  await send("customer.subscription.created", { ...subscription, object: "subscription" });
  await deleteWorkspace(scope);
  const before = stripe.calls.length;
  await refreshSubscriptions(new Date());
  await refreshSubscriptions(new Date());
  const updates = stripe.calls.slice(before).filter(({ path }) => path.endsWith(subscription.id));
  expect(updates).toHaveLength(1);
  expect(updates[0]?.params.get("cancel_at_period_end")).toBe("true");
});

test("a trial lasts ten days from its payment, and is not offered again", async () => {
  const now = new Date("2026-12-01T12:00:00Z");
  await pay(trial, now);
  const state = await readPlanState(scope);
  expect(state).toMatchObject({ plan: "trial", source: "trial" });
  expect(state.endsAt).toBe("2026-12-11T12:00:00.000Z");
  await reviewPlans(new Date("2026-12-11T12:00:00Z"));
  expect(await plan()).toBe("free");
  const offered = (await readBilling(scope))?.offers.map(({ name }) => name);
  expect(offered).toContain(monthly);
  expect(offered).not.toContain(trial);
  await expect(startCheckout(scope, trial)).rejects.toMatchObject({
    problem: { code: "not_offered" },
  });
});

test("of two trials that were paid at the same moment, one is used and the other is refunded once", async () => {
  const ids = [await checkout(trial), await checkout(trial)];
  const before = stripe.refunds.length;
  const events = ids.map((id) => ({ id, customer: stripe.pay(id).customer }));
  await Promise.all(
    [...events, ...events].map((event) => send("checkout.session.completed", event)),
  );
  expect((await listPayments(scope)).map(({ outcome }) => outcome).sort()).toEqual([
    "applied",
    "refunded",
  ]);
  expect(stripe.refunds.slice(before)).toHaveLength(1);
});

test("a payment that is confirmed later counts when it is confirmed", async () => {
  const id = await checkout(yearPrepaid);
  const customer = stripe.sessions.get(id)?.customer;
  await send("checkout.session.completed", { id, customer });
  expect(await plan()).toBe("free");
  stripe.pay(id);
  await send("checkout.session.async_payment_succeeded", { id, customer });
  expect(await plan()).toBe("personal");
});

test("a prepaid term ends after its months, on the last day of a short one, and is extended from its end", async () => {
  const now = new Date("2027-01-31T10:00:00Z");
  await pay("enterprise 1 eur", now);
  expect((await readPlanState(scope)).endsAt).toBe("2027-02-28T10:00:00.000Z");
  expect((await readBilling(scope))?.offers.map(({ name }) => name)).toEqual(["enterprise 1 eur"]);
  await pay("enterprise 1 eur", new Date("2027-02-01T10:00:00Z"));
  expect((await readPlanState(scope)).endsAt).toBe("2027-03-28T10:00:00.000Z");
  expect(await listPayments(scope)).toMatchObject([
    { amount: "50.00", currency: "EUR", outcome: "applied" },
    { amount: "50.00", currency: "EUR", outcome: "applied" },
  ]);
});

test("events with a wrong signature, of another body or older than five minutes are refused", async () => {
  const subscription = await subscribe();
  const body = eventBody("customer.subscription.created", { ...subscription });
  const refused = { code: "bad_request" };
  const receive = (text: string, signature: string) => receiveEvent(Buffer.from(text), signature);
  const wrong = signatureOf(body, Date.now(), "whsec_another0123456789");
  await expect(receive(body, wrong)).rejects.toMatchObject(refused);
  await expect(receive(`${body} `, signatureOf(body))).rejects.toMatchObject(refused);
  await expect(receive(body, "nonsense")).rejects.toMatchObject(refused);
  const old = signatureOf(body, Date.now() - 301_000);
  await expect(receive(body, old)).rejects.toMatchObject(refused);
  expect(await plan()).toBe("free");
  await receive(body, signatureOf(body, Date.now() - 290_000));
  expect(await plan()).toBe("personal");
});

test("events of unknown customers and of other kinds are accepted and change nothing", async () => {
  await send("customer.subscription.created", { object: "subscription", customer: "cus_unknown" });
  await send("customer.created", { object: "customer", id: await customerId() });
  expect(await plan()).toBe("free");
});

test("while Stripe cannot be reached, an event and a checkout are a 503, and the plan stays", async () => {
  const subscription = await subscribe();
  stripe.isDown = true;
  try {
    const event = { ...subscription, object: "subscription" };
    await expect(send("customer.subscription.created", event)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    await expect(startCheckout(scope, monthly)).rejects.toMatchObject({
      code: "service_unavailable",
    });
  } finally {
    stripe.isDown = false;
  }
  expect(await plan()).toBe("free");
  const opened = await openWorkspace(String(scope.userId), scope.slug);
  expect(opened?.plan).toBe("free");
});
