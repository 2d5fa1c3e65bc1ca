/** When links of a workspace retire, from its settings, its plan and the instance. */
import { config } from "#lib/platform/config";
import type { PlanName } from "#lib/platform/config/schema";
import { plans } from "./schema.ts";

export interface RetirementSettings {
  readonly plan: PlanName;
  readonly retireApiDays: number | null;
  readonly retirePeopleDays: number | null;
  readonly retireFromCreation: boolean;
}

/** All columns of `RetirementSettings` but the plan. */
export const retirementColumns = `
    workspace.retire_api_days AS "retireApiDays",
    workspace.retire_people_days AS "retirePeopleDays",
    workspace.retire_from_creation AS "retireFromCreation"`;

/** Days after the last visit (or the creation) until links retire; 0: never. */
export interface RetirementRules {
  apiDays: number;
  peopleDays: number;
  /** Count from the creation and ignore visits. */
  fromCreation: boolean;
}

/** Settings of the workspace win over its plan, then the instance. */
export function rulesOf(workspace: RetirementSettings): RetirementRules {
  const { FUXI_RETIRE_API_LINKS_DAYS, FUXI_RETIRE_OTHER_LINKS_DAYS } = config();
  return {
    apiDays:
      workspace.retireApiDays ?? plans[workspace.plan].retireApiDays ?? FUXI_RETIRE_API_LINKS_DAYS,
    peopleDays: workspace.retirePeopleDays ?? FUXI_RETIRE_OTHER_LINKS_DAYS,
    fromCreation: workspace.retireFromCreation,
  };
}
