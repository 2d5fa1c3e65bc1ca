/** The plans as pages show them: from the table by which limits are kept, with the prices of the operator. */
import { config, planNames } from "#lib/platform/config";
import { plans } from "#lib/tenancy/plans";
import type { ShownPlan } from "../components/plans/plan-table.tsx";

export function shownPlans(): ShownPlan[] {
  const prices = config().FUXI_PRICES;
  return planNames.map((name) => ({
    name,
    price: prices[name] ?? null,
    ...plans[name],
  }));
}
