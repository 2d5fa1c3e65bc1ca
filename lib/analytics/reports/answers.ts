/** The shape of answers: counters, rows and single clicks. */
import { z } from "zod";
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

/** Leads and sales are part of every row, and always zero: they are not counted. */
const countersShape = {
  clicks: z.number(),
  leads: z.number(),
  sales: z.number(),
  saleAmount: z.number(),
  visitors: z.number().optional(),
  bots: z.number().optional(),
};
const counters = z.object(countersShape);

export const countedTotal = counters.extend({ previous: counters.optional() });
/** The fields that name the value depend on the grouping. */
export const countedGroup = counters.extend({ previous: counters.optional() }).loose();
type CountedTotal = z.output<typeof countedTotal>;
export type AnalyticsAnswer = CountedTotal | CountedGroup[];
export type CountedGroup = z.output<typeof countedGroup>;
export type Counters = z.output<typeof counters>;
