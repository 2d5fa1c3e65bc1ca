/** The shape of answers: counters, rows and single clicks. */
import { z } from "zod";
import { customerShape } from "#lib/analytics/customers/schema";
import { type Link, linkShape } from "#lib/links/fields/schema";

const locationShape = {
  url: z.string(),
  country: z.string(),
  city: z.string(),
  continent: z.string(),
  device: z.string(),
  browser: z.string(),
  os: z.string(),
  ip: z.string(),
};

export const clickEvent = z.object({
  event: z.literal("click"),
  timestamp: z.string(),
  click: z.object({
    id: z.string(),
    timestamp: z.string(),
    ...locationShape,
    region: z.string(),
    ua: z.string().nullable(),
    trigger: z.enum(["link", "qr"]),
    referer: z.string(),
    refererUrl: z.string(),
    qr: z.boolean(),
  }),
  link: linkShape,
  click_id: z.string(),
  link_id: z.string(),
  domain: z.string(),
  key: z.string(),
  ...locationShape,
  qr: z.number(),
});
export type PresentedClick = Omit<z.output<typeof clickEvent>, "link"> & { link: Link };

const conversionShape = {
  timestamp: z.string(),
  eventId: z.string(),
  eventName: z.string(),
  verified: z.boolean().describe("False: a public key reported it."),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  click: clickEvent.shape.click.describe("What is known about the click that led to it."),
  link: linkShape,
  customer: customerShape,
  click_id: z.string(),
  link_id: z.string(),
  domain: z.string(),
  key: z.string(),
  ...locationShape,
  qr: z.number(),
};

export const leadEvent = z.object({
  event: z.literal("lead"),
  ...conversionShape,
  quantity: z.number(),
});
export const saleEvent = z.object({
  event: z.literal("sale"),
  ...conversionShape,
  sale: z.object({
    amount: z.number().describe("In the currency of the instance."),
    currency: z.string(),
    invoiceId: z.string().nullable(),
    paymentProcessor: z.string(),
    givenAmount: z.number().describe("As it was reported."),
    givenCurrency: z.string(),
  }),
  saleAmount: z.number(),
  invoice_id: z.string(),
  payment_processor: z.string(),
});
export type PresentedConversion = Linked<z.output<typeof leadEvent> | z.output<typeof saleEvent>>;
/** Links are presented with more than the shape that is validated. */
type Linked<Event> = Event extends unknown ? Omit<Event, "link"> & { link: Link } : never;

/** All four are part of every row; those that a query does not ask for are zero. */
const countersShape = {
  clicks: z.number(),
  leads: z.number(),
  sales: z.number(),
  saleAmount: z.number(),
  visitors: z.number().optional(),
  bots: z.number().optional(),
};
const counters = z.object(countersShape);

export const countedTotal = counters.extend({
  previous: counters.optional(),
  currency: z.string().optional().describe("Of saleAmount, which is in its smallest unit."),
});
/** The fields that name the value depend on the grouping. */
export const countedGroup = counters.extend({ previous: counters.optional() }).loose();
type CountedTotal = z.output<typeof countedTotal>;
export type AnalyticsAnswer = CountedTotal | CountedGroup[];
export type CountedGroup = z.output<typeof countedGroup>;
export type Counters = z.output<typeof counters>;
