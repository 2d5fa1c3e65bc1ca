/** Email tokens: 256 random bits, stored as a hash, for one purpose, once. */
import { hash, randomBytes } from "node:crypto";
import { type Connection, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

export const emailTokenMinutes = { reset: 60, signin: 15, email: 1_440 };
export type EmailTokenPurpose = keyof typeof emailTokenMinutes;

const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

export interface EmailTokenOwner {
  userPk: number;
  email: string;
}

function hashToken(token: string): Buffer<ArrayBuffer> {
  return hash("sha256", token, "buffer");
}

/** Earlier tokens stay valid, so that repeated requests don’t invalidate an email in use. */
export async function issueEmailToken(
  tx: Connection,
  purpose: EmailTokenPurpose,
  { userPk, email }: EmailTokenOwner,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString("base64url");
  // Uses proof_expires_at_idx.
  await tx.query(sql`DELETE FROM proof WHERE expires_at <= now()`);
  await tx.query(sql`
    INSERT INTO proof (hash, purpose, user_pk, email, expires_at)
    VALUES (${hashToken(token)}, ${purpose}, ${userPk}, ${email},
      now() + ${emailTokenMinutes[purpose]} * interval '1 minute')`);
  return token;
}

export async function findEmailToken(
  purpose: EmailTokenPurpose,
  token: string,
): Promise<EmailTokenOwner | null> {
  if (!tokenShape.test(token)) return null;
  return await prisma().emailToken.findUnique({
    where: { hash: hashToken(token), purpose, expiresAt: { gt: new Date() } },
    select: { userPk: true, email: true },
  });
}

export async function lockEmailToken(
  tx: Connection,
  purpose: EmailTokenPurpose,
  token: string,
): Promise<EmailTokenOwner | undefined> {
  if (!tokenShape.test(token)) return undefined;
  // Uses proof_pkey.
  return await tx.one<EmailTokenOwner>(sql`
    SELECT user_pk AS "userPk", email
    FROM proof
    WHERE hash = ${hashToken(token)}
      AND purpose = ${purpose}
      AND expires_at > now()
    FOR UPDATE`);
}

export async function redeemEmailToken(
  tx: Connection,
  purpose: EmailTokenPurpose,
  token: string,
): Promise<EmailTokenOwner | undefined> {
  const owner = await lockEmailToken(tx, purpose, token);
  if (!owner) return undefined;
  await dropEmailTokens(tx, owner.userPk, purpose);
  return owner;
}

export async function dropEmailTokens(
  tx: Connection,
  userPk: number,
  purpose: EmailTokenPurpose | null = null,
): Promise<void> {
  // Uses proof_user_pk_idx.
  await tx.query(sql`
    DELETE FROM proof
    WHERE user_pk = ${userPk}
      AND (${purpose}::text IS NULL OR purpose = ${purpose})`);
}
