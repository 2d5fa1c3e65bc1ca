/**
 * The quotas of a workspace, by its plan.
 *
 * Objects created by the million (links) have a counter per month: one conditional UPDATE per batch, in the transaction
 * that writes them, so a refused call is never counted. Objects of which there are few (domains, tags, folders,
 * members, API keys) are counted in their table, behind the lock of the workspace's row, so that no counter can drift.
 * A plan without the limit needs no query.
 */

import { mapTable } from "#lib/basics/variants/schema";
import { config } from "#lib/platform/config";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { limitOf } from "#lib/tenancy/plans";
import { type QuotaName, quotaLabels } from "#lib/tenancy/plans/schema";
import { planNamesShown } from "./capabilities.ts";
import { addToMonth, countExisting, readCounts } from "./store.ts";

export { assertIncluded, findLocked } from "./capabilities.ts";
export { limitsFirstLinks, returnFirstLinks, takeFirstLinks } from "./first-links.ts";
export { listUsage, type UsedQuotas } from "./usage.ts";

export type QuotaOutcome = { ok: true } | { ok: false; message: string };

/** The workspace's quota; null: unlimited. */
export function quotaOf(scope: WorkspaceScope, name: QuotaName): number | null {
  return limitOf(scope, name);
}

/** API calls per minute of each key or person; null: unlimited. */
export function callsPerMinuteOf(scope: WorkspaceScope): number | null {
  const ofPlan = limitOf(scope, "callsPerMinute");
  const ofAll = config().FUXI_API_RATE_PER_MINUTE || null;
  return ofPlan !== null && ofAll !== null ? Math.min(ofPlan, ofAll) : (ofPlan ?? ofAll);
}

/**
 * Takes `count` of a quota, all or nothing, in the transaction that creates the objects: a rollback returns them.
 * Others of the same workspace wait until the transaction ends, so call this as late as possible, and for several
 * workspaces in the order of their pk. Unlimited quotas need no query.
 */
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

/** The first day of the present month in a zone. */
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

/** The present month, as first days: its own and that of the next one. */
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
  /** Null where nothing is counted, because the plan has no limit. */
  used: number | null;
  limit: number | null;
}

/** Usage and quotas of the workspace. */
export async function readUsage(
  scope: WorkspaceScope,
  now = new Date(),
): Promise<Record<QuotaName, Usage>> {
  const use = await readCounts(scope.workspacePk, monthOf(scope.zone, now));
  return mapTable(quotaLabels, (_, name) => {
    const limit = quotaOf(scope, name);
    // An unlimited plan does not count its links by month; the counter of a previous plan would be misleading.
    return { used: name === "links" && limit === null ? null : use[name], limit };
  });
}
