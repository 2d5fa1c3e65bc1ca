/** Refunds and disputes of single payments, whatever the order and the number of their events. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { listPayments, readPlanState, setPlan } from "#lib/tenancy/plan-changes";
import { reviewPlans } from "#lib/tenancy/plan-warnings";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  eventBody,
  FakeStripe,
  newStripeId,
  signatureOf,
  stripeKey,
  webhookSecret,
} from "../../../test/stripe.ts";
import { receiveEvent, startCheckout } from "./index.ts";

const stripe = new FakeStripe();
process.env["FUXI_STRIPE_API_URL"] = await stripe.listen();
openTestStores({
  FUXI_STRIPE_SECRET_KEY: stripeKey,
  FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
  FUXI_STRIPE_OFFERS: "personal 12 cny=600; trial eur=1",
});

const prepaid = "personal 12 cny";
const dayMs = 86_400_000;
const bought = new Date("2026-06-15T12:00:00Z");
const later = new Date("2026-07-15T12:00:00Z");
let scope: WorkspaceScope;
let names = 0;

afterAll(() => stripe.close());
beforeEach(async () => {
  names += 1;
  scope = await makeTestScope(`refunded${names}`);
});

async function send(type: string, object: Record<string, unknown>, now: Date): Promise<void> {
  const body = eventBody(type, object);
  await receiveEvent(Buffer.from(body), signatureOf(body), now);
}

/** The person pays at Stripe; no event has arrived yet. */
async function payAtStripe(offer: string) {
  const id = (await startCheckout(scope, offer)).split("/").at(-1) ?? "";
  const { customer, payment_intent: intent } = stripe.pay(id);
  const completed = (now: Date) => send("checkout.session.completed", { id, customer }, now);
  return { id, intent: intent ?? "", completed };
}

async function pay(offer: string, now = bought) {
  const payment = await payAtStripe(offer);
  await payment.completed(now);
  return payment;
}

function refund(intent: string, percent = 100, now = later): Promise<void> {
  stripe.refunded.set(intent, percent);
  // The event says nothing that counts: Stripe is asked.
  return send("charge.refunded", { object: "charge", payment_intent: intent }, now);
}

function dispute(intent: string, status: string) {
  const one = { id: newStripeId("dp"), payment_intent: intent, status };
  stripe.disputes.push(one);
  return one;
}

const about = (intent: string) => ({ object: "dispute", payment_intent: intent });
const endsAt = async () => (await readPlanState(scope)).endsAt;

/** The plan once the review of plans has run. */
async function planAt(now: Date): Promise<string> {
  await reviewPlans(now);
  return (await readPlanState(scope)).plan;
}

async function notices(): Promise<string[]> {
  const rows = await query<{ kind: string }>(sql`
    SELECT kind FROM notice WHERE workspace_pk = ${scope.workspacePk} ORDER BY pk`);
  return rows.map(({ kind }) => kind);
}

test("a full refund ends the prepaid plan that it paid, once, with an audit entry and a notification", async () => {
  const { intent, id } = await pay(prepaid);
  await Promise.all([refund(intent), refund(intent), refund(intent)]);
  expect(await planAt(later)).toBe("free");
  expect(await listPayments(scope)).toMatchObject([{ outcome: "refunded" }]);
  expect((await notices()).filter((kind) => kind === "plan.reversed")).toHaveLength(1);
  const entries = await listAudit(scope, { action: "plan.change", pageSize: 10 });
  expect(entries[0]?.details).toMatchObject({ reason: `Stripe: refunded, ${id}` });
  // The event of the payment arrives again.
  await send("checkout.session.completed", { id }, later);
  expect(await planAt(later)).toBe("free");
});

test("a refund of one of two terms leaves the other", async () => {
  await pay(prepaid);
  const { intent } = await pay(prepaid, new Date("2026-06-20T12:00:00Z"));
  expect(await endsAt()).toBe("2028-06-15T12:00:00.000Z");
  await refund(intent);
  expect(await endsAt()).toBe("2027-06-15T12:00:00.000Z");
  expect(await planAt(later)).toBe("personal");
});

test("a disputed payment of one of two terms that is refunded then takes one term off, not two", async () => {
  await pay(prepaid);
  const { intent } = await pay(prepaid, new Date("2026-06-20T12:00:00Z"));
  dispute(intent, "needs_response");
  await send("charge.dispute.created", about(intent), later);
  await refund(intent);
  expect(await endsAt()).toBe("2027-06-15T12:00:00.000Z");
});

test("a refund whose event arrives before that of the payment leaves no plan", async () => {
  const { intent, completed } = await payAtStripe(prepaid);
  await refund(intent);
  await completed(later);
  expect(await planAt(later)).toBe("free");
});

test("a partial refund leaves the plan, and the rest of it ends the plan", async () => {
  const { intent } = await pay(prepaid);
  const before = await endsAt();
  await refund(intent, 99);
  expect([await planAt(later), await endsAt()]).toEqual(["personal", before]);
  await refund(intent);
  expect(await planAt(later)).toBe("free");
});

test("a refunded trial ends, and is not sold again", async () => {
  const { intent } = await pay("trial trial eur", later);
  expect(await planAt(later)).toBe("trial");
  await refund(intent);
  expect(await planAt(later)).toBe("free");
  await expect(startCheckout(scope, "trial trial eur")).rejects.toMatchObject({ code: "conflict" });
});

test("a dispute suspends the plan while it is open, and one that is won gives back the time, once", async () => {
  const { intent } = await pay(prepaid);
  const left = Date.parse((await endsAt()) ?? "") - later.getTime();
  const open = dispute(intent, "needs_response");
  await send("charge.dispute.created", about(intent), later);
  await send("charge.dispute.funds_withdrawn", about(intent), later);
  expect(await planAt(later)).toBe("free");
  open.status = "won";
  const settled = new Date(later.getTime() + 60 * dayMs);
  await send("charge.dispute.closed", about(intent), settled);
  await send("charge.dispute.funds_reinstated", about(intent), settled);
  // Late: it still says that the dispute is open.
  await send("charge.dispute.created", { ...about(intent), status: "needs_response" }, settled);
  expect(await planAt(settled)).toBe("personal");
  expect(await endsAt()).toBe(new Date(settled.getTime() + left).toISOString());
  expect((await notices()).filter((kind) => kind.startsWith("plan.re"))).toEqual([
    "plan.reversed",
    "plan.restored",
  ]);
});

test("a dispute that is lost, and one that is refunded then, ends the plan for good", async () => {
  const { intent } = await pay(prepaid);
  const open = dispute(intent, "under_review");
  await send("charge.dispute.created", about(intent), later);
  open.status = "lost";
  await send("charge.dispute.closed", about(intent), later);
  await refund(intent);
  expect(await planAt(later)).toBe("free");
  expect((await notices()).filter((kind) => kind === "plan.reversed")).toHaveLength(1);
});

test("an inquiry changes nothing", async () => {
  const { intent } = await pay(prepaid);
  const before = await endsAt();
  dispute(intent, "warning_needs_response");
  await send("charge.dispute.created", about(intent), later);
  expect([await planAt(later), await endsAt()]).toEqual(["personal", before]);
});

test("a plan that an administrator set stays when an earlier payment is refunded", async () => {
  const { intent } = await pay(prepaid);
  const given = { plan: "enterprise", reason: "Contract" } as const;
  await setPlan(operatorOfCommandLine(), scope.workspaceId, given);
  await refund(intent);
  expect(await planAt(later)).toBe("enterprise");
  expect(await listPayments(scope)).toMatchObject([{ outcome: "refunded" }]);
});

test("a payment that was refunded because it could not be used takes nothing off the plan", async () => {
  const first = await payAtStripe("trial trial eur");
  const second = await payAtStripe("trial trial eur");
  await first.completed(later);
  await second.completed(later);
  const before = await endsAt();
  await refund(second.intent);
  expect([await planAt(later), await endsAt()]).toEqual(["trial", before]);
});

test("a refund of a payment of another system is accepted and changes nothing", async () => {
  await refund("pi_of_another_system");
  expect(await planAt(later)).toBe("free");
});
