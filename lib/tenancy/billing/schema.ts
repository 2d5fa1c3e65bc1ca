/** What the dashboard shows of billing. */

/** A subscription by month or year, a number of prepaid months, or the trial. */
export type OfferTerm = "month" | "year" | "trial" | number;

export interface ShownOffer {
  /** The name that a purchase is started with. */
  name: string;
  plan: "trial" | "personal" | "enterprise";
  term: OfferTerm;
  currency: string;
  /** In the unit of the currency. */
  amount: number;
}

/** As Stripe names them; of a later version of its API others are possible. */
export const liveStatuses = ["active", "trialing", "past_due"] as const;

export interface BillingState {
  /** What the workspace can buy now. */
  offers: ShownOffer[];
  subscription: {
    plan: string;
    status: string;
    /** ISO 8601 */
    periodEndsAt: string | null;
    cancelsAt: string | null;
  } | null;
  /** The customer portal of Stripe has something to show. */
  hasPortal: boolean;
}
