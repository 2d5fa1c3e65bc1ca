/** A year of clicks of one large workspace, written by the database itself and rolled by the product. */
import pg from "pg";
import { ensureRollups, rollDays, rollPeriod } from "#lib/analytics/rollups";
import { dayMs, ensurePartitions, slotOf } from "#lib/analytics/time-slots";
import { config } from "#lib/platform/config";
import { allowTime, query, type Statement, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { userAgents } from "./crowd.ts";

const links = 100_000;
const firstPk = 100_000_000;
/** Has no divisor in common with the number of links: popular ones do not lie side by side. */
const stride = 76_543;
const days = 365;
/** Clicks are written ahead of their time, so that what was made serves for a week; nothing reads them earlier. */
export const daysAhead = 7;
/** Of these days there are slots; those before are counted by the day, as upkeep would have left them. */
const slotDays = 93;
const zone = "Europe/Berlin";
const slowMs = 600_000;

export interface History {
  clicks: number;
  /** Begin of the present week, in milliseconds. */
  week: number;
}

/** The link of a rank by its clicks, from 1 on. */
export function pkOfRank(rank: number): number {
  return firstPk + ((rank * stride) % links);
}

export async function putHistory(scope: WorkspaceScope, { clicks, week }: History): Promise<void> {
  const { workspacePk } = scope;
  await query(sql`UPDATE workspace SET zone = ${zone} WHERE pk = ${workspacePk}`);
  await putLinks(scope);
  for (let day = week - days * dayMs; day < week + daysAhead * dayMs; day += dayMs) {
    await ensurePartitions(["click"], [day]);
    await ensureRollups([day]);
    await putDay(workspacePk, new Date(day), Math.round((clicks / days) * shareOf(day)));
    if (new Date(day).getUTCDate() === 1)
      console.log(`clicks until ${new Date(day).toISOString()}`);
  }
  await countLinks(workspacePk);
  await rollHistory(workspacePk, week);
  await vacuum();
}

function slowly(text: string, values: unknown[]): Statement {
  return { text, values, query_timeout: slowMs };
}

/** Less is clicked at weekends; a week has as much as seven days. */
function shareOf(day: number): number {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 || weekday === 6 ? 0.8 : 1.08;
}

async function putLinks({ workspacePk, userPk }: WorkspaceScope): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, slug, workspace_pk, verified_at)
    SELECT 'dom_bench' || n, 'go' || n || '.example', ${workspacePk}::int, now()
    FROM generate_series(0, 3) AS n`);
  await query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    SELECT 'tag_bench' || n, ${workspacePk}::int, 'Tag ' || n, 'blue'
    FROM generate_series(0, 49) AS n`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name)
    SELECT 'fold_bench' || n, ${workspacePk}::int, 'Folder ' || n
    FROM generate_series(0, 19) AS n`);
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, user_pk, folder_pk, key, url)
    SELECT
      ${firstPk}::bigint + n, gen_random_uuid(), ${workspacePk}::int, domain.pk, ${userPk}::int, folder.pk,
      substr(md5(n::text), 1, 7) || n,
      'https://shop.example.com/products/' || n || '?utm_source=s' || n % 30
    FROM generate_series(0, ${links - 1}::int) AS n
    JOIN domain ON domain.id = 'dom_bench' || n % 4
    LEFT JOIN folder ON folder.id = 'fold_bench' || n % 25`);
  await query(sql`
    INSERT INTO link_tag (link_pk, tag_pk)
    SELECT ${firstPk}::bigint + n, tag.pk
    FROM generate_series(0, ${links - 1}::int) AS n
    JOIN tag ON tag.id = 'tag_bench' || n % 60`);
}

/**
 * Clicks of a day. Everything that has many values has few that are frequent: `floor(count ^ random)` is distributed like
 * 1/r. Campaigns belong to links. Most is clicked in the afternoon.
 */
async function putDay(workspacePk: number, day: Date, clicks: number): Promise<void> {
  await query(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, bot_kind, qr, first_of_link,
      first_of_workspace, id, visitor, continent, country, region, city, device, browser, os, language, referer,
      referer_url, utm_source, utm_medium, utm_campaign, utm_content, url, ua)
    SELECT
      at,
      ${firstPk}::bigint + link,
      ${workspacePk}::int,
      domains[1 + link % 4],
      bot,
      CASE WHEN bot THEN (ARRAY['crawler', 'preview', 'scanner'])[1 + (n % 3)::int] END,
      n % 20 = 0,
      NOT bot AND n % 10 < 8,
      NOT bot AND n % 10 < 7,
      gen_random_uuid(),
      (random() * 9e15)::bigint,
      (ARRAY['EU', 'NA', 'AS', 'SA', 'AF', 'OC'])[1 + country % 6],
      code,
      code || '-' || city % 16,
      'City ' || country || ' ' || city,
      CASE WHEN device < 0.58 THEN 'Mobile' WHEN device < 0.96 THEN 'Desktop' WHEN device < 0.99 THEN 'Tablet' ELSE 'TV' END,
      'Browser ' || browser,
      'System ' || browser % 8,
      (ARRAY['en', 'de', 'fr', 'es', 'zh', 'pt', 'ja', 'it', 'nl', 'pl'])[1 + country % 10],
      'www.site' || site || '.example',
      'https://www.site' || site || '.example/articles/' || page,
      CASE WHEN link % 5 < 3 THEN 's' || link % 30 END,
      CASE WHEN link % 5 < 3 THEN 'medium' || link % 8 END,
      CASE WHEN link % 5 < 3 THEN 'campaign-' || link % 400 END,
      CASE WHEN link % 5 < 1 THEN 'variant-' || link % 40 END,
      'https://shop.example.com/products/' || link || '?utm_source=s' || link % 30,
      agents[1 + floor(201 * random() ^ 2)::int]
    FROM (
      SELECT
        n,
        at,
        link,
        country,
        chr(65 + country / 26) || chr(65 + country % 26) AS code,
        bot,
        floor(60 ^ random())::int - 1 AS city,
        random() AS device,
        floor(20 ^ random())::int - 1 AS browser,
        CASE WHEN n % 5 > 1 THEN floor(500 ^ random())::int - 1 END AS site,
        floor(40 ^ random())::int - 1 AS page
      FROM (
        SELECT
          n,
          ${day}::timestamptz + interval '1 day' * CASE WHEN n % 10 < 3 THEN random()
            ELSE mod(((random() + random()) / 2 + 0.12)::numeric, 1)::float8 END AS at,
          floor(${links}::float8 ^ random())::bigint * ${stride}::int % ${links}::int AS link,
          floor(200 ^ random())::int - 1 AS country,
          random() < 0.04 AS bot
        FROM generate_series(1, ${clicks}::int) AS n
      ) AS drawn
      ORDER BY at
    ) AS click,
    (SELECT ${userAgents}::text[] AS agents) AS crowd,
    (SELECT array_agg(pk ORDER BY id) AS domains FROM domain WHERE workspace_pk = ${workspacePk}) AS known`);
}

/** The counters that ingest would have kept. */
async function countLinks(workspacePk: number): Promise<void> {
  await transaction(async (tx) => {
    await allowTime(tx, slowMs);
    await query(
      slowly(
        `
      INSERT INTO link_stat (link_pk, workspace_pk, clicks, visitors, scans, bots, last_click_at)
      SELECT
        link_pk,
        workspace_pk,
        count(*) FILTER (WHERE NOT bot),
        count(*) FILTER (WHERE first_of_link),
        count(*) FILTER (WHERE qr AND NOT bot),
        count(*) FILTER (WHERE bot),
        max(at) FILTER (WHERE NOT bot)
      FROM analytics.click
      WHERE workspace_pk = $1 AND at < now()
      GROUP BY link_pk, workspace_pk`,
        [workspacePk],
      ),
      tx,
    );
  });
}

/** Slots of the last days at once, and the days before from their clicks. What is to come is touched, as by ingest. */
async function rollHistory(workspacePk: number, week: number): Promise<void> {
  const now = slotOf(Date.now());
  const oldSlots = week - slotDays * dayMs;
  await query(sql`
    INSERT INTO analytics.touched_day (workspace_pk, start, until, zone)
    SELECT
      ${workspacePk}::int,
      local AT TIME ZONE ${zone},
      (local + interval '1 day') AT TIME ZONE ${zone},
      ${zone}::text
    FROM generate_series(
      date_trunc('day', ${new Date(week - days * dayMs)}::timestamptz AT TIME ZONE ${zone}),
      ${new Date(oldSlots)}::timestamptz AT TIME ZONE ${zone},
      interval '1 day'
    ) AS local`);
  for (let day = oldSlots; day < now; day += dayMs) {
    const until = new Date(Math.min(day + dayMs, now));
    await transaction((tx) => rollPeriod(tx, { workspacePk, from: new Date(day), until }));
  }
  console.log("slots are rolled");
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT ${workspacePk}::int, slot
    FROM generate_series(
      ${new Date(now)}::timestamptz,
      ${new Date(week + daysAhead * dayMs - 1)}::timestamptz,
      interval '15 minutes'
    ) AS slot`);
  while ((await rollDays()) > 0);
  console.log("days are rolled");
}

/** As autovacuum would have done over a year. Without the pool, whose statements may take half a minute. */
async function vacuum(): Promise<void> {
  const client = new pg.Client({ connectionString: config().DATABASE_URL });
  await client.connect();
  await client.query("VACUUM (ANALYZE)");
  await client.end();
}
