/** What sending reads of recipients. */
import { query, sql } from "#lib/platform/postgres";

export interface DueCount {
  country: string | null;
  /** Why it would not be sent. */
  code: "opted_out" | "erased" | "link_deleted" | null;
  rows: number;
  parts: number;
}

/** What would be sent if the campaign was sent now. */
export async function countDue(campaignPk: number): Promise<DueCount[]> {
  return await query<DueCount>(
    // Answered by campaign_recipient_pkey: all rows of the campaign.
    sql`
      SELECT due.country, due.code, count(*) AS rows, coalesce(sum(due.parts), 0)::bigint AS parts
      FROM (
        SELECT recipient.country, recipient.parts,
          CASE
            WHEN recipient.sealed IS NULL THEN 'erased'
            WHEN link.pk IS NULL THEN 'link_deleted'
            WHEN opt_out.pk IS NOT NULL THEN 'opted_out'
          END AS code
        FROM campaign_recipient AS recipient
        LEFT JOIN campaign_send AS send
          ON send.campaign_pk = recipient.campaign_pk
          AND send.position = recipient.position
        LEFT JOIN link
          ON link.pk = recipient.link_pk
          AND link.id = recipient.link_id
        LEFT JOIN opt_out
          ON opt_out.workspace_pk = recipient.workspace_pk
          AND opt_out.phone_hash = recipient.phone_hash
        WHERE recipient.campaign_pk = ${campaignPk}
          AND recipient.state = 'ready'
          AND (send.state IS NULL OR send.state IN ('due', 'later'))
      ) AS due
      GROUP BY due.country, due.code
      ORDER BY due.country, due.code`,
  );
}

/** A recipient whose message can be written. */
export interface SealedRecipient {
  id: string;
  key_version: number;
  sealed: Buffer;
  country: string | null;
  variant: number | null;
  slug: string;
  key: string;
}

/** A recipient, by its message or the first one. */
export async function findRecipient(
  campaignPk: number,
  messageId: string | null,
): Promise<SealedRecipient | undefined> {
  const [row] = await query<SealedRecipient>(
    // Answered by campaign_recipient_message or campaign_recipient_pkey.
    sql`
      SELECT recipient.id, recipient.key_version, recipient.sealed, recipient.country,
        recipient.variant, domain.slug, link.key
      FROM campaign_recipient AS recipient
      JOIN link
        ON link.pk = recipient.link_pk
        AND link.id = recipient.link_id
      JOIN domain ON domain.pk = link.domain_pk
      WHERE recipient.campaign_pk = ${campaignPk}
        AND recipient.sealed IS NOT NULL
        AND recipient.state = 'ready'
        AND (${messageId}::text IS NULL OR recipient.message_id = ${messageId})
      ORDER BY recipient.position
      LIMIT 1`,
  );
  return row;
}
