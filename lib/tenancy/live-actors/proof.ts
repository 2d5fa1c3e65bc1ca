/**
 * Fresh proof: a session alone, which may be stolen, changes nothing that would keep its owner out or outlive it. The
 * owner has proved shortly before that they are at the browser, at the sign-in or since.
 */
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { MissingProof } from "./schema.ts";

/** For so many minutes a proof shows that the owner of a session is at the browser. */
export const freshMinutes = 10;

/**
 * What is missing for a fresh proof; undefined: the session has ended. With a second factor its code is needed too. For an
 * account without a password, the code alone is enough.
 */
export async function findMissingProof(sessionId: string): Promise<MissingProof | undefined> {
  // By the clock of the database, which wrote the times. Answered by session_pkey and app_user_pkey.
  const [row] = await query<{
    hasPassword: boolean;
    hasFactor: boolean;
    first: boolean;
    second: boolean;
  }>(sql`
  SELECT
    app_user.password_hash IS NOT NULL AS "hasPassword",
    app_user.factor_since IS NOT NULL AS "hasFactor",
    coalesce(greatest(password_at, email_at, oauth_at)
      > now() - ${freshMinutes} * interval '1 minute', false) AS first,
    coalesce(factor_at > now() - ${freshMinutes} * interval '1 minute', false) AS second
  FROM session
  JOIN app_user ON app_user.pk = session.user_pk
  WHERE session.id = ${sessionId}
    AND session.ended_at IS NULL`);
  if (!row) return undefined;
  const { hasPassword, hasFactor, first, second } = row;
  return {
    password: hasPassword && !first,
    // defence: fresh-proof-with-factor
    code: hasFactor && !second,
    // defence: fresh-sign-in-without-password
    signIn: !hasPassword && !hasFactor && !first,
  };
}

/**
 * Runs a sensitive write of a person. Every write that could keep the owner out, or that outlives the session with its
 * permissions, goes through here. Keys, jobs and the instance itself have no session to prove.
 */
export async function withFreshProof<T>(actor: Actor, write: () => Promise<T>): Promise<T> {
  // defence: fresh-proof
  await assertFreshProof(actor);
  return await write();
}

interface Actor {
  readonly sessionId: string | null;
}

/** Throws a 403 with the problem `proof_needed`. */
export async function assertFreshProof({ sessionId }: Actor): Promise<void> {
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
