/**
 * Chooses which parts of a period are read from months, days, slots and raw clicks. Every moment is in exactly one part. Slots
 * that must be rolled again, including the running one, are read from raw clicks. A day with such a slot is read from its slots,
 * and a month with such a day from its days.
 */

import { slotsKeptDays } from "#lib/analytics/rollups";
import { slotMs } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";

/** In milliseconds; `until` is excluded. */
export interface Range {
  from: number;
  until: number;
}

export interface Cover {
  /** In order of time, and as few as possible. */
  months: Range[];
  days: Range[];
  slots: Range[];
  raw: Range[];
}

/** Since when a link has stored values, in milliseconds. */
export interface ValuesSince {
  since: number;
  slotsSince: number;
}

const always: ValuesSince = {
  since: Number.NEGATIVE_INFINITY,
  slotsSince: Number.NEGATIVE_INFINITY,
};

interface CoverQuery extends Range {
  workspacePk: number;
  byMonths: boolean;
  /** If false, days are only used where slots were dropped, and buckets are inexact there. */
  byDays: boolean;
  /** Raw clicks are counted before a link has values. */
  valuesSince?: ValuesSince;
}

/** The period must start with a slot, and may end at any moment. */
export async function coverOf(coverQuery: CoverQuery): Promise<Cover> {
  const { workspacePk, from, until, byMonths, valuesSince = always } = coverQuery;
  const [rolledMonths, rolledDays, touched] = await Promise.all([
    byMonths ? listMonths(coverQuery) : [],
    listDays(coverQuery),
    listTouchedSlots(workspacePk, coverQuery),
  ]);
  // A slot may have been touched between the queries.
  const isWhole = (range: Range) =>
    range.from >= valuesSince.since &&
    !touched.some((slot) => slot.from >= range.from && slot.from < range.until);
  const months = join(rolledMonths.filter(isWhole));
  const days = without(join(rolledDays.filter(isWhole)), months);
  const rolled = [...months, ...days];
  const slotless =
    valuesSince.slotsSince > from
      ? without([{ from, until: Math.min(valuesSince.slotsSince, until) }], rolled)
      : [];
  const raw = [...slotless, ...touched];
  return {
    months,
    days,
    slots: without([{ from, until }], [...rolled, ...raw]),
    raw: without(join(raw), []),
  };
}

interface RolledRow {
  start: Date;
  until: Date;
}

function rangeOf({ start, until }: RolledRow): Range {
  return { from: start.getTime(), until: until.getTime() };
}

async function listMonths({ workspacePk, from, until }: CoverQuery): Promise<Range[]> {
  // Answered by rolled_month_pkey and touched_slot_pkey; touched slots are few. They are read
  // separately, because they may be on another server, and limited to the period, because each
  // month is compared with them.
  const rows = await query<RolledRow>(sql`
    WITH waiting AS MATERIALIZED (
      SELECT slot
      FROM analytics.touched_slot
      WHERE workspace_pk = ${workspacePk}
        AND slot >= ${new Date(from)}
        AND slot < ${new Date(until)}
    )
    SELECT start, until
    FROM analytics.rolled_month AS month
    WHERE workspace_pk = ${workspacePk}
      AND start >= ${new Date(from)}
      AND until <= ${new Date(until)}
      AND NOT EXISTS (
        SELECT
        FROM analytics.touched_month
        WHERE touched_month.workspace_pk = ${workspacePk}
          AND touched_month.start = month.start
      )
      AND NOT EXISTS (
        SELECT
        FROM analytics.touched_day
        WHERE touched_day.workspace_pk = ${workspacePk}
          AND touched_day.start < month.until
          AND touched_day.until > month.start
      )
      AND NOT EXISTS (
        SELECT
        FROM waiting
        WHERE waiting.slot >= month.start
          AND waiting.slot < month.until
      )
    ORDER BY start`);
  return rows.map(rangeOf);
}

async function listDays({ workspacePk, from, until, byDays }: CoverQuery): Promise<Range[]> {
  const newest = byDays ? until : Date.now() - slotsKeptDays * dayMs;
  // Answered by rolled_day_pkey and touched_slot_pkey; touched slots are few.
  const rows = await query<RolledRow>(sql`
    WITH waiting AS MATERIALIZED (
      SELECT slot
      FROM analytics.touched_slot
      WHERE workspace_pk = ${workspacePk}
        AND slot >= ${new Date(from)}
        AND slot < ${new Date(until)}
    )
    SELECT start, until
    FROM analytics.rolled_day AS day
    WHERE workspace_pk = ${workspacePk}
      AND start >= ${new Date(from)}
      AND until <= ${new Date(Math.min(newest, until))}
      AND NOT EXISTS (
        SELECT
        FROM analytics.touched_day
        WHERE touched_day.workspace_pk = ${workspacePk}
          AND touched_day.start = day.start
      )
      AND NOT EXISTS (
        SELECT
        FROM waiting
        WHERE waiting.slot >= day.start
          AND waiting.slot < day.until
      )
    ORDER BY start`);
  return rows.map(rangeOf);
}

async function listTouchedSlots(workspacePk: number, { from, until }: Range): Promise<Range[]> {
  // Answered by touched_slot_pkey.
  const rows = await query<{ slot: Date }>(sql`
    SELECT slot
    FROM analytics.touched_slot
    WHERE workspace_pk = ${workspacePk}
      AND slot >= ${new Date(from)}
      AND slot < ${new Date(until)}
    ORDER BY slot`);
  return rows.map(({ slot }) => {
    const at = slot.getTime();
    return { from: at, until: Math.min(at + slotMs, until) };
  });
}

function join(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.until) last.until = Math.max(last.until, range.until);
    else joined.push({ ...range });
  }
  return joined;
}

function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const gaps = join(taken);
  return join(ranges).flatMap(({ from, until }) => {
    const left: Range[] = [];
    let at = from;
    for (const gap of gaps) {
      if (gap.until <= at || gap.from >= until) continue;
      if (gap.from > at) left.push({ from: at, until: gap.from });
      at = Math.max(at, gap.until);
    }
    if (at < until) left.push({ from: at, until });
    return left;
  });
}
