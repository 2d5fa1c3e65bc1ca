import { z } from "zod";
import { moment } from "#lib/basics/fields/schema";
import { mapTable } from "#lib/basics/variants/schema";
import { planNames } from "#lib/platform/config/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { quotaLabels } from "#lib/tenancy/plans/schema";

export const planSources = ["default", "operator", "manual", "prepaid", "trial", "stripe"] as const;
export type PlanSource = (typeof planSources)[number];

export const trialDays = 10;

const limitMax = 2_147_483_647;
const numberCharsMax = 100;

const limit = z.int().min(0).max(limitMax).nullable();

const ownLimits = z.strictObject({
  ...mapTable(quotaLabels, () => limit.optional()),
  callsPerMinute: z.int().min(1).max(limitMax).nullable().optional(),
  clicksKeptDays: z.int().min(1).max(limitMax).nullable().optional(),
});

const invoice = z.strictObject({
  number: z.string().trim().min(1).max(numberCharsMax),
  amount: z.string().regex(/^\d{1,9}(\.\d{1,2})?$/, "Use an amount such as 120 or 99.50."),
  currency: z.string().regex(/^[A-Z]{3}$/, "Use a currency such as EUR."),
});

export const setPlanBody = z
  .strictObject({
    plan: z.enum(planNames),
    limits: ownLimits
      .nullish()
      .describe(
        "Limits that replace those of the plan. A limit of null is unlimited. Null: the limits of the plan.",
      ),
    endsAt: moment.nullish().describe("The workspace changes to the Free plan then. Null: no end."),
    reason: reasonField.describe("For the audit log."),
    invoice: invoice
      .nullish()
      .describe("A paid invoice. The plan is then paid until `endsAt`, which is required."),
  })
  .refine(({ invoice: paid, endsAt }) => !paid || Boolean(endsAt), {
    path: ["endsAt"],
    message: "Enter until when the invoice is paid.",
  });
export type SetPlan = z.output<typeof setPlanBody>;

export const planStateShape = z.object({
  plan: z.enum(planNames),
  limits: ownLimits.nullable(),
  source: z.enum(planSources),
  endsAt: z.string().nullable(),
  trialAt: z.string().nullable(),
});
export type PlanState = z.output<typeof planStateShape>;
