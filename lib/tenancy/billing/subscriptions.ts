/**
 * The state of a customer's subscription, always fetched anew: the order and the number of events do not matter. A fetch
 * takes a number before it begins, and is stored only if no later one was. The last event of a change therefore wins: its
 * fetch began after the change.
 */

import type Stripe from "stripe";
import { dayMs } from "#lib/basics/time/schema";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import type { PlanName } from "#lib/platform/config/schema";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { applyPlan, lockPlan, type PlanChange, type StoredPlan } from "#lib/tenancy/plan-changes";
import { planOf } from "#lib/tenancy/plans";
import { asUnavailable, stripe } from "./client.ts";
import { liveStatuses } from "./schema.ts";
import { beginFetch, type FetchedState, findWorkspacePk, writeFetched } from "./store.ts";

/** Subscriptions of one customer that are looked at. */
const subscriptionsMax = 100;
/** For events that are late: the plan ends by itself when none arrives. */
const graceMs = 3 * dayMs;

const none: FetchedState = {
  subscriptionId: null,
  plan: null,
  status: null,
  periodEndsAt: null,
  cancelsAt: null,
};

/** Fetches and applies the state of a customer. Customers of other systems are left alone. */
export async function syncCustomer(customerId: string, now: Date): Promise<void> {
  const workspacePk = await findWorkspacePk(customerId);
  if (workspacePk === undefined) {
    log.warn({ event: "billing.unknown_customer", customer: customerId });
    return;
  }
  const fetch = await beginFetch(workspacePk);
  const state = await fetchState(customerId);
  let changes: CacheChange[] = [];
  await transaction(async (tx) => {
    const before = await lockPlan(tx, workspacePk);
    if (!before || !(await writeFetched(tx, workspacePk, fetch, state, now))) return;
    const change = changeOf(before, state, now);
    if (!change) return;
    const note = {
      actor: "system",
      action: "plan.change",
      reason: `Stripe: ${state.status}`,
    } as const;
    changes = await applyPlan(tx, before, change, note);
  });
  await publishChanges(changes);
}

async function fetchState(customerId: string): Promise<FetchedState> {
  const client = await stripe();
  const { data } = await client.subscriptions
    .list({ customer: customerId, status: "all", limit: subscriptionsMax })
    .catch(asUnavailable);
  const live = data.filter(({ status }) => isLive(status));
  if (live.length > 1) {
    log.warn({ event: "billing.several_subscriptions", customer: customerId, count: live.length });
  }
  // The newest live one; without any, the newest that has ended, for display.
  const [subscription] = (live.length > 0 ? live : data).toSorted((a, b) => b.created - a.created);
  return subscription ? stateOf(subscription) : none;
}

function stateOf(subscription: Stripe.Subscription): FetchedState {
  // Periods belong to the items since version 2025-03-31 of the API.
  const ends = subscription.items.data.map((item) => item.current_period_end);
  const periodEnd = ends.length > 0 ? Math.max(...ends) : null;
  const cancels = subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : null);
  return {
    subscriptionId: subscription.id,
    plan: soldPlan(subscription.metadata["fuxi_plan"]) ?? null,
    status: subscription.status,
    periodEndsAt: dateOf(periodEnd),
    cancelsAt: dateOf(cancels),
  };
}

function dateOf(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1_000);
}

export function soldPlan(text: string | undefined): PlanName | undefined {
  return text === "personal" || text === "enterprise" ? text : undefined;
}

export function isLive(status: string | null): boolean {
  return liveStatuses.some((one) => one === status);
}

/** Undefined: the plan stays. */
function changeOf(before: StoredPlan, state: FetchedState, now: Date): PlanChange | undefined {
  const plan = soldPlan(state.plan ?? undefined);
  return isLive(state.status) && plan ? keptPlan(before, plan, state) : endedPlan(before, now);
}

/**
 * The plan of a live subscription. One that an administrator set has priority until it ends, except Free and the
 * trial, from which subscriptions are sold.
 */
function keptPlan(
  before: StoredPlan,
  plan: PlanName,
  { periodEndsAt, cancelsAt }: FetchedState,
): PlanChange | undefined {
  const isGiven = before.source === "operator" || before.source === "manual";
  if (isGiven && before.plan !== "free" && before.plan !== "trial") return undefined;
  const lasts = periodEndsAt && new Date(periodEndsAt.getTime() + graceMs);
  const endsAt = cancelsAt ?? lasts;
  const isSame =
    before.source === "stripe" &&
    before.plan === plan &&
    before.endsAt?.getTime() === endsAt?.getTime();
  return isSame ? undefined : { plan, limits: null, source: "stripe", endsAt };
}

/** The plan ends now: the review of plans makes it free, with notification and email. */
function endedPlan(before: StoredPlan, now: Date): PlanChange | undefined {
  if (before.source !== "stripe" || (before.endsAt && before.endsAt <= now)) return undefined;
  const { limits, source } = before;
  return { plan: planOf(before.plan), limits, source, endsAt: now };
}
