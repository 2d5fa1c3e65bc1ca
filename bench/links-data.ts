/** A million links of one workspace and their five million clicks, written by the database itself. */
import pg from "pg";
import { ensureRollups } from "#lib/analytics/rollups";
import { dayMs, ensurePartitions } from "#lib/analytics/time-slots";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";

const links = 1_000_000;
const clicks = 5_000_000;
const days = 60;
const firstPk = 100_000_000;
const eraLinks = 65_536;
const slice = 50_000;

export async function putLinksOfPage(
  { workspacePk, userPk }: WorkspaceScope,
  passwordHash: string,
  databaseUrl: string,
): Promise<void> {
  await query(sql`UPDATE app_user SET password_hash = ${passwordHash} WHERE pk = ${userPk}`);
  await query(sql`
    INSERT INTO domain (id, slug, workspace_pk, verified_at)
    VALUES ('dom_many', 'many.example', ${workspacePk}, now())`);
  await query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES ('tag_many', ${workspacePk}, 'Many', 'red'), ('tag_few', ${workspacePk}, 'Few', 'blue')`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name)
    VALUES ('fold_00000000000000000000000001', ${workspacePk}, 'Shelf')`);
  await query({
    text: `
      CREATE OR REPLACE FUNCTION bench_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
      $$ SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || substr(md5(n::text), 1, 20))::uuid $$`,
    values: [],
  });
  await query(sql`DROP INDEX link_search_grams`);
  for (let first = 1; first <= links; first += slice) await putSlice(workspacePk, userPk, first);
  await query(sql`
    INSERT INTO search_era (pk, workspace_pk, after_id, links)
    SELECT era, ${workspacePk}, bench_id(era * ${eraLinks}), ${eraLinks}
    FROM generate_series(0, (${links} - 1) / ${eraLinks}) AS era`);
  await putClicks(workspacePk);
  await finish(databaseUrl);
}

async function putSlice(workspacePk: number, userPk: number | null, first: number) {
  const last = first + slice - 1;
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, user_pk, folder_pk, archived, key, url, created_at)
    SELECT n + ${firstPk}::bigint, bench_id(n), ${workspacePk},
      (SELECT pk FROM domain WHERE slug = 'many.example'),
      ${userPk},
      CASE WHEN n % 100 = 0 THEN (SELECT pk FROM folder WHERE name = 'Shelf') END,
      n % 200 = 1,
      substr(md5(n::text), 1, 7),
      'https://shop.example.com/products/' || n % 997 || '?utm_source=newsletter&order=' || n,
      now() - (${links} - n) * interval '30 seconds'
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n`);
  await query(sql`
    INSERT INTO link_search (link_pk, workspace_pk, era_pk, id, text, grams)
    SELECT pk, workspace_pk, (pk - ${firstPk + 1}) / ${eraLinks}, id,
      key || E'\n' || url || CASE WHEN pk % 5000 = 1 THEN E'\n春节活动' ELSE E'\nsummer sale' END,
      CASE WHEN pk % 5000 = 1 THEN '{春,节,活,动,春节,节活,活动}'::text[] ELSE '{}' END
    FROM link
    WHERE pk BETWEEN ${first + firstPk} AND ${last + firstPk}`);
  await query(sql`
    INSERT INTO link_tag (link_pk, tag_pk)
    SELECT n + ${firstPk}::bigint, tag.pk
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n
    JOIN tag ON (tag.id = 'tag_many' AND n % 5 = 1) OR (tag.id = 'tag_few' AND n % 5000 = 3)`);
  console.log(`${last} links are there`);
}

/** Few links have most of the clicks. */
async function putClicks(workspacePk: number): Promise<void> {
  const now = Date.now();
  for (let day = 0; day < days; day++) {
    const until = new Date(now - day * dayMs);
    const from = new Date(until.getTime() - dayMs);
    await ensurePartitions(["click"], [from.getTime(), until.getTime()]);
    await ensureRollups([from.getTime(), until.getTime()]);
    await query(sql`
      INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
        first_of_workspace, id, visitor, device, url, ua)
      SELECT
        ${from}::timestamptz + random() * (${until}::timestamptz - ${from}::timestamptz),
        ${firstPk + 1}::bigint + (floor(power(${links}::float, random()))::bigint * 76543) % ${links},
        ${workspacePk}::int, 1, n % 20 = 0, n % 50 = 0, n % 20 <> 0, n % 20 <> 0, gen_random_uuid(), n,
        'Desktop', 'https://shop.example.com/', 'Bench'
      FROM generate_series(1, ${Math.round(clicks / days)}) AS n`);
    console.log(`clicks of ${day + 1} days are there`);
  }
}

/** Without the pool, whose statements may take half a minute. */
async function finish(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await derive(client);
  console.log("clicks are rolled");
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query(`
    CREATE INDEX link_search_grams ON link_search
    USING gin (era_pk int4_ops, text gin_trgm_ops, grams array_ops) WITH (fastupdate = off)`);
  await client.query("VACUUM ANALYZE");
  await client.end();
}

/**
 * Days and slots as lib/analytics/rollups derives those of links; the slots of the last hour are not rolled yet.
 */
async function derive(client: pg.Client): Promise<void> {
  const counters = `
    count(*) FILTER (WHERE NOT bot)::int, count(*) FILTER (WHERE first_of_link)::int,
    count(*) FILTER (WHERE first_of_workspace)::int, count(*) FILTER (WHERE qr AND NOT bot)::int,
    count(*) FILTER (WHERE bot)::int`;
  const columns = "start, link_pk, workspace_pk, clicks, visitors, workspace_visitors, scans, bots";
  await client.query(`
      INSERT INTO analytics.link_day (${columns})
      SELECT date_trunc('day', at, 'UTC') AS day, link_pk, workspace_pk, ${counters}
      FROM analytics.click
      WHERE at < date_trunc('day', now(), 'UTC')
      GROUP BY day, link_pk, workspace_pk`);
  await client.query(`
      INSERT INTO analytics.link_slot (${columns})
      SELECT date_bin('15 minutes', at, 'epoch') AS slot, link_pk, workspace_pk, ${counters}
      FROM analytics.click
      WHERE at < date_trunc('hour', now(), 'UTC')
      GROUP BY slot, link_pk, workspace_pk`);
  await client.query(`
      INSERT INTO analytics.rolled_day (workspace_pk, start, until, zone)
      SELECT DISTINCT workspace_pk, start, start + interval '1 day', 'UTC'
      FROM analytics.link_day`);
  await client.query(`
      INSERT INTO analytics.touched_slot (workspace_pk, slot)
      SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, 'epoch')
      FROM analytics.click
      WHERE at >= date_trunc('hour', now(), 'UTC')`);
  await client.query(`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks, visitors, scans, bots, last_click_at)
      SELECT link_pk, workspace_pk, count(*) FILTER (WHERE NOT bot), count(*) FILTER (WHERE first_of_link),
        0, count(*) FILTER (WHERE bot), max(at) FILTER (WHERE NOT bot)
      FROM analytics.click
      GROUP BY link_pk, workspace_pk`);
}
