/**
 * The analytics query in the URL: a period, filters, and display options. The filters have the names and the notation
 * of the API, so the page and a program send the same query.
 */

import { attributesOfCard, filterOf } from "#lib/analytics/dimensions/schema";
import {
  type FilterValues,
  type Granularity,
  granularities,
  parseFilter,
  writeFilter,
} from "#lib/analytics/reports/schema";
import { dayMs } from "#lib/basics/time/schema";

export const intervals = [
  ...(["today", "yesterday", "24h", "7d", "30d", "90d"] as const),
  ...(["mtd", "qtd", "ytd", "1y", "all"] as const),
] as const;
export type IntervalName = (typeof intervals)[number];
const defaultInterval: IntervalName = "30d";

const cards = ["top", "places", "sources", "devices"] as const;
export const filterNames = [
  ...(["linkId", "domain", "tagId", "folderId"] as const),
  ...cards.flatMap((card) => attributesOfCard[card].map((name) => filterOf(name))),
  "eventName",
] as const;
export type FilterName = (typeof filterNames)[number];

export interface BoardFilter extends Readonly<FilterValues> {
  name: FilterName;
}

export type BoardPeriod = { interval: IntervalName } | { start: string; end: string };

export const comparisons = ["previous", "year", "off"] as const;
export type Comparison = (typeof comparisons)[number];

export interface BoardQuery {
  period: BoardPeriod;
  filters: readonly BoardFilter[];
  compare: Comparison;
  /** Length of the chart’s buckets. Undefined: a length that suits the period. */
  granularity: Granularity | undefined;
  /** Undefined: the time zone of the workspace. */
  zone: string | undefined;
  bots: boolean;
}

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

function readPeriod(params: URLSearchParams): BoardPeriod {
  const start = params.get("start") ?? "";
  const end = params.get("end") ?? "";
  if (day.test(start) && day.test(end) && start <= end) return { start, end };
  const query = params.get("interval");
  return { interval: intervals.find((one) => one === query) ?? defaultInterval };
}

function readFilter(name: FilterName, text: string | null): BoardFilter[] {
  const values = parseFilter(name, text ?? undefined);
  return values ? [{ name, ...values }] : [];
}

function readZone(name: string | null): string | undefined {
  try {
    // Names of zones start with a letter. Offsets are not accepted.
    if (name === null || !/^[A-Za-z]/.test(name)) return undefined;
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined; // RangeError: unknown zone
  }
}

/** Parses the query of a URL. Invalid parts are ignored. */
export function parseBoardQuery(params: URLSearchParams): BoardQuery {
  return {
    period: readPeriod(params),
    filters: filterNames.flatMap((name) => readFilter(name, params.get(name))),
    compare: comparisons.find((one) => one === params.get("compare")) ?? "previous",
    granularity: granularities.find((one) => one === params.get("granularity")),
    zone: readZone(params.get("timezone")),
    bots: params.get("bots") === "on",
  };
}

const parameterNames = [
  ...["interval", "start", "end", "compare", "granularity", "timezone", "bots"],
];

/** The same URL with another query. Other parameters, such as open tabs, are kept. */
export function writeBoardQuery(params: URLSearchParams, query: BoardQuery): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of [...parameterNames, ...filterNames]) next.delete(name);
  const { period } = query;
  if ("start" in period) {
    next.set("start", period.start);
    next.set("end", period.end);
  } else if (period.interval !== defaultInterval) next.set("interval", period.interval);
  for (const filter of query.filters) next.set(filter.name, writeFilter(filter));
  if (query.compare !== "previous") next.set("compare", query.compare);
  if (query.granularity) next.set("granularity", query.granularity);
  if (query.zone) next.set("timezone", query.zone);
  if (query.bots) next.set("bots", "on");
  return next;
}

/** The query as the API takes it, without display options. */
export function apiQueryOf(query: BoardQuery, zone: string): URLSearchParams {
  const { period } = query;
  return new URLSearchParams({
    ...("start" in period ? period : { interval: period.interval }),
    timezone: zone,
    ...Object.fromEntries(query.filters.map((filter) => [filter.name, writeFilter(filter)])),
  });
}

/** Rows per card, enough for all countries. */
export const pageRows = 250;

export interface BoardSubject {
  about: Readonly<Partial<Record<FilterName, string>>>;
  zone: string;
}

export function groupingQuery(
  boardQuery: BoardQuery,
  { about, zone }: BoardSubject,
  groupBy: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = apiQueryOf(boardQuery, zone);
  const base = { ...about, unique: "true", limit: String(pageRows) };
  const bots = boardQuery.bots ? { bots: "true" } : {};
  // Sent even where nothing is compared, because equal queries are batched.
  const compare = boardQuery.compare === "off" ? {} : { compare: boardQuery.compare };
  for (const [name, one] of Object.entries({ ...base, ...bots, ...compare, ...more })) {
    query.set(name, one);
  }
  query.set("groupBy", groupBy);
  return query.toString();
}

/** Adds a value to the filters, or removes it; a filter without values is removed. */
export function toggleValue(
  filters: readonly BoardFilter[],
  name: FilterName,
  value: string,
): readonly BoardFilter[] {
  const before = filters.find((one) => one.name === name);
  // A click on a visible value selects it. That ends an exclusion of other values, which would hide it.
  if (!before || before.excluded)
    return replaceFilter(filters, { name, excluded: false, values: [value] });
  const values = before.values.includes(value)
    ? before.values.filter((one) => one !== value)
    : [...before.values, value];
  return replaceFilter(filters, { ...before, values });
}

/** Replaces the filter of the same name; one without values is removed. */
export function replaceFilter(
  filters: readonly BoardFilter[],
  filter: BoardFilter,
): readonly BoardFilter[] {
  const others = filters.filter((one) => one.name !== filter.name);
  return filter.values.length > 0 ? [...others, filter] : others;
}

const intervalDays: Readonly<Record<IntervalName, number>> = {
  today: 1,
  yesterday: 2,
  "24h": 1,
  "7d": 7,
  "30d": 30,
  "90d": 90,
  mtd: 31,
  qtd: 92,
  ytd: 366,
  "1y": 366,
  all: Number.POSITIVE_INFINITY,
};
/** Periods of varying length. Not offered if the plan or share has a limit. */
const calendarIntervals: readonly IntervalName[] = ["mtd", "qtd", "ytd"];

export function intervalsWithin(daysMax: number | null): readonly IntervalName[] {
  if (daysMax === null) return intervals;
  return intervals.filter(
    (name) => !calendarIntervals.includes(name) && intervalDays[name] <= daysMax + 1,
  );
}

/** A query within the limit: a shorter period if needed, and no comparison, which always exceeds the limit. */
export function withinDays(query: BoardQuery, daysMax: number | null): BoardQuery {
  if (daysMax === null) return query;
  const { period } = query;
  const within = intervalsWithin(daysMax);
  const inside = "start" in period || within.includes(period.interval);
  const widest = within.findLast((name) => name !== "1y") ?? "24h";
  return { ...query, compare: "off", period: inside ? period : { interval: widest } };
}

/** How many days a period needs for buckets of each length: enough for more than one, but not too many. */
const usefulDays: Readonly<Record<Granularity, { min: number; max: number }>> = {
  hour: { min: 0, max: 31 },
  day: { min: 1.5, max: 366 },
  week: { min: 14, max: Number.POSITIVE_INFINITY },
  month: { min: 60, max: Number.POSITIVE_INFINITY },
};
/** Older clicks are stored by day. */
const hoursKeptDays = 92;

/** The chosen length of buckets, if it suits the period. A URL may contain one that doesn’t. */
export function granularityOf(query: BoardQuery, now: number): Granularity | undefined {
  return granularitiesFor(query.period, now).find((one) => one === query.granularity);
}

export function granularitiesFor(period: BoardPeriod, now: number): readonly Granularity[] {
  const named = "interval" in period;
  const days = named
    ? intervalDays[period.interval]
    : (Date.parse(period.end) - Date.parse(period.start)) / dayMs + 1;
  const age = named ? days : (now - Date.parse(period.start)) / dayMs;
  return granularities.filter((one) => {
    const { min, max } = usefulDays[one];
    return days >= min && days <= max && (one !== "hour" || age < hoursKeptDays);
  });
}
