/**
 * Since a scope was opened, the owner of the address may have proved it, which ends the session and
 * everything made with it.
 */
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { MissingProof } from "./schema.ts";

/** `sessionId` is null for keys and the instance itself. */
interface Actor {
  readonly userPk: number | null;
  readonly sessionId: string | null;
  readonly apiKeyPk: number | null;
}

/** Throws a 401 after the end. A proof locks the same row, so it waits and then removes what was written. */
export async function assertLive(tx: Connection, actor: Actor): Promise<void> {
  const { userPk, sessionId, apiKeyPk } = actor;
  if (userPk === null) return;
  // defence: writes-wait-for-proof
  await tx.query(sql`SELECT FROM app_user WHERE pk = ${userPk} FOR SHARE`);
  // The first statement would still see the old session. Uses session_pkey and api_key_pkey.
  const ended = await tx.query(sql`
    SELECT
    WHERE (${sessionId}::text IS NOT NULL AND NOT EXISTS (
        SELECT FROM session WHERE id = ${sessionId} AND ended_at IS NULL))
      OR (${apiKeyPk}::int IS NOT NULL AND NOT EXISTS (
        SELECT FROM api_key WHERE pk = ${apiKeyPk}::int AND revoked_at IS NULL))`);
  if (ended.length === 0) return;
  throw new AppError("unauthorized", "Your session has ended. Sign in again and retry.");
}

export const freshMinutes = 10;

/** Undefined: the session has ended. Accounts without a password only need the code. */
export async function findMissingProof(sessionId: string): Promise<MissingProof | undefined> {
  // Uses the clock of the database, which wrote the times, and session_pkey and app_user_pkey.
  const [row] = await query<{
    hasPassword: boolean;
    hasFactor: boolean;
    first: boolean;
    second: boolean;
    sso: boolean;
  }>(sql`
  SELECT
    app_user.password_hash IS NOT NULL AS "hasPassword",
    app_user.factor_since IS NOT NULL AS "hasFactor",
    coalesce(greatest(password_at, email_at, oauth_at, passkey_at)
      > now() - ${freshMinutes} * interval '1 minute', false) AS first,
    coalesce(factor_at > now() - ${freshMinutes} * interval '1 minute', false) AS second,
    session.sso_provider_pk IS NOT NULL AS sso
  FROM session
  JOIN app_user ON app_user.pk = session.user_pk
  WHERE session.id = ${sessionId}
    AND session.ended_at IS NULL`);
  if (!row) return undefined;
  const { hasPassword, hasFactor, first, second, sso } = row;
  // Such a session proves nothing about the account, and its provider asks for other factors.
  if (sso) return { password: false, code: false, signIn: !first, sso: true };
  return {
    password: hasPassword && !first,
    // defence: fresh-proof-with-factor
    code: hasFactor && !second,
    // defence: fresh-sign-in-without-password
    signIn: !hasPassword && !hasFactor && !first,
  };
}

/** For writes that could lock the owner out or outlive the session. Keys and jobs have nothing to prove. */
export async function withFreshProof<T>(
  actor: Pick<Actor, "sessionId">,
  write: () => Promise<T>,
): Promise<T> {
  // defence: fresh-proof
  await assertFreshProof(actor);
  return await write();
}

export async function assertFreshProof({ sessionId }: Pick<Actor, "sessionId">): Promise<void> {
  if (sessionId === null) return;
  const missing = await findMissingProof(sessionId);
  if (!missing)
    throw new AppError("unauthorized", "Your session has ended. Sign in again and retry.");
  if (!missing.password && !missing.code && !missing.signIn) return;
  throw new AppError(
    "forbidden",
    `Confirm that it’s you: sign in again, then do this within ${freshMinutes} minutes.`,
    { problem: "proof_needed", params: { minutes: freshMinutes } },
  );
}
