/**
 * Campaigns whose destination is checked. Their links lead to one page and differ by opaque ids and columns that aren’t personal, so
 * one page per campaign stands for all. It is that of a link which a recipient opened lately: a URL with made-up values may not
 * exist, and the site has seen this one.
 */
import { parseId } from "#lib/basics/ids";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { CheckedLink } from "./store.ts";

/** Identifies the page of a campaign, as the URL does for other pages. */
export function subjectOfCampaign(campaignPk: number): string {
  return `campaign ${campaignPk}`;
}

type CampaignLink = Pick<CheckedLink, "id" | "workspacePk" | "externalId">;

/** A link of a recipient has the id of the recipient as its externalId. */
export function isOfCampaign({ externalId }: Pick<CheckedLink, "externalId">): boolean {
  return externalId?.startsWith("rcp_") ?? false;
}

/** The checked campaigns of these links, by the UUIDs of the links. */
export async function findCampaignPks(
  links: readonly CampaignLink[],
  tx?: Connection,
): Promise<Map<string, number>> {
  const ids = links.flatMap(({ externalId }) => parseId("rcp", externalId ?? "") ?? []);
  if (ids.length === 0) return new Map();
  // Answered by campaign_recipient_id and campaign_pkey.
  const rows = await query.on(tx).query<{ id: string; pk: number; workspacePk: number }>(sql`
    SELECT recipient.link_id AS id, campaign.pk, campaign.workspace_pk AS "workspacePk"
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    WHERE recipient.id = ANY(${ids}::uuid[])
      AND campaign.check_destination
      AND campaign.deleted_at IS NULL`);
  // Members may use the same externalId for a link of their own.
  const byLink = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    links.flatMap(({ id, workspacePk }): [string, number][] => {
      const row = byLink.get(id);
      return row?.workspacePk === workspacePk ? [[id, row.pk]] : [];
    }),
  );
}

export interface CheckedCampaign {
  pk: number;
  id: string;
  name: string;
}

/** Leaves out campaigns whose destination is not checked. */
export async function findCheckedCampaigns(
  pks: readonly number[],
  tx?: Connection,
): Promise<CheckedCampaign[]> {
  if (pks.length === 0) return [];
  // Answered by campaign_pkey.
  return await query.on(tx).query<CheckedCampaign>(sql`
    SELECT pk, id, name
    FROM campaign
    WHERE pk = ANY(${pks}::int[])
      AND check_destination
      AND deleted_at IS NULL`);
}

/** The link of a campaign that was opened last. */
export async function findOpenedLink(
  campaignPk: number,
): Promise<Pick<CheckedLink, "pk" | "workspacePk" | "url"> | undefined> {
  // Answered by campaign_recipient_pkey, all rows of the campaign, then link_pkey and link_stat_pkey. Compares ids, because another
  // link may have the pk of a deleted one.
  return await query.one(sql`
    SELECT link.pk, link.workspace_pk AS "workspacePk", link.url
    FROM (
      SELECT link_pk, link_id
      FROM campaign_recipient
      WHERE campaign_pk = ${campaignPk}
        AND link_pk IS NOT NULL
      OFFSET 0
    ) AS recipient
    JOIN link ON link.pk = recipient.link_pk AND link.id = recipient.link_id
    JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link_stat.last_click_at IS NOT NULL
    ORDER BY link_stat.last_click_at DESC
    LIMIT 1`);
}
