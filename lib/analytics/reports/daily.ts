/** Clicks of each day for all links of a page, in one statement that mostly reads rollups. */

import { coverOf, type Range } from "#lib/analytics/period-cover";
import { clicksOf } from "#lib/analytics/single-clicks";
import { parseId, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { query, SqlValues, sql } from "#lib/platform/postgres";
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
  const { list: values, place } = new SqlValues();
  const workspace = place(workspacePk, "int");
  const ranges = (some: readonly Range[]) =>
    `unnest(${place(startsOf(some), "timestamptz[]")}, ${place(endsOf(some), "timestamptz[]")}) AS range (begin, until)`;
  const rollups = ([table, some]: readonly [string, readonly Range[]]) => `
      SELECT kept.start, kept.clicks
      FROM ${ranges(some)}
      JOIN analytics.${table} AS kept
        ON kept.link_pk = named.pk
        AND kept.workspace_pk = ${workspace}
        AND kept.start >= range.begin
        AND kept.start < range.until`;
  const clicks = clicksOf({
    fields: ["at", "link_pk", "bot"],
    workspace,
    from: "range.begin",
    until: "range.until",
    link: "named.pk",
  });
  const ids = place(
    links.map(({ id }) => id),
    "uuid[]",
  );
  const pks = place(
    links.map(({ pk }) => pk),
    "bigint[]",
  );
  // Answered by link_day_pkey, link_slot_pkey and click_link of the partitions of the ranges.
  const text = `
    SELECT
      named.id, width_bucket(part.start, ${place(days, "timestamptz[]")}) - 1 AS day,
      sum(part.clicks)::int AS clicks
    FROM unnest(${ids}, ${pks}) AS named (id, pk)
    CROSS JOIN LATERAL (${[["link_day", rolled] as const, ["link_slot", slots] as const]
      .map(rollups)
      .join("\n      UNION ALL")}
      UNION ALL
      SELECT click.at, 1
      FROM ${ranges(raw)}
      CROSS JOIN LATERAL ${clicks}
      WHERE NOT click.bot
    ) AS part
    GROUP BY named.id, day
    HAVING sum(part.clicks) > 0`;
  const rows = await query<{ id: string; day: number; clicks: number }>({ text, values });
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
