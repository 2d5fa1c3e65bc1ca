/**
 * Refunds and disputes of single payments. An event only names the payment; Stripe is asked what
 * became of it, so the order and number of events do not matter.
 *
 * applied ──refunded in full, or disputed──▶ its time is taken off the plan ──dispute won──▶
 * applied, the time given back
 *
 * Partial refunds change nothing: they are a courtesy, and an administrator can shorten the plan.
 * Inquiries (`warning_…`) take no money and change nothing. Subscriptions follow their state at
 * Stripe.
 */
import type Stripe from "stripe";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { notifyManagers } from "#lib/tenancy/notifications";
import {
  applyPlan,
  lockPayment,
  lockPlan,
  type PlanChange,
  type StoredPayment,
  type StoredPlan,
  settlePayment,
} from "#lib/tenancy/plan-changes";
import { planOf } from "#lib/tenancy/plans";
import { asUnavailable, idOf, stripe } from "./client.ts";
import { type Purchase, purchaseOf, termMs } from "./purchases.ts";

type Outcome = StoredPayment["outcome"];

/** Stripe holds the money back, or has returned it. */
// defence: dispute-suspends-plan
const heldStatuses: ReadonlySet<string> = new Set(["needs_response", "under_review", "lost"]);

/** Makes the plan match what became of a session's payment. */
export async function settleSession(session: Stripe.Checkout.Session, now: Date): Promise<void> {
  const intent = idOf(session.payment_intent);
  const bought = purchaseOf(session.metadata);
  if (!intent || !bought) return;
  let changes: CacheChange[] = [];
  await transaction(async (tx) => {
    // Lock it while we ask Stripe, so that with two events, the later answer is stored last.
    const payment = await lockPayment(tx, bought.kind, session.id);
    // defence: refund-of-unused-payment
    if (!payment || isNeverApplied(payment)) return;
    const outcome = await outcomeOf(intent);
    const before = await lockPlan(tx, payment.workspacePk);
    if (!before || outcome === payment.outcome) return;
    const settled = settle({ before, payment, bought, outcome, now });
    await settlePayment(tx, payment, outcome, settled.takenSeconds);
    if (!settled.change) return;
    const reason = `Stripe: ${outcome === "applied" ? "dispute won" : outcome}, ${session.id}`;
    const note = { actor: "system", action: "plan.change", reason } as const;
    changes = await applyPlan(tx, before, settled.change, note);
    await notifyManagers(tx, {
      workspacePk: payment.workspacePk,
      kind: outcome === "applied" ? "plan.restored" : "plan.reversed",
      details: { plan: planOf(payment.plan), outcome },
    });
  });
  await publishChanges(changes);
}

/** Such a payment was refunded at once and gave no plan. */
function isNeverApplied({ outcome, takenSeconds }: StoredPayment): boolean {
  return outcome !== "applied" && takenSeconds === null;
}

async function outcomeOf(intent: string): Promise<Outcome> {
  const client = await stripe();
  const [charges, disputes] = await Promise.all([
    client.charges.list({ payment_intent: intent }).catch(asUnavailable),
    client.disputes.list({ payment_intent: intent }).catch(asUnavailable),
  ]);
  // defence: full-refund-ends-plan
  if (charges.data.some(({ refunded }) => refunded)) return "refunded";
  return disputes.data.some(({ status }) => heldStatuses.has(status)) ? "disputed" : "applied";
}

interface Settling {
  before: StoredPlan;
  payment: StoredPayment;
  bought: Purchase;
  outcome: Outcome;
  now: Date;
}

interface Settled {
  takenSeconds: number | null;
  change?: PlanChange; // undefined: the plan stays
}

function settle(settling: Settling): Settled {
  const { payment, outcome } = settling;
  if (outcome === "applied") return giveBack(settling, payment.takenSeconds ?? 0);
  // A dispute that became a refund already took the time.
  // defence: refund-once
  return payment.outcome === "applied" ? take(settling) : { takenSeconds: payment.takenSeconds };
}

/** Takes the paid term off the plan's end. The review of plans then makes it free. */
function take({ before, bought, now }: Settling): Settled {
  const { plan, source, limits, endsAt: end } = before;
  const isOwn = source === bought.kind && plan === bought.plan;
  if (!isOwn || !end || end <= now) return { takenSeconds: 0 };
  const endsAt = new Date(Math.max(now.getTime(), end.getTime() - termMs(bought, end)));
  const takenSeconds = Math.round((end.getTime() - endsAt.getTime()) / 1_000);
  return { takenSeconds, change: { plan: bought.plan, limits, source: bought.kind, endsAt } };
}

/** Gives the time back, unless the workspace has another plan by now. */
function giveBack({ before, bought, now }: Settling, takenSeconds: number): Settled {
  if (takenSeconds === 0) return { takenSeconds: null };
  const isOwn = before.source === bought.kind && before.plan === bought.plan;
  if (!isOwn && before.plan !== "free") {
    log.warn({ event: "billing.not_restored", workspace: before.workspaceId });
    return { takenSeconds: null };
  }
  const from = Math.max(now.getTime(), isOwn ? (before.endsAt?.getTime() ?? 0) : 0);
  const endsAt = new Date(from + takenSeconds * 1_000);
  const limits = isOwn ? before.limits : null;
  return { takenSeconds: null, change: { plan: bought.plan, limits, source: bought.kind, endsAt } };
}
