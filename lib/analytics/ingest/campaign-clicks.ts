/** What webhooks are told about clicks on the links of recipients. */

import { parseId, presentId } from "#lib/basics/ids";
import type { Link } from "#lib/links/fields/schema";
import { type Connection, sql } from "#lib/platform/postgres";
import type { NewEvent } from "#lib/tenancy/webhook-events";

interface ToldClick {
  click: object;
  link: Link;
  /** The first of the link, and so of its recipient, who has no other in the campaign. */
  first: boolean;
}

interface RecipientRow {
  id: string;
  message_id: string;
  /** Null: its link was not created. */
  link_id: string | null;
  campaign_id: string;
  campaign_name: string;
}

/** Those of these clicks that are of recipients. The link of a recipient has the id of the recipient as `externalId`. */
export async function campaignEvents(
  tx: Connection,
  workspacePk: number,
  clicks: readonly ToldClick[],
): Promise<NewEvent[]> {
  const ids = clicks.flatMap(({ link }) => parseId("rcp", link.externalId ?? "") ?? []);
  if (ids.length === 0) return [];
  // Answered by campaign_recipient_id and campaign_pkey.
  const rows = await tx.query<RecipientRow>(sql`
    SELECT recipient.id, recipient.message_id, recipient.link_id,
      campaign.id AS campaign_id, campaign.name AS campaign_name
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    WHERE recipient.id = ANY(${[...new Set(ids)]}::uuid[])
      AND recipient.workspace_pk = ${workspacePk}
      AND campaign.deleted_at IS NULL`);
  // Anyone may give a link of their own such an externalId.
  const byLink = new Map(rows.map((row) => [row.link_id && presentId("link", row.link_id), row]));
  return clicks.flatMap(({ click, link, first }) => {
    // defence: campaign-clicks-of-recipients
    const row = byLink.get(link.id);
    if (!row) return [];
    const campaign = { id: row.campaign_id, name: row.campaign_name };
    const recipient = { id: presentId("rcp", row.id), messageId: row.message_id };
    const data = { campaign, recipient, click, link, first };
    return [{ workspacePk, type: "campaign.clicked" as const, linkId: link.id, data }];
  });
}
