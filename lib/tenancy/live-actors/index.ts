/**
 * What outlives a session is written only while the session, or the key, of its author exists. A scope says what was
 * true when it was opened: between a session that was looked up and a scope that was opened later, the owner of the
 * address may have proved it, which ends the session and whatever was made with it.
 */
import { AppError } from "#lib/platform/errors";
import { type Connection, sql } from "#lib/platform/postgres";

export { assertFreshProof, findMissingProof, freshMinutes, withFreshProof } from "./proof.ts";

/** The author of a change; `sessionId` is null for a key and for the instance itself. */
interface Actor {
  readonly userPk: number | null;
  readonly sessionId: string | null;
  readonly apiKeyPk: number | null;
}

/**
 * Throws a 401 after the session or key has ended. Until the transaction ends, none of the person can end by a proof,
 * which locks the same row: it waits, and then removes what was written.
 */
export async function assertLive(tx: Connection, actor: Actor): Promise<void> {
  const { userPk, sessionId, apiKeyPk } = actor;
  if (userPk === null) return;
  // defence: writes-wait-for-proof
  await tx.query(sql`SELECT FROM app_user WHERE pk = ${userPk} FOR SHARE`);
  // Another statement: after a wait, the first one would still see the session as it was before.
  // Answered by session_pkey and api_key_pkey.
  const ended = await tx.query(sql`
    SELECT
    WHERE (${sessionId}::text IS NOT NULL AND NOT EXISTS (
        SELECT FROM session WHERE id = ${sessionId} AND ended_at IS NULL))
      OR (${apiKeyPk}::int IS NOT NULL AND NOT EXISTS (
        SELECT FROM api_key WHERE pk = ${apiKeyPk}::int AND revoked_at IS NULL))`);
  if (ended.length === 0) return;
  throw new AppError("unauthorized", "Your session has ended. Sign in again and retry.");
}
