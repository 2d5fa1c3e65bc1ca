/**
 * A sign-in that waits for the second factor: a connected account was proved, which says nothing about it. The cookie
 * already has the session, which counts as ended until the code is right.
 */
import { noteFailure } from "#lib/identity/failed-proofs";
import { checkFactor } from "#lib/identity/second-factor";
import { findWaitingSession, passFactor } from "#lib/identity/sessions";
import { publishChanges } from "#lib/platform/cache-sync";
import { tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";

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
