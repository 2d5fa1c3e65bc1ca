/**
 * A new account is signed in at once, even without a mail server, so a sign-up reveals whether the
 * address has an account. A network address is refused after it tried a few taken email addresses.
 */
import { newId } from "#lib/basics/ids";
import { findEmailToken, redeemEmailToken } from "#lib/identity/email-tokens";
import { type FailedProof, noteFailure } from "#lib/identity/failed-proofs";
import { announceClaim, claimAccount } from "#lib/identity/first-proof";
import { findDevice } from "#lib/identity/known-devices";
import { readUsedPasskey, takePasskey } from "#lib/identity/passkeys";
import { findPasswordFlaw, type PasswordFlaw } from "#lib/identity/password-rules";
import { checkFactor, hasFactor } from "#lib/identity/second-factor";
import { beginProvenSession, beginSession } from "#lib/identity/sessions";
import { type Proof, passkeyProofs } from "#lib/identity/sessions/schema";
import { addressSubject, type LimitCall, tryLimit, tryLimits } from "#lib/platform/limits";
import { hashPassword, verifyPassword } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { noticeTokenOf } from "#lib/tenancy/ban-recipients";
import { findActiveBan } from "#lib/tenancy/bans";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import { lockForSignUp, reserveInvitation } from "#lib/tenancy/members";
import { claimDemo } from "#lib/tenancy/workspaces";
import { emailTokenBody, type NewUser, passkeyBody, signInBody } from "./schema.ts";
import {
  anyUser,
  findPerson,
  findUserByEmail,
  findUserId,
  insertUser,
  lockFirstRun,
  lockUser,
  markEmailVerified,
} from "./store.ts";

export interface Person {
  id: string;
  email: string;
  name: string;
}

export interface Browser {
  /** Stored with the session, so that people recognize it. */
  userAgent: string;
  locale: string;
  cookies: string;
  address: string;
}
export const unknownBrowser: Browser = { userAgent: "", locale: "en", cookies: "", address: "" };

export interface RateLimited {
  ok: false;
  code: "too_many";
  retryAfterSeconds: number;
}

export type SignUpOutcome =
  | { ok: true; user: Person & { pk: number; operator: boolean } }
  | { ok: false; code: "email_taken" | "sign_up_closed" | PasswordFlaw }
  | RateLimited;

/** The first account becomes the operator. Concurrent first runs wait for each other. */
export async function signUp(body: NewUser, address: string, invite = ""): Promise<SignUpOutcome> {
  const attempt = await tryLimit("signUpPerAddress", addressSubject(address));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const ofTaken = await tryLimit("takenSignUpPerAddress", addressSubject(address));
  if (!ofTaken.ok) return { ...ofTaken, code: "too_many" };
  const flaw = await findPasswordFlaw(body.password, [body.name, body.email]);
  // defence: common-password-at-sign-up
  if (flaw) {
    await ofTaken.refund();
    return { ok: false, code: flaw };
  }
  const outcome = await createAccount(body, await isSignUpOpen(), invite);
  if (outcome.ok || outcome.code !== "email_taken") await ofTaken.refund();
  if (outcome.ok && outcome.user.operator) await claimDemo(outcome.user.id);
  return outcome;
}

/** Unless `open`, requires an open invitation, which then belongs to the new account. */
export async function createAccount(
  body: NewUser,
  open: boolean,
  invite = "",
): Promise<SignUpOutcome> {
  if (!open && invite === "" && (await anyUser())) return { ok: false, code: "sign_up_closed" };
  const { name, email } = body;
  const passwordHash = await hashPassword(body.password);
  return await transaction<SignUpOutcome>(async (tx) => {
    await lockFirstRun(tx);
    const operator = !(await anyUser(tx));
    const invitation = operator || open ? undefined : await lockForSignUp(tx, invite, email);
    if (!operator && !open && invitation === undefined)
      return { ok: false, code: "sign_up_closed" };
    const user = { id: newId("user"), email, name, operator };
    const pk = await insertUser(tx, { ...user, passwordHash, proven: operator });
    if (pk === undefined) return { ok: false, code: "email_taken" };
    if (invitation !== undefined) await reserveInvitation(tx, invitation, user.id);
    await recordAudit(tx, [
      { workspacePk: null, actor: user.id, action: "user.create", details: { operator } },
    ]);
    return { ok: true, user: { ...user, pk } };
  });
}

/** The token opens the reason and the appeal. Only returned if everything else was right. */
export interface BannedAccount {
  ok: false;
  code: "banned";
  token: string;
}

export type SignInOutcome =
  | { ok: true; user: Person & { sessionId?: string } }
  /** `code_*`: everything else was right, and a second factor is needed. */
  | { ok: false; code: "wrong" | "code_missing" | "code_wrong" }
  | BannedAccount
  | RateLimited;

/** Takes the same time for unknown addresses. Only failures use up a limit. */
export async function checkCredentials(
  credentials: unknown,
  address: string,
  { cookies }: Browser = unknownBrowser,
): Promise<PasswordOutcome> {
  const parsed = signInBody.safeParse(credentials);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { email, password, code } = parsed.data;
  const device = findDevice(cookies, email);
  const attempt = await tryLimits(passwordLimits(email, address, device));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const user = await findByPassword(email, password, address);
  if (!user) return { ok: false, code: "wrong" };
  await attempt.refund();
  const proofs: Proof[] = ["password"];
  if (user.factorSince) {
    const limit = device
      ? (["factorPerDevice", device] as const)
      : (["factorPerAccount", String(user.pk)] as const);
    const refused = await requireFactor(user.pk, code, limit, ["code_after_password", address]);
    if (refused) return refused;
    proofs.push("factor");
  }
  const banned = await findBannedAccount(user.id);
  // defence: ban-after-password
  if (banned) return banned;
  const { id, name } = user;
  return { ok: true, user: { id, email, name }, provenHash: user.passwordHash ?? "", proofs };
}

async function findByPassword(email: string, password: string, address: string) {
  const user = await findUserByEmail(email);
  const right = await verifyPassword(password, user?.passwordHash ?? null);
  if (user && right) return user;
  // defence: failed-sign-in-recorded
  if (user) noteFailure(user.pk, "password", { address });
  return undefined;
}

export async function findBannedAccount(userId: string): Promise<BannedAccount | undefined> {
  const ban = await findActiveBan("user", userId);
  return ban && { ok: false, code: "banned", token: noticeTokenOf(ban.id, userId) };
}

/** A known browser has its own allowance, so that no stranger can lock a person out. */
function passwordLimits(
  email: string,
  address: string,
  device: string | undefined,
): readonly LimitCall[] {
  // defence: known-browser-allowance
  if (device !== undefined) return [["signInPerDevice", device]];
  return [
    ["signInPerAddress", addressSubject(address)],
    // defence: sign-in-per-account-and-network
    ["signInPerAccountAndAddress", addressSubject(address, email)],
    ["signInPerAccount", email],
  ];
}

type SignInFailure = Exclude<SignInOutcome, { ok: true }>;

/** `provenHash` is the checked hash. The session is created only if the account still has it. */
export type PasswordOutcome =
  | { ok: true; user: Person; provenHash: string; proofs: readonly Proof[] }
  | SignInFailure;

export async function signInWithPassword(
  credentials: unknown,
  address: string,
  browser: Browser,
): Promise<SignInOutcome> {
  const outcome = await checkCredentials(credentials, address, browser);
  if (!outcome.ok) return outcome;
  const { user, provenHash, proofs } = outcome;
  const { userAgent } = browser;
  const sessionId = await beginProvenSession(user.id, provenHash, userAgent, proofs, address);
  return sessionId ? { ok: true, user: { ...user, sessionId } } : { ok: false, code: "wrong" };
}

/** Codes have six digits, so guesses count before the check. */
async function requireFactor(
  userPk: number,
  code: string,
  limit: LimitCall,
  [kind, address]: readonly [FailedProof, string],
): Promise<SignInFailure | undefined> {
  if (code === "") return { ok: false, code: "code_missing" };
  const attempt = await tryLimits([limit]);
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const right = await transaction((tx) => checkFactor(tx, userPk, code));
  if (!right) {
    noteFailure(userPk, kind, { address });
    return { ok: false, code: "code_wrong" };
  }
  await attempt.refund();
  return undefined;
}

/**
 * The first proof of an address gives the account to its owner (first-proof), who is not asked for
 * a stranger's factor. The token is used up, and the session created, while the user's row is
 * locked: a concurrent password change comes before, or finds and ends the session.
 */
export async function signInByEmail(
  emailToken: unknown,
  address: string,
  { userAgent, locale }: Browser = unknownBrowser,
): Promise<SignInOutcome> {
  const parsed = emailTokenBody.safeParse(emailToken);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { token, code } = parsed.data;
  // Count only failures, so that others who share the address can’t block an emailed link.
  const owner = await findEmailToken("signin", token);
  if (!owner) {
    const guess = await tryLimit("proofPerAddress", addressSubject(address));
    return guess.ok ? { ok: false, code: "wrong" } : { ...guess, code: "too_many" };
  }
  const asked = await hasFactor(owner.userPk);
  if (asked) {
    const limit = ["factorPerEmailHolder", String(owner.userPk)] as const;
    const given = ["code_after_email", address] as const;
    const refused = await requireFactor(owner.userPk, code, limit, given);
    if (refused) return refused;
  }
  const banned = await findBannedAccount(await findUserId(owner.userPk));
  if (banned) return banned;
  const entered = await transaction(async (tx) => {
    const row = await lockUser(tx, owner.userPk);
    const taken = await redeemEmailToken(tx, "signin", token);
    if (!row || !taken || taken.email !== row.email) return undefined;
    // A factor was turned on, or became valid, since the check above.
    if (row.factor && row.proven && !asked) return undefined;
    const changes = row.proven ? undefined : await claimAccount(tx, row);
    await markEmailVerified(tx, row.pk);
    await recordAudit(tx, [
      { workspacePk: null, actor: row.id, action: "user.prove_email", subject: row.id },
    ]);
    const proofs: Proof[] = asked ? ["email", "factor"] : ["email"];
    const sessionId = await beginSession(row.id, userAgent, proofs, { on: tx, address });
    return { row, changes, sessionId };
  });
  if (!entered) return { ok: false, code: "wrong" };
  const { row, changes, sessionId } = entered;
  if (changes) await announceClaim({ email: row.email, locale }, changes);
  return { ok: true, user: { id: row.id, email: row.email, name: row.name, sessionId } };
}

/** A passkey stands for the password and the second factor. Only failures use up the limit. */
export async function signInByPasskey(
  given: unknown,
  address: string,
  { userAgent }: Browser = unknownBrowser,
): Promise<SignInOutcome> {
  const attempt = await tryLimit("passkeyPerAddress", addressSubject(address));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const parsed = passkeyBody.safeParse(given);
  const used = parsed.success ? await readUsedPasskey(parsed.data.answer, "sign in") : undefined;
  if (!used) return { ok: false, code: "wrong" };
  const banned = await findBannedAccount(used.userId);
  if (banned) return banned;
  const [taken, sessionId] = await transaction(async (tx) => {
    const state = await takePasskey(tx, used);
    if (state !== "taken") return [state, undefined] as const;
    const details = { on: tx, address };
    return [state, await beginSession(used.userId, userAgent, passkeyProofs, details)] as const;
  });
  if (taken === "copied") noteFailure(used.userPk, "passkey_copied", { address });
  const person = sessionId === undefined ? undefined : await findPerson(used.userPk);
  if (!person || sessionId === undefined) return { ok: false, code: "wrong" };
  await attempt.refund();
  return { ok: true, user: { ...person, sessionId } };
}
