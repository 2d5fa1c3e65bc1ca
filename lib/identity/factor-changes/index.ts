/** Turns the second factor on and off, and adds and removes passkeys. */
import { noteFailure } from "#lib/identity/failed-proofs";
import {
  deletePasskey,
  deletePasskeys,
  keepPasskey,
  offerPasskey,
  type PasskeyPurpose,
  readCreatedPasskey,
} from "#lib/identity/passkeys";
import {
  beginFactor,
  checkFactor,
  confirmFactor,
  dropFactor,
  findUndo,
  keepFactor,
  renewRecoveryCodes,
  restoreFactor,
  undoDays,
} from "#lib/identity/second-factor";
import { endSessions, noteProofs } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertConfirmed } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { assertLive, withFreshProof } from "#lib/tenancy/live-actors";

interface FactorFailure {
  ok: false;
  code: "code_wrong" | "too_many";
}

export async function beginFactorFor(user: SessionUser) {
  assertConfirmed(user);
  // defence: stolen-session-enrolls-no-factor
  return await withFreshProof(user, () =>
    transaction(async (tx) => withLiveSession(tx, user, await beginFactor(tx, user.pk))),
  );
}

/** Call it after the write, which takes the stronger lock: two changes that share the weaker one would deadlock. */
async function withLiveSession<T>(tx: Connection, user: SessionUser, written: T): Promise<T> {
  // defence: ended-session-changes-no-factor
  await assertLive(tx, { userPk: user.pk, sessionId: user.sessionId, apiKeyPk: null });
  return written;
}

export async function confirmFactorFor(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true; codes: string[] } | FactorFailure> {
  assertConfirmed(user);
  const change = { name: "factorOn", action: "user.factor_on", locale } as const;
  const outcome = await withFreshProof(user, () =>
    withCode(user, change, async (tx) =>
      withLiveSession(tx, user, await confirmFactor(tx, user.pk, code)),
    ),
  );
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

export async function renewRecoveryOf(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true; codes: string[] } | FactorFailure> {
  const change = { name: "recoveryCodes", action: "user.recovery_codes", locale } as const;
  const outcome = await withCode(user, change, async (tx) =>
    (await checkFactor(tx, user.pk, code)) ? await renewRecoveryCodes(tx, user.pk) : undefined,
  );
  return outcome.ok ? { ok: true, codes: outcome.value } : outcome;
}

export async function dropFactorOf(
  user: SessionUser,
  code: string,
  locale: string,
): Promise<{ ok: true } | FactorFailure> {
  const change = { name: "factorOff", action: "user.factor_off", locale } as const;
  const outcome = await withCode(user, change, async (tx) => {
    if (!(await checkFactor(tx, user.pk, code))) return undefined;
    await dropFactor(tx, user.pk);
    return true;
  });
  return outcome.ok ? { ok: true } : outcome;
}

interface FactorChange {
  name: "factorOn" | "factorOff" | "recoveryCodes";
  action: AuditAction;
  locale: string;
}

/** Other sessions end, and an email can undo the change. Attempts share the limit of signing in. */
async function withCode<T>(
  user: SessionUser,
  { name, action, locale }: FactorChange,
  change: (tx: Connection) => Promise<T | undefined>,
): Promise<{ ok: true; value: T } | FactorFailure> {
  const attempt = await tryLimit("factorPerAccount", String(user.pk));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const done = await transaction(async (tx) => {
    // Keep it before the change: a wrong code rolls both back.
    const kept = await keepFactor(tx, user.pk);
    const value = await change(tx);
    if (value === undefined || !kept) throw new WrongCode();
    await noteProofs(user, ["factor"], tx);
    await recordAudit(tx, [{ workspacePk: null, actor: user.id, action, subject: user.id }]);
    // defence: factor-change-ends-sessions
    const changes = await endSessions(tx, user.pk, user.sessionId);
    return { value, changes, ...kept };
  }).catch((error: unknown) => {
    if (error instanceof WrongCode) return undefined;
    throw error;
  });
  if (!done) {
    noteFailure(user.pk, "code_in_session");
    return { ok: false, code: "code_wrong" };
  }
  await attempt.refund();
  await publishChanges(done.changes);
  await tellOwner(done, name, locale);
  return { ok: true, value: done.value };
}

/** The change is committed whether or not the email is sent. */
async function tellOwner(
  { token, email }: { token: string; email: string },
  name: FactorChange["name"] | "passkeyAdded",
  locale: string,
): Promise<void> {
  const address = `${config().FUXI_URL}/reset/factor?token=${token}`;
  await sendEmail({ email, locale }, name, { address, days: undoDays }).catch(() => undefined);
}

/** Rolls back the transaction of a change. */
class WrongCode extends Error {}

function adding({ pk, sessionId }: SessionUser): PasskeyPurpose {
  return `add ${pk} ${sessionId}`;
}

export async function beginPasskeyFor(user: SessionUser) {
  assertConfirmed(user);
  // defence: stolen-session-adds-no-passkey
  return await withFreshProof(user, () => offerPasskey(user, adding(user)));
}

/** The email can undo it, which also removes the passkey. */
export async function addPasskeyFor(
  user: SessionUser,
  { name, answer }: { name: string; answer: string },
  locale: string,
): Promise<{ ok: true } | { ok: false; code: "passkey_refused" | "too_many_passkeys" }> {
  assertConfirmed(user);
  const created = await withFreshProof(user, () => readCreatedPasskey(answer, adding(user)));
  if (!created) return { ok: false, code: "passkey_refused" };
  const kept = await transaction(async (tx) => {
    const undo = await keepFactor(tx, user.pk);
    await assertLive(tx, { userPk: user.pk, sessionId: user.sessionId, apiKeyPk: null });
    if (!undo || !(await keepPasskey(tx, user.pk, name, created))) throw new NotKept();
    await recordPasskey(tx, user, "user.passkey_add", name);
    return undo;
  }).catch((error: unknown) => {
    if (error instanceof NotKept) return undefined;
    throw error;
  });
  if (!kept) return { ok: false, code: "too_many_passkeys" };
  await tellOwner(kept, "passkeyAdded", locale);
  return { ok: true };
}

/** Rolls back the transaction of a new passkey. */
class NotKept extends Error {}

async function recordPasskey(
  tx: Connection,
  { id }: SessionUser,
  action: AuditAction,
  passkey: string,
): Promise<void> {
  const details = { name: passkey };
  await recordAudit(tx, [{ workspacePk: null, actor: id, action, subject: id, details }]);
}

/** For a lost device: it signs nobody in from now on. */
export async function removePasskeyOf(
  user: SessionUser,
  id: string,
  locale: string,
): Promise<boolean> {
  const removed = await withFreshProof(user, () =>
    transaction(async (tx) => {
      await assertLive(tx, { userPk: user.pk, sessionId: user.sessionId, apiKeyPk: null });
      const name = await deletePasskey(tx, user.pk, id);
      if (name === undefined) return false;
      await recordPasskey(tx, user, "user.passkey_remove", name);
      return true;
    }),
  );
  if (removed) {
    await sendEmail({ email: user.email, locale }, "passkeyRemoved", {}).catch(() => undefined);
  }
  return removed;
}

/** Signs nobody in: it restores the factor and ends all sessions. */
export async function undoFactorChange(
  token: string,
  address: string,
): Promise<{ ok: true } | { ok: false; code: "expired" | "too_many" }> {
  // Count only failures, so that others who share the address can’t block an emailed link.
  const userPk = await findUndo(token);
  if (userPk === undefined) {
    const guess = await tryLimit("proofPerAddress", addressSubject(address));
    return { ok: false, code: guess.ok ? "expired" : "too_many" };
  }
  const changes = await transaction(async (tx) => {
    const restored = await restoreFactor(tx, userPk, token);
    if (!restored) return undefined;
    const { id, since } = restored;
    // defence: factor-undo-removes-passkeys
    await deletePasskeys(tx, userPk, since);
    await recordAudit(tx, [
      { workspacePk: null, actor: id, action: "user.factor_undo", subject: id },
    ]);
    // defence: factor-undo-ends-sessions
    return await endSessions(tx, userPk, null);
  });
  if (!changes) return { ok: false, code: "expired" };
  await publishChanges(changes);
  return { ok: true };
}
