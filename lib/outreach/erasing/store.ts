/** The statements of erasures. */
import { type Connection, query, sql } from "#lib/platform/postgres";

/** The links of a phone that exist. */
export async function findLinks(
  workspacePk: number,
  hash: Buffer,
  tx?: Connection,
): Promise<{ pk: number; id: string }[]> {
  // Answered by campaign_recipient_phone.
  return await query.on(tx).query<{ pk: number; id: string }>(sql`
    SELECT link.pk, link.id
    FROM (
      SELECT link_pk, link_id
      FROM campaign_recipient
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ${hash}
    ) AS recipient
    JOIN link
      ON link.pk = recipient.link_pk
      AND link.id = recipient.link_id`);
}

/** Deletes the recipients of a phone, and counts them out of their campaigns. Returns their number. */
export async function deleteRecipients(
  tx: Connection,
  workspacePk: number,
  hash: Buffer,
): Promise<number> {
  // Answered by campaign_recipient_phone.
  const rows = await tx.query<{ campaign_pk: number }>(sql`
    DELETE FROM campaign_recipient
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${hash}
    RETURNING campaign_pk`);
  // A phone is once in a campaign. Answered by campaign_pkey.
  await tx.query(sql`
    UPDATE campaign
    SET recipients = recipients - 1
    WHERE pk = ANY(${rows.map(({ campaign_pk: pk }) => pk)}::int[])`);
  return rows.length;
}

export async function findWorkspace(id: string): Promise<number | undefined> {
  // Answered by workspace_id_key.
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM workspace WHERE id = ${id}`);
  return row?.pk;
}
