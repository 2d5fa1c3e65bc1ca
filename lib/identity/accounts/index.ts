/**
 * Requesting an email takes the same time whether or not the account exists: a job is stored, and
 * the worker looks it up. Changes that need the password ask for it again.
 */

import { z } from "zod";
import { emailAddress } from "#lib/identity/auth/schema";
import {
  dropEmailTokens,
  type EmailTokenPurpose,
  emailTokenMinutes,
  findEmailToken,
  issueEmailToken,
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
import { config, isMailConfigured } from "#lib/platform/config";
import { addressSubject, tryLimit, tryLimits } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { hashPassword } from "#lib/platform/passwords";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { type AuditEntry, recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { leaveAllWorkspaces } from "#lib/tenancy/workspaces";
import {
  type AccountRow,
  deleteUser,
  findAccountPk,
  isEmailFree,
  isEmailTaken,
  lockAccountRow,
  writeEmail,
  writeName,
  writePassword,
} from "./store.ts";

export { getAccountSecurity } from "./store.ts";

const pages: Record<EmailTokenPurpose, string> = {
  reset: "/reset",
  signin: "/signin/letter",
  email: "/verify",
};

const emailRequest = z.object({
  /** held: a sign-up with an address that already has an account. */
  purpose: z.enum(["reset", "signin", "email", "held"]),
  email: z.string(),
  locale: z.string(),
  /** The account that changes its address; null: the owner of the address gets the email. */
  userPk: z.int().nullable(),
});

const sendEmailJob = defineJob({
  name: "account.letter",
  schema: emailRequest,
  concurrency: 4,
  handle: sendTokenEmail,
});

async function sendTokenEmail({ purpose, email, locale, userPk }: z.output<typeof emailRequest>) {
  if (purpose === "held") {
    if ((await findAccountPk(email)) === undefined) return;
    await sendEmail({ email, locale }, "held", { address: `${config().FUXI_URL}/signin` });
    return;
  }
  const pk = userPk ?? (await findAccountPk(email));
  if (pk === undefined || (userPk !== null && !(await isEmailFree(email, userPk)))) return;
  const token = await transaction((tx) => issueEmailToken(tx, purpose, { userPk: pk, email }));
  const address = `${config().FUXI_URL}${pages[purpose]}?token=${token}`;
  const minutes = emailTokenMinutes[purpose];
  await sendEmail({ email, locale }, purpose, { address, minutes, email });
}

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
 * Doesn’t reveal whether the account exists, and can’t be used to lock people out: a known browser
 * has its own allowance, and the limit on all senders together lasts no longer than a link is valid.
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

/** For a sign-up with the address of an existing account. Silent above the limits. */
export async function sendAccountExistsEmail(
  email: string,
  locale: string,
  address: string,
): Promise<void> {
  if (!(await takeEmailLimits(email, address))) return;
  if (!(await tryLimit("letterPerAccount", email)).ok) return;
  await enqueue(sendEmailJob, { purpose: "held", email, locale, userPk: null });
}

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

export async function resetPassword(
  token: string,
  password: string,
  address: string,
  locale: string,
): Promise<{ ok: true } | Failure<"expired" | PasswordFlaw> | RateLimited> {
  // Check the token first, because hashing is expensive. Count only failures, because others share the address.
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

/** Ends other sessions: they may belong to someone who had the old password. */
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

/** The account gets the address when it is confirmed. The present address can be confirmed too. */
export async function requestEmailChange(
  user: SessionUser,
  password: string,
  given: unknown,
  locale: string,
): Promise<{ ok: true } | Failure<"email_invalid"> | PasswordFailure> {
  const email = emailAddress.safeParse(given);
  if (!email.success) return { ok: false, code: "email_invalid" };
  const send = async (): Promise<{ ok: true } | RateLimited> => {
    // Per account: what others request for the address is counted separately.
    if (!(await tryLimit("letterPerAccount", user.id)).ok) return { ok: false, code: "too_many" };
    await enqueue(sendEmailJob, { purpose: "email", email: email.data, locale, userPk: user.pk });
    return { ok: true };
  };
  if (email.data === user.email) return await send();
  const checked = await checkPassword(user, password);
  return checked.ok ? await withFreshProof(user, send) : checked;
}

/** Only the requester can confirm. If the account was unproven, other sessions may be a stranger's and end. */
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

/** Fails while a workspace has other members but no other owner. */
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
