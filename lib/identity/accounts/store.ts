/** The SQL of accounts. */
import { type Connection, query, sql } from "#lib/platform/postgres";

/** Whose account it is. */
export interface Holder {
  pk: number;
  id: string;
  email: string;
  passwordHash: string | null;
}

export async function readHolder(pk: number): Promise<Holder | undefined> {
  // Answered by app_user_pkey.
  const [row] = await query<Holder>(
    sql`
      SELECT pk, id, email, password_hash AS "passwordHash"
      FROM app_user
      WHERE pk = ${pk}`,
  );
  return row;
}

/** The same, held until the transaction ends. */
export async function lockHolder(tx: Connection, pk: number): Promise<Holder | undefined> {
  const [row] = await query<Holder>(
    sql`
      SELECT pk, id, email, password_hash AS "passwordHash"
      FROM app_user
      WHERE pk = ${pk}
      FOR UPDATE`,
    tx,
  );
  return row;
}

export async function findHolder(email: string): Promise<number | undefined> {
  // Answered by app_user_email_key.
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM app_user WHERE email = ${email}`);
  return row?.pk;
}

/** True for an address that nobody else has. */
export async function isFree(email: string, userPk: number): Promise<boolean> {
  const holder = await findHolder(email);
  return holder === undefined || holder === userPk;
}

export async function writePassword(
  tx: Connection,
  pk: number,
  hash: string,
  proven: boolean,
): Promise<void> {
  await query(
    sql`
      UPDATE app_user
      SET password_hash = ${hash},
        email_proven_at = CASE WHEN ${proven} THEN now() ELSE email_proven_at END
      WHERE pk = ${pk}`,
    tx,
  );
}

/** Throws where another account has the address. */
export async function writeEmail(tx: Connection, pk: number, email: string): Promise<void> {
  await query(
    sql`
      UPDATE app_user
      SET email = ${email}, email_proven_at = now()
      WHERE pk = ${pk}`,
    tx,
  );
}

/** What PostgreSQL says when a unique value exists. */
const uniqueViolation = "23505";

export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

/** Sessions, memberships, keys and proofs go with the row. */
export async function deleteUser(tx: Connection, pk: number): Promise<void> {
  await query(sql`DELETE FROM app_user WHERE pk = ${pk}`, tx);
}

/** What an account has to protect it. */
export interface Account {
  email: string;
  proven: boolean;
  password: boolean;
  factor: boolean;
  recoveryLeft: number;
  /** Sites with which its person signs in. */
  sites: string[];
}

export async function getAccount(userPk: number): Promise<Account> {
  // Answered by app_user_pkey, recovery_code_pkey and identity_user_pk_idx.
  const [row] = await query<Account>(
    sql`
      SELECT email,
        email_proven_at IS NOT NULL AS proven,
        password_hash IS NOT NULL AS password,
        factor_since IS NOT NULL AS factor,
        (SELECT count(*) FROM recovery_code WHERE user_pk = app_user.pk) AS "recoveryLeft",
        ARRAY(
          SELECT provider FROM identity WHERE user_pk = app_user.pk ORDER BY provider
        ) AS sites
      FROM app_user
      WHERE pk = ${userPk}`,
  );
  if (!row) throw new Error("The account was deleted");
  return row;
}
