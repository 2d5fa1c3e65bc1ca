/** The SQL of the live view. */
import { shortUrl } from "#lib/links/hosts";
import { query, sql } from "#lib/platform/postgres";
import type { LiveClick } from "./schema.ts";

interface Row {
  workspace_pk: number;
  folder_pk: number | null;
  id: string;
  at: Date;
  link_id: string;
  slug: string;
  key: string;
  url: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  referer: string | null;
  qr: boolean;
  bot: boolean;
}

/** A click and the folder that decides who may see it. */
export interface FeedClick {
  workspacePk: number;
  folderPk: number | null;
  uuid: string;
  click: LiveClick;
}

/** The newest clicks of each workspace since a moment, newest first, up to `max` of each. */
export async function findNewest(
  workspacePks: readonly number[],
  since: Date,
  max: number,
  presentLinkId: (uuid: string) => string,
): Promise<FeedClick[]> {
  // Answered by click_workspace, backwards, in the one or two partitions of the period; links by their primary key. A
  // moved link belongs to another workspace now: its clicks stay, but its URL is not shown to the former one.
  const rows = await query<Row>(
    sql`
      SELECT
        watched.workspace_pk,
        link.folder_pk,
        fresh.id,
        fresh.at,
        link.id AS link_id,
        domain.slug,
        link.key,
        fresh.url,
        fresh.country,
        fresh.region,
        fresh.city,
        fresh.device,
        fresh.browser,
        fresh.os,
        fresh.referer,
        fresh.qr,
        fresh.bot
      FROM unnest(${workspacePks}::int[]) AS watched (workspace_pk)
      CROSS JOIN LATERAL analytics.newest_clicks(watched.workspace_pk, ${since}, ${max}) AS fresh
      JOIN link ON link.pk = fresh.link_pk AND link.workspace_pk = watched.workspace_pk
      JOIN domain ON domain.pk = link.domain_pk
      ORDER BY fresh.at DESC, fresh.id`,
  );
  return rows.map((row) => ({
    workspacePk: row.workspace_pk,
    folderPk: row.folder_pk,
    uuid: row.id,
    click: presentClick(row, presentLinkId(row.link_id)),
  }));
}

function presentClick(row: Row, linkId: string): LiveClick {
  const { country, region, city, device, browser, os, referer, bot } = row;
  return {
    id: `${row.at.getTime()}-${row.id}`,
    timestamp: row.at.toISOString(),
    linkId,
    shortLink: shortUrl(row.slug, row.key),
    url: row.url ?? "",
    country,
    region,
    city,
    device,
    browser,
    os,
    referer,
    trigger: row.qr ? "qr" : "link",
    bot,
  };
}
