/**
 * The analytics query in the URL: a period, filters, and display options. The filters have the names and the notation
 * of the API, so the page and a program send the same query.
 */

import { type FilterValues, parseFilter, writeFilter } from "#lib/analytics/reports/schema";

export const intervals = ["24h", "7d", "30d", "90d", "mtd", "qtd", "ytd", "1y", "all"] as const;
export type IntervalName = (typeof intervals)[number];
const defaultInterval: IntervalName = "30d";

export const filterNames = [
  "linkId",
  "domain",
  "tagId",
  "folderId",
  "url",
  "continent",
  "country",
  "region",
  "city",
  "referer",
  "refererUrl",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "device",
  "browser",
  "os",
  "language",
  "trigger",
] as const;
export type FilterName = (typeof filterNames)[number];

export interface BoardFilter extends Readonly<FilterValues> {
  name: FilterName;
}

/** Either a named period or two days of the workspace's zone, both included. */
export type BoardPeriod = { interval: IntervalName } | { start: string; end: string };

export interface BoardQuery {
  period: BoardPeriod;
  filters: readonly BoardFilter[];
  /** With the previous period. */
  compare: boolean;
  /** Including automated traffic. */
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

/** Parses the query of a URL. Invalid parts are ignored. */
export function parseBoardQuery(params: URLSearchParams): BoardQuery {
  return {
    period: readPeriod(params),
    filters: filterNames.flatMap((name) => readFilter(name, params.get(name))),
    compare: params.get("compare") !== "off",
    bots: params.get("bots") === "on",
  };
}

/** The same URL with another query. Other parameters, such as open tabs, are kept. */
export function writeBoardQuery(params: URLSearchParams, query: BoardQuery): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ["interval", "start", "end", "compare", "bots", ...filterNames]) {
    next.delete(name);
  }
  const { period } = query;
  if ("start" in period) {
    next.set("start", period.start);
    next.set("end", period.end);
  } else if (period.interval !== defaultInterval) next.set("interval", period.interval);
  for (const filter of query.filters) next.set(filter.name, writeFilter(filter));
  if (!query.compare) next.set("compare", "off");
  if (query.bots) next.set("bots", "on");
  return next;
}

/** The query in the form of the API, without display options. */
export function apiQueryOf(query: BoardQuery, zone: string): URLSearchParams {
  const { period } = query;
  return new URLSearchParams({
    ...("start" in period ? period : { interval: period.interval }),
    timezone: zone,
    ...Object.fromEntries(query.filters.map((filter) => [filter.name, writeFilter(filter)])),
  });
}

/** Adds a value to the filters, or removes it; a filter without values is removed. */
export function toggleValue(
  filters: readonly BoardFilter[],
  name: FilterName,
  value: string,
): readonly BoardFilter[] {
  const before = filters.find((one) => one.name === name);
  // A click on a visible value selects it: it ends an exclusion, which would hide it.
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

const intervalDays: Readonly<Record<string, number>> = {
  "24h": 1,
  "7d": 7,
  "30d": 30,
  "90d": 90,
  "1y": 366,
};

/** The named periods within this many days. */
export function intervalsWithin(daysMax: number | null): readonly IntervalName[] {
  if (daysMax === null) return intervals;
  return intervals.filter(
    (name) => (intervalDays[name] ?? Number.POSITIVE_INFINITY) <= daysMax + 1,
  );
}

/** A query within the limit: a shorter period where needed, and no comparison, which always exceeds it. */
export function withinDays(query: BoardQuery, daysMax: number | null): BoardQuery {
  if (daysMax === null) return query;
  const { period } = query;
  const [day = "24h", ...longer] = intervalsWithin(daysMax);
  const inside = "start" in period || intervalsWithin(daysMax).includes(period.interval);
  const widest = longer.findLast((name) => name !== "1y") ?? day;
  return { ...query, compare: false, period: inside ? period : { interval: widest } };
}
