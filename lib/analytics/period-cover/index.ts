/**
 * How a period is to be read: which parts of it from months, days, slots and raw clicks. Every moment is in exactly one
 * of them, so a question that adds up the four counts nothing twice.
 *
 * Slots that were touched since they were rolled, the running one among them, are read from raw clicks; a day with such
 * a slot is read from its slots, and a month with such a day from its days.
 */

import { slotsKeptDays } from "#lib/analytics/rollups";
import { dayMs, slotMs } from "#lib/analytics/time-slots";
import { query, sql } from "#lib/platform/postgres";

/** From a moment to the next one that does not belong to it, in milliseconds. */
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

/** Where the values of a link begin, in milliseconds. */
export interface Kept {
  /** Of days … */
  since: number;
  /** … and of slots. Infinite: there are none. */
  slotsSince: number;
}

const always: Kept = { since: Number.NEGATIVE_INFINITY, slotsSince: Number.NEGATIVE_INFINITY };

interface Asked extends Range {
  workspacePk: number;
  /** Whether months of the workspace's zone fit the question. */
  byMonths: boolean;
  /**
   * Whether days of the workspace's zone fit the question. Otherwise they are used only where slots are gone, and
   * buckets of another zone are inexact there.
   */
  byDays: boolean;
  /** Of a link: where its values begin. Where it has none its raw clicks are counted. */
  kept?: Kept;
}

/** The begin of the period must be the begin of a slot; its end may be any moment. */
export async function coverOf(asked: Asked): Promise<Cover> {
  const { workspacePk, from, until, byMonths, kept = always } = asked;
  const [rolledMonths, rolledDays, touched] = await Promise.all([
    byMonths ? listMonths(asked) : [],
    listDays(asked),
    listTouchedSlots(workspacePk, asked),
  ]);
  // A slot may have been touched between the questions.
  const isWhole = (range: Range) =>
    range.from >= kept.since &&
    !touched.some((slot) => slot.from >= range.from && slot.from < range.until);
  const months = join(rolledMonths.filter(isWhole));
  const days = without(join(rolledDays.filter(isWhole)), months);
  const rolled = [...months, ...days];
  const slotless =
    kept.slotsSince > from
      ? without([{ from, until: Math.min(kept.slotsSince, until) }], rolled)
      : [];
  const raw = [...slotless, ...touched];
  return {
    months,
    days,
    slots: without([{ from, until }], [...rolled, ...raw]),
    raw: without(join(raw), []),
  };
}

interface Rolled {
  start: Date;
  until: Date;
}

function rangeOf({ start, until }: Rolled): Range {
  return { from: start.getTime(), until: until.getTime() };
}

/** Months within the period of which everything is rolled. */
async function listMonths({ workspacePk, from, until }: Asked): Promise<Range[]> {
  // Answered by rolled_month_pkey; the touched ones are few.
  const rows = await query<Rolled>(
    sql`
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
          FROM analytics.touched_slot
          WHERE touched_slot.workspace_pk = ${workspacePk}
            AND touched_slot.slot >= month.start
            AND touched_slot.slot < month.until
        )
      ORDER BY start`,
  );
  return rows.map(rangeOf);
}

/** Days within the period of which everything is rolled. */
async function listDays({ workspacePk, from, until, byDays }: Asked): Promise<Range[]> {
  const newest = byDays ? until : Date.now() - slotsKeptDays * dayMs;
  // Answered by rolled_day_pkey; the touched ones are few.
  const rows = await query<Rolled>(
    sql`
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
          FROM analytics.touched_slot
          WHERE touched_slot.workspace_pk = ${workspacePk}
            AND touched_slot.slot >= day.start
            AND touched_slot.slot < day.until
        )
      ORDER BY start`,
  );
  return rows.map(rangeOf);
}

async function listTouchedSlots(workspacePk: number, { from, until }: Range): Promise<Range[]> {
  // Answered by touched_slot_pkey.
  const rows = await query<{ slot: Date }>(
    sql`
      SELECT slot
      FROM analytics.touched_slot
      WHERE workspace_pk = ${workspacePk}
        AND slot >= ${new Date(from)}
        AND slot < ${new Date(until)}
      ORDER BY slot`,
  );
  return rows.map(({ slot }) => {
    const at = slot.getTime();
    return { from: at, until: Math.min(at + slotMs, until) };
  });
}

/** Ranges that touch or overlap become one. */
function join(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.until) last.until = Math.max(last.until, range.until);
    else joined.push({ ...range });
  }
  return joined;
}

/** What is left of ranges once others are taken out. */
function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const holes = join(taken);
  return join(ranges).flatMap(({ from, until }) => {
    const left: Range[] = [];
    let at = from;
    for (const hole of holes) {
      if (hole.until <= at || hole.from >= until) continue;
      if (hole.from > at) left.push({ from: at, until: hole.from });
      at = Math.max(at, hole.until);
    }
    if (at < until) left.push({ from: at, until });
    return left;
  });
}
