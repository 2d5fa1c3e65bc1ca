/** The SQL of people, their sessions and their keys. */
import { type Connection, query, sql } from "#lib/postgres";
import { prisma } from "#lib/prisma";
import { type KeyGrant, lockWorkspace, planOf, roleOf, type Seat } from "#lib/workspaces";
import type { ApiKey, SessionUser } from "./schema.ts";

/** Any number that nothing else in the database locks. */
const firstRunLock = 7_301_646;

/** Waits until no other first run is under way. Held until the transaction ends. */
export async function lockFirstRun(tx: Connection): Promise<void> {
  await query(sql`SELECT pg_advisory_xact_lock(${firstRunLock})`, tx);
}

export async function anyUser(tx?: Connection): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT FROM app_user) AS found`,
    tx,
  );
  return row?.found ?? false;
}

export interface UserRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  operator: boolean;
  proven: boolean;
}

/** False: the address already has an account. */
export async function insertUser(tx: Connection, user: UserRow): Promise<boolean> {
  const rows = await query(
    sql`
      INSERT INTO app_user (id, email, name, password_hash, operator, email_proven_at)
      VALUES (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.operator},
        CASE WHEN ${user.proven} THEN now() END)
      ON CONFLICT (email) DO NOTHING
      RETURNING pk`,
    tx,
  );
  return rows.length === 1;
}

export function findUserByEmail(email: string) {
  return prisma().user.findUnique({
    where: { email },
    select: {
      pk: true,
      id: true,
      email: true,
      name: true,
      passwordHash: true,
      emailProvenAt: true,
      factorSince: true,
    },
  });
}

export interface ProvenUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  proven: boolean;
  factor: boolean;
}

/** Held until the transaction ends. */
export async function lockUser(tx: Connection, pk: number): Promise<ProvenUser | undefined> {
  // Answered by app_user_pkey.
  const [row] = await query<ProvenUser>(
    sql`
      SELECT pk, id, email, name, email_proven_at IS NOT NULL AS proven,
        factor_since IS NOT NULL AS factor
      FROM app_user
      WHERE pk = ${pk}
      FOR UPDATE`,
    tx,
  );
  return row;
}

export async function markProven(tx: Connection, pk: number): Promise<void> {
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${pk}`, tx);
}

/** Takes away what somebody set who never proved that the address is theirs. */
export async function dropUnproven(tx: Connection, pk: number): Promise<void> {
  await query(sql`UPDATE app_user SET password_hash = NULL WHERE pk = ${pk}`, tx);
  await query(sql`DELETE FROM identity WHERE user_pk = ${pk}`, tx);
}

export async function findIdentity(
  provider: string,
  subject: string,
): Promise<{ id: string; email: string; name: string } | undefined> {
  // Answered by identity_pkey and app_user_pkey.
  const [row] = await query<{ id: string; email: string; name: string }>(
    sql`
      SELECT app_user.id, app_user.email, app_user.name
      FROM identity
      JOIN app_user ON app_user.pk = identity.user_pk
      WHERE identity.provider = ${provider}
        AND identity.subject = ${subject}`,
  );
  return row;
}

/** False: the account elsewhere belongs to somebody already. */
export async function insertIdentity(
  tx: Connection,
  provider: string,
  subject: string,
  userId: string,
): Promise<boolean> {
  const rows = await query(
    sql`
      INSERT INTO identity (provider, subject, user_pk)
      SELECT ${provider}, ${subject}, pk
      FROM app_user
      WHERE id = ${userId}
      ON CONFLICT DO NOTHING
      RETURNING user_pk`,
    tx,
  );
  return rows.length === 1;
}

/**
 * Begins a session; false when there is no such user any more, or when their password is not the proven one. The row of
 * the user is held: whoever sets a password meanwhile is waited for, or finds the session and ends it.
 */
export async function insertSession(
  id: string,
  userId: string,
  agent: string,
  provenHash: string | null,
): Promise<boolean> {
  // Answered by app_user_id_key.
  const rows = await query(
    sql`
      INSERT INTO session (id, user_pk, agent)
      SELECT ${id}, pk, ${agent}
      FROM app_user
      WHERE id = ${userId}
        AND (${provenHash}::text IS NULL OR password_hash = ${provenHash}::text)
      FOR SHARE
      RETURNING id`,
  );
  return rows.length === 1;
}

export function loadSessions(ids: string[], ageMaxDays: number): Promise<SessionUser[]> {
  // Answered by session_pkey and app_user_pkey.
  return query<SessionUser>(
    sql`
      SELECT
        session.id AS "sessionId",
        app_user.pk,
        app_user.id,
        app_user.email,
        app_user.name,
        app_user.operator,
        app_user.locale
      FROM session
      JOIN app_user ON app_user.pk = session.user_pk
      WHERE session.id = ANY(${ids}::text[])
        AND session.ended_at IS NULL
        AND session.created_at > now() - ${ageMaxDays} * interval '1 day'`,
  );
}

/** Answers whose session it was; undefined when there is none to end. `userPk` null: whoever's it is. */
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

/** Ends the sessions of a person, all but one or all; returns their ids. */
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

/** Sorted, so that two processes take the rows in one order. */
export async function writeSessionUses(ids: string[], at: Date): Promise<void> {
  await query(
    sql`
      UPDATE session
      SET last_seen_at = ${at}
      WHERE id = ANY(${[...ids].sort()}::text[])
        AND last_seen_at < ${at}::timestamptz - interval '1 minute'`,
  );
}

export async function writeKeyUses(pks: number[], at: Date): Promise<void> {
  await query(
    sql`
      UPDATE api_key
      SET last_used_at = ${at}
      WHERE pk = ANY(${[...pks].sort((a, b) => a - b)}::int[])
        AND (last_used_at IS NULL OR last_used_at < ${at}::timestamptz - interval '1 minute')`,
  );
}

/** What people decide about a key. */
export interface KeyTerms {
  name: string;
  scopes: string[];
  expiresAt: Date | null;
  allowedAddresses: string[];
}

export interface KeyRow extends KeyTerms {
  id: string;
  workspacePk: number;
  userPk: number;
  hash: Buffer;
  hint: string;
}

/**
 * Makes a key for a member. The membership is held until the key is there, so that whoever removes the member finds it.
 * Undefined: the person is no member any more, the key exists, or the workspace has `keysMax` keys.
 */
export async function insertKey(
  tx: Connection,
  key: KeyRow,
  keysMax: number,
): Promise<{ createdAt: Date; userId: string; userName: string } | undefined> {
  // Who makes another key at the same moment waits here, and then counts this one.
  await lockWorkspace(tx, key.workspacePk);
  const [row] = await query<{ createdAt: Date; userId: string; userName: string }>(
    sql`
      WITH member AS (
        SELECT user_pk
        FROM membership
        WHERE workspace_pk = ${key.workspacePk}
          AND user_pk = ${key.userPk}
        FOR KEY SHARE
      ),
      made AS (
        INSERT INTO api_key
          (id, workspace_pk, user_pk, name, hash, hint, scopes, expires_at, allowed_addresses)
        SELECT ${key.id}, ${key.workspacePk}, user_pk, ${key.name}, ${key.hash}, ${key.hint},
          ${key.scopes}::text[], ${key.expiresAt}::timestamptz, ${key.allowedAddresses}::text[]
        FROM member
        WHERE (
          SELECT count(*)
          FROM api_key
          WHERE workspace_pk = ${key.workspacePk}
            AND revoked_at IS NULL
        ) < ${keysMax}
        ON CONFLICT (hash) DO NOTHING
        RETURNING user_pk, created_at
      )
      SELECT made.created_at AS "createdAt", app_user.id AS "userId", app_user.name AS "userName"
      FROM made
      JOIN app_user ON app_user.pk = made.user_pk`,
    tx,
  );
  return row;
}

export interface LockedKey extends KeyTerms {
  pk: number;
  /** In hexadecimal. */
  hash: string;
}

/** A key that was not revoked, held until the transaction ends. */
export async function lockKey(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<LockedKey | undefined> {
  // Answered by api_key_id_key.
  const [row] = await query<LockedKey>(
    sql`
      SELECT pk, name, scopes, expires_at AS "expiresAt", allowed_addresses AS "allowedAddresses",
        encode(hash, 'hex') AS hash
      FROM api_key
      WHERE workspace_pk = ${workspacePk}
        AND id = ${id}
        AND revoked_at IS NULL
      FOR UPDATE`,
    tx,
  );
  return row;
}

export async function updateKeyRow(tx: Connection, pk: number, terms: KeyTerms): Promise<void> {
  await query(
    sql`
      UPDATE api_key
      SET name = ${terms.name},
        scopes = ${terms.scopes}::text[],
        expires_at = ${terms.expiresAt}::timestamptz,
        allowed_addresses = ${terms.allowedAddresses}::text[]
      WHERE pk = ${pk}`,
    tx,
  );
}

export async function revokeKeyRow(tx: Connection, pk: number): Promise<void> {
  await query(sql`UPDATE api_key SET revoked_at = now() WHERE pk = ${pk}`, tx);
}

export interface FoundKey {
  hash: string;
  expiresAt: Date | null;
  allowedAddresses: string[];
  seat: Seat;
  grant: KeyGrant;
}

interface FoundKeyRow extends Omit<Seat, "role" | "plan"> {
  hash: string;
  expiresAt: Date | null;
  allowedAddresses: string[];
  role: string;
  plan: string;
  keyPk: number;
  keyId: string;
  scopes: string[];
}

/** The keys behind these hashes that work, and whose owners are still members. */
export async function loadKeys(hashes: string[]): Promise<FoundKey[]> {
  // Answered by api_key_hash_key, then by primary keys.
  const rows = await query<FoundKeyRow>({
    name: "auth-keys",
    text: `
      SELECT
        encode(api_key.hash, 'hex') AS hash,
        api_key.pk AS "keyPk",
        api_key.id AS "keyId",
        api_key.scopes,
        api_key.expires_at AS "expiresAt",
        api_key.allowed_addresses AS "allowedAddresses",
        membership.role,
        workspace.pk AS "workspacePk",
        workspace.id AS "workspaceId",
        workspace.slug,
        workspace.zone,
        workspace.plan,
        workspace.reuse_seconds AS "reuseSeconds",
        workspace.lifetime_seconds AS "lifetimeSeconds",
        app_user.pk AS "userPk",
        app_user.id AS "userId"
      FROM api_key
      JOIN membership
        ON membership.workspace_pk = api_key.workspace_pk
        AND membership.user_pk = api_key.user_pk
      JOIN workspace ON workspace.pk = api_key.workspace_pk
      JOIN app_user ON app_user.pk = api_key.user_pk
      WHERE api_key.hash = ANY($1::bytea[])
        AND api_key.revoked_at IS NULL
        AND workspace.deleted_at IS NULL`,
    values: [hashes.map((hash) => Buffer.from(hash, "hex"))],
  });
  return rows.map(
    ({ hash, expiresAt, allowedAddresses, keyPk, keyId, scopes, role, plan, ...seat }) => ({
      hash,
      expiresAt,
      allowedAddresses,
      seat: { ...seat, role: roleOf(role), plan: planOf(plan) },
      grant: { pk: keyPk, id: keyId, scopes },
    }),
  );
}

/** The keys of a workspace that were not revoked, the newest first; with an id that one alone. */
export async function listKeys(workspacePk: number, id?: string): Promise<ApiKey[]> {
  const rows = await prisma().apiKey.findMany({
    where: { workspacePk, revokedAt: null, ...(id === undefined ? {} : { id }) },
    orderBy: { pk: "desc" },
    include: { user: { select: { id: true, name: true } } },
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    allowedAddresses: row.allowedAddresses,
    user: row.user,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  }));
}
