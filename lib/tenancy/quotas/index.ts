/**
 * Links have a counter per month: one conditional UPDATE in the transaction that writes them. Other
 * objects are counted in their table, behind the lock of the workspace's row.
 */
import { mapTable } from "#lib/basics/variants/schema";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { includes, limitOf, type PlanGrant, planWith } from "#lib/tenancy/plans";
import { type Capability, type QuotaName, quotaLabels } from "#lib/tenancy/plans/schema";
import { addToMonth, countExisting, readCounts } from "./store.ts";

export { limitsFirstLinks, returnFirstLinks, takeFirstLinks } from "./first-links.ts";
export { listUsage, type UsedQuotas } from "./store.ts";

export type QuotaOutcome = { ok: true } | { ok: false; message: string };

/** Null: unlimited. */
export function quotaOf(scope: WorkspaceScope, name: QuotaName): number | null {
  return limitOf(scope, name);
}

export function callsPerMinuteOf(scope: WorkspaceScope): number | null {
  const ofPlan = limitOf(scope, "callsPerMinute");
  const ofAll = config().FUXI_API_RATE_PER_MINUTE || null;
  return ofPlan !== null && ofAll !== null ? Math.min(ofPlan, ofAll) : (ofPlan ?? ofAll);
}

/** Call it in the creating transaction. Others wait until its end, so take workspaces in the order of pk. */
export async function takeQuota(
  tx: Connection,
  scope: WorkspaceScope,
  name: QuotaName,
  count: number,
  now = new Date(),
): Promise<QuotaOutcome> {
  const max = quotaOf(scope, name);
  if (max === null || count === 0) return { ok: true };
  const taken =
    name === "links"
      ? await addToMonth(tx, scope.workspacePk, {
          month: monthOf(scope.zone, now),
          name,
          count,
          max,
        })
      : (await countExisting(tx, scope.workspacePk, name)) + count <= max;
  return taken ? { ok: true } : { ok: false, message: quotaMessage(scope, name, max) };
}

function quotaMessage(scope: WorkspaceScope, name: QuotaName, max: number): string {
  const advice =
    name === "links"
      ? "Wait until next month, or change the plan."
      : "Delete one first, or change the plan.";
  return `This workspace has reached the limit of its plan (${planNamesShown[scope.plan]}): ${max} ${quotaLabels[name]}. ${advice}`;
}

function monthOf(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-01`;
}

export function currentMonth(
  scope: WorkspaceScope,
  now = new Date(),
): { from: string; until: string } {
  const from = monthOf(scope.zone, now);
  const next = new Date(`${from}T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { from, until: next.toISOString().slice(0, 10) };
}

export interface Usage {
  used: number | null;
  limit: number | null;
}

export async function readUsage(
  scope: WorkspaceScope,
  now = new Date(),
): Promise<Record<QuotaName, Usage>> {
  const use = await readCounts(scope.workspacePk, monthOf(scope.zone, now));
  return mapTable(quotaLabels, (_, name) => {
    const limit = quotaOf(scope, name);
    // Unlimited plans do not count links, and a previous plan's counter would mislead.
    return { used: name === "links" && limit === null ? null : use[name], limit };
  });
}

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

const planNamesShown = {
  free: "Free",
  trial: "Trial",
  personal: "Personal",
  enterprise: "Enterprise",
} as const;

interface LockedCapability {
  message: string;
  params: { capability: Capability; plan: string; needed: string };
}

export function findLocked(grant: PlanGrant, capability: Capability): LockedCapability | undefined {
  if (includes(grant, capability)) return undefined;
  const needed = planWith(capability);
  const shown = { plan: planNamesShown[grant.plan], needed: planNamesShown[needed] };
  return {
    message: `${labels[capability]} isn’t included in the ${shown.plan} plan of this workspace. It is included in ${shown.needed}. Change the plan under Settings → Plan & usage (${config().FUXI_URL}/app).`,
    params: { capability, plan: grant.plan, needed },
  };
}

export function assertIncluded(grant: PlanGrant, capability: Capability): void {
  const locked = findLocked(grant, capability);
  if (!locked) return;
  throw new AppError("forbidden", locked.message, { problem: "plan_limit", params: locked.params });
}
