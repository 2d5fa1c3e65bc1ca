/** A subscription by month or year, prepaid months, or the trial. */
export type OfferTerm = "month" | "year" | "trial" | number;

export interface ShownOffer {
  name: string;
  plan: "trial" | "personal" | "enterprise";
  term: OfferTerm;
  currency: string;
  amount: number;
}

/** Stripe's names. Later API versions may have others. */
export const liveStatuses = ["active", "trialing", "past_due"] as const;

export interface BillingState {
  offers: ShownOffer[];
  subscription: {
    plan: string;
    status: string;
    periodEndsAt: string | null;
    cancelsAt: string | null;
  } | null;
  hasPortal: boolean;
}
