/**
 * What proves more than a password does.
 *
 * A **proof** is a token in a letter: 256 bits of chance, of which the database has the hash, good for one purpose, once,
 * and for some minutes. Whoever has it reads mail of the address that it was sent to.
 *
 * The **second factor** (factor.ts) is an authenticator that shows another number every 30 seconds.
 */
import { hash, randomBytes } from "node:crypto";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

/** How long each purpose may take. */
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

/** Makes a token. Only this answer has it. Earlier ones go on: whoever asks often must not take away another's letter. */
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

/** Whose token it is, without using it. */
export async function findProof(purpose: ProofPurpose, token: string): Promise<Proven | null> {
  if (!tokenShape.test(token)) return null;
  return await prisma().proof.findUnique({
    where: { hash: hashToken(token), purpose, expiresAt: { gt: new Date() } },
    select: { userPk: true, email: true },
  });
}

/** The same, held until the transaction ends. */
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

/** Uses a token up, and with it every other one of the same purpose that the person was sent. */
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

/** What a person was sent no longer works: of one purpose, or all. */
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
