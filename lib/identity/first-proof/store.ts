/** The statements of a first proof; SQL, because they belong to one transaction. */
import { type Connection, sql } from "#lib/platform/postgres";

/** Password and connected accounts; the address is proven from now on. */
export async function deleteCredentials(tx: Connection, userPk: number): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET password_hash = NULL, email_proven_at = now()
    WHERE pk = ${userPk}`);
  // Answered by identity_user_pk_idx.
  // defence: first-proof-ends-identities
  await tx.query(sql`DELETE FROM identity WHERE user_pk = ${userPk}`);
}

export async function deleteShares(tx: Connection, userId: string): Promise<number> {
  // Answered by share_made_by_idx.
  const rows = await tx.query(sql`DELETE FROM share WHERE made_by = ${userId} RETURNING pk`);
  return rows.length;
}

export async function deleteInvitations(tx: Connection, userId: string): Promise<number> {
  // Answered by invitation_invited_by_idx.
  const rows = await tx.query(
    sql`DELETE FROM invitation WHERE invited_by = ${userId} RETURNING id`,
  );
  return rows.length;
}

/** The revoked keys: the hashes of their secrets, the previous one included, in hexadecimal. Keys from before mail was configured stay. */
export async function revokeKeys(tx: Connection, userPk: number): Promise<string[][]> {
  // Answered by api_key_user_pk_idx.
  const rows = await tx.query<{ hashes: string[] }>(sql`
    UPDATE api_key
    SET revoked_at = now()
    WHERE user_pk = ${userPk}
      AND revoked_at IS NULL
      AND NOT unproven
    RETURNING array_remove(
      ARRAY[encode(hash, 'hex'), encode(previous_hash, 'hex')], NULL) AS hashes`);
  return rows.map(({ hashes }) => hashes);
}

export async function countUnprovenKeys(tx: Connection, userPk: number): Promise<number> {
  // Answered by api_key_user_pk_idx.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM api_key
    WHERE user_pk = ${userPk}
      AND revoked_at IS NULL
      AND unproven`);
  return row?.count ?? 0;
}

export async function listWorkspacePks(tx: Connection, userPk: number): Promise<number[]> {
  // Answered by membership_user_pk_idx.
  const rows = await tx.query<{ pk: number }>(
    sql`SELECT workspace_pk AS pk FROM membership WHERE user_pk = ${userPk} ORDER BY workspace_pk`,
  );
  return rows.map(({ pk }) => pk);
}
