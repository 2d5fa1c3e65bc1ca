import { type Connection, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

export interface AccountRow {
  pk: number;
  id: string;
  email: string;
  passwordHash: string | null;
}

export interface LockedAccountRow extends AccountRow {
  proven: boolean;
}

export async function lockAccountRow(
  tx: Connection,
  pk: number,
): Promise<LockedAccountRow | undefined> {
  return await tx.one<LockedAccountRow>(sql`
    SELECT pk, id, email, password_hash AS "passwordHash",
      email_proven_at IS NOT NULL AS proven
    FROM app_user
    WHERE pk = ${pk}
    FOR NO KEY UPDATE`);
}

export async function findAccountPk(email: string): Promise<number | undefined> {
  const row = await prisma().user.findUnique({ where: { email }, select: { pk: true } });
  return row?.pk;
}

export async function isEmailFree(email: string, userPk: number): Promise<boolean> {
  const account = await findAccountPk(email);
  return account === undefined || account === userPk;
}

export async function writePassword(
  tx: Connection,
  pk: number,
  hash: string,
  isVerified: boolean,
): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET password_hash = ${hash},
      email_proven_at = CASE WHEN ${isVerified} THEN now() ELSE email_proven_at END
    WHERE pk = ${pk}`);
}

export async function writeName(tx: Connection, pk: number, name: string): Promise<void> {
  await tx.query(sql`UPDATE app_user SET name = ${name} WHERE pk = ${pk}`);
}

export async function writeEmail(tx: Connection, pk: number, email: string): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET email = ${email}, email_proven_at = now()
    WHERE pk = ${pk}`);
}

const uniqueViolation = "23505"; // PostgreSQL's code

export function isEmailTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

export async function deleteUser(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM app_user WHERE pk = ${pk}`);
}

export interface AccountSecurity {
  email: string;
  proven: boolean;
  password: boolean;
  factor: boolean;
  recoveryLeft: number;
  sites: string[];
}

export async function getAccountSecurity(userPk: number): Promise<AccountSecurity> {
  const row = await prisma().user.findUniqueOrThrow({
    where: { pk: userPk },
    select: {
      email: true,
      emailProvenAt: true,
      passwordHash: true,
      factorSince: true,
      identities: { select: { provider: true }, orderBy: { provider: "asc" } },
      _count: { select: { recoveryCodes: true } },
    },
  });
  return {
    email: row.email,
    proven: row.emailProvenAt !== null,
    password: row.passwordHash !== null,
    factor: row.factorSince !== null,
    recoveryLeft: row._count.recoveryCodes,
    sites: row.identities.map(({ provider }) => provider),
  };
}
