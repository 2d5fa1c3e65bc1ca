import { z } from "zod";
import { customerShape } from "#lib/analytics/customers/schema";
import {
  attributeNames,
  attributeOf,
  attributeOfGrouping,
  filterOf as nameOfFilter,
  type ValueFilter,
} from "#lib/analytics/dimensions/schema";
import { agreeing, pageHint, pageSizeOf } from "#lib/basics/fields/schema";
import { namesIn } from "#lib/basics/variants/schema";
import { type Link, linkShape } from "#lib/links/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const zoneCharsMax = 64;

function isZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

const zone = z
  .string()
  .max(zoneCharsMax)
  .refine(isZone, "Use an IANA time zone, such as Europe/Berlin.")
  .default("UTC")
  .describe("IANA time zone of days, hours, and moments without an offset.");

/** Without an offset, a moment is in the requested zone. */
const moment = z
  .string()
  .max(40)
  .refine(isMoment, "Use a date, such as 2026-01-31 or 2026-01-31T12:00:00Z.")
  .optional();

const momentShape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

function isMoment(text: string): boolean {
  const [, year, month, day] = momentShape.exec(text) ?? [];
  if (year === undefined || year < "1970" || year > "2999") return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

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
type Linked<Event> = Event extends unknown ? Omit<Event, "link"> & { link: Link } : never;

/** Every row has the first four. Those that a query does not ask for are zero. */
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
  currency: z
    .string()
    .optional()
    .describe("Of saleAmount, which is in its smallest unit. Only with `Prefer: fuxi=1`."),
});
export const countedGroup = counters.extend({ previous: counters.optional() }).loose();
type CountedTotal = z.output<typeof countedTotal>;
export type AnalyticsAnswer = CountedTotal | CountedGroup[];
export type CountedGroup = z.output<typeof countedGroup>;
export type Counters = z.output<typeof counters>;

export { type FilterValues, parseFilter, writeFilter } from "./notation.ts";

export const dimensionOfGrouping = { ...attributeOfGrouping, top_domains: "domain" } as const;
export type ValueGrouping = keyof typeof dimensionOfGrouping;

export const linkGroupings = ["top_links", "top_tags", "top_folders"] as const;
export type LinkGrouping = (typeof linkGroupings)[number];

/** Leads and sales have names; clicks have none. */
export type EventGrouping = "event_names";
export type RowGrouping = ValueGrouping | LinkGrouping | EventGrouping;

export type Grouping = "count" | "timeseries" | "hours" | RowGrouping;

const valueGroupings = [
  ...namesIn(dimensionOfGrouping),
  ...linkGroupings,
  "event_names",
] satisfies Grouping[];
export const groupings = ["count", "timeseries", "hours", ...valueGroupings] as const;

/** Fields that clients made for Dub don't know. Some of these clients refuse an answer that has them. */
const ownFields: Partial<Record<Grouping, readonly string[]>> = {
  count: ["currency"],
  timeseries: ["partial"],
  top_tags: ["tagId", "name", "color"],
  top_folders: ["folderId", "name"],
};

export function withoutOwnFields(grouping: Grouping, answer: AnalyticsAnswer): AnalyticsAnswer {
  const left = ownFields[grouping];
  if (!left) return answer;
  return Array.isArray(answer) ? answer.map((row) => omit(row, left)) : omit(answer, left);
}

/** Sound because the fields of the lists above are optional or loose. */
function omit<Row extends object>(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))) as Row;
}

/** Other products use these names. */
const groupingAliases: Readonly<Record<string, Grouping>> = {
  trigger: "triggers",
  top_link_tags: "top_tags",
};

export const periodIntervals = [
  "today",
  "yesterday",
  "24h",
  "7d",
  "30d",
  "90d",
  "1y",
  "mtd",
  "qtd",
  "ytd",
  "all",
] as const;
export type PeriodInterval = (typeof periodIntervals)[number];

const filterCharsMax = 8_192;
export const filterValuesMax = 100;
const rowsMax = 1_000;
export const periodDaysMax = 3_660;
export const searchCharsMax = 100;

const filter = z.string().max(filterCharsMax).optional();
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"] });
const valuesHint = "Comma-separated; start with - to exclude the values.";
const filterOf = (description: string) => filter.describe(`${description}. ${valuesHint}`);

type AttributeFilters = Readonly<Record<ValueFilter, typeof filter>> & {
  readonly qr: z.ZodOptional<typeof flag>;
};

/** Sound because it has a filter for each attribute; for the trigger, also a flag. */
function attributeFilters(): AttributeFilters {
  const all = attributeNames.map((name) => {
    const { described, flags } = attributeOf(name);
    const flagOf = ([one, text]: [string, string]) => [one, flag.optional().describe(text)];
    return [[nameOfFilter(name), filterOf(described)], ...Object.entries(flags ?? {}).map(flagOf)];
  });
  return Object.fromEntries(all.flat());
}

const filters = {
  domain: filterOf("Domains"),
  key: z.string().max(512).optional().describe("Key of a link. Requires exactly one domain."),
  linkId: filterOf("Link ids"),
  externalId: filterOf("External ids"),
  tenantId: filterOf("Tenant ids"),
  folderId: filterOf("Folder ids"),
  tagId: filterOf("Tag ids"),
  tagIds: filter.describe("Alias of tagId."),
  campaignId: filterOf("Ids of campaigns, whose links are counted"),
  ...attributeFilters(),
  root: flag.optional().describe("true: only root links of domains. false: all other links."),
};

const period = {
  event: z
    .enum(["clicks", "leads", "sales", "composite"])
    .default("clicks")
    .describe("What is counted; composite: clicks, leads and sales together."),
  verification: z
    .enum(["verified", "unverified", "all"])
    .default("verified")
    .describe("Sales that API keys reported, those that public keys did, or both."),
  saleType: z
    .enum(["new", "recurring"])
    .optional()
    .describe("Only the first sales of customers, or only later ones."),
  eventName: filterOf("Names of leads and sales; clicks are counted with any"),
  interval: z.enum(periodIntervals).optional().describe("Period. Defaults to 24h."),
  start: moment.describe("Start of the period. Overrides interval."),
  end: moment.describe("End of the period. Defaults to now; a date is included."),
  timezone: zone,
};

export const clickFilter = z.object({ ...period, ...filters });
export type ClickFilter = z.output<typeof clickFilter>;

const grouping = z
  .string()
  .transform((name) => groupingAliases[name] ?? name)
  .pipe(z.enum(groupings));

/** Weeks start on Monday. */
export const granularities = ["hour", "day", "week", "month"] as const;
export type Granularity = (typeof granularities)[number];
/** Enough for the hours of 31 days. */
export const bucketsMax = 800;

export const analyticsQuery = clickFilter.extend({
  groupBy: grouping.default("count"),
  unique: flag.prefault("false").describe("Include daily unique visitors."),
  bots: flag.prefault("false").describe("Include bot traffic as a separate count."),
  compare: z
    .enum(["previous", "year"])
    .optional()
    .describe(
      "Include the previous period, or the same period one year earlier, for count and timeseries.",
    ),
  granularity: z
    .enum(granularities)
    .optional()
    .describe("Length of the buckets of timeseries. Defaults to one that suits the period."),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(rowsMax)
    .default(rowsMax)
    .describe("Number of rows at most, those with the most clicks."),
  search: z
    .string()
    .trim()
    .max(searchCharsMax)
    .optional()
    .describe(
      "Only rows whose value contains this text: values, domains, links by short link and title, tags and folders by name.",
    ),
});
export type AnalyticsQuery = z.output<typeof analyticsQuery>;
export const groupingsMax = 12;

export const severalQuery = analyticsQuery.extend({
  groupBy: z
    .string()
    .max(groupingsMax * 20)
    .default("count")
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(grouping).min(1).max(groupingsMax, `Use at most ${groupingsMax} groupings.`))
    .describe(
      `${groupings.join(", ")}. Several, separated by commas (up to ${groupingsMax}), return an object with one entry each.`,
    ),
});
export type SeveralQuery = z.output<typeof severalQuery>;

/** Limits page numbers. A cursor goes further, at constant cost. */
const eventsSkippedMax = 100_000;
const eventsMax = 1_000;

export const eventsQuery = clickFilter
  .extend({
    page: z.coerce.number().int().min(1).default(1).describe(pageHint),
    limit: pageSizeOf(eventsMax, 100),
    cursor: z
      .string()
      .max(100)
      .optional()
      .describe("Id of the last click on the previous page, or the `eventId` of a lead or sale."),
    customerId: z
      .string()
      .max(100)
      .optional()
      .describe("Leads or sales of this customer. Requires event=leads or event=sales."),
    sortOrder: z.enum(["asc", "desc"]).optional().describe("Defaults to desc: newest first."),
    order: z.enum(["asc", "desc"]).optional().describe("Alias of sortOrder."),
    sortBy: z.enum(["timestamp"]).default("timestamp").describe("Events are sorted by their time."),
  })
  .refine(...agreeing("sortOrder", "order"))
  .refine(({ page, limit }) => (page - 1) * limit <= eventsSkippedMax, {
    path: ["page"],
    message: `Pages only go back ${eventsSkippedMax} clicks. Use cursor to go further.`,
  })
  .refine(({ event, customerId }) => !customerId || event === "leads" || event === "sales", {
    path: ["customerId"],
    message: "Send event=leads or event=sales: clicks have no customers.",
  });
export type EventsQuery = z.output<typeof eventsQuery>;

export const exportQuery = analyticsQuery
  .omit({ groupBy: true, limit: true, compare: true, search: true })
  .extend({
    groupBy: z
      .union([z.literal("all"), grouping])
      .default("count")
      .describe("One grouping, or all: a ZIP archive of CSV files, or a sheet for each."),
    format: z
      .enum(["csv", "xlsx"], "Use csv or xlsx.")
      .default("csv")
      .describe("The format of the file."),
  });
export type ExportQuery = z.output<typeof exportQuery>;

export const exportEventsQuery = clickFilter.extend({ format: recordFormat });
export type ExportEventsQuery = z.output<typeof exportEventsQuery>;

export const dailyDays = 30;
export const dailyLinksMax = 100;
