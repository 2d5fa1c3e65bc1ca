/** What a plan includes, asserted by the verbs that do it. One code and one message for all of them. */
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { includes, type PlanGrant, planWith } from "#lib/tenancy/plans";
import type { Capability } from "#lib/tenancy/plans/schema";

const labels: Readonly<Record<Capability, string>> = {
  bulk: "Creating links in bulk",
  passwords: "Password protection",
  rules: "Destinations by rule, country or device",
  abTests: "A/B tests",
  destinationEdits: "Changing the destination of a link",
  repeatFilter: "Counting repeated visits once",
  forms: "Asking visitors with forms",
  insideApps: "Pages and mini programs inside apps",
  wechatUserInfo: "WeChat user info in forms",
  campaigns: "Campaigns",
  support: "A contact for support and custom development",
};

export const planNamesShown = {
  free: "Free",
  trial: "Trial",
  personal: "Personal",
  enterprise: "Enterprise",
} as const;

export interface LockedCapability {
  message: string;
  /** `needed`: a plan that includes the capability. */
  params: { capability: Capability; plan: string; needed: string };
}

/** Why the workspace may not use a capability; undefined: it may. */
export function findLocked(grant: PlanGrant, capability: Capability): LockedCapability | undefined {
  if (includes(grant, capability)) return undefined;
  const needed = planWith(capability);
  const shown = { plan: planNamesShown[grant.plan], needed: planNamesShown[needed] };
  return {
    message: `${labels[capability]} isn’t included in the ${shown.plan} plan of this workspace. It is included in ${shown.needed}. Change the plan under Settings → Plan & usage (${config().FUXI_URL}/app).`,
    params: { capability, plan: grant.plan, needed },
  };
}

/** Throws a 403 with the code `plan_limit` unless the plan includes the capability. */
export function assertIncluded(grant: PlanGrant, capability: Capability): void {
  const locked = findLocked(grant, capability);
  if (!locked) return;
  throw new AppError("forbidden", locked.message, { problem: "plan_limit", params: locked.params });
}
