/** What the file of messages reads of recipients. */
import { query, sql } from "#lib/platform/postgres";

export interface MessageRow {
  position: number;
  id: string;
  message_id: string;
  key_version: number;
  sealed: Buffer;
  country: string;
  variant: number;
  parts: number;
  slug: string;
  key: string;
}

/** Messages after a position whose link exists and whose phone has not opted out. */
export async function findMessagePage(
  campaignPk: number,
  after: number,
  limit: number,
): Promise<MessageRow[]> {
  return await query<MessageRow>(
    // Answered by campaign_recipient_pkey, in the order of positions. The pk of a deleted link is used again.
    sql`
      SELECT recipient.position, recipient.id, recipient.message_id, recipient.key_version,
        recipient.sealed, recipient.country, recipient.variant, recipient.parts, domain.slug,
        link.key
      FROM campaign_recipient AS recipient
      JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      JOIN domain ON domain.pk = link.domain_pk
      WHERE recipient.campaign_pk = ${campaignPk}
        AND recipient.position > ${after}
        AND recipient.state = 'ready'
        AND recipient.sealed IS NOT NULL
        AND NOT EXISTS (
          SELECT 1
          FROM opt_out
          WHERE opt_out.workspace_pk = recipient.workspace_pk
            AND opt_out.phone_hash = recipient.phone_hash
        )
      ORDER BY recipient.position
      LIMIT ${limit}`,
  );
}
