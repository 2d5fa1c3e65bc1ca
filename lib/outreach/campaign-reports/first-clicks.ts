/**
 * When, where and on which devices recipients clicked first. link_stat has the time, and the click
 * is one row of click_link, so the cost depends on recipients, not on clicks.
 */

import { blocksOf } from "#lib/analytics/single-clicks";
import { dayMs } from "#lib/basics/time/schema";
import { query, SqlValues, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { limitOf } from "#lib/tenancy/plans";
import { citiesMax, type DetailedReport, daysDaysMax, hoursDaysMax } from "./schema.ts";

type Details = Pick<
  DetailedReport,
  "clicksByTime" | "located" | "countries" | "cities" | "devices"
>;

export async function readFirstClicks(scope: WorkspaceScope, campaignPk: number): Promise<Details> {
  const [buckets, places] = await Promise.all([
    countByTime(campaignPk, scope.zone),
    countPlaces(scope, campaignPk),
  ]);
  const located = places.filter(({ device }) => device !== null);
  return {
    clicksByTime: {
      unit: buckets[0]?.unit ?? "hour",
      timezone: scope.zone,
      buckets: buckets.map(({ start, recipients }) => ({ start: start.toISOString(), recipients })),
    },
    located: located.reduce((sum, { recipients }) => sum + recipients, 0),
    countries: places.flatMap(({ country, city, recipients }) =>
      country !== null && city === null ? [{ country, recipients }] : [],
    ),
    cities: places
      .flatMap(({ country, city, recipients }) =>
        country !== null && city !== null ? [{ country, city, recipients }] : [],
      )
      .slice(0, citiesMax),
    devices: located.map(({ device, recipients }) => ({ device: device ?? "", recipients })),
  };
}

function oldestKept(scope: WorkspaceScope): Date {
  const days = limitOf(scope, "clicksKeptDays");
  return new Date(days === null ? 0 : Date.now() - days * dayMs);
}

interface BucketRow {
  unit: DetailedReport["clicksByTime"]["unit"];
  start: Date;
  recipients: number;
}

async function countByTime(campaignPk: number, zone: string): Promise<BucketRow[]> {
  // Answered by campaign_recipient_pkey, all rows of the campaign, then link_pkey and link_stat_pkey.
  return await query<BucketRow>(sql`
    WITH first AS MATERIALIZED (
      SELECT stat.first_click_at AS at
      FROM (
        SELECT link_pk, link_id
        FROM campaign_recipient
        WHERE campaign_pk = ${campaignPk}
          AND state = 'ready'
      ) AS recipient
      JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      JOIN link_stat AS stat ON stat.link_pk = link.pk
      WHERE stat.first_click_at IS NOT NULL
    ), span AS (
      SELECT min(at) AS begin, max(at) AS until,
        CASE
          WHEN max(at) - min(at) <= ${hoursDaysMax} * interval '1 day' THEN 'hour'
          WHEN max(at) - min(at) <= ${daysDaysMax} * interval '1 day' THEN 'day'
          ELSE 'month'
        END AS unit
      FROM first
      HAVING count(*) > 0
    ), counted AS (
      SELECT date_trunc(span.unit, first.at, ${zone}) AS start, count(*) AS recipients
      FROM first
      CROSS JOIN span
      GROUP BY 1
    )
    SELECT span.unit, bucket.start, coalesce(counted.recipients, 0)::bigint AS recipients
    FROM span
    CROSS JOIN LATERAL starts_in_zone(span.unit, span.begin, span.until, ${zone}) AS bucket (start)
    LEFT JOIN counted ON counted.start = bucket.start
    ORDER BY bucket.start`);
}

interface PlaceRow {
  /** Null in rows that are grouped by something else; empty when unknown. */
  country: string | null;
  city: string | null;
  device: string | null;
  recipients: number;
}

async function countPlaces(scope: WorkspaceScope, campaignPk: number): Promise<PlaceRow[]> {
  const { list: values, place } = new SqlValues();
  const workspace = place(scope.workspacePk, "int");
  const fields = ["at", "link_pk", "bot", "country", "city", "device"] as const;
  const places = `coalesce(country, '') AS country, coalesce(city, '') AS city,
        coalesce(device, '') AS device`;
  // Answered by campaign_recipient_pkey, link_pkey and link_stat_pkey, then click_link of the partition of the day. A block is
  // found by click_block_pkey and unpacked once for all of its first clicks.
  const text = `
    WITH first AS MATERIALIZED (
      SELECT link.pk, stat.first_click_at AS at
      FROM (
        SELECT link_pk, link_id
        FROM campaign_recipient
        WHERE campaign_pk = ${place(campaignPk, "int")}
          AND state = 'ready'
      ) AS recipient
      JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      JOIN link_stat AS stat ON stat.link_pk = link.pk
      WHERE stat.first_click_at >= ${place(oldestKept(scope), "timestamptz")}
    ), found AS (
      SELECT click.*
      FROM first
      CROSS JOIN LATERAL (
        SELECT first.pk, ${places}
        FROM analytics.click
        WHERE click.link_pk = first.pk
          AND click.workspace_pk = ${workspace}
          AND click.at = first.at
          AND NOT click.bot
        LIMIT 1
      ) AS click
      UNION ALL
      SELECT DISTINCT ON (first.pk) first.pk, ${places}
      FROM (${blocksOf({ fields, workspace, moments: "SELECT at FROM first" })}
      ) AS click
      JOIN first
        ON first.pk = click.link_pk
        AND first.at = click.at
      WHERE NOT click.bot
    )
    SELECT click.country, click.city, click.device, count(*) AS recipients
    FROM (SELECT DISTINCT ON (pk) * FROM found) AS click
    GROUP BY GROUPING SETS ((click.country), (click.country, click.city), (click.device))
    ORDER BY recipients DESC, click.country, click.city, click.device`;
  return await query<PlaceRow>({ text, values });
}
