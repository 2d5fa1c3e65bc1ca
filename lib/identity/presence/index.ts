/**
 * Proving in an open session that its owner is at the browser: by the password, by a code of the second factor, or by
 * both. `withFreshProof` (lib/tenancy/live-actors) asks for it before sensitive writes.
 */
import { noteFailure } from "#lib/identity/failed-proofs";
import { checkFactor } from "#lib/identity/second-factor";
import { noteProofs } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { tryLimit } from "#lib/platform/limits";
import { verifyPassword } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { findMissingProof } from "#lib/tenancy/live-actors";
import type { MissingProof } from "#lib/tenancy/live-actors/schema";

export { finishSignIn, isFactorAwaited } from "./waiting.ts";

export interface GivenProof {
  password: string;
  /** A verification code or a recovery code. */
  code: string;
}

interface Failure<Code> {
  ok: false;
  code: Code;
}
export type PasswordFailure = Failure<"password_wrong" | "too_many">;
type CodeFailure = Failure<"code_wrong" | "too_many">;

/** What the owner of a session has to give now, for the dialog that asks. */
export async function findMissingProofOf({ sessionId }: SessionUser): Promise<MissingProof> {
  return (await findMissingProof(sessionId)) ?? { password: false, code: false, signIn: true };
}

/** Checks what is missing of a fresh proof. Each right part counts, so that only the other one is asked for again. */
export async function provePresence(
  user: SessionUser,
  { password, code }: GivenProof,
): Promise<{ ok: true } | PasswordFailure | CodeFailure | Failure<"sign_in_needed">> {
  const missing = await findMissingProofOf(user);
  if (missing.signIn) return { ok: false, code: "sign_in_needed" };
  if (missing.password) {
    const checked = await checkPassword(user, password);
    if (!checked.ok) return checked;
  }
  return missing.code ? await checkCode(user, code) : { ok: true };
}

/** The password of an account that has one; of one without, `withFreshProof` asks for another proof. */
export async function checkPassword(
  user: SessionUser,
  password: string,
): Promise<{ ok: true } | PasswordFailure> {
  const account = await prisma().user.findUnique({
    where: { pk: user.pk },
    select: { passwordHash: true },
  });
  if (!account) return { ok: false, code: "password_wrong" };
  if (account.passwordHash === null) return { ok: true };
  // By session: only the signed-in person can use it up.
  const attempt = await tryLimit("passwordPerSession", user.sessionId);
  if (!attempt.ok) return { ok: false, code: "too_many" };
  if (!(await verifyPassword(password, account.passwordHash))) {
    noteFailure(user.pk, "password_in_session");
    return { ok: false, code: "password_wrong" };
  }
  await attempt.refund();
  await noteProofs(user, ["password"]);
  return { ok: true };
}

/** Attempts share their limit with signing in: both guess the same code. */
export async function checkCode(
  user: SessionUser,
  code: string,
): Promise<{ ok: true } | CodeFailure> {
  const attempt = await tryLimit("factorPerAccount", String(user.pk));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const right = await transaction(async (tx) => {
    if (!(await checkFactor(tx, user.pk, code))) return false;
    await noteProofs(user, ["factor"], tx);
    return true;
  });
  if (!right) {
    noteFailure(user.pk, "code_in_session");
    return { ok: false, code: "code_wrong" };
  }
  await attempt.refund();
  return { ok: true };
}
