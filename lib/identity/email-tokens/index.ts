/**
 * Email tokens: a token in an email, of 256 random bits, of which the database stores the hash. It is valid for one
 * purpose, once, and for some minutes. Its holder can read mail of the address it was sent to.
 */
import { hash, randomBytes } from "node:crypto";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

/** How long a token of each purpose is valid. */
export const proofMinutes = { reset: 60, signin: 15, email: 1_440 };
export type ProofPurpose = keyof typeof proofMinutes;

const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

export interface Proven {
  userPk: number;
  email: string;
}

function hashToken(token: string): Buffer<ArrayBuffer> {
  return hash("sha256", token, "buffer");
}

/**
 * Creates a token. Only this result contains it. Earlier tokens stay valid: repeated requests must not invalidate an
 * email in use.
 */
export async function issueProof(
  tx: Connection,
  purpose: ProofPurpose,
  { userPk, email }: Proven,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString("base64url");
  // Answered by proof_expires_at_idx.
  await query(sql`DELETE FROM proof WHERE expires_at <= now()`, tx);
  await query(
    sql`
      INSERT INTO proof (hash, purpose, user_pk, email, expires_at)
      VALUES (${hashToken(token)}, ${purpose}, ${userPk}, ${email},
        now() + ${proofMinutes[purpose]} * interval '1 minute')`,
    tx,
  );
  return token;
}

/** The owner of a token, without using it up. */
export async function findProof(purpose: ProofPurpose, token: string): Promise<Proven | null> {
  if (!tokenShape.test(token)) return null;
  return await prisma().proof.findUnique({
    where: { hash: hashToken(token), purpose, expiresAt: { gt: new Date() } },
    select: { userPk: true, email: true },
  });
}

/** The same, locked until the transaction ends. */
export async function lockProof(
  tx: Connection,
  purpose: ProofPurpose,
  token: string,
): Promise<Proven | undefined> {
  if (!tokenShape.test(token)) return undefined;
  // Answered by proof_pkey.
  const [row] = await query<Proven>(
    sql`
      SELECT user_pk AS "userPk", email
      FROM proof
      WHERE hash = ${hashToken(token)}
        AND purpose = ${purpose}
        AND expires_at > now()
      FOR UPDATE`,
    tx,
  );
  return row;
}

/** Uses up a token, and with it all others of the same purpose and user. */
export async function takeProof(
  tx: Connection,
  purpose: ProofPurpose,
  token: string,
): Promise<Proven | undefined> {
  const proven = await lockProof(tx, purpose, token);
  if (!proven) return undefined;
  await dropProofs(tx, proven.userPk, purpose);
  return proven;
}

/** Invalidates a user's tokens: of one purpose, or all. */
export async function dropProofs(
  tx: Connection,
  userPk: number,
  purpose: ProofPurpose | null = null,
): Promise<void> {
  // Answered by proof_user_pk_idx.
  await query(
    sql`
      DELETE FROM proof
      WHERE user_pk = ${userPk}
        AND (${purpose}::text IS NULL OR purpose = ${purpose})`,
    tx,
  );
}
