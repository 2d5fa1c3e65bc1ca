/** SQL for lookups, batches of uses, and changes whose row counts settle races. */
import type { NewOidcSession } from "#lib/identity/oidc-sessions";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Proof, SessionUser } from "./schema.ts";

export interface NewSession {
  id: string;
  userId: string;
  agent: string;
  country: string | null;
  city: string | null;
  proofs: readonly Proof[];
  provenHash: string | null;
  waitMinutes: number;
  oidc?: NewOidcSession | undefined;
}

/**
 * Locks the user's row, so that a concurrent password change comes before, or finds the session and
 * ends it. A session that lacks the second factor counts as ended. Uses app_user_id_key.
 */
export async function insertSession(session: NewSession, on?: Connection): Promise<boolean> {
  const { id, userId, agent, country, city, proofs, provenHash, waitMinutes, oidc } = session;
  return await query.on(on).any(
    // defence: connected-account-waits-for-factor
    sql`
      INSERT INTO session
        (id, user_pk, agent, country, city, password_at, email_at, oauth_at, factor_at, passkey_at,
          ended_at, factor_due_at, sso_provider_pk, oidc_subject, oidc_sid, oidc_sealed,
          oidc_check_at, oidc_seen_at)
      SELECT ${id}, pk, ${agent}, ${country}, ${city},
        CASE WHEN ${proofs.includes("password")} THEN now() END,
        CASE WHEN ${proofs.includes("email")} THEN now() END,
        CASE WHEN ${proofs.includes("oauth")} THEN now() END,
        CASE WHEN ${proofs.includes("factor")} THEN now() END,
        CASE WHEN ${proofs.includes("passkey")} THEN now() END,
        CASE WHEN factor_since IS NOT NULL AND NOT ${proofs.includes("factor")} THEN now() END,
        CASE WHEN factor_since IS NOT NULL AND NOT ${proofs.includes("factor")}
          THEN now() + ${waitMinutes} * interval '1 minute' END,
        ${oidc?.providerPk ?? null}::int,
        ${oidc?.subject ?? null},
        ${oidc?.sid ?? null},
        ${oidc?.sealed ?? null}::bytea,
        now() + ${oidc?.checkMinutes ?? null}::int * interval '1 minute',
        CASE WHEN ${oidc !== undefined} THEN now() END
      FROM app_user
      WHERE id = ${userId}
        AND banned_at IS NULL
        AND (${provenHash}::text IS NULL OR password_hash = ${provenHash}::text)
      FOR SHARE
      RETURNING id`,
  );
}

/** The user of a sign-in that waits for the second factor. Uses session_pkey. */
export async function findWaiting(id: string): Promise<number | undefined> {
  // Uses session_pkey.
  const [row] = await query<{ userPk: number }>(
    // defence: waiting-sign-in-ends
    sql`
      SELECT user_pk AS "userPk"
      FROM session
      WHERE id = ${id}
        AND factor_due_at > now()`,
  );
  return row?.userPk;
}

export async function openWaiting(
  tx: Connection,
  id: string,
  proofs: readonly Proof[],
): Promise<boolean> {
  // Uses session_pkey and app_user_pkey.
  const rows = await tx.query(sql`
    UPDATE session
    SET ended_at = NULL, factor_due_at = NULL, factor_at = now(), last_seen_at = now(),
      passkey_at = CASE WHEN ${proofs.includes("passkey")} THEN now() END
    FROM app_user
    WHERE session.id = ${id}
      AND session.factor_due_at IS NOT NULL
      AND app_user.pk = session.user_pk
      AND app_user.banned_at IS NULL
    RETURNING session.id`);
  return rows.length === 1;
}

/** Records what the owner of an open session has just proven. Uses session_pkey. */
export async function noteProofs(
  { sessionId }: { sessionId: string },
  proofs: readonly Proof[],
  on?: Connection,
): Promise<void> {
  // Uses session_pkey.
  await query.on(on).query(sql`
    UPDATE session
    SET
      password_at = CASE WHEN ${proofs.includes("password")} THEN now() ELSE password_at END,
      email_at = CASE WHEN ${proofs.includes("email")} THEN now() ELSE email_at END,
      oauth_at = CASE WHEN ${proofs.includes("oauth")} THEN now() ELSE oauth_at END,
      factor_at = CASE WHEN ${proofs.includes("factor")} THEN now() ELSE factor_at END,
      passkey_at = CASE WHEN ${proofs.includes("passkey")} THEN now() ELSE passkey_at END
    WHERE id = ${sessionId}
      AND ended_at IS NULL`);
}

export interface KnownSession {
  user: SessionUser;
  beganAt: number;
  seenAt: number;
}

export async function loadSessions(ids: string[], on?: Connection): Promise<KnownSession[]> {
  // Uses session_pkey and app_user_pkey.
  const rows = await query.on(on).query<SessionUser & { createdAt: Date; lastSeenAt: Date }>(
    // defence: banned-person-session
    sql`
      SELECT
        session.created_at AS "createdAt",
        session.last_seen_at AS "lastSeenAt",
        session.id AS "sessionId",
        app_user.pk,
        app_user.id,
        app_user.email,
        app_user.name,
        app_user.email_proven_at IS NOT NULL AS confirmed,
        app_user.operator,
        app_user.locale,
        sso_provider.workspace_pk AS "ssoWorkspacePk"
      FROM session
      JOIN app_user ON app_user.pk = session.user_pk
      LEFT JOIN sso_provider ON sso_provider.pk = session.sso_provider_pk
      WHERE session.id = ANY(${ids}::text[])
        AND session.ended_at IS NULL
        AND app_user.banned_at IS NULL`,
  );
  return rows.map(({ createdAt, lastSeenAt, ...user }) => ({
    user,
    beganAt: createdAt.getTime(),
    seenAt: lastSeenAt.getTime(),
  }));
}

/** The user's id; undefined: no such open session. `userPk` null: any user. */
export async function endSessionRow(
  tx: Connection,
  id: string,
  userPk: number | null,
): Promise<string | undefined> {
  // Uses session_pkey.
  const [row] = await tx.query<{ userId: string }>(sql`
    UPDATE session
    SET ended_at = now(), factor_due_at = NULL, oidc_check_at = NULL
    FROM app_user
    WHERE session.id = ${id}
      AND (session.ended_at IS NULL OR session.factor_due_at IS NOT NULL)
      AND app_user.pk = session.user_pk
      AND (${userPk}::int IS NULL OR session.user_pk = ${userPk}::int)
    RETURNING app_user.id AS "userId"`);
  return row?.userId;
}

export async function endSessionRows(
  tx: Connection,
  userPk: number,
  exceptId: string | null,
): Promise<string[]> {
  // Uses session_user_pk_idx.
  const rows = await tx.query<{ id: string }>(sql`
    UPDATE session
    SET ended_at = now(), factor_due_at = NULL, oidc_check_at = NULL
    WHERE user_pk = ${userPk}
      AND (ended_at IS NULL OR factor_due_at IS NOT NULL)
      AND id IS DISTINCT FROM ${exceptId}::text
    RETURNING id`);
  return rows.map((row) => row.id);
}

/** Includes sessions past their limits, because another process may know of a later use. */
export async function listSessionIds(userPk: number, tx: Connection): Promise<string[]> {
  // Uses session_user_pk_idx.
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM session WHERE user_pk = ${userPk} AND ended_at IS NULL`,
  );
  return rows.map(({ id }) => id);
}

export interface OpenSession {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  agent: string | null;
  country: string | null;
  city: string | null;
  proofs: Proof[];
}

export interface SessionLimits {
  idleMinutes: number;
  hours: number;
}

export function listOpenSessions(
  userPk: number,
  { idleMinutes, hours }: SessionLimits,
): Promise<OpenSession[]> {
  // Uses session_user_pk_idx.
  return query<OpenSession>(sql`
    SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt", agent, country, city,
      array_remove(ARRAY[
        CASE WHEN passkey_at IS NOT NULL THEN 'passkey' END,
        CASE WHEN password_at IS NOT NULL THEN 'password' END,
        CASE WHEN email_at IS NOT NULL THEN 'email' END,
        CASE WHEN oauth_at IS NOT NULL THEN 'oauth' END,
        CASE WHEN factor_at IS NOT NULL AND passkey_at IS NULL THEN 'factor' END
      ], NULL) AS proofs
    FROM session
    WHERE user_pk = ${userPk}
      AND ended_at IS NULL
      AND created_at > now() - ${hours} * interval '1 hour'
      AND last_seen_at > now() - ${idleMinutes} * interval '1 minute'
    ORDER BY last_seen_at DESC`);
}

/** Sorted ids make two processes lock rows in one order. */
export async function writeSessionUses(ids: string[], at: Date): Promise<void> {
  await query(
    // defence: idle-time-remembered
    sql`
      UPDATE session
      SET
        idle_seconds = greatest(
          idle_seconds, extract(epoch FROM ${at}::timestamptz - last_seen_at)::int),
        last_seen_at = ${at}
      WHERE id = ANY(${[...ids].sort()}::text[])
        AND last_seen_at < ${at}::timestamptz - interval '1 minute'`,
  );
}
