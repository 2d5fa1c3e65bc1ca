/** The names of plans. Their limits are in lib/tenancy/plans. */
export const planNames = ["free", "trial", "personal", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];
