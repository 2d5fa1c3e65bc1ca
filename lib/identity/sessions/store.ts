/** The SQL of sessions: the lookup of every request, batches of uses, and changes whose row counts settle races. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { SessionUser } from "./schema.ts";

/**
 * Creates a session; false when the user was deleted or may not sign in, or their password is not the checked one. The user's row is
 * locked: a concurrent password change is awaited, or finds the session and ends it.
 */
export async function insertSession(
  id: string,
  userId: string,
  agent: string,
  provenHash: string | null,
  on?: Connection,
): Promise<boolean> {
  // Answered by app_user_id_key.
  const rows = await query(
    sql`
      INSERT INTO session (id, user_pk, agent)
      SELECT ${id}, pk, ${agent}
      FROM app_user
      WHERE id = ${userId}
        AND banned_at IS NULL
        AND (${provenHash}::text IS NULL OR password_hash = ${provenHash}::text)
      FOR SHARE
      RETURNING id`,
    on,
  );
  return rows.length === 1;
}

export function loadSessions(
  ids: string[],
  ageMaxDays: number,
  on?: Connection,
): Promise<SessionUser[]> {
  // Answered by session_pkey and app_user_pkey.
  return query<SessionUser>(
    sql`
      SELECT
        session.id AS "sessionId",
        app_user.pk,
        app_user.id,
        app_user.email,
        app_user.name,
        app_user.email_proven_at IS NOT NULL AS confirmed,
        app_user.operator,
        app_user.locale
      FROM session
      JOIN app_user ON app_user.pk = session.user_pk
      WHERE session.id = ANY(${ids}::text[])
        AND session.ended_at IS NULL
        AND app_user.banned_at IS NULL
        AND session.created_at > now() - ${ageMaxDays} * interval '1 day'`,
    on,
  );
}

export async function isRecentSession(id: string, minutes: number): Promise<boolean> {
  // By the clock of the database, which wrote the time. Answered by session_pkey.
  const [row] = await query<{ recent: boolean }>(
    sql`
      SELECT created_at > now() - ${minutes} * interval '1 minute' AS recent
      FROM session
      WHERE id = ${id}
        AND ended_at IS NULL`,
  );
  return row?.recent ?? false;
}

/** The id of its user; undefined when there is none to end. `userPk` null: any user's session. */
export async function endSessionRow(
  tx: Connection,
  id: string,
  userPk: number | null,
): Promise<string | undefined> {
  // Answered by session_pkey.
  const [row] = await query<{ userId: string }>(
    sql`
      UPDATE session
      SET ended_at = now()
      FROM app_user
      WHERE session.id = ${id}
        AND session.ended_at IS NULL
        AND app_user.pk = session.user_pk
        AND (${userPk}::int IS NULL OR session.user_pk = ${userPk}::int)
      RETURNING app_user.id AS "userId"`,
    tx,
  );
  return row?.userId;
}

/** Ends all sessions of a user, optionally except one; returns their ids. */
export async function endSessionRows(
  tx: Connection,
  userPk: number,
  exceptId: string | null,
): Promise<string[]> {
  // Answered by session_user_pk_idx.
  const rows = await query<{ id: string }>(
    sql`
      UPDATE session
      SET ended_at = now()
      WHERE user_pk = ${userPk}
        AND ended_at IS NULL
        AND id IS DISTINCT FROM ${exceptId}::text
      RETURNING id`,
    tx,
  );
  return rows.map((row) => row.id);
}

export interface OpenSession {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  agent: string | null;
}

export function listOpenSessions(
  userPk: number,
  ageMaxDays: number,
  tx?: Connection,
): Promise<OpenSession[]> {
  // Answered by session_user_pk_idx.
  return query<OpenSession>(
    sql`
      SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt", agent
      FROM session
      WHERE user_pk = ${userPk}
        AND ended_at IS NULL
        AND created_at > now() - ${ageMaxDays} * interval '1 day'
      ORDER BY last_seen_at DESC`,
    tx,
  );
}

/** Sorted, so that two processes lock the rows in one order. */
export async function writeSessionUses(ids: string[], at: Date): Promise<void> {
  await query(
    sql`
      UPDATE session
      SET last_seen_at = ${at}
      WHERE id = ANY(${[...ids].sort()}::text[])
        AND last_seen_at < ${at}::timestamptz - interval '1 minute'`,
  );
}
