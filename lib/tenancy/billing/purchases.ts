/** Trial and prepaid terms. Each paid Checkout session is applied once, or refunded. */
import type Stripe from "stripe";
import { newId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { publishChanges } from "#lib/platform/cache-sync";
import { decimalsOf } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import {
  applyPlan,
  isPaymentKnown,
  lockPlan,
  type PlanChange,
  recordPayment,
  type StoredPlan,
} from "#lib/tenancy/plan-changes";
import { trialDays } from "#lib/tenancy/plan-changes/schema";
import { asUnavailable, idOf, stripe } from "./client.ts";
import { findWorkspacePk } from "./store.ts";
import { soldPlan } from "./subscriptions.ts";

export async function applySession(session: Stripe.Checkout.Session, now: Date): Promise<void> {
  const { id: sessionId } = session;
  if (session.mode !== "payment" || session.payment_status !== "paid") return;
  const customer = idOf(session.customer);
  const workspacePk = customer && (await findWorkspacePk(customer));
  const bought = purchaseOf(session.metadata);
  if (!workspacePk || !bought) {
    log.warn({ event: "billing.unknown_session", session: sessionId });
    return;
  }
  if (await isPaymentKnown(bought.kind, sessionId)) return;
  const changes = await transaction(async (tx) => {
    const before = await lockPlan(tx, workspacePk);
    if (!before) return [];
    const change = changeOf(before, bought, now);
    const isNew = await recordPayment(tx, {
      id: newId("pay"),
      workspacePk,
      kind: bought.kind,
      plan: bought.plan,
      reference: sessionId,
      ...amountOf(session),
      paidUntil: change?.endsAt ?? null,
      outcome: change ? "applied" : "refunded",
    });
    if (!isNew) return [];
    if (!change) {
      // Before the commit: if the refund fails, the event comes again. The key prevents a second refund.
      await refund(session);
      return [];
    }
    const reason = `Stripe: ${sessionId}`;
    return await applyPlan(tx, before, change, { actor: "system", action: "plan.change", reason });
  });
  await publishChanges(changes);
}

/** Undefined: unusable, because the workspace had a trial or has another plan. */
function changeOf(before: StoredPlan, bought: Purchase, now: Date): PlanChange | undefined {
  const { plan, kind } = bought;
  const own = { plan, limits: null, source: kind };
  if (kind === "trial") {
    if (before.plan !== "free" || before.trialAt !== null) return undefined;
    return { ...own, endsAt: endOf(bought, now) };
  }
  const extends_ = before.source === "prepaid" && before.plan === plan && before.endsAt !== null;
  if (!extends_ && before.plan !== "free" && before.plan !== "trial") return undefined;
  const from = extends_ && before.endsAt && before.endsAt > now ? before.endsAt : now;
  return { ...own, endsAt: endOf(bought, from) };
}

function amountOf({ amount_total: total, currency }: Stripe.Checkout.Session) {
  const decimals = decimalsOf(currency ?? "");
  return {
    amount: ((total ?? 0) / 10 ** decimals).toFixed(decimals),
    currency: (currency ?? "").toUpperCase(),
  };
}

async function refund({ id, payment_intent: intent }: Stripe.Checkout.Session): Promise<void> {
  const paymentIntent = idOf(intent);
  log.warn({ event: "billing.refunded", session: id });
  if (!paymentIntent) return;
  const client = await stripe();
  await client.refunds
    .create({ payment_intent: paymentIntent }, { idempotencyKey: `refund-${id}` })
    .catch(asUnavailable);
}

const monthsMax = 36;

export type Purchase =
  | { kind: "trial"; plan: "trial" }
  | { kind: "prepaid"; plan: "personal" | "enterprise"; months: number };

export function purchaseOf(metadata: Stripe.Metadata | null): Purchase | undefined {
  if (metadata?.["fuxi_plan"] === "trial") return { kind: "trial", plan: "trial" };
  const plan = soldPlan(metadata?.["fuxi_plan"]);
  const months = Number(metadata?.["fuxi_months"]);
  if (plan !== "personal" && plan !== "enterprise") return undefined;
  if (!Number.isInteger(months) || months < 1 || months > monthsMax) return undefined;
  return { kind: "prepaid", plan, months };
}

function endOf(bought: Purchase, from: Date): Date {
  return bought.kind === "trial"
    ? new Date(from.getTime() + trialDays * dayMs)
    : addMonths(from, bought.months);
}

export function termMs(bought: Purchase, until: Date): number {
  if (bought.kind === "trial") return trialDays * dayMs;
  return until.getTime() - addMonths(until, -bought.months).getTime();
}

function addMonths(from: Date, months: number): Date {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date;
}
