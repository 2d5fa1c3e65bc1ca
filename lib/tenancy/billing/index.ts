/**
 * Billing with Stripe: Checkout for subscriptions, the trial and prepaid terms; the customer
 * portal; and the webhook, whose events only say which customer to look at. Stripe does proration
 * and dunning. Administrators enter invoices that are paid otherwise (plan-changes).
 *
 * Free ──Checkout──▶ Stripe ──event──▶ fetch ──▶ plan with an end ──event or end──▶ Free
 */
import type Stripe from "stripe";
import { z } from "zod";
import { config, decimalsOf, type Offer } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { defineJob } from "#lib/platform/queue";
import { assertConfirmed, assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { readPlanState } from "#lib/tenancy/plan-changes";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import { asUnavailable, idOf, pageOf, stripe, typeOf } from "./client.ts";
import { applySession } from "./purchases.ts";
import { settleSession } from "./reversals.ts";
import { type BillingState, liveStatuses, type ShownOffer } from "./schema.ts";
import {
  type Account,
  findAccount,
  insertAccount,
  listAbandoned,
  listStale,
  writeCanceled,
} from "./store.ts";
import { isLive, syncCustomer } from "./subscriptions.ts";

/** Refuses old signatures, so that a recorded request cannot be replayed later. */
// defence: stripe-event-age
const toleranceSeconds = 300;
const sessionSeconds = 1_860;
const refreshEveryMs = 600_000;

/** Without events, nothing that was paid would apply, so both secrets are needed. */
function isBillingOn(): boolean {
  const { FUXI_STRIPE_SECRET_KEY, FUXI_STRIPE_WEBHOOK_SECRET } = config();
  return FUXI_STRIPE_SECRET_KEY !== undefined && FUXI_STRIPE_WEBHOOK_SECRET !== undefined;
}

export function listOffers(): ShownOffer[] {
  return isBillingOn() ? config().FUXI_STRIPE_OFFERS.map(showOffer) : [];
}

export async function readBilling(scope: WorkspaceScope): Promise<BillingState | undefined> {
  if (!isBillingOn() || !scope.permissions.has("workspace.write")) return undefined;
  const [state, account] = await Promise.all([
    readPlanState(scope),
    findAccount(scope.workspacePk),
  ]);
  const isSubscribed = isLive(account?.status ?? null);
  const offers = config().FUXI_STRIPE_OFFERS.filter((offer) =>
    isAvailable(offer, state, isSubscribed),
  );
  return {
    offers: offers.map(showOffer),
    subscription: account ? presentSubscription(account) : null,
    hasPortal: account !== undefined,
  };
}

function presentSubscription(account: Account): BillingState["subscription"] {
  const { plan, status, periodEndsAt, cancelsAt } = account;
  if (plan === null || status === null) return null;
  return {
    plan,
    status,
    periodEndsAt: periodEndsAt?.toISOString() ?? null,
    cancelsAt: cancelsAt?.toISOString() ?? null,
  };
}

export async function startCheckout(
  scope: WorkspaceScope,
  offerName: string,
  now = new Date(),
): Promise<string> {
  assertMay(scope, "workspace.write");
  assertConfirmed(scope);
  const offer = findOffer(offerName);
  if (!isBillingOn() || !offer) throw notOffered();
  const [state, account] = await Promise.all([
    readPlanState(scope),
    findAccount(scope.workspacePk),
  ]);
  if (!isAvailable(offer, state, isLive(account?.status ?? null))) throw notOffered();
  const customer = account?.customerId ?? (await createCustomer(scope));
  const client = await stripe();
  const session = await client.checkout.sessions
    .create(sessionOf(scope, offer, customer, now))
    .catch(asUnavailable);
  return pageOf(session.url);
}

function notOffered(): AppError {
  const message = "This plan isn’t available for this workspace right now. Reload the page.";
  return new AppError("conflict", message, { problem: "not_offered" });
}

async function createCustomer({ workspacePk, workspaceId, slug }: WorkspaceScope): Promise<string> {
  const client = await stripe();
  const customer = await client.customers
    .create(
      { name: slug, metadata: { fuxi_workspace: workspaceId } },
      // Two clicks create one customer.
      { idempotencyKey: `customer-${workspaceId}` },
    )
    .catch(asUnavailable);
  return await insertAccount(workspacePk, customer.id);
}

const planLabels = { trial: "Trial", personal: "Personal", enterprise: "Enterprise" } as const;

function sessionOf(
  { slug, workspaceId }: WorkspaceScope,
  { plan, term, currency, amount }: Offer,
  customer: string,
  now: Date,
): Stripe.Checkout.SessionCreateParams {
  const page = `${config().FUXI_URL}/app/${slug}/settings/plan`;
  const months = typeof term === "number" ? { fuxi_months: String(term) } : {};
  const metadata = { fuxi_workspace: workspaceId, fuxi_plan: plan, ...months };
  const recurring = term === "month" || term === "year" ? { interval: term } : undefined;
  const product =
    typeof term === "number" ? `${planLabels[plan]}, ${term} months` : planLabels[plan];
  const session: Stripe.Checkout.SessionCreateParams = {
    customer,
    client_reference_id: workspaceId,
    metadata,
    success_url: `${page}?paid=1`,
    cancel_url: page,
    expires_at: Math.floor(now.getTime() / 1_000) + sessionSeconds,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name: `Fuxi ${product}` },
          ...(recurring ? { recurring } : {}),
        },
      },
    ],
  };
  if (recurring) return { ...session, mode: "subscription", subscription_data: { metadata } };
  return {
    ...session,
    mode: "payment",
    invoice_creation: { enabled: true },
    payment_method_options: { wechat_pay: { client: "web" } },
  };
}

export async function openPortal(scope: WorkspaceScope): Promise<string> {
  assertMay(scope, "workspace.write");
  const account = isBillingOn() ? await findAccount(scope.workspacePk) : undefined;
  if (!account) throw notOffered();
  const client = await stripe();
  const session = await client.billingPortal.sessions
    .create({
      customer: account.customerId,
      return_url: `${config().FUXI_URL}/app/${scope.slug}/settings/plan`,
    })
    .catch(asUnavailable);
  return pageOf(session.url);
}

export async function receiveEvent(
  body: Uint8Array,
  signature: string,
  now = new Date(),
): Promise<void> {
  const secret = config().FUXI_STRIPE_WEBHOOK_SECRET;
  if (!isBillingOn() || !secret) throw new AppError("not_found", "Billing isn’t set up.");
  await applyEvent(await verified(body, signature, secret), now);
}

async function verified(
  body: Uint8Array,
  signature: string,
  secret: string,
): Promise<Stripe.Event> {
  const { webhooks } = await stripe();
  try {
    return webhooks.constructEvent(Buffer.from(body), signature, secret, toleranceSeconds);
  } catch (error) {
    if (typeOf(error) !== "StripeSignatureVerificationError" && !(error instanceof SyntaxError)) {
      throw error;
    }
    log.warn({ event: "billing.signature_refused" });
    throw new AppError("bad_request", "The signature of this event is wrong or too old.");
  }
}

async function applyEvent(event: Stripe.Event, now: Date): Promise<void> {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      await applyCheckout(event.data.object.id, now);
      await syncOf(event.data.object, now);
      return;
    case "charge.refunded":
    case "charge.dispute.created":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
    case "charge.dispute.closed":
      await settleIntent(idOf(event.data.object.payment_intent), now);
      return;
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
      await syncOf(event.data.object, now);
      return;
    case "invoice.paid":
    case "invoice.payment_failed":
      // Single payments have no subscription.
      if (event.data.object.parent?.subscription_details) await syncOf(event.data.object, now);
      return;
    default:
      return;
  }
}

async function applyCheckout(sessionId: string, now: Date): Promise<void> {
  const client = await stripe();
  const session = await client.checkout.sessions.retrieve(sessionId).catch(asUnavailable);
  await applySession(session, now);
  // A refund's event may arrive before that of its payment.
  // defence: refund-before-payment
  await settleSession(session, now);
}

/** Subscriptions have no session for a single payment. */
async function settleIntent(intent: string | undefined, now: Date): Promise<void> {
  if (intent === undefined) return;
  const client = await stripe();
  const { data } = await client.checkout.sessions
    .list({ payment_intent: intent })
    .catch(asUnavailable);
  for (const { id } of data) await applyCheckout(id, now);
}

async function syncOf(object: { customer: Parameters<typeof idOf>[0] }, now: Date): Promise<void> {
  const id = idOf(object.customer);
  if (id) await syncCustomer(id, now);
}

/** Fetches subscriptions whose events may be lost. Returns how many. */
export async function refreshSubscriptions(now: Date): Promise<number> {
  if (!isBillingOn()) return 0;
  const stale = await listStale(now, liveStatuses);
  for (const { customerId } of stale) await syncCustomer(customerId, now);
  await cancelAbandoned();
  return stale.length;
}

/** Not renewed. If the workspace is restored, its owner can renew in the portal. */
async function cancelAbandoned(): Promise<void> {
  for (const { workspacePk, subscriptionId } of await listAbandoned(liveStatuses)) {
    const client = await stripe();
    await client.subscriptions
      .update(subscriptionId, { cancel_at_period_end: true })
      .catch(asUnavailable);
    await writeCanceled(workspacePk);
  }
}

export const billingJobs = [
  defineJob({
    name: "billing.refresh",
    schema: z.object({}),
    everyMs: refreshEveryMs,
    handle: () => refreshSubscriptions(new Date()),
  }),
];

function nameOf({ plan, term, currency }: Offer): string {
  return `${plan} ${term} ${currency}`;
}

function findOffer(name: string): Offer | undefined {
  return config().FUXI_STRIPE_OFFERS.find((offer) => nameOf(offer) === name);
}

function showOffer(offer: Offer): ShownOffer {
  const { plan, term, currency } = offer;
  return {
    name: nameOf(offer),
    plan,
    term,
    currency: currency.toUpperCase(),
    amount: offer.amount / 10 ** decimalsOf(currency),
  };
}

/** The trial is available once, on Free. Prepaid terms can be extended. The rest is sold on Free or Trial. */
function isAvailable(offer: Offer, state: PlanState, isSubscribed: boolean): boolean {
  if (isSubscribed) return false;
  if (offer.term === "trial") return state.plan === "free" && state.trialAt === null;
  if (state.plan === "free" || state.plan === "trial") return true;
  return state.source === "prepaid" && state.plan === offer.plan && typeof offer.term === "number";
}
