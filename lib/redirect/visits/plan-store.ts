/** Which parts of the plans of workspaces concern visits. */
import { type LoadedValue, workspaceEntry, workspaceOfEntry } from "#lib/platform/cache-sync";
import { type Connection, query } from "#lib/platform/postgres";
import { includes, planOf } from "#lib/tenancy/plans";

/** What visits of the links of a workspace may do, by its plan. */
export interface PlanUses {
  forms: boolean;
  insideApps: boolean;
  wechatUserInfo: boolean;
}

export async function loadPlans(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<PlanUses>>> {
  const rows = await query<{ pk: number; plan: string }>(
    {
      name: "redirect-plans",
      // Answered by workspace_pkey.
      text: `
      SELECT pk, plan
      FROM workspace
      WHERE pk = ANY($1::int[])`,
      values: [entries.map(workspaceOfEntry)],
    },
    on,
  );
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
