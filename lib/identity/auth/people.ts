/**
 * Accounts: the first run, signing up, checking a password.
 *
 * A new account is signed in at once, even where no mail server is set up: a sign-up therefore reveals whether the
 * address has an account, and the message says so. It cannot be used for many addresses: after a few taken ones, every
 * sign-up from the same network address is refused, even for free addresses. The owner of a taken address gets an email
 * that says that the account exists and how to sign in.
 */

import { findEmailToken, redeemEmailToken } from "#lib/identity/email-tokens";
import { announceClaim, claimAccount } from "#lib/identity/first-proof";
import { checkFactor, hasFactor } from "#lib/identity/second-factor";
import { beginProvenSession, beginSession } from "#lib/identity/sessions";
import { config } from "#lib/platform/config";
import { newId } from "#lib/platform/ids";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { hashPassword, verifyPassword } from "#lib/platform/passwords";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { claimDemo } from "#lib/tenancy/workspaces";
import { emailAddress, emailTokenBody, type NewUser, signInBody } from "./schema.ts";
import {
  anyUser,
  findIdentity,
  findUserByEmail,
  insertIdentity,
  insertUser,
  lockFirstRun,
  lockUser,
  markEmailVerified,
} from "./store.ts";

/** A person with a proven identity. */
export interface Person {
  id: string;
  email: string;
  name: string;
}

/** The browser that signs in. */
export interface Browser {
  /** Stored with the session, so that people recognize it. */
  userAgent: string;
  /** The language of emails that signing in causes. */
  locale: string;
}
export const unknownBrowser: Browser = { userAgent: "", locale: "en" };

export interface RateLimited {
  ok: false;
  code: "too_many";
  retryAfterSeconds: number;
}

export type SignUpOutcome =
  | { ok: true; user: Person & { operator: boolean } }
  | { ok: false; code: "email_taken" | "closed" }
  | RateLimited;

/**
 * Creates an account. The first one of an instance is its operator; concurrent first runs wait for each other, and with
 * FUXI_SIGNUP=closed all but one of them are refused, except for invited people.
 */
export async function signUp(
  body: NewUser,
  address: string,
  invited = false,
): Promise<SignUpOutcome> {
  const attempt = await tryLimit("signUpPerAddress", addressSubject(address));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const ofTaken = await tryLimit("takenSignUpPerAddress", addressSubject(address));
  if (!ofTaken.ok) return { ...ofTaken, code: "too_many" };
  const outcome = await createAccount(body, invited || config().FUXI_SIGNUP === "open");
  if (outcome.ok || outcome.code !== "email_taken") await ofTaken.refund();
  if (outcome.ok && outcome.user.operator) await claimDemo(outcome.user.id);
  return outcome;
}

/** `open` false: only an instance without accounts accepts one. */
export async function createAccount(body: NewUser, open: boolean): Promise<SignUpOutcome> {
  if (!open && (await anyUser())) return { ok: false, code: "closed" };
  const { name, email } = body;
  const passwordHash = await hashPassword(body.password);
  return await transaction<SignUpOutcome>(async (tx) => {
    await lockFirstRun(tx);
    const operator = !(await anyUser(tx));
    if (!operator && !open) return { ok: false, code: "closed" };
    const user = { id: newId("user"), email, name, operator };
    if (!(await insertUser(tx, { ...user, passwordHash, proven: operator }))) {
      return { ok: false, code: "email_taken" };
    }
    await recordAudit(tx, [
      { workspacePk: null, actor: user.id, action: "user.create", details: { operator } },
    ]);
    return { ok: true, user };
  });
}

export type SignInOutcome =
  /** With a session, when it is created together with the check. */
  | { ok: true; user: Person & { sessionId?: string } }
  /** `code_*`: everything else was right, and the account has a second factor. */
  | { ok: false; code: "wrong" | "code_missing" | "code_wrong" }
  | RateLimited;

/**
 * Checks a password. Unknown addresses take as long as known ones. Attempts count before the check, for the account and
 * for the address; a successful one is refunded, so only failures use up a limit.
 */
export async function checkCredentials(
  credentials: unknown,
  address: string,
): Promise<PasswordOutcome> {
  const parsed = signInBody.safeParse(credentials);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { email, password, code } = parsed.data;
  const ofAddress = await tryLimit("signInPerAddress", addressSubject(address));
  if (!ofAddress.ok) return { ...ofAddress, code: "too_many" };
  const ofAccount = await tryLimit("signInPerAccount", email);
  if (!ofAccount.ok) return { ...ofAccount, code: "too_many" };
  const user = await findUserByEmail(email);
  const right = await verifyPassword(password, user?.passwordHash ?? null);
  if (!user || !right) return { ok: false, code: "wrong" };
  await Promise.all([ofAddress.refund(), ofAccount.refund()]);
  if (user.factorSince) {
    const refused = await requireFactor(user.pk, code);
    if (refused) return refused;
  }
  return {
    ok: true,
    user: { id: user.id, email: user.email, name: user.name },
    provenHash: user.passwordHash ?? "",
  };
}

type SignInFailure = Exclude<SignInOutcome, { ok: true }>;

/** With the hash of the checked password: the session is created only if it is still the same. */
export type PasswordOutcome = { ok: true; user: Person; provenHash: string } | SignInFailure;

/** Checks a password and creates a session. */
export async function signInWithPassword(
  credentials: unknown,
  address: string,
  { userAgent }: Browser,
): Promise<SignInOutcome> {
  const outcome = await checkCredentials(credentials, address);
  if (!outcome.ok) return outcome;
  const { user, provenHash } = outcome;
  const sessionId = await beginProvenSession(user.id, provenHash, userAgent);
  return sessionId ? { ok: true, user: { ...user, sessionId } } : { ok: false, code: "wrong" };
}

/** Codes have six digits: guesses are counted before each is checked. */
async function requireFactor(userPk: number, code: string): Promise<SignInFailure | undefined> {
  if (code === "") return { ok: false, code: "code_missing" };
  const attempt = await tryLimit("factorPerAccount", String(userPk));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const right = await transaction((tx) => checkFactor(tx, userPk, code));
  if (!right) return { ok: false, code: "code_wrong" };
  await attempt.refund();
  return undefined;
}

/**
 * Signs in with an email token. With a second factor, the token is used up only together with a right code. The first
 * proof of an address gives the account to its owner (lib/identity/first-proof), who is not asked for a second factor
 * that someone else turned on.
 *
 * The session is created in the transaction that uses up the token and locks the user's row. A concurrent password
 * change comes either before, and the token is invalid, or after, and ends the session.
 */
export async function signInByEmail(
  emailToken: unknown,
  address: string,
  { userAgent, locale }: Browser = unknownBrowser,
): Promise<SignInOutcome> {
  const parsed = emailTokenBody.safeParse(emailToken);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { token, code } = parsed.data;
  const ofAddress = await tryLimit("proofPerAddress", addressSubject(address));
  if (!ofAddress.ok) return { ...ofAddress, code: "too_many" };
  const owner = await findEmailToken("signin", token);
  if (!owner) return { ok: false, code: "wrong" };
  const asked = await hasFactor(owner.userPk);
  if (asked) {
    const refused = await requireFactor(owner.userPk, code);
    if (refused) return refused;
  }
  const entered = await transaction(async (tx) => {
    const row = await lockUser(tx, owner.userPk);
    const taken = await redeemEmailToken(tx, "signin", token);
    if (!row || !taken || taken.email !== row.email) return undefined;
    // Turned on, or made to count by a proof, since the check above.
    if (row.factor && row.proven && !asked) return undefined;
    const changes = row.proven ? undefined : await claimAccount(tx, row);
    await markEmailVerified(tx, row.pk);
    await recordAudit(tx, [
      { workspacePk: null, actor: row.id, action: "user.prove_email", subject: row.id },
    ]);
    return { row, changes, sessionId: await beginSession(row.id, userAgent, tx) };
  });
  if (!entered) return { ok: false, code: "wrong" };
  const { row, changes, sessionId } = entered;
  if (changes) await announceClaim({ email: row.email, locale }, changes);
  await ofAddress.refund();
  return { ok: true, user: { id: row.id, email: row.email, name: row.name, sessionId } };
}

/** The profile of a person at an OAuth provider. */
export interface OAuthIdentity {
  provider: string;
  subject: string;
  email: string;
  /** The provider has verified the email address. */
  emailProven: boolean;
  name: string;
}

export type OAuthOutcome =
  | { ok: true; user: Person }
  | { ok: false; code: "email_unproven" | "account_exists" | "closed" };

/**
 * Signs in with an OAuth identity. It is linked to an account the first time; from then on its email address is
 * ignored. The provider must have verified the address. To an account that never proved it, this is the first proof; a
 * proven one is never linked past its second factor: such people sign in as usual.
 */
export async function signInWithOAuth(
  identity: OAuthIdentity,
  { locale }: Browser = unknownBrowser,
): Promise<OAuthOutcome> {
  const found = await findIdentity(identity.provider, identity.subject);
  if (found) return { ok: true, user: found };
  const email = emailAddress.safeParse(identity.email);
  if (!identity.emailProven || !email.success) return { ok: false, code: "email_unproven" };
  const user = await findUserByEmail(email.data);
  const person = { id: newId("user"), email: email.data, name: identity.name };
  const { outcome, changes } = await transaction(async (tx) => {
    const found = user
      ? await openOAuthAccount(tx, user.pk, email.data)
      : {
          changes: undefined,
          person: (await insertOAuthUser(tx, person)) ? person : ("closed" as const),
        };
    return { changes: found.changes, outcome: await connect(tx, identity, found.person) };
  });
  if (changes) await announceClaim({ email: email.data, locale }, changes);
  return outcome;
}

/** The account to which an identity with the same address is linked; with changes when this is its first proof. */
async function openOAuthAccount(tx: Connection, userPk: number, email: string) {
  const row = await lockUser(tx, userPk);
  const refused = row?.email !== email || (row.proven && row.factor);
  if (!row || refused) return { changes: undefined, person: "account_exists" as const };
  return { changes: row.proven ? undefined : await claimAccount(tx, row), person: row };
}

async function connect(
  tx: Connection,
  { provider, subject }: OAuthIdentity,
  person: Person | "account_exists" | "closed",
): Promise<OAuthOutcome> {
  if (typeof person === "string") return { ok: false, code: person };
  const { id, email, name } = person;
  if (!(await insertIdentity(tx, provider, subject, id))) {
    return { ok: false, code: "account_exists" };
  }
  await recordAudit(tx, [
    { workspacePk: null, actor: id, action: "user.connect", details: { provider } },
  ]);
  return { ok: true, user: { id, email, name } };
}

async function insertOAuthUser(tx: Connection, person: Person): Promise<boolean> {
  await lockFirstRun(tx);
  const operator = !(await anyUser(tx));
  if (!operator && config().FUXI_SIGNUP !== "open") return false;
  const row = { ...person, passwordHash: null, operator, proven: true };
  if (!(await insertUser(tx, row))) return false;
  await recordAudit(tx, [
    { workspacePk: null, actor: person.id, action: "user.create", details: { operator } },
  ]);
  return true;
}
