/** A change keeps the previous factor, sealed or hashed. The emailed token restores it, once. */
import { hash, randomBytes } from "node:crypto";
import { type Connection, query, sql } from "#lib/platform/postgres";

export const undoDays = 7;
const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export async function keepFactor(
  tx: Connection,
  userPk: number,
): Promise<{ token: string; email: string } | undefined> {
  const owner = await lockOwner(tx, userPk);
  if (!owner) return undefined;
  const token = randomBytes(tokenBytes).toString("base64url");
  // Uses factor_undo_expires_at_idx.
  await tx.query(sql`DELETE FROM factor_undo WHERE expires_at <= now()`);
  // An unconfirmed secret is not a factor. Uses app_user_pkey and recovery_code_pkey.
  await tx.query(sql`
    INSERT INTO factor_undo (hash, user_pk, expires_at, secret, since, step, codes)
    SELECT ${hashToken(token)}, pk, now() + ${undoDays} * interval '1 day',
      CASE WHEN factor_since IS NOT NULL THEN factor_secret END, factor_since, factor_step,
      ARRAY(SELECT recovery_code.hash FROM recovery_code WHERE user_pk = ${userPk})
    FROM app_user
    WHERE pk = ${userPk}`);
  return { token, email: owner.email };
}

async function lockOwner(
  tx: Connection,
  userPk: number,
): Promise<{ id: string; email: string } | undefined> {
  // Uses app_user_pkey.
  return await tx.one<{ id: string; email: string }>(
    sql`SELECT id, email FROM app_user WHERE pk = ${userPk} FOR NO KEY UPDATE`,
  );
}

/** The token may have expired. Uses factor_undo_pkey. */
export async function findUndo(token: string): Promise<number | undefined> {
  if (!tokenShape.test(token)) return undefined;
  // Uses factor_undo_pkey.
  const [row] = await query<{ userPk: number }>(sql`
    SELECT user_pk AS "userPk"
    FROM factor_undo
    WHERE hash = ${hashToken(token)}`);
  return row?.userPk;
}

export interface RestoredFactor {
  id: string;
  /** The time of the change. */
  since: Date;
}

/** Uses up all tokens of the user. Undefined: the token was used or has expired. */
export async function restoreFactor(
  tx: Connection,
  userPk: number,
  token: string,
): Promise<RestoredFactor | undefined> {
  const owner = await lockOwner(tx, userPk);
  // After a wait, the first statement would still see a used token. Uses factor_undo_pkey.
  const restored = await tx.one<{ since: Date }>(
    // defence: factor-undo-ends
    sql`
      UPDATE app_user
      SET factor_secret = kept.secret, factor_since = kept.since, factor_step = kept.step
      FROM factor_undo AS kept
      WHERE kept.hash = ${hashToken(token)}
        AND kept.expires_at > now()
        AND kept.user_pk = ${userPk}
        AND app_user.pk = kept.user_pk
      RETURNING kept.expires_at - ${undoDays} * interval '1 day' AS since`,
  );
  if (!owner || !restored) return undefined;
  await tx.query(sql`DELETE FROM recovery_code WHERE user_pk = ${userPk}`);
  await tx.query(sql`
    INSERT INTO recovery_code (user_pk, hash)
    SELECT user_pk, unnest(codes)
    FROM factor_undo
    WHERE hash = ${hashToken(token)}`);
  // defence: factor-undo-once
  await dropUndos(tx, userPk);
  return { id: owner.id, since: restored.since };
}

/** Changes can no longer be undone. Uses factor_undo_user_pk_idx. */
export async function dropUndos(tx: Connection, userPk: number): Promise<void> {
  await tx.query(sql`DELETE FROM factor_undo WHERE user_pk = ${userPk}`);
}
