/** Clicks of each day for all links of a page, in one statement that mostly reads rollups. */

import { coverOf, type Range } from "#lib/analytics/period-cover";
import { parseId, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { bucketsOf } from "./period.ts";
import { dailyDays, dailyLinksMax } from "./schema.ts";

/** Clicks of people per day, today last. Callers have checked that the links are visible. */
export async function countDaily(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  now = Date.now(),
): Promise<Map<string, number[]>> {
  assertMay(scope, "analytics.read");
  const { workspacePk, zone } = scope;
  const uuids = linkIds.slice(0, dailyLinksMax).flatMap((id) => parseId("link", id) ?? []);
  if (uuids.length === 0) return new Map();
  const period = { from: now - (dailyDays - 1) * dayMs, until: now };
  const days = (await bucketsOf("day", zone, period)).slice(-dailyDays).map(({ start }) => start);
  const from = days[0]?.getTime() ?? now;
  const {
    days: rolled,
    slots,
    raw,
  } = await coverOf({ workspacePk, from, until: now, byDays: true, byMonths: false });
  // Answered by link_workspace.
  const links = await query<{ id: string; pk: number }>(sql`
    SELECT id, pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND id = ANY(${uuids}::uuid[])`);
  // Answered by link_day_pkey, link_slot_pkey and click_link of the partitions of the ranges.
  const rows = await query<{ id: string; day: number; clicks: number }>(sql`
    SELECT
      named.id, width_bucket(part.start, ${days}::timestamptz[]) - 1 AS day,
      sum(part.clicks)::int AS clicks
    FROM unnest(
      ${links.map(({ id }) => id)}::uuid[],
      ${links.map(({ pk }) => pk)}::bigint[]
    ) AS named (id, pk)
    CROSS JOIN LATERAL (
      SELECT link_day.start, link_day.clicks
      FROM unnest(${startsOf(rolled)}::timestamptz[], ${endsOf(rolled)}::timestamptz[])
        AS range (begin, until)
      JOIN analytics.link_day
        ON link_day.link_pk = named.pk
        AND link_day.workspace_pk = ${workspacePk}
        AND link_day.start >= range.begin
        AND link_day.start < range.until
      UNION ALL
      SELECT link_slot.start, link_slot.clicks
      FROM unnest(${startsOf(slots)}::timestamptz[], ${endsOf(slots)}::timestamptz[])
        AS range (begin, until)
      JOIN analytics.link_slot
        ON link_slot.link_pk = named.pk
        AND link_slot.workspace_pk = ${workspacePk}
        AND link_slot.start >= range.begin
        AND link_slot.start < range.until
      UNION ALL
      SELECT click.at, 1
      FROM unnest(${startsOf(raw)}::timestamptz[], ${endsOf(raw)}::timestamptz[])
        AS range (begin, until)
      JOIN analytics.click
        ON click.link_pk = named.pk
        AND click.workspace_pk = ${workspacePk}
        AND click.at >= range.begin
        AND click.at < range.until
        AND NOT click.bot
    ) AS part
    GROUP BY named.id, day
    HAVING sum(part.clicks) > 0`);
  const counted = new Map<string, number[]>();
  for (const { id, day, clicks } of rows) {
    const name = presentId("link", id);
    const series = counted.get(name) ?? days.map(() => 0);
    series[day] = clicks;
    counted.set(name, series);
  }
  return counted;
}

function startsOf(ranges: readonly Range[]): Date[] {
  return ranges.map(({ from }) => new Date(from));
}

function endsOf(ranges: readonly Range[]): Date[] {
  return ranges.map(({ until }) => new Date(until));
}
