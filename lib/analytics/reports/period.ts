/** Resolves periods in the database, which has the calendar of every zone. */

import { slotsKeptDays } from "#lib/analytics/rollups";
import { slotMs } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { bucketsMax, type Granularity, type PeriodInterval, periodDaysMax } from "./schema.ts";

export interface Period {
  /** In milliseconds; `until` is excluded. */
  from: number;
  until: number;
}

export type BucketUnit = Granularity;

interface PeriodQuery {
  interval?: PeriodInterval | undefined;
  start?: string | undefined;
  end?: string | undefined;
  timezone: string;
}

/** Up to these lengths, buckets are hours, then days. */
const hoursMaxMs = 2 * dayMs;
const daysMaxMs = 190 * dayMs;

/** An interval starts with a `unit`, `ago` before the current one. The previous interval starts `back` earlier. */
const shapes: Record<
  Exclude<PeriodInterval, "all">,
  { unit: string; ago: string; back: string; isOver?: true }
> = {
  today: { unit: "day", ago: "0", back: "1 day" },
  yesterday: { unit: "day", ago: "1 day", back: "1 day", isOver: true },
  "24h": { unit: "hour", ago: "23 hours", back: "24 hours" },
  "7d": { unit: "day", ago: "6 days", back: "7 days" },
  "30d": { unit: "day", ago: "29 days", back: "30 days" },
  "90d": { unit: "day", ago: "89 days", back: "90 days" },
  "1y": { unit: "month", ago: "11 months", back: "12 months" },
  mtd: { unit: "month", ago: "0", back: "1 month" },
  qtd: { unit: "quarter", ago: "0", back: "3 months" },
  ytd: { unit: "year", ago: "0", back: "1 year" },
};

export interface ResolvedPeriod extends Period {
  unit: BucketUnit;
  previous: Period | undefined;
  yearBefore: Period | undefined;
}

interface PeriodBounds {
  workspacePk: number;
  keptDays: number | null;
}

interface PeriodRow {
  from: Date;
  until: Date;
  before: Date | null;
  before_until: Date | null;
}

interface YearRow {
  from: Date;
  until: Date;
}

/** Throws a 422 for a period that ends before it starts, or is longer than `periodDaysMax`. */
export async function periodOf(
  request: PeriodQuery,
  { workspacePk, keptDays }: PeriodBounds,
  now: Date,
): Promise<ResolvedPeriod> {
  const row = await findPeriod(request, workspacePk, now);
  const [askedFrom, until] = [row.from.getTime(), row.until.getTime()];
  if (askedFrom >= until) {
    throw new AppError("unprocessable_entity", "start: Use a start before the end.");
  }
  if (until - askedFrom > periodDaysMax * dayMs) {
    const message = `start: Use a period of at most ${periodDaysMax} days.`;
    throw new AppError("unprocessable_entity", message);
  }
  const oldest =
    keptDays === null
      ? Number.NEGATIVE_INFINITY
      : Math.floor((now.getTime() - keptDays * dayMs) / slotMs) * slotMs;
  const from = Math.min(Math.max(askedFrom, oldest), until);
  const { before, before_until } = row;
  const year = before && (await findYearBefore(row, request.timezone));
  const whole = (start: Date | null, end: Date | null) =>
    start && end && start.getTime() >= oldest
      ? { from: start.getTime(), until: end.getTime() }
      : undefined;
  return {
    from,
    until,
    unit: unitOf(askedFrom, until),
    previous: whole(before, before_until),
    yearBefore: year ? whole(year.from, year.until) : undefined,
  };
}

async function findYearBefore({ from, until }: PeriodRow, zone: string): Promise<YearRow> {
  const [row] = await query<YearRow>(sql`
    SELECT
      add_in_zone(${from}, -'1 year'::interval, ${zone}) AS "from",
      add_in_zone(${until}, -'1 year'::interval, ${zone}) AS until`);
  return requireRow(row);
}

const unitMs: Readonly<Record<BucketUnit, number>> = {
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};

/** Throws a 422 for more buckets than fit an answer, and for hours when only days are stored. */
export function assertUnit(unit: BucketUnit, { from, until }: Period, now: Date): void {
  const longer = unit === "hour" ? "day, week or month" : "week or month";
  if (until - from > bucketsMax * unitMs[unit]) {
    const message = `granularity: Use ${longer} for a period this long.`;
    throw new AppError("unprocessable_entity", message);
  }
  if (unit === "hour" && from < now.getTime() - slotsKeptDays * dayMs) {
    const message = `granularity: Hours are available for the last ${slotsKeptDays} days. Use ${longer}.`;
    throw new AppError("unprocessable_entity", message);
  }
}

function unitOf(from: number, until: number): BucketUnit {
  // Tolerates days of 25 hours.
  const ms = until - from - slotMs * 8;
  if (ms <= hoursMaxMs) return "hour";
  return ms <= daysMaxMs ? "day" : "month";
}

async function findPeriod(
  request: PeriodQuery,
  workspacePk: number,
  now: Date,
): Promise<PeriodRow> {
  const { start, end, timezone: zone } = request;
  if (start !== undefined || end !== undefined) return findBetween({ start, end, zone }, now);
  const { interval = "24h" } = request;
  if (interval === "all") return findAll(workspacePk, zone, now);
  const { unit, ago, back, isOver = false } = shapes[interval];
  const [row] = await query<PeriodRow>(sql`
    WITH period AS (
      SELECT date_trunc(${unit}, add_in_zone(${now}, -(${ago}::interval), ${zone}), ${zone}) AS "from"
    )
    SELECT
      "from", until, add_in_zone("from", -(${back}::interval), ${zone}) AS before,
      least("from", add_in_zone(until, -(${back}::interval), ${zone})) AS before_until
    FROM period
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN ${isOver} THEN add_in_zone("from", ${back}::interval, ${zone})
        ELSE ${now}::timestamptz
      END AS until
    ) AS bound`);
  return requireRow(row);
}

async function findBetween(
  { start, end, zone }: { start: string | undefined; end: string | undefined; zone: string },
  now: Date,
): Promise<PeriodRow> {
  const last = end !== undefined && isDay(end) ? "1 day" : "0";
  const [row] = await query<PeriodRow>(sql`
    WITH bound AS (
      SELECT
        ${momentIn(start ?? null)}::timestamptz AS start_at,
        ${localIn(start ?? null)}::timestamp AT TIME ZONE ${zone} AS start_local,
        ${momentIn(end ?? null)}::timestamptz AS end_at,
        (${localIn(end ?? null)}::timestamp + ${last}::interval) AT TIME ZONE ${zone} AS end_local
    ), period AS (
      SELECT
        coalesce(end_at, end_local, ${now}) AS until,
        coalesce(
          start_at,
          start_local,
          date_trunc('hour', coalesce(end_at, end_local, ${now}) - interval '23 hours', ${zone})
        ) AS "from"
      FROM bound
    )
    SELECT "from", until, "from" - (until - "from") AS before, "from" AS before_until
    FROM period`);
  return shiftByDays(requireRow(row), zone);
}

/** Whole days are compared with as many whole days, even if one of them has 23 hours. */
async function shiftByDays(row: PeriodRow, zone: string): Promise<PeriodRow> {
  const [shifted] = await query<{ before: Date }>(sql`
    SELECT add_in_zone(
      ${row.from},
      make_interval(days => -extract(
        day FROM (${row.until}::timestamptz AT TIME ZONE ${zone}) - (${row.from}::timestamptz AT TIME ZONE ${zone})
      )::int),
      ${zone}
    ) AS before
    WHERE date_trunc('day', ${row.from}::timestamptz, ${zone}) = ${row.from}
      AND date_trunc('day', ${row.until}::timestamptz, ${zone}) = ${row.until}`);
  return shifted ? { ...row, before: shifted.before } : row;
}

async function findAll(workspacePk: number, zone: string, now: Date): Promise<PeriodRow> {
  // Answered by the primary keys of the three tables; every counted click is in one of them.
  const [row] = await query<PeriodRow>(sql`
    SELECT
      date_trunc('day', least(
        (SELECT min(start) FROM analytics.rolled_day WHERE workspace_pk = ${workspacePk}),
        (SELECT min(start) FROM analytics.touched_day WHERE workspace_pk = ${workspacePk}),
        (SELECT min(slot) FROM analytics.touched_slot WHERE workspace_pk = ${workspacePk}),
        ${now}::timestamptz
      ), ${zone}) AS "from",
      ${now}::timestamptz AS until,
      NULL::timestamptz AS before,
      NULL::timestamptz AS before_until`);
  const found = requireRow(row);
  const oldest = new Date(now.getTime() - periodDaysMax * dayMs);
  return { ...found, from: found.from < oldest ? oldest : found.from };
}

function isDay(text: string): boolean {
  return text.length === 10;
}

/** Null if the text has no offset. */
function momentIn(text: string | null): string | null {
  return text !== null && /(Z|[+-]\d\d:?\d\d)$/.test(text) && !isDay(text) ? text : null;
}

function localIn(text: string | null): string | null {
  return momentIn(text) === null ? text : null;
}

function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("A SELECT without FROM returned no row");
  return row;
}

/** A bucket keeps its whole length even if the period cuts it off. */
export interface Bucket {
  start: Date;
  until: Date;
}

export async function bucketsOf(
  unit: BucketUnit,
  zone: string,
  { from, until }: Period,
): Promise<Bucket[]> {
  return await query<Bucket>(sql`
    SELECT start, CASE ${unit}
      WHEN 'hour' THEN start + interval '1 hour'
      -- A day may begin at one o'clock, and the next one at midnight.
      ELSE date_trunc(${unit}, add_in_zone(start, ${`1 ${unit}`}::interval, ${zone}), ${zone})
    END AS until
    FROM starts_in_zone(${unit}, ${new Date(from)}, ${new Date(until - 1)}, ${zone}) AS start`);
}
