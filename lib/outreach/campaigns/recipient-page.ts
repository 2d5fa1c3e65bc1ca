/** Pages of recipients, with the clicks of their links. */
import { type LinkClicks, type LinkedRow, withLinkClicks } from "#lib/outreach/recipient-links";
import { query, sql } from "#lib/platform/postgres";
import type { ListRecipients } from "./schema.ts";

/** Of recipients that are read at once for a page of those with clicks. */
const readMax = 10_000;

interface StoredRow extends LinkedRow {
  position: number;
  id: string;
  message_id: string;
  state: "ready" | "refused";
  reason: string | null;
  key_version: number | null;
  sealed: Buffer | null;
  opted_out: boolean;
  country: string | null;
  variant: number | null;
  parts: number | null;
}

export type RecipientRow = StoredRow & { visits: LinkClicks | undefined };

/** In the order of positions. Clicks are read for one part after the other, until the page is full. */
export async function findRecipientPage(
  campaignPk: number,
  { pageSize, startingAfter, status, clicked }: ListRecipients,
): Promise<RecipientRow[]> {
  const page: RecipientRow[] = [];
  let after = startingAfter;
  for (let size = pageSize; ; size = Math.min(size * 2, readMax)) {
    const rows = await listRows(campaignPk, { status: status ?? null, after, size });
    page.push(...(await withLinkClicks(rows)).filter((row) => isWanted(row, clicked)));
    const last = rows.at(-1);
    if (!last || page.length >= pageSize || rows.length < size) return page.slice(0, pageSize);
    after = last.position;
  }
}

function isWanted({ state, visits }: RecipientRow, clicked: boolean | undefined): boolean {
  if (clicked === undefined) return true;
  return state === "ready" && (visits?.level ?? 0) > 0 === clicked;
}

interface Part {
  status: StoredRow["state"] | null;
  after: number;
  size: number;
}

function listRows(campaignPk: number, { status, after, size }: Part): Promise<StoredRow[]> {
  // Answered by campaign_recipient_pkey, in the order of positions.
  return query(sql`
    SELECT recipient.position, recipient.id, recipient.message_id, recipient.state,
      recipient.reason, recipient.key_version, recipient.sealed, recipient.country,
      recipient.variant, recipient.parts, recipient.link_pk, recipient.link_id,
      EXISTS (
        SELECT 1
        FROM opt_out
        WHERE opt_out.workspace_pk = recipient.workspace_pk
          AND opt_out.phone_hash = recipient.phone_hash
      ) AS opted_out
    FROM campaign_recipient AS recipient
    WHERE recipient.campaign_pk = ${campaignPk}
      AND recipient.position > ${after}
      AND (${status}::text IS NULL OR recipient.state = ${status})
    ORDER BY recipient.position
    LIMIT ${size}`);
}
