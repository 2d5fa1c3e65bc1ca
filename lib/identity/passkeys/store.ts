import { type Connection, query, sql } from "#lib/platform/postgres";

export interface PasskeyRow {
  id: string;
  userPk: number;
  userId: string;
  publicKey: Buffer;
}

/** Uses passkey_credential_id_key and app_user_pkey. */
export async function findByCredential(credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await query<PasskeyRow>(sql`
    SELECT passkey.id, passkey.user_pk AS "userPk", app_user.id AS "userId",
      passkey.public_key AS "publicKey"
    FROM passkey
    JOIN app_user ON app_user.pk = passkey.user_pk
    WHERE passkey.credential_id = ${credentialId}`);
  return row;
}

export interface CredentialRow {
  id: string;
  transports: string[];
}

/** Uses passkey_user_pk_idx. */
export async function listCredentials(userPk: number): Promise<CredentialRow[]> {
  return await query<CredentialRow>(sql`
    SELECT credential_id AS id, transports
    FROM passkey
    WHERE user_pk = ${userPk}
    ORDER BY created_at`);
}

export interface NewPasskey {
  id: string;
  name: string;
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
}

/** The caller has locked the user's row, so the number of passkeys stays below the limit. */
export async function insertPasskey(
  tx: Connection,
  userPk: number,
  passkey: NewPasskey,
  max: number,
): Promise<boolean> {
  const { id, name, credentialId, publicKey, counter, transports } = passkey;
  return await tx.any(sql`
    INSERT INTO passkey (id, user_pk, name, credential_id, public_key, counter, transports)
    SELECT ${id}, ${userPk}, ${name}, ${credentialId}, ${Buffer.from(publicKey)}, ${counter},
      ${[...transports]}::text[]
    WHERE (SELECT count(*) FROM passkey WHERE user_pk = ${userPk}) < ${max}
    ON CONFLICT (credential_id) DO NOTHING
    RETURNING id`);
}

/** False: the counter is not higher than the last one, or the passkey was removed. */
export async function noteUse(tx: Connection, id: string, counter: number): Promise<boolean> {
  // Uses passkey_pkey.
  return await tx.any(
    // defence: passkey-counter
    sql`
      UPDATE passkey
      SET counter = ${counter}, last_used_at = now()
      WHERE id = ${id}
        AND (counter < ${counter} OR (counter = 0 AND ${counter}::bigint = 0))
      RETURNING id`,
  );
}

export async function isKept(tx: Connection, id: string): Promise<boolean> {
  // Uses passkey_pkey.
  return await tx.any(sql`SELECT FROM passkey WHERE id = ${id}`);
}

/** The person's row comes first, as in every change of an account, so that two changes cannot wait for each other. */
export async function lockOwner(tx: Connection, userPk: number): Promise<void> {
  // Uses app_user_pkey.
  await tx.query(sql`SELECT FROM app_user WHERE pk = ${userPk} FOR SHARE`);
}

/** The name of the passkey. Undefined: the person has no such passkey. */
export async function deletePasskey(
  tx: Connection,
  userPk: number,
  id: string,
): Promise<string | undefined> {
  // Uses passkey_pkey.
  const row = await tx.one<{ name: string }>(
    // defence: passkey-of-person
    sql`DELETE FROM passkey WHERE id = ${id} AND user_pk = ${userPk} RETURNING name`,
  );
  return row?.name;
}

/** `since` null: all. Uses passkey_user_pk_idx. */
export async function deletePasskeys(
  tx: Connection,
  userPk: number,
  since: Date | null,
): Promise<number> {
  const rows = await tx.query(sql`
    DELETE FROM passkey
    WHERE user_pk = ${userPk}
      AND (${since}::timestamptz IS NULL OR created_at >= ${since}::timestamptz)
    RETURNING id`);
  return rows.length;
}
