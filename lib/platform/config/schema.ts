/** Their limits are in lib/tenancy/plans. */
export const planNames = ["free", "trial", "personal", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

export const sessionBounds = {
  idleMinutesMin: 15,
  idleMinutesMax: 43_200,
  hoursMin: 1,
  hoursMax: 720,
};
