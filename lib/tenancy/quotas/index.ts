/**
 * How much a workspace may have and make, by its plan.
 *
 * What is made by the million (links) has a counter for each month: one conditional UPDATE a batch, in the transaction
 * that writes what was asked for, so a refused call is never counted. What there are few of (domains, tags, folders,
 * members, API keys) is counted where it stands, behind the lock of its workspace's row, so nothing can drift. A plan
 * without the limit asks nothing.
 */
import { config } from "#lib/platform/config";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type CountedName, type MonthlyName, plans } from "#lib/tenancy/plans";
import { addToMonth, countHeld, readUse } from "./store.ts";

export type QuotaName = MonthlyName | CountedName;

export type QuotaOutcome = { ok: true } | { ok: false; message: string };

/** How much of something the workspace's plan includes; null: without limit. */
export function quotaOf(scope: WorkspaceScope, name: QuotaName): number | null {
  return plans[scope.plan].quotas[name];
}

/** Calls of the API that each key or person may make in a minute; null: without limit. */
export function callsPerMinuteOf(scope: WorkspaceScope): number | null {
  const ofPlan = plans[scope.plan].callsPerMinute;
  const ofAll = config().FUXI_API_RATE_PER_MINUTE || null;
  return ofPlan !== null && ofAll !== null ? Math.min(ofPlan, ofAll) : (ofPlan ?? ofAll);
}

/**
 * Takes `count` of something for a workspace, all of it or nothing, in the transaction that makes it: what is rolled
 * back was not taken. Others of the same workspace wait until the transaction ends, so take as late as possible, and
 * for several workspaces in the order of their pk. Without a limit this asks nothing.
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
      : (await countHeld(tx, scope.workspacePk, name)) + count <= max;
  return taken ? { ok: true } : { ok: false, message: refusal(scope, name, max) };
}

const words: Record<QuotaName, string> = {
  links: "new links per month",
  domains: "domains",
  tags: "tags",
  folders: "folders",
  members: "members",
  apiKeys: "API keys",
};

function refusal(scope: WorkspaceScope, name: QuotaName, max: number): string {
  const advice =
    name === "links"
      ? "Wait until next month, or change the plan."
      : "Delete one first, or change the plan.";
  return `This workspace has reached the limit of its plan (${scope.plan}): ${max} ${words[name]}. ${advice}`;
}

/** The first day of the month that it is in a zone. */
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

/** The month that counts now, as first days: its own and the one of the month in which counting begins anew. */
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
  /** Null where nobody counts, because the plan has no limit. */
  used: number | null;
  limit: number | null;
}

/** What the workspace uses and what its plan includes. */
export async function readUsage(
  scope: WorkspaceScope,
  now = new Date(),
): Promise<Record<QuotaName, Usage>> {
  const use = await readUse(scope.workspacePk, monthOf(scope.zone, now));
  const usage = (name: QuotaName, used: number | null): Usage => ({
    used,
    limit: quotaOf(scope, name),
  });
  return {
    // An unlimited plan does not count its links by month; what a plan of before counted would mislead.
    links: usage("links", quotaOf(scope, "links") === null ? null : use.links),
    domains: usage("domains", use.domains),
    tags: usage("tags", use.tags),
    folders: usage("folders", use.folders),
    members: usage("members", use.members),
    apiKeys: usage("apiKeys", use.apiKeys),
  };
}
