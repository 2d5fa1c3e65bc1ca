/** When links retire: settings of the workspace win over its plan, then the instance. */
import type { RetirementRules } from "#lib/links/link-rows";
import { config } from "#lib/platform/config";
import { planOf, plans } from "#lib/tenancy/plans";

export interface RetirementSettings {
  plan: string;
  retireApiDays: number | null;
  retirePeopleDays: number | null;
  retireFromCreation: boolean;
}

export function rulesOf(workspace: RetirementSettings): RetirementRules {
  const { FUXI_RETIRE_API_LINKS_DAYS, FUXI_RETIRE_OTHER_LINKS_DAYS } = config();
  const ofPlan = plans[planOf(workspace.plan)].retireApiDays;
  return {
    apiDays: workspace.retireApiDays ?? ofPlan ?? FUXI_RETIRE_API_LINKS_DAYS,
    peopleDays: workspace.retirePeopleDays ?? FUXI_RETIRE_OTHER_LINKS_DAYS,
    fromCreation: workspace.retireFromCreation,
  };
}

/** Stored with a round. If the text changes, all links are dated again. */
export function rulesText({ apiDays, peopleDays, fromCreation }: RetirementRules): string {
  return `${apiDays} ${peopleDays} ${fromCreation ? "creation" : "visit"}`;
}
