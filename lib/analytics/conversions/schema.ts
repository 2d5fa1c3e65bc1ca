/** Calls that report leads and sales, as the `dub` package sends them. */
import { z } from "zod";
import {
  avatarCharsMax,
  customerTextCharsMax,
  externalIdCharsMax,
} from "#lib/analytics/customers/schema";
import { aliasDiffers } from "#lib/basics/fields/schema";
import { minorDigits } from "#lib/basics/formats/schema";

export const eventNameCharsMax = 255;
export const invoiceIdCharsMax = 255;
export const metadataCharsMax = 10_000;
export const quantityMax = 10_000;
/** In minor units: sums of a million sales are exact. */
export const amountMax = 9_000_000_000;
const clickIdCharsMax = 100;

const eventName = z.string().trim().min(1, "Name the event.").max(eventNameCharsMax);
const idMissing = "Send the id that the customer has in your system.";
const externalId = z
  .string()
  .min(1, idMissing)
  .max(externalIdCharsMax)
  .describe("The id that the customer has in your system.");
const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => JSON.stringify(given).length <= metadataCharsMax, {
    message: `Use at most ${metadataCharsMax} characters, as JSON.`,
  })
  .nullish()
  .describe("Stored with the event, encrypted.");

/** Earlier versions of the `dub` package send the other names. */
const externalIds = {
  customerExternalId: externalId.optional(),
  externalId: externalId.optional().describe("Earlier name of `customerExternalId`."),
  customerId: externalId.optional().describe("Earlier name of `customerExternalId`."),
};
type ExternalIds = { [Name in keyof typeof externalIds]?: string | undefined };

function distinctIds({ customerExternalId, externalId: one, customerId: other }: ExternalIds) {
  return new Set([customerExternalId, one, other].filter((id) => id !== undefined));
}

const hasOneId = ({ value, issues }: z.core.ParsePayload<ExternalIds>) => {
  const { size } = distinctIds(value);
  if (size === 1) return;
  const message = size === 0 ? idMissing : aliasDiffers("customerExternalId");
  issues.push({ code: "custom", path: ["customerExternalId"], message, input: value });
};

/** The id of the customer, by whichever name it was sent. */
export function externalIdOf(body: ExternalIds): string {
  const [id] = distinctIds(body);
  if (id === undefined) throw new Error("The schema refuses a body without an id");
  return id;
}

const customer = {
  ...externalIds,
  customerName: z.string().max(customerTextCharsMax).nullish(),
  customerEmail: z.string().max(customerTextCharsMax).nullish(),
  customerAvatar: z.string().max(avatarCharsMax).nullish(),
};

const leadModes = ["async", "wait", "deferred"] as const;

const leadObject = z.object({
  clickId: z
    .string()
    .max(clickIdCharsMax)
    .describe(
      "The value of `dub_id` in the URL that the visitor arrived at. Empty: the click that the customer was created with.",
    ),
  eventName: eventName.describe(
    "A lead is counted once per customer and name: a repeated call changes nothing.",
  ),
  ...customer,
  mode: z
    .enum(leadModes)
    .default("async")
    .describe(
      "`deferred`: only creates the customer; a later call with an empty `clickId` counts the lead. `async` and `wait` record the lead before the response, if its click is counted within 3 seconds. After that, `wait` answers 503, and the others are recorded later.",
    ),
  eventQuantity: z
    .int()
    .min(1)
    .max(quantityMax, `Use at most ${quantityMax}.`)
    .nullish()
    .describe("Counts as this many leads."),
  metadata,
});
export const trackLeadBody = leadObject.check(hasOneId);
/** As a site reports it. */
export const siteLeadBody = leadObject.omit({ mode: true }).check(hasOneId);
export type TrackLead = z.output<typeof trackLeadBody>;

const processors = [
  "stripe",
  "shopify",
  "polar",
  "paddle",
  "apple",
  "revenuecat",
  "lemonsqueezy",
  "dub",
  "custom",
] as const;

const saleObject = z.object({
  ...externalIds,
  amount: z
    .int("Send the amount in the smallest unit of its currency, such as 1580 for 15.80 USD.")
    .min(0)
    .max(amountMax, `Use at most ${amountMax}.`)
    .describe("In the smallest unit of the currency: 1580 are 15.80 USD, 1,580 JPY or 1.580 KWD."),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .refine(
      (code) => minorDigits(code) !== undefined,
      "Use a currency code of ISO 4217, such as USD.",
    )
    .default("USD")
    .describe("Of ISO 4217."),
  eventName: eventName.default("Purchase"),
  paymentProcessor: z.enum(processors).default("custom"),
  invoiceId: z
    .string()
    .trim()
    .min(1)
    .max(invoiceIdCharsMax)
    .nullish()
    .describe("A sale is counted once per invoice: a repeated call changes nothing."),
  metadata,
  leadEventName: z
    .string()
    .trim()
    .max(eventNameCharsMax)
    .nullish()
    .describe("The lead that led to the sale. Omitted: the last one of the customer."),
  clickId: z
    .string()
    .max(clickIdCharsMax)
    .nullish()
    .describe("For a customer who is not a lead yet: creates the customer and the lead too."),
  customerName: customer.customerName,
  customerEmail: customer.customerEmail,
  customerAvatar: customer.customerAvatar,
});
export const trackSaleBody = saleObject.check(hasOneId);
export type TrackSale = z.output<typeof trackSaleBody>;

const text = z.string().nullable();

const trackedLink = z.object({
  id: z.string(),
  domain: z.string(),
  key: z.string(),
  shortLink: z.string(),
  url: z.string(),
  partnerId: text,
  programId: text,
  tenantId: text,
  externalId: text,
});

export const trackedLead = z.object({
  click: z.object({ id: z.string() }),
  link: trackedLink.nullable(),
  customer: z.object({ name: text, email: text, avatar: text, externalId: text }),
});
export type TrackedLead = z.output<typeof trackedLead>;

export const trackedSale = z.object({
  eventName: z.string(),
  customer: z
    .object({ id: z.string(), name: text, email: text, avatar: text, externalId: text })
    .nullable()
    .describe("Null: no visitor with this id came through a link, so nothing was counted."),
  sale: z
    .object({
      amount: z.number(),
      currency: z.string(),
      paymentProcessor: z.string(),
      invoiceId: text,
      metadata: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
});
export type TrackedSale = z.output<typeof trackedSale>;
