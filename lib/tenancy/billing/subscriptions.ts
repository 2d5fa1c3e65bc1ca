/**
 * Fetches the state on every event, so their order does not matter. Each fetch takes a number and
 * is stored only if no later one was: the last event of a change wins.
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

const subscriptionsMax = 100;
/** For late events. If none arrives, the plan ends. */
const graceMs = 3 * dayMs;

const none: FetchedState = {
  subscriptionId: null,
  plan: null,
  status: null,
  periodEndsAt: null,
  cancelsAt: null,
};

/** Customers of other systems are left alone. */
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
  const [subscription] = (live.length > 0 ? live : data).toSorted((a, b) => b.created - a.created);
  return subscription ? stateOf(subscription) : none;
}

function stateOf(subscription: Stripe.Subscription): FetchedState {
  // Since API version 2025-03-31, items have the periods.
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

function changeOf(before: StoredPlan, state: FetchedState, now: Date): PlanChange | undefined {
  const plan = soldPlan(state.plan ?? undefined);
  return isLive(state.status) && plan ? keptPlan(before, plan, state) : endedPlan(before, now);
}

/** A plan set by an administrator has priority until it ends, except Free and the trial. */
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

/** Ends the plan now. The review of plans makes it free, with notification and email. */
function endedPlan(before: StoredPlan, now: Date): PlanChange | undefined {
  if (before.source !== "stripe" || (before.endsAt && before.endsAt <= now)) return undefined;
  const { limits, source } = before;
  return { plan: planOf(before.plan), limits, source, endsAt: now };
}
