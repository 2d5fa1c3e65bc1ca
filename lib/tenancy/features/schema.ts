/** The parts of the product that administrators of an instance can turn off. */
import { z } from "zod";
import { reasonField } from "#lib/tenancy/operators/schema";

/**
 * Each is checked by the verb that does it, for new uses: what exists keeps working. test/features.db.test.ts uses each
 * of them; one without a use there does not compile.
 */
export const featureNames = [
  /** Accounts of people without an invitation. */
  "signUp",
  /** Workspaces of people who are no administrators. */
  "workspaces",
  /** Adding a custom domain, or giving one another host. */
  "domains",
  "apiKeys",
  /** Bulk creates of the API. */
  "bulk",
  /** Uploading a file, and starting its import. */
  "imports",
  /** Creating a share link. */
  "shares",
  /** Sending campaigns. Unlike the others, it stops what was started before. */
  "sending",
  /** The form with which visitors report links. */
  "reports",
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
