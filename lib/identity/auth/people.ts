/**
 * Accounts: the first run, signing up, proving a password.
 *
 * A new account is signed in at once, also where no server takes letters: so whoever signs up sees whether the address had
 * an account, whatever the answer says, and it says so in plain words. Nobody learns it of many addresses: after a
 * few that were taken, every sign-up from the same network address is refused, of free addresses too. The holder of
 * a taken address gets a letter that says that there is an account and how to sign in.
 */

import { findProof, takeProof } from "#lib/identity/email-tokens";
import { checkFactor, hasFactor } from "#lib/identity/second-factor";
import { beginProvenSession, beginSession, endSessions } from "#lib/identity/sessions";
import { type Change, publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { newId } from "#lib/platform/ids";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { hashPassword, verifyPassword } from "#lib/platform/passwords";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordDeeds } from "#lib/tenancy/audit";
import { adoptDemo } from "#lib/tenancy/workspaces";
import { emailAddress, type NewUser, proofBody, signInBody } from "./schema.ts";
import {
  anyUser,
  dropUnproven,
  findIdentity,
  findUserByEmail,
  insertIdentity,
  insertUser,
  lockFirstRun,
  lockUser,
  markProven,
} from "./store.ts";

/** Someone who has proved who they are. */
export interface Person {
  id: string;
  email: string;
  name: string;
}

export interface TooMany {
  ok: false;
  code: "too_many";
  retryAfterSeconds: number;
}

export type SignUpOutcome =
  | { ok: true; user: Person & { operator: boolean } }
  | { ok: false; code: "email_taken" | "closed" }
  | TooMany;

/**
 * Makes an account. The first one of an installation is its operator; first runs that race wait for each other, and
 * with FUXI_SIGNUP=closed all but one of them are refused, unless they were invited.
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
  const outcome = await makeAccount(body, invited || config().FUXI_SIGNUP === "open");
  if (outcome.ok || outcome.code !== "email_taken") await ofTaken.refund();
  if (outcome.ok && outcome.user.operator) await adoptDemo(outcome.user.id);
  return outcome;
}

/** `open` false: only an installation without anyone takes the account. */
export async function makeAccount(body: NewUser, open: boolean): Promise<SignUpOutcome> {
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
    await recordDeeds(tx, [
      { workspacePk: null, actor: user.id, action: "user.create", details: { operator } },
    ]);
    return { ok: true, user };
  });
}

export type SignInOutcome =
  /** With a session, when it begins together with the proof. */
  | { ok: true; user: Person & { sessionId?: string } }
  /** `code_*`: everything else was right, and the account has a second factor. */
  | { ok: false; code: "wrong" | "code_missing" | "code_wrong" }
  | TooMany;

/**
 * Proves a password. Unknown addresses take as long as known ones. Attempts count before the check, for the account and
 * for the address; one that succeeds is taken back, so only failures use a limit up.
 */
export async function signIn(credentials: unknown, address: string): Promise<PasswordOutcome> {
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
    const refused = await askFactor(user.pk, code);
    if (refused) return refused;
  }
  return {
    ok: true,
    user: { id: user.id, email: user.email, name: user.name },
    provenHash: user.passwordHash ?? "",
  };
}

type FactorRefusal = Exclude<SignInOutcome, { ok: true }>;

/** With the hash of the password that was proven: the session begins only while it is still the one. */
export type PasswordOutcome = { ok: true; user: Person; provenHash: string } | FactorRefusal;

/** Proves a password and begins a session. */
export async function enter(
  credentials: unknown,
  address: string,
  userAgent: string,
): Promise<SignInOutcome> {
  const outcome = await signIn(credentials, address);
  if (!outcome.ok) return outcome;
  const { user, provenHash } = outcome;
  const sessionId = await beginProvenSession(user.id, provenHash, userAgent);
  return sessionId ? { ok: true, user: { ...user, sessionId } } : { ok: false, code: "wrong" };
}

/** Numbers have six digits: how many may be guessed is counted before each is looked at. */
async function askFactor(userPk: number, code: string): Promise<FactorRefusal | undefined> {
  if (code === "") return { ok: false, code: "code_missing" };
  const attempt = await tryLimit("factorPerAccount", String(userPk));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const right = await transaction((tx) => checkFactor(tx, userPk, code));
  if (!right) return { ok: false, code: "code_wrong" };
  await attempt.refund();
  return undefined;
}

/**
 * Signs in whoever has a letter. With a second factor the letter is used up only together with a right code. An address
 * that nobody had proven before belongs to whoever reads its mail: what was set by whoever made the account is
 * taken away, so that nobody can wait in an account for its owner.
 *
 * The session begins in the transaction that uses the letter up and holds the person's row. Whoever sets a password at the
 * same moment comes before it, and the letter is gone, or after it, and ends the session.
 */
export async function signInByLetter(
  proof: unknown,
  address: string,
  userAgent = "",
): Promise<SignInOutcome> {
  const parsed = proofBody.safeParse(proof);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { token, code } = parsed.data;
  const ofAddress = await tryLimit("proofPerAddress", addressSubject(address));
  if (!ofAddress.ok) return { ...ofAddress, code: "too_many" };
  const proven = await findProof("signin", token);
  if (!proven) return { ok: false, code: "wrong" };
  if (await hasFactor(proven.userPk)) {
    const refused = await askFactor(proven.userPk, code);
    if (refused) return refused;
  }
  let changes: Change[] = [];
  const user = await transaction(async (tx) => {
    const row = await lockUser(tx, proven.userPk);
    const taken = await takeProof(tx, "signin", token);
    if (!row || !taken || taken.email !== row.email) return undefined;
    if (!row.proven) {
      await dropUnproven(tx, row.pk);
      changes = await endSessions(tx, row.pk, null);
    }
    await markProven(tx, row.pk);
    await recordDeeds(tx, [
      { workspacePk: null, actor: row.id, action: "user.prove_email", subject: row.id },
    ]);
    const sessionId = await beginSession(row.id, userAgent, tx);
    return { id: row.id, email: row.email, name: row.name, sessionId };
  });
  await publishChanges(changes);
  if (!user) return { ok: false, code: "wrong" };
  await ofAddress.refund();
  return { ok: true, user };
}

/** What another site says of somebody who signed in there. */
export interface Elsewhere {
  provider: string;
  subject: string;
  email: string;
  /** The site has seen that they read mail of the address. */
  emailProven: boolean;
  name: string;
}

export type ElsewhereOutcome =
  | { ok: true; user: Person }
  | { ok: false; code: "email_unproven" | "account_exists" | "closed" };

/**
 * Signs in with an account elsewhere. It is tied to an account here the first time, and then its address no longer
 * counts. An account that exists is only taken over when both sides have proven the address, and never past a second
 * factor: those sign in as usual.
 */
export async function signInElsewhere(who: Elsewhere): Promise<ElsewhereOutcome> {
  const known = await findIdentity(who.provider, who.subject);
  if (known) return { ok: true, user: known };
  const email = emailAddress.safeParse(who.email);
  if (!who.emailProven || !email.success) return { ok: false, code: "email_unproven" };
  const user = await findUserByEmail(email.data);
  if (user && (!user.emailProvenAt || user.factorSince)) {
    return { ok: false, code: "account_exists" };
  }
  return await transaction<ElsewhereOutcome>(async (tx) => {
    const person = user ?? { id: newId("user"), email: email.data, name: who.name };
    if (!user && !(await insertElsewhere(tx, person))) return { ok: false, code: "closed" };
    const { provider, subject } = who;
    if (!(await insertIdentity(tx, provider, subject, person.id))) {
      return { ok: false, code: "account_exists" };
    }
    await recordDeeds(tx, [
      { workspacePk: null, actor: person.id, action: "user.connect", details: { provider } },
    ]);
    return { ok: true, user: { id: person.id, email: person.email, name: person.name } };
  });
}

async function insertElsewhere(tx: Connection, person: Person): Promise<boolean> {
  await lockFirstRun(tx);
  const operator = !(await anyUser(tx));
  if (!operator && config().FUXI_SIGNUP !== "open") return false;
  const row = { ...person, passwordHash: null, operator, proven: true };
  if (!(await insertUser(tx, row))) return false;
  await recordDeeds(tx, [
    { workspacePk: null, actor: person.id, action: "user.create", details: { operator } },
  ]);
  return true;
}
