/** Turning the second factor on and off. */

import {
  beginFactor,
  checkFactor,
  confirmFactor,
  dropFactor,
  renewRecoveryCodes,
} from "#lib/identity/second-factor";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { tryLimit } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertConfirmed } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { assertLive } from "#lib/tenancy/live-actors";

interface FactorFailure {
  ok: false;
  code: "code_wrong" | "too_many";
}

/** The secret for an authenticator app; undefined when a factor is already on. */
export async function beginFactorFor(user: SessionUser) {
  assertConfirmed(user);
  return await transaction(async (tx) => withLiveSession(tx, user, await beginFactor(tx, user.pk)));
}

/**
 * What was written, unless the session has ended. Afterwards: the write has taken the stronger lock, and two that shared the
 * weaker one could not both take it.
 */
async function withLiveSession<T>(tx: Connection, user: SessionUser, written: T): Promise<T> {
  await assertLive(tx, { userPk: user.pk, sessionId: user.sessionId, apiKeyPk: null });
  return written;
}

/** Turns the factor on. The recovery codes are only in this result. */
export async function confirmFactorFor(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true; codes: string[] } | FactorFailure> {
  assertConfirmed(user);
  const outcome = await withCode(user, "user.factor_on", async (tx) =>
    withLiveSession(tx, user, await confirmFactor(tx, user.pk, code)),
  );
  if (outcome.ok) await sendFactorEmail(user, locale, "factorOn");
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

/** Replaces the recovery codes. */
export async function renewRecoveryOf(
  user: SessionUser,
  code: string,
): Promise<{ ok: true; codes: string[] } | FactorFailure> {
  const outcome = await withCode(user, "user.recovery_codes", async (tx) =>
    (await checkFactor(tx, user.pk, code)) ? await renewRecoveryCodes(tx, user.pk) : undefined,
  );
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

/** Turns the factor off, with a verification code or a recovery code. */
export async function dropFactorOf(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true } | FactorFailure> {
  const outcome = await withCode(user, "user.factor_off", async (tx) => {
    if (!(await checkFactor(tx, user.pk, code))) return undefined;
    await dropFactor(tx, user.pk);
    return true;
  });
  if (!outcome.ok) return outcome;
  await sendFactorEmail(user, locale, "factorOff");
  return { ok: true };
}

/** Attempts share their limit with signing in: both guess the same code. */
async function withCode<T>(
  user: SessionUser,
  action: AuditAction,
  change: (tx: Connection) => Promise<T | undefined>,
): Promise<{ ok: true; value: T } | FactorFailure> {
  const attempt = await tryLimit("factorPerAccount", String(user.pk));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const value = await transaction(async (tx) => {
    const done = await change(tx);
    if (done !== undefined) {
      await recordAudit(tx, [{ workspacePk: null, actor: user.id, action, subject: user.id }]);
    }
    return done;
  });
  if (value === undefined) return { ok: false, code: "code_wrong" };
  await attempt.refund();
  return { ok: true, value };
}

/** The change is committed, whether or not the email is sent. */
async function sendFactorEmail(user: SessionUser, locale: string, name: "factorOn" | "factorOff") {
  await sendEmail({ email: user.email, locale }, name, {}).catch(() => undefined);
}
