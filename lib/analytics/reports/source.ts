/**
 * Chooses the cheapest source that has all requested data. Stored values of one dimension (of the
 * workspace or one busy link) and totals of each link have as many rows as there are buckets and
 * values; everything that crosses dimensions reads raw clicks, as far back as they are kept.
 */

import type { Dimension } from "#lib/analytics/dimensions/schema";
import { coverOf, type Range, type ValuesSince } from "#lib/analytics/period-cover";
import { slotsKeptDays, wholeWorkspace } from "#lib/analytics/rollups";
import { slotMs, slotOf } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import type { Conditions, LinkCondition, ValueCondition } from "./filters.ts";
import type { BucketUnit, Period } from "./period.ts";
import { findValuesSince } from "./store.ts";

export type GroupKey =
  | { by: "nothing" }
  | { by: "bucket"; unit: BucketUnit; zone: string }
  | { by: "hour"; zone: string }
  /** `base`: URLs without query parameters and fragment. */
  | { by: "dimension"; dimension: Dimension; base?: true }
  | { by: "link" | "tag" | "folder" }
  | { by: "event" };

export interface ClickSelection extends Conditions {
  workspacePk: number;
  ownZone: string;
  key: GroupKey;
}

export type ClickSource =
  | {
      from: "values";
      dimension: Dimension | "total";
      linkPk: number;
      valuesSince: ValuesSince | undefined;
    }
  | { from: "links"; links: LinkCondition[] }
  | { from: "raw" };

export function singleLinkOf({ links }: Conditions): number | undefined {
  const [condition] = links;
  const one = links.length === 1 && condition?.by === "pk" && !condition.excluded;
  const [pk] = condition?.values ?? [];
  return one && condition.values.length === 1 && typeof pk === "number" ? pk : undefined;
}

export async function sourceOf(selection: ClickSelection): Promise<ClickSource> {
  const { key, values, links } = selection;
  if (key.by === "event") return { from: "raw" };
  const byLinks = key.by === "link" || key.by === "tag" || key.by === "folder";
  if (byLinks) return sourceOfLinks(values, links);
  const dimensions = new Set(values.map(({ dimension }) => dimension));
  if (key.by === "dimension") dimensions.add(key.dimension);
  if (dimensions.size > 1) return { from: "raw" };
  const [dimension = "total"] = dimensions;
  if (links.length === 0) {
    return { from: "values", dimension, linkPk: wholeWorkspace, valuesSince: undefined };
  }
  // Totals are stored for all links, but without the hours of days.
  if (dimension === "total" && key.by !== "hour") return { from: "links", links };
  const linkPk = singleLinkOf(selection);
  const valuesSince =
    linkPk === undefined ? undefined : await findValuesSince(selection.workspacePk, linkPk);
  if (linkPk !== undefined && valuesSince)
    return { from: "values", dimension, linkPk, valuesSince };
  return dimension === "total" ? { from: "links", links } : { from: "raw" };
}

/** Filters by domain are applied to links, so that they need no raw clicks. */
function sourceOfLinks(values: readonly ValueCondition[], links: LinkCondition[]): ClickSource {
  const domains = values.filter(({ dimension }) => dimension === "domain");
  if (domains.length < values.length) return { from: "raw" };
  const onDomains = domains.map((condition): LinkCondition => ({ ...condition, by: "domain" }));
  return { from: "links", links: [...links, ...onDomains] };
}

export interface Ranges {
  months: readonly Range[];
  days: readonly Range[];
  slots: readonly Range[];
  raw: readonly Range[];
}

export interface Parts extends Ranges {
  usedZone: string | undefined;
}

export async function partsOf(
  selection: ClickSelection,
  source: ClickSource,
  period: Period,
): Promise<Parts> {
  const { key, workspacePk, ownZone } = selection;
  if (source.from === "raw") return onlyRaw(period);
  const aligned = await alignToDays(workspacePk, period);
  const { from, until } = aligned;
  const [begin, end] = [Math.ceil(from / slotMs) * slotMs, slotOf(until)];
  if (begin >= end) return onlyRaw(period);
  const cover = await coverOf({
    workspacePk,
    from: begin,
    until: end,
    byMonths: monthsFit(key, ownZone),
    byDays: daysFit(key, source, ownZone),
    ...(source.from === "values" && source.valuesSince !== undefined
      ? { valuesSince: source.valuesSince }
      : {}),
  });
  // Partial slots are counted from their clicks.
  const edges = [
    { from, until: begin },
    { from: end, until },
  ].filter((range) => range.from < range.until);
  // Days store hours for totals only.
  const needsHours = key.by === "hour" && !isTotal(source);
  const days = needsHours ? [] : cover.days;
  const { months, slots } = cover;
  const raw = [...cover.raw, ...edges, ...(needsHours ? cover.days : [])];
  const zone =
    key.by === "bucket" || key.by === "hour"
      ? await differentZone(workspacePk, key.zone, [...months, ...days])
      : undefined;
  return { months, days, slots, raw, usedZone: zone ?? aligned.zone };
}

function onlyRaw({ from, until }: Period): Parts {
  return { months: [], days: [], slots: [], raw: [{ from, until }], usedZone: undefined };
}

function isTotal(source: ClickSource): boolean {
  return source.from === "values" && source.dimension === "total";
}

function monthsFit(key: GroupKey, ownZone: string): boolean {
  if (key.by === "bucket") return key.unit === "month" && key.zone === ownZone;
  return key.by !== "hour";
}

function daysFit(key: GroupKey, source: ClickSource, ownZone: string): boolean {
  if (key.by === "bucket") return key.unit !== "hour" && key.zone === ownZone;
  if (key.by === "hour") return key.zone === ownZone && isTotal(source);
  return true;
}

interface AlignedPeriod extends Period {
  zone: string | undefined;
}

/** Where slots were dropped, moves bounds to the closest whole day. */
async function alignToDays(workspacePk: number, { from, until }: Period): Promise<AlignedPeriod> {
  const oldest = Date.now() - slotsKeptDays * dayMs;
  if (from >= oldest) return { from, until, zone: undefined };
  const bounds = [from, ...(until < oldest ? [until] : [])].map((ms) => new Date(ms));
  // Answered by rolled_day_pkey.
  const rows = await query<{ bound: Date; start: Date; until: Date; zone: string }>(sql`
    SELECT bound, day.start, day.until, day.zone
    FROM unnest(${bounds}::timestamptz[]) AS bound
    CROSS JOIN LATERAL (
      SELECT start, until, zone
      FROM analytics.rolled_day
      WHERE workspace_pk = ${workspacePk}
        AND start < bound
      ORDER BY start DESC
      LIMIT 1
    ) AS day
    WHERE day.until > bound`);
  const align = (bound: number): number => {
    const day = rows.find((row) => row.bound.getTime() === bound);
    if (!day) return bound;
    const [start, end] = [day.start.getTime(), day.until.getTime()];
    return bound - start <= end - bound ? start : end;
  };
  const zone = rows[0]?.zone;
  return { from: align(from), until: until < oldest ? align(until) : until, zone };
}

async function differentZone(
  workspacePk: number,
  zone: string,
  days: readonly Range[],
): Promise<string | undefined> {
  if (days.length === 0) return undefined;
  const from = Math.min(...days.map((range) => range.from));
  const until = Math.max(...days.map((range) => range.until));
  // Answered by rolled_day_pkey.
  const [row] = await query<{ zone: string }>(sql`
    SELECT zone
    FROM analytics.rolled_day
    WHERE workspace_pk = ${workspacePk}
      AND start >= ${new Date(from)}
      AND start < ${new Date(until)}
      AND zone <> ${zone}
    LIMIT 1`);
  return row?.zone;
}
