/** What the file of messages reads of recipients. */
import { type LinkedRow, withLinkNames } from "#lib/outreach/recipient-links";
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
  const page: MessageRow[] = [];
  for (let position = after; ; ) {
    const rows = await listWritten(campaignPk, position, limit);
    for (const { slug, key, ...row } of await withLinkNames(rows)) {
      if (slug !== null) page.push({ ...row, slug, key });
    }
    const last = rows.at(-1);
    if (!last || page.length >= limit) return page.slice(0, limit);
    position = last.position;
  }
}

type WrittenRow = Omit<MessageRow, "slug" | "key"> & LinkedRow;

function listWritten(campaignPk: number, after: number, limit: number): Promise<WrittenRow[]> {
  // Answered by campaign_recipient_pkey, in the order of positions. The scalar subquery is evaluated for each row:
  // joined, a page of a million recipients would read all of them.
  return query(sql`
    SELECT recipient.position, recipient.id, recipient.message_id, recipient.key_version,
      recipient.sealed, recipient.country, recipient.variant, recipient.parts,
      recipient.link_pk, recipient.link_id
    FROM campaign_recipient AS recipient
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
    LIMIT ${limit}`);
}
