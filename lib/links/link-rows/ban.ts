import type { AbuseReason } from "#lib/basics/abuse/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";

/**
 * Bans a link, or lifts its ban (null), which restores the exact state before. Undefined: the link
 * was deleted.
 */
export async function markBanned(
  tx: Connection,
  { pk, id }: { pk: number; id: string },
  reason: AbuseReason | null,
  revision: number,
): Promise<{ domain_pk: number; key: string } | undefined> {
  const bannedAt = reason === null ? null : new Date();
  // Answered by link_pkey. After a deletion, another link may have the pk. Waits for an edit in
  // progress.
  const [row] = await tx.query<{ domain_pk: number; key: string }>(sql`
    UPDATE link
    SET banned_at = ${bannedAt},
      ban_reason = ${reason}::text,
      revision = ${revision}
    WHERE pk = ${pk}
      AND id = ${id}::uuid
    RETURNING domain_pk, key`);
  // A deleted link that can still be restored.
  await query(
    // Answered by deleted_link_pkey.
    // defence: ban-ends-for-deleted-link
    sql`
      UPDATE deleted_link
      SET link = link || jsonb_build_object(
        'banned_at', ${bannedAt}::timestamptz,
        'ban_reason', ${reason}::text
      )
      WHERE link_pk = ${pk}
        AND link ->> 'id' = ${id}`,
    tx,
  );
  return row;
}
