/** The plans as they are shown: the limits come from the table that enforces them, the prices from the settings. */

import type { PlanSummary } from "#components/plans/plan-table";
import { config } from "#lib/platform/config";
import { planNames } from "#lib/platform/config/schema";
import { listOffers } from "#lib/tenancy/billing";
import { planNamed } from "#lib/tenancy/plans";

/** Whether this instance sells plans. A self-hosted instance has no prices, so visitors see no plans. */
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
