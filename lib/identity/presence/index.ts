/** Proves that the owner is at the browser, for `withFreshProof` (lib/tenancy/live-actors). */
import { noteFailure } from "#lib/identity/failed-proofs";
import {
  askForPasskey,
  hasPasskey,
  type PasskeyPurpose,
  readUsedPasskey,
  takePasskey,
} from "#lib/identity/passkeys";
import { checkFactor } from "#lib/identity/second-factor";
import { findWaitingSession, noteProofs, passFactor } from "#lib/identity/sessions";
import { passkeyProofs, type SessionUser } from "#lib/identity/sessions/schema";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { tryLimit } from "#lib/platform/limits";
import { verifyPassword } from "#lib/platform/passwords";
import { type Connection, transaction } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { findMissingProof } from "#lib/tenancy/live-actors";
import type { MissingPresence } from "./schema.ts";

export interface GivenProof {
  password: string;
  code: string;
}

interface Failure<Code> {
  ok: false;
  code: Code;
}
export type PasswordFailure = Failure<"password_wrong" | "too_many">;
type CodeFailure = Failure<"code_wrong" | "too_many">;

export async function findMissingProofOf({ pk, sessionId }: SessionUser): Promise<MissingPresence> {
  const [missing, passkey] = await Promise.all([findMissingProof(sessionId), hasPasskey(pk)]);
  return { ...(missing ?? { password: false, code: false, signIn: true }), passkey };
}

/** Accepts each right part on its own, so that people only have to repeat the other one. */
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

/** Succeeds for accounts without a password, which `withFreshProof` asks for another proof. */
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
  // The limit is per session, so that only the signed-in person can use it up.
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

/** Attempts share their limit with signing in, because both guess the same code. */
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

type PasskeyOutcome = { ok: true } | Failure<"passkey_refused" | "too_many" | "unauthorized">;

function proving({ sessionId }: SessionUser): PasskeyPurpose {
  return `prove ${sessionId}`;
}

export function askPresence(user: SessionUser) {
  return askForPasskey(proving(user), user.pk);
}

/** A passkey proves the password and the second factor at once. */
export async function provePresenceByPasskey(
  user: SessionUser,
  answer: string,
): Promise<PasskeyOutcome> {
  const request = { purpose: proving(user), userPk: user.pk, sessionId: user.sessionId, answer };
  return await withPasskey(request, async (tx) => {
    await noteProofs(user, passkeyProofs, tx);
    return [];
  });
}

interface PasskeyRequest {
  purpose: PasskeyPurpose;
  userPk: number;
  sessionId: string;
  answer: string;
}

/** Only failures count against the limit of the session. `done` undefined: the session is over. */
async function withPasskey(
  { purpose, userPk, sessionId, answer }: PasskeyRequest,
  done: (tx: Connection) => Promise<CacheChange[] | undefined>,
): Promise<PasskeyOutcome> {
  const attempt = await tryLimit("passkeyPerSession", sessionId);
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const used = await readUsedPasskey(answer, purpose);
  // defence: passkey-of-session
  if (used?.userPk !== userPk) return { ok: false, code: "passkey_refused" };
  const [taken, changes] = await transaction(async (tx) => {
    const state = await takePasskey(tx, used);
    return [state, state === "taken" ? await done(tx) : undefined] as const;
  });
  if (taken === "copied") noteFailure(userPk, "passkey_copied");
  if (taken !== "taken") return { ok: false, code: "passkey_refused" };
  if (!changes) return { ok: false, code: "unauthorized" };
  await attempt.refund();
  await publishChanges(changes);
  return { ok: true };
}

/** The cookie already has the session, which counts as ended until the code is right. */
export async function isFactorAwaited(cookies: string): Promise<boolean> {
  return (await findWaitingSession(cookies)) !== undefined;
}

export async function finishSignIn(
  cookies: string,
  code: string,
): Promise<{ ok: true } | { ok: false; code: "unauthorized" | "code_wrong" | "too_many" }> {
  const waiting = await findWaitingSession(cookies);
  if (!waiting) return { ok: false, code: "unauthorized" };
  const attempt = await tryLimit("factorPerConnectedAccount", String(waiting.userPk));
  // defence: waiting-code-guesses
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const changes = await transaction(async (tx) => {
    const right = await checkFactor(tx, waiting.userPk, code);
    return right ? await passFactor(tx, waiting.id) : null;
  });
  if (changes === null) {
    noteFailure(waiting.userPk, "code_after_connected");
    return { ok: false, code: "code_wrong" };
  }
  if (!changes) return { ok: false, code: "unauthorized" };
  await attempt.refund();
  await publishChanges(changes);
  return { ok: true };
}

function finishing(sessionId: string): PasskeyPurpose {
  return `finish ${sessionId}`;
}

/** Undefined: no sign-in of this browser waits for the second factor. */
export async function askForFactor(cookies: string) {
  const waiting = await findWaitingSession(cookies);
  return waiting && (await askForPasskey(finishing(waiting.id), waiting.userPk));
}

export async function finishSignInByPasskey(
  cookies: string,
  answer: string,
): Promise<PasskeyOutcome> {
  const waiting = await findWaitingSession(cookies);
  if (!waiting) return { ok: false, code: "unauthorized" };
  const { id, userPk } = waiting;
  const request = { purpose: finishing(id), userPk, sessionId: id, answer };
  return await withPasskey(request, (tx) => passFactor(tx, id, passkeyProofs));
}
