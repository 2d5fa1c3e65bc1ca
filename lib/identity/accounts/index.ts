/**
 * Changes that people make to their own accounts.
 *
 * A request for an email gets the same answer in the same time whether or not the account exists: it only confirms that
 * a job was stored, and the worker looks up the account. Changes that need the password ask for it again.
 */

import { emailAddress } from "#lib/identity/auth/schema";
import {
  dropEmailTokens,
  findEmailToken,
  lockEmailToken,
  redeemEmailToken,
} from "#lib/identity/email-tokens";
import { announceClaim, claimAccount } from "#lib/identity/first-proof";
import { findDevice } from "#lib/identity/known-devices";
import { findPasswordFlaw, type PasswordFlaw } from "#lib/identity/password-rules";
import { checkPassword, type PasswordFailure } from "#lib/identity/presence";
import { endSessions, renewSessions } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { isMailConfigured } from "#lib/platform/config";
import { addressSubject, tryLimit, tryLimits } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { hashPassword } from "#lib/platform/passwords";
import { type Connection, transaction } from "#lib/platform/postgres";
import { enqueue } from "#lib/platform/queue";
import { type AuditEntry, recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { leaveAllWorkspaces } from "#lib/tenancy/workspaces";
import { sendEmailJob } from "./emails.ts";
import {
  type AccountRow,
  deleteUser,
  isEmailTaken,
  lockAccountRow,
  writeEmail,
  writeName,
  writePassword,
} from "./store.ts";

export { getAccountSecurity } from "./store.ts";

/** The jobs of this module, for a worker. */
export const accountJobs = [sendEmailJob];

interface Failure<Code> {
  ok: false;
  code: Code;
}
type RateLimited = Failure<"too_many">;

const limitOfAccount = {
  reset: "resetLetterPerAccount",
  signin: "signInLetterPerAccount",
} as const;

/**
 * Sends an email to set a new password, or to sign in. The answer does not reveal whether the account exists.
 *
 * Requesting emails for a person cannot keep them from their account. Senders are limited by account and network
 * address, and a known browser has an allowance of its own. What all senders together may cause is limited for no longer
 * than a link is valid: a person who is refused for that reason has a valid link in their inbox.
 */
export async function requestEmail(
  purpose: "reset" | "signin",
  given: unknown,
  locale: string,
  address: string,
  cookies = "",
): Promise<{ ok: true } | Failure<"email_invalid" | "sent_recently"> | RateLimited> {
  const email = emailAddress.safeParse(given);
  if (!email.success) return { ok: false, code: "email_invalid" };
  const device = findDevice(cookies, email.data);
  if (device === undefined) {
    if (!(await takeEmailLimits(email.data, address))) return { ok: false, code: "too_many" };
    const ofAccount = await tryLimit(limitOfAccount[purpose], email.data);
    if (!ofAccount.ok) return { ok: false, code: "sent_recently" };
  } else if (!(await tryLimit("letterPerDevice", device)).ok) {
    return { ok: false, code: "too_many" };
  }
  await enqueue(sendEmailJob, { purpose, email: email.data, locale, userPk: null });
  return { ok: true };
}

/** Sends an email to the owner of an address that was used for a sign-up. Silent above the email limits. */
export async function sendAccountExistsEmail(
  email: string,
  locale: string,
  address: string,
): Promise<void> {
  if (!(await takeEmailLimits(email, address))) return;
  if (!(await tryLimit("letterPerAccount", email)).ok) return;
  await enqueue(sendEmailJob, { purpose: "held", email, locale, userPk: null });
}

/** Asks a new account to confirm its address. Without mail this is not possible, and nothing waits for it. */
export async function sendConfirmationEmail(
  email: string,
  locale: string,
  address: string,
): Promise<void> {
  if (!isMailConfigured() || !(await takeEmailLimits(email, address))) return;
  await enqueue(sendEmailJob, { purpose: "email", email, locale, userPk: null });
}

async function takeEmailLimits(email: string, address: string): Promise<boolean> {
  const network = addressSubject(address);
  const taken = await tryLimits([
    ["letterPerAddress", network],
    ["letterPerAccountAndAddress", addressSubject(address, email)],
  ]);
  return taken.ok;
}

/** Sets a password with an email token. All sessions of the account end. */
export async function resetPassword(
  token: string,
  password: string,
  address: string,
  locale: string,
): Promise<{ ok: true } | Failure<"expired" | PasswordFlaw> | RateLimited> {
  // Checked first: hashing is expensive, and a guessed token must not cause it. Only failures count, so that others
  // behind the same address cannot end an emailed link.
  const found = await findEmailToken("reset", token);
  if (!found) {
    const guess = await tryLimit("proofPerAddress", addressSubject(address));
    return { ok: false, code: guess.ok ? "expired" : "too_many" };
  }
  const flaw = await findPasswordFlaw(password, [found.email]);
  // defence: common-password-at-reset
  if (flaw) return { ok: false, code: flaw };
  const hash = await hashPassword(password);
  const done = await transaction(async (tx) => {
    const checked = await redeemEmailToken(tx, "reset", token);
    const account = checked && (await lockAccountRow(tx, checked.userPk));
    if (!account || account.email !== checked.email) return undefined;
    const claimed = account.proven ? [] : await claimAccount(tx, account);
    await writePassword(tx, account.pk, hash, true);
    await dropEmailTokens(tx, account.pk);
    const ended = await endSessions(tx, account.pk, null);
    await recordAudit(tx, [auditEntryOf(account, "user.reset_password")]);
    return { account, changes: [...claimed, ...ended] };
  });
  if (!done) return { ok: false, code: "expired" };
  const { account, changes } = done;
  if (account.proven) await publishChanges(changes);
  else await announceClaim({ email: account.email, locale }, changes);
  await notify(account.email, locale, "passwordChanged");
  return { ok: true };
}

export async function changeName(user: SessionUser, name: string): Promise<void> {
  const changes = await transaction(async (tx) => {
    await writeName(tx, user.pk, name);
    await recordAudit(tx, [auditEntryOf(user, "user.change_name")]);
    return await renewSessions(tx, user.pk);
  });
  await publishChanges(changes);
}

/** Other sessions end: they may belong to someone who had the old password. */
export async function changePassword(
  user: SessionUser,
  current: string,
  next: string,
  locale: string,
): Promise<{ ok: true } | Failure<PasswordFlaw> | PasswordFailure> {
  const checked = await checkPassword(user, current);
  if (!checked.ok) return checked;
  const flaw = await findPasswordFlaw(next, [user.name, user.email]);
  // defence: common-password-at-change
  if (flaw) return { ok: false, code: flaw };
  const changes = await withFreshProof(user, async () => {
    const hash = await hashPassword(next);
    return await transaction(async (tx) => {
      await writePassword(tx, user.pk, hash, false);
      await dropEmailTokens(tx, user.pk);
      await recordAudit(tx, [auditEntryOf(user, "user.change_password")]);
      return await endSessions(tx, user.pk, user.sessionId);
    });
  });
  await publishChanges(changes);
  await notify(user.email, locale, "passwordChanged");
  return { ok: true };
}

/**
 * Sends an email to an address; it becomes the account's address when it is confirmed. The present address can be
 * confirmed too.
 */
export async function requestEmailChange(
  user: SessionUser,
  password: string,
  given: unknown,
  locale: string,
): Promise<{ ok: true } | Failure<"email_invalid"> | PasswordFailure> {
  const email = emailAddress.safeParse(given);
  if (!email.success) return { ok: false, code: "email_invalid" };
  const send = async (): Promise<{ ok: true } | RateLimited> => {
    // By account, not by address: what others request for the address is counted apart.
    if (!(await tryLimit("letterPerAccount", user.id)).ok) return { ok: false, code: "too_many" };
    await enqueue(sendEmailJob, { purpose: "email", email: email.data, locale, userPk: user.pk });
    return { ok: true };
  };
  if (email.data === user.email) return await send();
  const checked = await checkPassword(user, password);
  return checked.ok ? await withFreshProof(user, send) : checked;
}

/**
 * Confirms an address, in the browser that requested it: an email alone must not change an account. The first
 * confirmation keeps what the account has: the person who is signed in here also reads the mail. Other browsers are signed out,
 * because it is unknown who used them.
 */
export async function confirmEmail(
  user: SessionUser,
  token: string,
  locale: string,
): Promise<{ ok: true; email: string } | Failure<"expired" | "email_held">> {
  let changes: CacheChange[] = [];
  const email = await transaction(async (tx) => {
    const checked = await lockEmailToken(tx, "email", token);
    if (checked?.userPk !== user.pk) return undefined;
    const account = await lockAccountRow(tx, user.pk);
    await dropEmailTokens(tx, user.pk);
    await writeEmail(tx, user.pk, checked.email);
    const details = { email: { from: user.email, to: checked.email } };
    await recordAudit(tx, [auditEntryOf(user, "user.change_email", details)]);
    const ended = account?.proven ? [] : await endSessions(tx, user.pk, user.sessionId);
    changes = [...ended, ...(await renewSessions(tx, user.pk))];
    return checked.email;
  }).catch((error: unknown) => {
    if (isEmailTaken(error)) return null;
    throw error;
  });
  if (email === undefined) return { ok: false, code: "expired" };
  if (email === null) return { ok: false, code: "email_held" };
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
): Promise<{ ok: true } | PasswordFailure | { ok: false; code: "owner"; names: string[] }> {
  const checked = await checkPassword(user, password);
  if (!checked.ok) return checked;
  let changes: CacheChange[] = [];
  const leave = async (tx: Connection) => {
    const left = await leaveAllWorkspaces(tx, user);
    if (!left.ok) return left.names;
    changes = [...left.changes, ...(await endSessions(tx, user.pk, null))];
    await recordAudit(tx, [auditEntryOf(user, "user.delete")]);
    await deleteUser(tx, user.pk);
    return [];
  };
  const names = await withFreshProof(user, () => transaction(leave));
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
  await sendEmail({ email, locale }, name, { email: changed }).catch(() => undefined);
}

function auditEntryOf(
  account: Pick<AccountRow, "id">,
  action: AuditAction,
  details?: Record<string, unknown>,
): AuditEntry {
  const done = { workspacePk: null, actor: account.id, action, subject: account.id };
  return details ? { ...done, details } : done;
}
