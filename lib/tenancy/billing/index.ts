/**
 * Billing with Stripe: Checkout for subscriptions, the trial and prepaid terms; the customer portal; and the webhook, whose
 * events only say which customer to look at. Proration and dunning are Stripe's. Invoices that are paid otherwise are
 * entered by administrators (plan-changes).
 *
 *   Free ──Checkout──▶ Stripe ──event──▶ fetch ──▶ plan with an end ──event or end──▶ Free
 *
 * Without FUXI_STRIPE_SECRET_KEY, nothing of it exists.
 */
import type Stripe from "stripe";
import { z } from "zod";
import { config, type Offer } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { defineJob } from "#lib/platform/queue";
import { assertConfirmed, assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { readPlanState } from "#lib/tenancy/plan-changes";
import { asUnavailable, idOf, pageOf, stripe, typeOf } from "./client.ts";
import { findOffer, isAvailable, showOffer } from "./offers.ts";
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

/** Old signatures are refused: a recorded request cannot be sent again later. */
// defence: stripe-event-age
const toleranceSeconds = 300;
/** Stripe expires a session after at least 30 minutes. */
const sessionSeconds = 1_860;
const refreshEveryMs = 600_000;

/** Both secrets are needed: without events, nothing that was paid would apply. */
function isBillingOn(): boolean {
  const { FUXI_STRIPE_SECRET_KEY, FUXI_STRIPE_WEBHOOK_SECRET } = config();
  return FUXI_STRIPE_SECRET_KEY !== undefined && FUXI_STRIPE_WEBHOOK_SECRET !== undefined;
}

/** Everything that is sold, for pages without a workspace. */
export function listOffers(): ShownOffer[] {
  return isBillingOn() ? config().FUXI_STRIPE_OFFERS.map(showOffer) : [];
}

/** What the workspace can buy, and the state of its subscription; undefined: no billing, or not for this person. */
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

/** Starts a purchase. Returns the page of Stripe where it is paid. */
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
      // Two clicks at once create one customer.
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

/** The page of Stripe for payment methods, invoices and cancellation. */
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

/** Verifies an event over its raw body, and applies what it is about. Throws when Stripe has to send it again. */
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
      // Invoices of single payments have no subscription.
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
  // The event of a refund may have arrived before that of the payment.
  // defence: refund-before-payment
  await settleSession(session, now);
}

/** The payment that was refunded or disputed. One of a subscription belongs to no session of a single payment. */
async function settleIntent(intent: string | undefined, now: Date): Promise<void> {
  if (intent === undefined) return;
  const client = await stripe();
  const { data } = await client.checkout.sessions
    .list({ payment_intent: intent })
    .catch(asUnavailable);
  for (const { id } of data) await applyCheckout(id, now);
}

async function syncOf(
  { customer }: { customer: string | { id: string } | null },
  now: Date,
): Promise<void> {
  const id = idOf(customer);
  if (id) await syncCustomer(id, now);
}

/** Fetches subscriptions whose events may have been lost. Returns how many. */
export async function refreshSubscriptions(now: Date): Promise<number> {
  if (!isBillingOn()) return 0;
  const stale = await listStale(now, liveStatuses);
  for (const { customerId } of stale) await syncCustomer(customerId, now);
  await cancelAbandoned();
  return stale.length;
}

/** Subscriptions of deleted workspaces are not renewed. A restored workspace can renew its own in the portal. */
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
