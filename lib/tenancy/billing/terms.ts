/** What a single payment buys, and how long that lasts. */

import type Stripe from "stripe";
import { dayMs } from "#lib/basics/time/schema";
import { trialDays } from "#lib/tenancy/plan-changes/schema";
import { soldPlan } from "./subscriptions.ts";

const monthsMax = 36;

export type Purchase =
  | { kind: "trial"; plan: "trial" }
  | { kind: "prepaid"; plan: "personal" | "enterprise"; months: number };

/** What was bought, as it was written when the session was created. */
export function purchaseOf(metadata: Stripe.Metadata | null): Purchase | undefined {
  if (metadata?.["fuxi_plan"] === "trial") return { kind: "trial", plan: "trial" };
  const plan = soldPlan(metadata?.["fuxi_plan"]);
  const months = Number(metadata?.["fuxi_months"]);
  if (plan !== "personal" && plan !== "enterprise") return undefined;
  if (!Number.isInteger(months) || months < 1 || months > monthsMax) return undefined;
  return { kind: "prepaid", plan, months };
}

/** The end of what was bought, if it begins at a moment. */
export function endOf(bought: Purchase, from: Date): Date {
  return bought.kind === "trial"
    ? new Date(from.getTime() + trialDays * dayMs)
    : addMonths(from, bought.months);
}

/** How long what was bought lasts when it ends at a moment. */
export function termMs(bought: Purchase, until: Date): number {
  if (bought.kind === "trial") return trialDays * dayMs;
  return until.getTime() - addMonths(until, -bought.months).getTime();
}

/** The same day of a later month, or its last day. */
function addMonths(from: Date, months: number): Date {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date;
}
