/**
 * Changes that people make to their own accounts.
 *
 * A request for an email gets the same answer in the same time whether or not the account exists: it only confirms that
 * a job was stored, and the worker looks up the account. Changes that need the password ask for it again; attempts
 * count as sign-in attempts.
 */

import { emailAddress } from "#lib/identity/auth/schema";
import { dropProofs, findProof, lockProof, takeProof } from "#lib/identity/email-tokens";
import { endSessions, renewSessions } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { type Change, publishChanges } from "#lib/platform/cache-sync";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { sendLetter } from "#lib/platform/mail";
import { hashPassword, verifyPassword } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import { enqueue } from "#lib/platform/queue";
import { type Deed, recordDeeds } from "#lib/tenancy/audit";
import { leaveAll } from "#lib/tenancy/workspaces";
import { sendAsked } from "./letters.ts";
import {
  deleteUser,
  type Holder,
  isEmailTaken,
  lockHolder,
  readHolder,
  writeEmail,
  writePassword,
} from "./store.ts";

export { beginFactorFor, confirmFactorFor, dropFactorOf, renewRecoveryOf } from "./factor.ts";
export { getAccount } from "./store.ts";

/** The jobs of this module, for a worker. */
export const accountJobs = [sendAsked];

interface Refused<Code> {
  ok: false;
  code: Code;
}
type TooMany = Refused<"too_many">;

/** Sends an email to set a new password, or to sign in. The answer does not reveal whether the account exists. */
export async function askForLetter(
  purpose: "reset" | "signin",
  given: unknown,
  locale: string,
  address: string,
): Promise<{ ok: true } | Refused<"email_invalid"> | TooMany> {
  const email = emailAddress.safeParse(given);
  if (!email.success) return { ok: false, code: "email_invalid" };
  if (!(await mayAsk(email.data, address))) return { ok: false, code: "too_many" };
  await enqueue(sendAsked, { purpose, email: email.data, locale, userPk: null });
  return { ok: true };
}

/** Sends an email to the owner of an address that was used for a sign-up. Silent above the email limits. */
export async function tellHolder(email: string, locale: string, address: string): Promise<void> {
  if (!(await mayAsk(email, address))) return;
  await enqueue(sendAsked, { purpose: "held", email, locale, userPk: null });
}

async function mayAsk(email: string, address: string): Promise<boolean> {
  const ofAddress = await tryLimit("letterPerAddress", addressSubject(address));
  if (!ofAddress.ok) return false;
  return (await tryLimit("letterPerAccount", email)).ok;
}

/** Sets a password with an email token. All sessions of the account end. */
export async function resetPassword(
  token: string,
  password: string,
  address: string,
  locale: string,
): Promise<{ ok: true } | Refused<"expired"> | TooMany> {
  const attempt = await tryLimit("proofPerAddress", addressSubject(address));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  // Checked first: hashing is expensive, and a guessed token must not cause it.
  if (!(await findProof("reset", token))) return { ok: false, code: "expired" };
  const hash = await hashPassword(password);
  let changes: Change[] = [];
  const holder = await transaction(async (tx) => {
    const proven = await takeProof(tx, "reset", token);
    const found = proven && (await lockHolder(tx, proven.userPk));
    if (!found || found.email !== proven.email) return undefined;
    await writePassword(tx, found.pk, hash, true);
    await dropProofs(tx, found.pk);
    changes = await endSessions(tx, found.pk, null);
    await recordDeeds(tx, [deed(found, "user.reset_password")]);
    return found;
  });
  if (!holder) return { ok: false, code: "expired" };
  await publishChanges(changes);
  await attempt.refund();
  await notify(holder.email, locale, "passwordChanged");
  return { ok: true };
}

/** Confirms that the account owner is at the browser. An account without a password has none to enter. */
async function provePassword(
  user: SessionUser,
  password: string,
): Promise<{ ok: true } | Refused<"wrong"> | TooMany> {
  const attempt = await tryLimit("signInPerAccount", user.email);
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const holder = await readHolder(user.pk);
  if (!holder) return { ok: false, code: "wrong" };
  const right =
    holder.passwordHash === null || (await verifyPassword(password, holder.passwordHash));
  if (!right) return { ok: false, code: "wrong" };
  await attempt.refund();
  return { ok: true };
}

/** Other sessions end: they may belong to someone who had the old password. */
export async function changePassword(
  user: SessionUser,
  current: string,
  next: string,
  locale: string,
): Promise<{ ok: true } | Refused<"wrong"> | TooMany> {
  const proven = await provePassword(user, current);
  if (!proven.ok) return proven;
  const hash = await hashPassword(next);
  const changes = await transaction(async (tx) => {
    await writePassword(tx, user.pk, hash, false);
    await dropProofs(tx, user.pk);
    await recordDeeds(tx, [deed(user, "user.change_password")]);
    return await endSessions(tx, user.pk, user.sessionId);
  });
  await publishChanges(changes);
  await notify(user.email, locale, "passwordChanged");
  return { ok: true };
}

/**
 * Sends an email to an address; it becomes the account's address when it is confirmed. The present address can be
 * confirmed too.
 */
export async function askForEmail(
  user: SessionUser,
  password: string,
  given: unknown,
  locale: string,
): Promise<{ ok: true } | Refused<"wrong" | "email_invalid"> | TooMany> {
  const email = emailAddress.safeParse(given);
  if (!email.success) return { ok: false, code: "email_invalid" };
  if (email.data !== user.email) {
    const proven = await provePassword(user, password);
    if (!proven.ok) return proven;
  }
  if (!(await tryLimit("letterPerAccount", user.email)).ok) return { ok: false, code: "too_many" };
  await enqueue(sendAsked, { purpose: "email", email: email.data, locale, userPk: user.pk });
  return { ok: true };
}

/** Confirms an address, in the browser that requested it: an email alone must not change an account. */
export async function confirmEmail(
  user: SessionUser,
  token: string,
  locale: string,
): Promise<{ ok: true; email: string } | Refused<"expired" | "email_taken">> {
  let changes: Change[] = [];
  const email = await transaction(async (tx) => {
    const proven = await lockProof(tx, "email", token);
    if (proven?.userPk !== user.pk) return undefined;
    await dropProofs(tx, user.pk);
    await writeEmail(tx, user.pk, proven.email);
    const details = { email: { from: user.email, to: proven.email } };
    await recordDeeds(tx, [deed(user, "user.change_email", details)]);
    changes = await renewSessions(tx, user.pk);
    return proven.email;
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) return null;
    throw error;
  });
  if (email === undefined) return { ok: false, code: "expired" };
  if (email === null) return { ok: false, code: "email_taken" };
  await publishChanges(changes);
  if (email !== user.email) await notify(user.email, locale, "emailChanged", email);
  return { ok: true, email };
}

/**
 * Deletes an account, its sessions and its keys. Workspaces without other members are deleted too; a workspace with
 * other members and this only owner prevents it, and is returned.
 */
export async function deleteAccount(
  user: SessionUser,
  password: string,
): Promise<
  { ok: true } | Refused<"wrong"> | TooMany | { ok: false; code: "owner"; names: string[] }
> {
  const proven = await provePassword(user, password);
  if (!proven.ok) return proven;
  let changes: Change[] = [];
  const names = await transaction(async (tx) => {
    const left = await leaveAll(tx, user);
    if (!left.ok) return left.names;
    changes = [...left.changes, ...(await endSessions(tx, user.pk, null))];
    await recordDeeds(tx, [deed(user, "user.delete")]);
    await deleteUser(tx, user.pk);
    return [];
  });
  if (names.length > 0) return { ok: false, code: "owner", names };
  await publishChanges(changes);
  return { ok: true };
}

/** The change is committed, whether or not the email is sent. */
async function notify(
  email: string,
  locale: string,
  name: "passwordChanged" | "emailChanged",
  changed = "",
): Promise<void> {
  await sendLetter({ email, locale }, name, { email: changed }).catch(() => undefined);
}

function deed(who: Pick<Holder, "id">, action: string, details?: Record<string, unknown>): Deed {
  const done = { workspacePk: null, actor: who.id, action, subject: who.id };
  return details ? { ...done, details } : done;
}
