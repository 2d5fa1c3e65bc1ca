/** Limits queries of a share to its subject, its period, and the fields of its cards. */

import {
  attributeNames,
  attributesOfCard,
  fieldsOf,
  filterOf,
  tabGroupingOf,
} from "#lib/analytics/dimensions/schema";
import { dayMs } from "#lib/basics/time/schema";
import { type Cell, csvLine, utf8Mark } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import type { ShareKind, SharePart } from "./schema.ts";

const groupingsOf: Record<SharePart, readonly string[]> = {
  figures: ["count", "triggers"],
  series: ["timeseries"],
  top: ["top_links", "top_urls", "top_domains", "top_tags", "top_folders"],
  sources: attributesOfCard.sources.map(tabGroupingOf),
  places: attributesOfCard.places.map(tabGroupingOf),
  devices: attributesOfCard.devices.map(tabGroupingOf),
  hours: ["hours"],
  conversions: ["count", "event_names"],
};

const filtersOf: Record<SharePart, readonly string[]> = {
  figures: [],
  series: [],
  top: ["linkId", "url", "domain", "tagId", "folderId"],
  sources: attributesOfCard.sources.map((name) => filterOf(name)),
  places: attributesOfCard.places.map((name) => filterOf(name)),
  devices: attributesOfCard.devices.map((name) => filterOf(name)),
  hours: [],
  conversions: ["eventName"],
};

/** Groupings and filters that reveal more than the shared subject. */
const outsideOf: Record<ShareKind, readonly string[]> = {
  workspace: [],
  link: ["top_links", "top_domains", "top_tags", "top_folders"],
  folder: ["top_tags", "top_folders"],
  tag: ["top_tags", "top_folders"],
};

const subjectFilter = { link: "linkId", folder: "folderId", tag: "tagId" } as const;

const plainParameters = [
  "start",
  "end",
  "interval",
  "timezone",
  "unique",
  "bots",
  "compare",
  "granularity",
  "search",
  "event",
  "limit",
];
const intervalDays: Readonly<Record<string, number>> = {
  today: 1,
  yesterday: 2,
  "24h": 1,
  "7d": 7,
  "30d": 30,
  "90d": 90,
  "1y": 366,
};

export interface ShareLimits {
  kind: ShareKind;
  subjectId: string | undefined;
  parts: readonly SharePart[];
  daysMax: number | null;
}

export function shownGroupings({ kind, parts }: ShareLimits): string[] {
  const shown = parts.flatMap((part) => groupingsOf[part]);
  return [...new Set(shown)].filter((name) => !outsideOf[kind].includes(name));
}

export function restrictQuery(
  query: URLSearchParams,
  limits: ShareLimits,
  now: number,
): URLSearchParams {
  const groupBy = query.get("groupBy") ?? "count";
  const groupings = shownGroupings(limits);
  if (!groupBy.split(",").every((name) => groupings.includes(name))) throw outsideShare();
  // defence: share-searches-no-titles
  assertSearchable(query, groupBy);
  const filters = limits.parts
    .flatMap((part) => filtersOf[part])
    .filter((name) => limits.kind === "workspace" || !outsideFilter(limits.kind).includes(name));
  const restricted = new URLSearchParams({ groupBy });
  for (const [name, value] of query) {
    if (name === "groupBy") continue;
    if (!plainParameters.includes(name) && !filters.includes(name)) throw outsideShare();
    if (restricted.has(name) || value.includes("\0")) throw outsideShare();
    restricted.set(name, value);
  }
  assertEvent(restricted, limits);
  assertPeriod(restricted, limits.daysMax, now);
  if (limits.kind !== "workspace")
    restricted.set(subjectFilter[limits.kind], String(limits.subjectId));
  return restricted;
}

function assertEvent(restricted: URLSearchParams, { parts }: ShareLimits): void {
  const isConverted = (restricted.get("event") ?? "clicks") !== "clicks";
  // defence: share-sales
  if (isConverted && !parts.includes("conversions")) throw outsideShare();
}

/** Titles of links are not shown, so a search must not reveal them. */
function assertSearchable(query: URLSearchParams, groupBy: string): void {
  if (query.has("search") && groupBy.split(",").includes("top_links")) throw outsideShare();
}

/** Filters by the subject itself, and filters that reveal other groups of its links. */
function outsideFilter(kind: Exclude<ShareKind, "workspace">): readonly string[] {
  return kind === "link" ? ["linkId", "domain", "tagId", "folderId"] : ["tagId", "folderId"];
}

/** Throws for a period that starts before the share's limit, and for a comparison, because it starts even earlier. */
function assertPeriod(restricted: URLSearchParams, daysMax: number | null, now: number): void {
  if (daysMax === null) return;
  const start = restricted.get("start");
  // Only one notation is allowed, because one of two could hide the other.
  const one = start === null ? !restricted.has("end") : !restricted.has("interval");
  if (start === null && !restricted.has("interval")) restricted.set("interval", "24h");
  const interval = restricted.get("interval") ?? "";
  const days = start === null ? daysSince(interval, now) : (now - Date.parse(start)) / dayMs;
  // A day of the workspace's zone may start earlier than in UTC.
  const inside = one && days <= daysMax + 1 && !restricted.has("compare");
  if (!inside) throw outsideShare();
}

function daysSince(interval: string, now: number): number {
  const date = new Date(now);
  const month = date.getUTCMonth();
  const begins: Readonly<Record<string, number>> = { mtd: month, qtd: month - (month % 3), ytd: 0 };
  const begin = begins[interval];
  if (begin === undefined) return intervalDays[interval] ?? Number.POSITIVE_INFINITY;
  return (now - Date.UTC(date.getUTCFullYear(), begin, 1)) / dayMs;
}

function outsideShare(): AppError {
  return new AppError("forbidden", "This share link doesn’t include these stats.");
}

const counters = ["clicks", "visitors", "bots", "previous"];
const conversionCounters = ["leads", "sales", "saleAmount", "currency"];
const shownFields: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(attributeNames.map((name) => [tabGroupingOf(name), fieldsOf(name)])),
  timeseries: ["start"],
  hours: ["weekday", "hour"],
  top_links: ["id", "shortLink"],
  top_domains: ["domain"],
  top_tags: ["tagId", "name"],
  top_folders: ["folderId", "name"],
  event_names: ["eventName"],
};

export function keepShownFields(groupBy: string, answer: unknown, event = "clicks"): unknown {
  const counted = event === "clicks" ? counters : [...counters, ...conversionCounters];
  const names = [...counted, ...(shownFields[groupBy] ?? [])];
  const pick = (row: unknown) =>
    Object.fromEntries(Object.entries(Object(row)).filter(([name]) => names.includes(name)));
  return Array.isArray(answer) ? answer.map(pick) : pick(answer);
}

export function tableOf(groupBy: string, rows: readonly unknown[]): string {
  const fields = [...(shownFields[groupBy] ?? []), ...counters, ...conversionCounters].filter(
    (name) => rows.some((row) => Object(row)[name] !== undefined),
  );
  const lines = rows.map((row) => fields.map((name): Cell => cellOf(Object(row)[name])));
  return utf8Mark + [fields, ...lines].map(csvLine).join("");
}

function cellOf(value: unknown): Cell {
  return typeof value === "number" || typeof value === "string" ? value : "";
}
