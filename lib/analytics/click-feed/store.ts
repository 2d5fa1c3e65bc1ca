import { shortUrl } from "#lib/links/hosts";
import { query, sql } from "#lib/platform/postgres";
import type { LiveClick } from "./schema.ts";

interface LinkRow {
  workspace_pk: number;
  folder_pk: number | null;
  link_id: string;
  slug: string;
  key: string;
}

interface ClickRow {
  workspace_pk: number;
  link_pk: number;
  id: string;
  at: Date;
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

/** `folderPk` decides who may see the click. */
export interface FeedClick {
  workspacePk: number;
  folderPk: number | null;
  uuid: string;
  click: LiveClick;
}

export async function findNewest(
  workspacePks: readonly number[],
  since: Date,
  max: number,
  presentLinkId: (uuid: string) => string,
): Promise<FeedClick[]> {
  // Answered by click_workspace, backwards, in the one or two partitions of the period, and
  // link_pkey. If a link was moved to another workspace, its clicks stay, but this workspace must
  // not see its URL.
  const clicks = await query<ClickRow>(sql`
    SELECT
      watched.workspace_pk, fresh.link_pk, fresh.id, fresh.at, fresh.url, fresh.country,
      fresh.region, fresh.city, fresh.device, fresh.browser, fresh.os, fresh.referer, fresh.qr,
      fresh.bot
    FROM unnest(${workspacePks}::int[]) AS watched (workspace_pk)
    CROSS JOIN LATERAL analytics.newest_clicks(watched.workspace_pk, ${since}, ${max}) AS fresh
    ORDER BY fresh.at DESC, fresh.id`);
  const linkOf = await findLinks(clicks.map(({ link_pk }) => link_pk));
  return clicks.flatMap((row) => {
    const link = linkOf.get(row.link_pk);
    if (link?.workspace_pk !== row.workspace_pk) return [];
    return {
      workspacePk: row.workspace_pk,
      folderPk: link.folder_pk,
      uuid: row.id,
      click: presentClick({ ...row, ...link }, presentLinkId(link.link_id)),
    };
  });
}

async function findLinks(pks: readonly number[]): Promise<Map<number, LinkRow>> {
  if (pks.length === 0) return new Map();
  // Answered by link_pkey and domain_pkey.
  const links = await query<LinkRow & { pk: number }>(sql`
    SELECT link.pk, link.workspace_pk, link.folder_pk, link.id AS link_id, domain.slug, link.key
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    WHERE link.pk = ANY(${[...new Set(pks)]}::bigint[])`);
  return new Map(links.map(({ pk, ...link }) => [pk, link]));
}

function presentClick(row: ClickRow & LinkRow, linkId: string): LiveClick {
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
