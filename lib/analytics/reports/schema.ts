/** Queries about clicks, leads and sales, and the shape of their answers. */
import { z } from "zod";
import {
  attributeNames,
  attributeOf,
  attributeOfGrouping,
  filterOf as nameOfFilter,
  type ValueFilter,
} from "#lib/analytics/dimensions/schema";
import { namesIn } from "#lib/basics/variants/schema";

export {
  type AnalyticsAnswer,
  type CountedGroup,
  type Counters,
  clickEvent,
  countedGroup,
  countedTotal,
  leadEvent,
  type PresentedClick,
  type PresentedConversion,
  saleEvent,
} from "./answers.ts";

import { recordFormat } from "#lib/platform/downloads/schema";
import { moment, zone } from "./moments.ts";

export { type FilterValues, parseFilter, writeFilter } from "./notation.ts";

/** Groupings by attributes of a click, and by the domain of its link. */
export const dimensionOfGrouping = { ...attributeOfGrouping, top_domains: "domain" } as const;
export type ValueGrouping = keyof typeof dimensionOfGrouping;

/** Groupings by the link or its tags and folder. */
export const linkGroupings = ["top_links", "top_tags", "top_folders"] as const;
export type LinkGrouping = (typeof linkGroupings)[number];

/** Leads and sales by their name; clicks have none. */
export type EventGrouping = "event_names";
/** Groupings whose rows are values with their counters. */
export type RowGrouping = ValueGrouping | LinkGrouping | EventGrouping;

export type Grouping = "count" | "timeseries" | "hours" | RowGrouping;

const valueGroupings = [
  ...namesIn(dimensionOfGrouping),
  ...linkGroupings,
  "event_names",
] satisfies Grouping[];
export const groupings = ["count", "timeseries", "hours", ...valueGroupings] as const;

/** Names accepted from other products. */
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

/** One filter, with all of its values. */
const filterCharsMax = 8_192;
/** Per filter. */
export const filterValuesMax = 100;
/** Rows of an answer: the values with the most clicks. Exports contain all of them. */
const rowsMax = 1_000;
/** From the start of a period to its end. */
export const periodDaysMax = 3_660;
export const searchCharsMax = 100;

const filter = z.string().max(filterCharsMax).optional();
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"] });
const valuesHint = "Comma-separated; start with - to exclude the values.";
const filterOf = (description: string) => filter.describe(`${description}. ${valuesHint}`);

type AttributeFilters = Readonly<Record<ValueFilter, typeof filter>> & {
  readonly qr: z.ZodOptional<typeof flag>;
};

/** Sound because it has a filter for each attribute; of the trigger, also as a flag. */
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

/** The fields that queries and lists of clicks share. */
export const clickFilter = z.object({ ...period, ...filters });
export type ClickFilter = z.output<typeof clickFilter>;

const grouping = z
  .string()
  .transform((name) => groupingAliases[name] ?? name)
  .pipe(z.enum(groupings));

/** Weeks start on Monday. */
export const granularities = ["hour", "day", "week", "month"] as const;
export type Granularity = (typeof granularities)[number];
/** Buckets of a requested length in one series: 31 days of hours fit. */
export const bucketsMax = 800;

export const analyticsQuery = clickFilter.extend({
  groupBy: grouping.default("count"),
  unique: flag.default(false).describe("Include daily unique visitors."),
  bots: flag.default(false).describe("Include bot traffic as a separate count."),
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
  limit: z.coerce.number().int().min(1).max(rowsMax).default(rowsMax),
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
/** Per call. */
export const groupingsMax = 12;

/** One query about the same clicks in several groupings. */
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

/** Clicks skipped by page number: a cursor reaches further, at constant cost. */
const eventsSkippedMax = 100_000;
/** Rows of a page. */
const eventsMax = 1_000;

export const eventsQuery = clickFilter
  .extend({
    page: z.coerce.number().int().min(1).default(1),
    limit: z.coerce.number().int().min(1).max(eventsMax).default(100),
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
    sortOrder: z.enum(["asc", "desc"]).optional(),
    order: z.enum(["asc", "desc"]).optional().describe("Alias of sortOrder."),
    sortBy: z.enum(["timestamp"]).default("timestamp"),
  })
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
    format: z.enum(["csv", "xlsx"], "Use csv or xlsx.").default("csv"),
  });
export type ExportQuery = z.output<typeof exportQuery>;

export const exportEventsQuery = clickFilter.extend({
  format: recordFormat,
});
export type ExportEventsQuery = z.output<typeof exportEventsQuery>;

/** Days and links of the sparklines of a list. */
export const dailyDays = 30;
export const dailyLinksMax = 100;
