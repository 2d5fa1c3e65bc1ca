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
    // Answered by campaign_recipient_pkey, in the order of positions, and link_pkey. OFFSET 0 and the scalar subquery
    // are evaluated for each row: joined, a page of a million recipients would read all of them. The pk of a deleted
    // link is used again.
    sql`
      SELECT recipient.position, recipient.id, recipient.message_id, recipient.key_version,
        recipient.sealed, recipient.country, recipient.variant, recipient.parts, link.slug,
        link.key
      FROM campaign_recipient AS recipient
      CROSS JOIN LATERAL (
        SELECT domain.slug, link.key
        FROM link
        JOIN domain ON domain.pk = link.domain_pk
        WHERE link.pk = recipient.link_pk
          AND link.id = recipient.link_id
        OFFSET 0
      ) AS link
      WHERE recipient.campaign_pk = ${campaignPk}
        AND recipient.position > ${after}
        AND recipient.state = 'ready'
        AND recipient.sealed IS NOT NULL
        AND (
          SELECT true
          FROM opt_out
          WHERE opt_out.workspace_pk = recipient.workspace_pk
            AND opt_out.phone_hash = recipient.phone_hash
          LIMIT 1
        ) IS NULL
      ORDER BY recipient.position
      LIMIT ${limit}`,
  );
}
