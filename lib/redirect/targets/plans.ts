import { type LoadedValue, workspaceEntry, workspaceOfEntry } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { type Connection, query } from "#lib/platform/postgres";
import { includes, planOf } from "#lib/tenancy/plans";
import { openCache } from "./cache.ts";
import type { Target } from "./target.ts";

const workspacesMax = 100_000;

interface PlanUses {
  forms: boolean;
  insideApps: boolean;
  wechatUserInfo: boolean;
}

const plans = openCache<PlanUses>({ name: "plans", entriesMax: workspacesMax, load: loadPlans });

/** True if the stores are unavailable: the plan has probably not changed. */
export async function mayUse({ workspacePk }: Target, name: keyof PlanUses): Promise<boolean> {
  try {
    return (await plans.find(workspaceEntry(workspacePk)))?.[name] ?? true;
  } catch (error) {
    log.warn({ event: "plan-uses.unavailable", error: String(error) });
    return true;
  }
}

async function loadPlans(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<PlanUses>>> {
  const rows = await query.on(on).query<{ pk: number; plan: string }>({
    name: "redirect-plans",
    // Answered by workspace_pkey.
    text: `
    SELECT pk, plan
    FROM workspace
    WHERE pk = ANY($1::int[])`,
    values: [entries.map(workspaceOfEntry)],
  });
  return new Map(
    rows.map(({ pk, plan }) => {
      const grant = { plan: planOf(plan), limits: null };
      const value = {
        forms: includes(grant, "forms"),
        insideApps: includes(grant, "insideApps"),
        wechatUserInfo: includes(grant, "wechatUserInfo"),
      };
      return [workspaceEntry(pk), { revision: 0, value }];
    }),
  );
}
