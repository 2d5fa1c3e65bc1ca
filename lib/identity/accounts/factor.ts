/** Turning the second factor on and off. */

import {
  beginFactor,
  checkFactor,
  confirmFactor,
  dropFactor,
  renewRecovery,
} from "#lib/identity/second-factor";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { tryLimit } from "#lib/platform/limits";
import { sendLetter } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordDeeds } from "#lib/tenancy/audit";

interface Refused {
  ok: false;
  code: "code_wrong" | "too_many";
}

/** The secret for an authenticator app; undefined when a factor is already on. */
export function beginFactorFor(user: SessionUser) {
  return beginFactor(user.pk);
}

/** Turns the factor on. The recovery codes are only in this result. */
export async function confirmFactorFor(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true; codes: string[] } | Refused> {
  const outcome = await withCode(user, "user.factor_on", (tx) => confirmFactor(tx, user.pk, code));
  if (outcome.ok) await tell(user, locale, "factorOn");
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

/** Replaces the recovery codes. */
export async function renewRecoveryOf(
  user: SessionUser,
  code: string,
): Promise<{ ok: true; codes: string[] } | Refused> {
  const outcome = await withCode(user, "user.recovery_codes", async (tx) =>
    (await checkFactor(tx, user.pk, code)) ? await renewRecovery(tx, user.pk) : undefined,
  );
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

/** Turns the factor off, with a verification code or a recovery code. */
export async function dropFactorOf(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true } | Refused> {
  const outcome = await withCode(user, "user.factor_off", async (tx) => {
    if (!(await checkFactor(tx, user.pk, code))) return undefined;
    await dropFactor(tx, user.pk);
    return true;
  });
  if (!outcome.ok) return outcome;
  await tell(user, locale, "factorOff");
  return { ok: true };
}

/** Attempts share their limit with signing in: both guess the same code. */
async function withCode<T>(
  user: SessionUser,
  action: string,
  change: (tx: Connection) => Promise<T | undefined>,
): Promise<{ ok: true; value: T } | Refused> {
  const attempt = await tryLimit("factorPerAccount", String(user.pk));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const value = await transaction(async (tx) => {
    const done = await change(tx);
    if (done !== undefined) {
      await recordDeeds(tx, [{ workspacePk: null, actor: user.id, action, subject: user.id }]);
    }
    return done;
  });
  if (value === undefined) return { ok: false, code: "code_wrong" };
  await attempt.refund();
  return { ok: true, value };
}

/** The change is committed, whether or not the email is sent. */
async function tell(user: SessionUser, locale: string, name: "factorOn" | "factorOff") {
  await sendLetter({ email: user.email, locale }, name, {}).catch(() => undefined);
}
