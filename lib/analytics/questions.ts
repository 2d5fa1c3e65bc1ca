/** Questions to clicks, each put together from days, slots and raw clicks. */
import { query, sql } from "#lib/postgres";
import { coverOf, type Range } from "#lib/rollups";
import type { Interval, Point, Totals } from "./schema.ts";

/** The bucket of each interval, and how many there are, the present one included. */
const shapes: Record<Interval, { unit: "hour" | "day" | "month"; count: number }> = {
  "24h": { unit: "hour", count: 24 },
  "7d": { unit: "day", count: 7 },
  "30d": { unit: "day", count: 30 },
  "90d": { unit: "day", count: 90 },
  "1y": { unit: "month", count: 12 },
};

interface Place {
  workspacePk: number;
  /** Of the workspace; days are kept in it. */
  zone: string;
}

/** Clicks and visitors of a link per bucket of the interval, in a zone, with zeros where there were none. */
export async function seriesOf(
  { workspacePk, zone: ownZone }: Place,
  linkPk: number,
  asked: Interval,
  zone: string,
  now = new Date(),
): Promise<Point[]> {
  const { unit, count } = shapes[asked];
  const starts = await bucketsOf(unit, count, zone, now);
  const from = starts[0]?.getTime() ?? now.getTime();
  const byDays = unit !== "hour" && zone === ownZone;
  const cover = await coverOf({ workspacePk, from, until: now.getTime() + 1, byDays });
  // Days by link_day_pkey, slots by link_slot_pkey, raw clicks by click_link.
  const rows = await query<{ start: Date; clicks: number; visitors: number }>(
    sql`
      WITH part AS (
        SELECT link_day.start, link_day.clicks, link_day.visitors
        FROM unnest(
          ${begins(cover.days)}::timestamptz[],
          ${ends(cover.days)}::timestamptz[]
        ) AS piece (begin, until)
        JOIN analytics.link_day
          ON link_day.link_pk = ${linkPk}
          AND link_day.workspace_pk = ${workspacePk}
          AND link_day.start >= piece.begin
          AND link_day.start < piece.until
        UNION ALL
        SELECT link_slot.start, link_slot.clicks, link_slot.visitors
        FROM unnest(
          ${begins(cover.slots)}::timestamptz[],
          ${ends(cover.slots)}::timestamptz[]
        ) AS piece (begin, until)
        JOIN analytics.link_slot
          ON link_slot.link_pk = ${linkPk}
          AND link_slot.workspace_pk = ${workspacePk}
          AND link_slot.start >= piece.begin
          AND link_slot.start < piece.until
        UNION ALL
        SELECT click.at, (NOT click.bot)::int, click.first_of_link::int
        FROM unnest(
          ${begins(cover.raw)}::timestamptz[],
          ${ends(cover.raw)}::timestamptz[]
        ) AS piece (begin, until)
        JOIN analytics.click
          ON click.link_pk = ${linkPk}
          AND click.workspace_pk = ${workspacePk}
          AND click.at >= piece.begin
          AND click.at < piece.until
      )
      SELECT
        bucket.start,
        coalesce(sum(part.clicks), 0)::bigint AS clicks,
        coalesce(sum(part.visitors), 0)::bigint AS visitors
      FROM unnest(${starts}::timestamptz[]) AS bucket (start)
      LEFT JOIN part ON date_trunc(${unit}, part.start, ${zone}) = bucket.start
      GROUP BY bucket.start
      ORDER BY bucket.start`,
  );
  return rows.map(({ start, clicks, visitors }) => ({
    start: start.toISOString(),
    clicks,
    visitors,
  }));
}

/** The begins of the last buckets, the present one included. */
async function bucketsOf(unit: string, count: number, zone: string, now: Date): Promise<Date[]> {
  const rows = await query<{ start: Date }>(
    sql`
      SELECT start
      FROM generate_series(
        date_trunc(${unit}, date_add(${now}, -(${`${count - 1} ${unit}`}::interval), ${zone}), ${zone}),
        ${now}::timestamptz,
        ${`1 ${unit}`}::interval,
        ${zone}
      ) AS start`,
  );
  return rows.map(({ start }) => start);
}

function begins(ranges: readonly Range[]): Date[] {
  return ranges.map(({ from }) => new Date(from));
}

function ends(ranges: readonly Range[]): Date[] {
  return ranges.map(({ until }) => new Date(until));
}

/** What was ever counted for a link. */
export async function totalsOf(workspacePk: number, linkPk: number): Promise<Totals> {
  const [row] = await query<Totals>(
    // Answered by link_stat_pkey.
    sql`
      SELECT clicks, visitors, scans, bots
      FROM link_stat
      WHERE link_pk = ${linkPk} AND workspace_pk = ${workspacePk}`,
  );
  return row ?? { clicks: 0, visitors: 0, scans: 0, bots: 0 };
}
