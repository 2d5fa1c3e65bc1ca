import { z } from "zod";
import { reasonField } from "#lib/tenancy/operators/schema";

/** Each verb checks its feature for new uses. test/features.db.test.ts only compiles if it uses all of them. */
export const featureNames = [
  "signUp",
  "workspaces",
  /** Adding a custom domain, or changing its host. */
  "domains",
  "apiKeys",
  "bulk",
  "imports",
  "shares",
  /** Unlike the others, this stops running work too. */
  "sending",
  "reports",
  /** Creating links on the first page without an account. */
  "publicLinks",
] as const;
export type Feature = (typeof featureNames)[number];

export const featureShape = z.object({
  name: z.enum(featureNames),
  enabled: z.boolean(),
  reason: z.string().nullable().describe("Why the feature was last turned off or on; null: never."),
  changedAt: z.string().nullable(),
});
export type FeatureState = z.output<typeof featureShape>;

export const switchFeatureBody = z.strictObject({ enabled: z.boolean(), reason: reasonField });
export type SwitchFeature = z.output<typeof switchFeatureBody>;
