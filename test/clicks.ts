/** For tests of stats: varied raw clicks, as ingest would have written them. */

import { rollupJobs } from "#lib/analytics/rollups";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { query, sql } from "#lib/platform/postgres";

const dayMs = 86_400_000;

export interface ClickSpread {
  workspacePk: number;
  count: number;
  /** Spread evenly from here … */
  from: Date;
  /** … to here. */
  until: Date;
  /** Their pks: this one and the following. */
  links?: { first: number; count: number };
}

/** Writes clicks and touches their slots. The same arguments give the same clicks, except for their ids. */
export async function putClicks({
  workspacePk,
  count,
  from,
  until,
  links,
}: ClickSpread): Promise<void> {
  const { first, count: linkCount } = links ?? { first: 1, count: 7 };
  const days: number[] = [];
  for (let at = from.getTime(); at <= until.getTime() + dayMs; at += dayMs) days.push(at);
  await ensurePartitions(["click", "link_slot", "value_slot", "link_day", "value_day"], days);
  await query(sql`
    WITH new AS (
      INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, bot_kind, qr,
        first_of_link, first_of_workspace, id, visitor, continent, country, region, city, device, browser, os,
        language, referer, referer_url, utm_source, utm_medium, utm_campaign, url, ua)
      SELECT
        ${from}::timestamptz + n * (${until}::timestamptz - ${from}::timestamptz) / ${count},
        ${first}::bigint + n * 31 % ${linkCount},
        ${workspacePk}::int,
        1 + n % 2,
        n % 11 = 0,
        CASE WHEN n % 11 = 0 THEN (ARRAY['crawler', 'preview'])[1 + n % 2] END,
        n % 7 = 0,
        n % 11 <> 0 AND n % 3 <> 0,
        n % 11 <> 0 AND n % 4 = 0,
        gen_random_uuid(),
        n,
        (ARRAY['EU', 'NA', NULL])[1 + n % 3],
        (ARRAY['DE', 'US', NULL])[1 + n % 3],
        (ARRAY['DE-BE', 'US-OR', NULL])[1 + n % 3],
        (ARRAY['Berlin', 'Portland', NULL, 'Portland'])[1 + n % 4],
        (ARRAY['Mobile', 'Desktop'])[1 + n % 2],
        'Browser ' || n % 5,
        (ARRAY['iOS', 'Windows', NULL])[1 + n % 3],
        (ARRAY['de', 'en', NULL])[1 + n / 3 % 3],
        CASE WHEN n % 2 = 0 THEN 'site' || n % 9 || '.example' END,
        CASE WHEN n % 2 = 0 THEN 'https://site' || n % 9 || '.example/' || n % 40 END,
        CASE WHEN n % 5 = 0 THEN 'letter' END,
        CASE WHEN n % 5 = 0 THEN 'mail' END,
        CASE WHEN n % 5 = 0 THEN 'c' || n % 25 END,
        'https://shop.example/' || repeat('long/', n % 3 * 400) || n * 31 % ${linkCount},
        'Test'
      FROM generate_series(0, ${count - 1}) AS n
      RETURNING workspace_pk, at
    )
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch')
    FROM new
    ON CONFLICT (workspace_pk, slot) DO UPDATE
    SET marks = touched_slot.marks + 1`);
}

/** Deletes all clicks and everything counted from them. */
export async function clearStatistics(): Promise<void> {
  await query(sql`
    TRUNCATE analytics.click, analytics.click_block, analytics.touched_slot, analytics.touched_day, analytics.touched_month,
      analytics.rolled_day, analytics.rolled_month, analytics.link_slot, analytics.value_slot, analytics.link_day,
      analytics.value_day, analytics.link_month, analytics.value_month, analytics.busy_link, analytics.erasure,
      analytics.owner_day, analytics.owner_month, analytics.moved_link, link_stat`);
}

/** Moves the clicks of past days into blocks. */
export async function compactOldClicks(): Promise<void> {
  await rollupJobs.find(({ name }) => name === "clicks.compact")?.handle({});
}
