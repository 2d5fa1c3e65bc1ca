/** The list of campaigns on the dashboard, with the state and the message counts of each. */
import type { SendState } from "#lib/outreach/sending/schema";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import {
  type CampaignName,
  type CampaignOverview,
  type CampaignState,
  type ListOverview,
  namesMax,
} from "./schema.ts";

interface OverviewRow {
  pk: number;
  id: string;
  name: string;
  kind: CampaignOverview["kind"];
  state: CampaignState;
  starts_at: Date | null;
  recipients: number;
  refused: number;
  adding: boolean;
  created_at: Date;
}

/** A page of the campaigns that the actor may see, newest first. Owners and admins see all, others their own. */
export async function listCampaignOverview(
  scope: WorkspaceScope,
  filter: ListOverview,
): Promise<CampaignOverview[]> {
  assertMay(scope, "campaigns.read");
  const rows = await findPage(scope, filter);
  const pks = rows.map(({ pk }) => pk);
  const [sends, clicked] = await Promise.all([countSends(pks), countClicked(pks)]);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    state: row.state,
    startsAt: row.starts_at?.toISOString() ?? null,
    recipients: row.recipients,
    refused: row.refused,
    clicked: clicked.get(row.pk) ?? 0,
    sends: sends.get(row.pk) ?? {},
    adding: row.adding,
    createdAt: row.created_at.toISOString(),
  }));
}

export async function findCampaignNames(
  scope: WorkspaceScope,
  search: string,
): Promise<CampaignName[]> {
  assertMay(scope, "campaigns.read");
  const creator = onlyCreatorPk(scope);
  // Answered by campaign_list: a workspace has at most ten thousand.
  return await query<CampaignName>(sql`
    SELECT id, name
    FROM campaign
    WHERE workspace_pk = ${scope.workspacePk}
      AND (${creator}::int IS NULL OR user_pk = ${creator})
      AND deleted_at IS NULL
      AND strpos(lower(name), lower(${search})) > 0
    ORDER BY pk DESC
    LIMIT ${namesMax}`);
}

async function findPage(
  scope: WorkspaceScope,
  { search, state, page, pageSize }: ListOverview,
): Promise<OverviewRow[]> {
  const creator = onlyCreatorPk(scope);
  // Answered by campaign_list: a workspace has at most ten thousand. A campaign without a row in
  // campaign_sending is a draft.
  return await query<OverviewRow>(sql`
    SELECT campaign.pk, campaign.id, campaign.name, campaign.kind, campaign.recipients,
      campaign.refused, campaign.created_at, sending.starts_at,
      coalesce(sending.state, 'draft') AS state,
      EXISTS (
        SELECT 1
        FROM recipient_source AS source
        WHERE source.campaign_pk = campaign.pk
          AND source.state IN ('waiting', 'running', 'undoing')
      ) AS adding
    FROM campaign
    LEFT JOIN campaign_sending AS sending ON sending.campaign_pk = campaign.pk
    WHERE campaign.workspace_pk = ${scope.workspacePk}
      AND (${creator}::int IS NULL OR campaign.user_pk = ${creator})
      AND campaign.deleted_at IS NULL
      AND (${search ?? null}::text IS NULL OR strpos(lower(campaign.name), lower(${search ?? ""})) > 0)
      AND (${state ?? null}::text IS NULL OR coalesce(sending.state, 'draft') = ${state ?? null})
    ORDER BY campaign.pk DESC
    LIMIT ${pageSize}
    OFFSET ${(page - 1) * pageSize}`);
}

type Sends = CampaignOverview["sends"];

async function countSends(pks: readonly number[]): Promise<Map<number, Sends>> {
  // Answered by campaign_send_pkey: all messages of these campaigns.
  const rows = await query<{ campaign_pk: number; state: SendState; messages: number }>(sql`
    SELECT campaign_pk, state, count(*) AS messages
    FROM campaign_send
    WHERE campaign_pk = ANY(${pks}::int[])
    GROUP BY campaign_pk, state`);
  const found = new Map<number, Sends>();
  for (const { campaign_pk: pk, state, messages } of rows) {
    found.set(pk, { ...found.get(pk), [state]: messages });
  }
  return found;
}

async function countClicked(pks: readonly number[]): Promise<Map<number, number>> {
  // Answered by campaign_recipient_pkey, all rows of these campaigns, then link_pkey and link_stat_pkey. Compares ids,
  // because the pk of a deleted link is used again.
  const rows = await query<{ campaign_pk: number; clicked: number }>(sql`
    SELECT recipient.campaign_pk, count(*) AS clicked
    FROM (
      SELECT campaign_pk, link_pk, link_id
      FROM campaign_recipient
      WHERE campaign_pk = ANY(${pks}::int[])
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id
    JOIN link_stat AS stat ON stat.link_pk = link.pk
    WHERE stat.level > 0
    GROUP BY recipient.campaign_pk`);
  return new Map(rows.map((row) => [row.campaign_pk, row.clicked]));
}
