/**
 * Undoing a change of the second factor: whoever changed it may not have been the owner, who gets an emailed link.
 *
 * A change keeps what there was before: the sealed secret and the hashes of the recovery codes. The token of the link has
 * 256 random bits, of which the database stores the hash. It restores what was kept, once.
 */
import { hash, randomBytes } from "node:crypto";
import { type Connection, query, sql } from "#lib/platform/postgres";

/** For so many days a change can be undone. */
export const undoDays = 7;
const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Keeps the present factor of a user before a change. Returns the token that restores it, and who gets it. */
export async function keepFactor(
  tx: Connection,
  userPk: number,
): Promise<{ token: string; email: string } | undefined> {
  const owner = await lockOwner(tx, userPk);
  if (!owner) return undefined;
  const token = randomBytes(tokenBytes).toString("base64url");
  // Answered by factor_undo_expires_at_idx.
  await tx.query(sql`DELETE FROM factor_undo WHERE expires_at <= now()`);
  // A secret that was never confirmed is not a factor. Answered by app_user_pkey and recovery_code_pkey.
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
  // Answered by app_user_pkey.
  return await tx.one<{ id: string; email: string }>(
    sql`SELECT id, email FROM app_user WHERE pk = ${userPk} FOR NO KEY UPDATE`,
  );
}

/** The user of a token, which may be over. */
export async function findUndo(token: string): Promise<number | undefined> {
  if (!tokenShape.test(token)) return undefined;
  // Answered by factor_undo_pkey.
  const [row] = await query<{ userPk: number }>(sql`
    SELECT user_pk AS "userPk"
    FROM factor_undo
    WHERE hash = ${hashToken(token)}`);
  return row?.userPk;
}

/**
 * Restores what was kept, and uses up all tokens of the user. Returns the id of the user; undefined: the token was used, or
 * is over.
 */
export async function restoreFactor(
  tx: Connection,
  userPk: number,
  token: string,
): Promise<string | undefined> {
  const owner = await lockOwner(tx, userPk);
  // Another statement: after a wait, the first one would still see a token that was used meanwhile. Answered by
  // factor_undo_pkey.
  const rows = await query(
    // defence: factor-undo-ends
    sql`
      UPDATE app_user
      SET factor_secret = kept.secret, factor_since = kept.since, factor_step = kept.step
      FROM factor_undo AS kept
      WHERE kept.hash = ${hashToken(token)}
        AND kept.expires_at > now()
        AND kept.user_pk = ${userPk}
        AND app_user.pk = kept.user_pk
      RETURNING app_user.pk`,
    tx,
  );
  if (!owner || rows.length === 0) return undefined;
  await tx.query(sql`DELETE FROM recovery_code WHERE user_pk = ${userPk}`);
  await tx.query(sql`
    INSERT INTO recovery_code (user_pk, hash)
    SELECT user_pk, unnest(codes)
    FROM factor_undo
    WHERE hash = ${hashToken(token)}`);
  // defence: factor-undo-once
  await dropUndos(tx, userPk);
  return owner.id;
}

/** Changes of a user cannot be undone any more. */
export async function dropUndos(tx: Connection, userPk: number): Promise<void> {
  // Answered by factor_undo_user_pk_idx.
  await tx.query(sql`DELETE FROM factor_undo WHERE user_pk = ${userPk}`);
}
