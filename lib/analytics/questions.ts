/** Questions to clicks. Closed slots are answered by their rollup, touched ones from raw clicks. */
import { query, sql } from "#lib/postgres";
import type { Interval, Point, Totals } from "./schema.ts";

/** The bucket of each interval, and how many there are, the present one included. */
const shapes: Record<Interval, { unit: "hour" | "day" | "month"; count: number }> = {
  "24h": { unit: "hour", count: 24 },
  "7d": { unit: "day", count: 7 },
  "30d": { unit: "day", count: 30 },
  "90d": { unit: "day", count: 90 },
  "1y": { unit: "month", count: 12 },
};

/**
 * Clicks and visitors of a link per bucket of the interval, in a zone, with zeros where there were none.
 * Answered by link_slot_pkey and click_link.
 */
export async function seriesOf(
  workspacePk: number,
  linkPk: number,
  asked: Interval,
  zone: string,
  now = new Date(),
): Promise<Point[]> {
  const { unit, count } = shapes[asked];
  const step = `1 ${unit}`;
  const back = `${count - 1} ${unit}`;
  const rows = await query<{ start: Date; clicks: number; visitors: number }>(
    sql`
      WITH bucket AS (
        SELECT start
        FROM generate_series(
          date_trunc(${unit}, date_add(${now}, -(${back}::interval), ${zone}), ${zone}),
          ${now},
          ${step}::interval,
          ${zone}
        ) AS start
      ),
      slot AS (
        SELECT link_slot.slot, link_slot.clicks, link_slot.visitors
        FROM analytics.link_slot
        WHERE link_slot.link_pk = ${linkPk}
          AND link_slot.workspace_pk = ${workspacePk}
          AND link_slot.slot >= (SELECT min(start) FROM bucket)
          AND NOT EXISTS (
            SELECT 1
            FROM analytics.touched_slot
            WHERE touched_slot.workspace_pk = ${workspacePk}
              AND touched_slot.slot = link_slot.slot
          )
        UNION ALL
        SELECT
          touched_slot.slot,
          count(*) FILTER (WHERE NOT click.bot),
          count(*) FILTER (WHERE click.first_of_link)
        FROM analytics.touched_slot
        JOIN analytics.click
          ON click.at >= touched_slot.slot
          AND click.at < touched_slot.slot + interval '15 minutes'
          AND click.link_pk = ${linkPk}
        WHERE touched_slot.workspace_pk = ${workspacePk}
          AND touched_slot.slot >= (SELECT min(start) FROM bucket)
        GROUP BY touched_slot.slot
      )
      SELECT
        bucket.start,
        coalesce(sum(slot.clicks), 0)::bigint AS clicks,
        coalesce(sum(slot.visitors), 0)::bigint AS visitors
      FROM bucket
      LEFT JOIN slot ON date_trunc(${unit}, slot.slot, ${zone}) = bucket.start
      GROUP BY bucket.start
      ORDER BY bucket.start`,
  );
  return rows.map(({ start, clicks, visitors }) => ({
    start: start.toISOString(),
    clicks,
    visitors,
  }));
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
