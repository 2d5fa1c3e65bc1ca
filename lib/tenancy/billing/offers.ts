/** What can be bought: the offers of the settings, and which of them fit the present plan of a workspace. */
import { config, decimalsOf, type Offer } from "#lib/platform/config";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import type { ShownOffer } from "./schema.ts";

function nameOf({ plan, term, currency }: Offer): string {
  return `${plan} ${term} ${currency}`;
}

export function findOffer(name: string): Offer | undefined {
  return config().FUXI_STRIPE_OFFERS.find((offer) => nameOf(offer) === name);
}

export function showOffer(offer: Offer): ShownOffer {
  const { plan, term, currency } = offer;
  return {
    name: nameOf(offer),
    plan,
    term,
    currency: currency.toUpperCase(),
    amount: offer.amount / 10 ** decimalsOf(currency),
  };
}

/**
 * A trial once, from Free. A prepaid term can be extended. Everything else is bought from Free or Trial: a subscription is
 * changed at Stripe, and a plan that an administrator set is theirs to change.
 */
export function isAvailable(offer: Offer, state: PlanState, isSubscribed: boolean): boolean {
  if (isSubscribed) return false;
  if (offer.term === "trial") return state.plan === "free" && state.trialAt === null;
  if (state.plan === "free" || state.plan === "trial") return true;
  return state.source === "prepaid" && state.plan === offer.plan && typeof offer.term === "number";
}
