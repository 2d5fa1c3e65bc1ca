import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

/** A number that no other lock uses. */
const firstRunLock = 7_301_646;

export async function lockFirstRun(tx: Connection): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${firstRunLock})`);
}

export async function anyUser(tx?: Connection): Promise<boolean> {
  const [row] = await query
    .on(tx)
    .query<{ found: boolean }>(sql`SELECT EXISTS (SELECT FROM app_user) AS found`);
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

export async function insertUser(tx: Connection, user: UserRow): Promise<number | undefined> {
  const [row] = await tx.query<{ pk: number }>(sql`
    INSERT INTO app_user (id, email, name, password_hash, operator, email_proven_at)
    VALUES (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.operator},
      CASE WHEN ${user.proven} THEN now() END)
    ON CONFLICT (email) DO NOTHING
    RETURNING pk`);
  return row?.pk;
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

export async function findUserId(pk: number): Promise<string> {
  const row = await prisma().user.findUnique({ where: { pk }, select: { id: true } });
  return row?.id ?? "";
}

export function findPerson(pk: number) {
  return prisma().user.findUnique({ where: { pk }, select: { id: true, email: true, name: true } });
}

export interface LockedUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  proven: boolean;
  factor: boolean;
}

/** Does not block new rows that refer to the user, so there is no deadlock. Uses app_user_pkey. */
export async function lockUser(tx: Connection, pk: number): Promise<LockedUser | undefined> {
  return await tx.one<LockedUser>(sql`
    SELECT pk, id, email, name, email_proven_at IS NOT NULL AS proven,
      factor_since IS NOT NULL AS factor
    FROM app_user
    WHERE pk = ${pk}
    FOR NO KEY UPDATE`);
}

export async function markEmailVerified(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${pk}`);
}

export async function findIdentity(provider: string, subject: string) {
  const row = await prisma().oAuthIdentity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { user: { select: { pk: true, id: true, email: true, name: true } } },
  });
  return row?.user;
}

export async function insertIdentity(
  tx: Connection,
  provider: string,
  subject: string,
  userId: string,
): Promise<boolean> {
  return await tx.any(sql`
    INSERT INTO identity (provider, subject, user_pk)
    SELECT ${provider}, ${subject}, pk
    FROM app_user
    WHERE id = ${userId}
    ON CONFLICT DO NOTHING
    RETURNING user_pk`);
}
