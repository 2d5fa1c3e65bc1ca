/** Reads recipients for sending. */

import { type LinkedRow, withLinkNames } from "#lib/outreach/recipient-links";
import { query, sql } from "#lib/platform/postgres";

/** Rows per query, although the first one usually has its link. */
const sealedRows = 100;

export interface DueCount {
  country: string | null;
  code: "opted_out" | "erased" | "link_deleted" | null;
  rows: number;
  parts: number;
}

interface Counted {
  country: string | null;
  rows: number;
  parts: number;
}

export async function countDue(campaignPk: number): Promise<DueCount[]> {
  // Answered by campaign_recipient_pkey, all rows of the campaign, then link_pkey. Recipients with
  // a link are also counted among those with a phone; the rest of these have deleted links.
  const counts = await query<Counted & { has: "nothing" | "phone" | "link" | "opted_out" }>(sql`
    WITH due AS (
      SELECT recipient.country, recipient.parts, recipient.link_pk, recipient.link_id,
        recipient.sealed IS NULL AS erased, opt_out.pk IS NOT NULL AS opted_out
      FROM campaign_recipient AS recipient
      LEFT JOIN campaign_send AS send
        ON send.campaign_pk = recipient.campaign_pk
        AND send.position = recipient.position
      LEFT JOIN opt_out
        ON opt_out.workspace_pk = recipient.workspace_pk
        AND opt_out.phone_hash = recipient.phone_hash
      WHERE recipient.campaign_pk = ${campaignPk}
        AND recipient.state = 'ready'
        AND (send.state IS NULL OR send.state IN ('due', 'later'))
    ), linked AS (
      SELECT due.country, due.opted_out, count(*) AS rows, sum(due.parts) AS parts
      FROM due
      JOIN link
        ON link.pk = due.link_pk
        AND link.id = due.link_id
      WHERE NOT due.erased
      GROUP BY due.country, due.opted_out
    ), person AS (
      SELECT country, erased, count(*) AS rows, sum(parts) AS parts
      FROM due
      GROUP BY country, erased
    )
    SELECT country, CASE WHEN opted_out THEN 'opted_out' ELSE 'link' END AS has, rows,
      coalesce(parts, 0)::bigint AS parts
    FROM linked
    UNION ALL
    SELECT country, CASE WHEN erased THEN 'nothing' ELSE 'phone' END, rows,
      coalesce(parts, 0)::bigint
    FROM person`);
  const linked = counts.filter(({ has }) => has === "link" || has === "opted_out");
  return counts.flatMap(({ has, ...count }): DueCount[] => {
    if (has === "link") return [{ ...count, code: null }];
    if (has === "opted_out") return [{ ...count, code: "opted_out" }];
    if (has === "nothing") return [{ ...count, code: "erased" }];
    const own = linked.filter(({ country }) => country === count.country);
    const deleted = own.reduce(minus, count);
    return deleted.rows > 0 ? [{ ...deleted, code: "link_deleted" }] : [];
  });
}

function minus(count: Counted, { rows, parts }: Counted): Counted {
  return { country: count.country, rows: count.rows - rows, parts: count.parts - parts };
}

export interface SealedRecipient {
  id: string;
  key_version: number;
  sealed: Buffer;
  country: string | null;
  variant: number | null;
  slug: string;
  key: string;
}

/** Finds a recipient whose link exists: the one of a message, or the first. */
export async function findRecipient(
  campaignPk: number,
  messageId: string | null,
): Promise<SealedRecipient | undefined> {
  for (let after = -1; ; ) {
    const rows = await listSealed(campaignPk, messageId, after);
    for (const { slug, key, ...row } of await withLinkNames(rows)) {
      if (slug !== null) return { ...row, slug, key };
    }
    const last = rows.at(-1);
    if (!last) return undefined;
    after = last.position;
  }
}

type SealedRow = Omit<SealedRecipient, "slug" | "key"> & LinkedRow & { position: number };

function listSealed(
  campaignPk: number,
  messageId: string | null,
  after: number,
): Promise<SealedRow[]> {
  // Answered by campaign_recipient_message or campaign_recipient_pkey.
  return query(sql`
    SELECT position, id, key_version, sealed, country, variant, link_pk, link_id
    FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND position > ${after}
      AND sealed IS NOT NULL
      AND state = 'ready'
      AND (${messageId}::text IS NULL OR message_id = ${messageId})
    ORDER BY position
    LIMIT ${sealedRows}`);
}
