/** The plans for display: from the table that enforces the limits, with the operator's prices. */

import type { PlanSummary } from "#components/plans/plan-table";
import { config } from "#lib/platform/config";
import { planNames } from "#lib/platform/config/schema";
import { listOffers } from "#lib/tenancy/billing";
import { planNamed } from "#lib/tenancy/plans";

/** Whether the operator sells plans: an instance of one's own has no prices, and visitors see no plans. */
export function hasPrices(): boolean {
  return Object.keys(config().FUXI_PRICES).length > 0 || listOffers().length > 0;
}

export function listPlans(): PlanSummary[] {
  const prices = config().FUXI_PRICES;
  const offers = listOffers();
  return planNames.map((name) => ({
    name,
    price: prices[name] ?? null,
    offer: offers.find(({ plan }) => plan === name) ?? null,
    limits: planNamed(name).limits,
    capabilities: planNamed(name).capabilities,
  }));
}
