import { z } from "zod";
import { moment, webOrAppUrl, webUrl } from "#lib/basics/fields/schema";
import { geoTargets, rules, testVariants } from "#lib/links/link-cache/schema";
import { appNames } from "#lib/platform/request-info/schema";

const agentCharsMax = 512;
const textCharsMax = 200;

/** The conditions of a rule, in the order of evaluation. */
export const conditionNames = [
  "device",
  "os",
  "browser",
  "app",
  "language",
  "country",
  "region",
  "city",
  "time",
] as const;
export type ConditionName = (typeof conditionNames)[number];

/** Why a destination is chosen: the first of these that applies. */
export const choiceReasons = ["rule", "ios", "android", "geo", "test", "url"] as const;
export type ChoiceReason = (typeof choiceReasons)[number];

export const tryBody = z.strictObject({
  link: z
    .strictObject({
      url: webUrl,
      rules: rules.nullish(),
      ios: webOrAppUrl.nullish(),
      android: webOrAppUrl.nullish(),
      geo: geoTargets.nullish(),
      testVariants: testVariants.nullish(),
      testStartedAt: moment.nullish(),
      testCompletedAt: moment.nullish(),
    })
    .describe(
      "The fields of a link that determine the destination. The link doesn’t have to exist.",
    ),
  visitor: z
    .strictObject({
      userAgent: z
        .string()
        .max(agentCharsMax)
        .default("")
        .describe("User agent of the visitor, used for device, OS and browser."),
      language: z
        .string()
        .max(textCharsMax)
        .default("")
        .describe("Value of the `Accept-Language` header."),
      country: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, "Use an ISO 3166-1 country code, such as DE.")
        .nullish(),
      region: z
        .string()
        .trim()
        .max(textCharsMax)
        .nullish()
        .describe("ISO 3166-2 region code, such as US-CA."),
      city: z.string().trim().max(textCharsMax).nullish(),
      at: moment.optional().describe("Time of the visit. Defaults to now."),
    })
    .describe("The visitor. Omitted fields count as unknown."),
});
export type TryBody = z.output<typeof tryBody>;

export const tryResultShape = z.object({
  /** Null: a variant of an A/B test is drawn. */
  url: z.string().nullable(),
  reason: z.enum(choiceReasons),
  /** Index of the rule that decides. */
  rule: z.number().nullable(),
  rules: z.array(z.object({ holds: z.boolean(), failed: z.array(z.enum(conditionNames)) })),
  variants: testVariants.nullable(),
  visitor: z.object({
    device: z.string().nullable(),
    os: z.string().nullable(),
    browser: z.string().nullable(),
    app: z.enum(appNames).nullable(),
  }),
});
export type TryResult = z.output<typeof tryResultShape>;
