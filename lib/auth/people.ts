/** Accounts: the first run, signing up, proving a password. */
import { recordDeeds } from "#lib/audit";
import { config } from "#lib/config";
import { newId } from "#lib/ids";
import { addressSubject, tryLimit } from "#lib/limits";
import { hashPassword, verifyPassword } from "#lib/passwords";
import { transaction } from "#lib/postgres";
import { adoptDemo } from "#lib/workspaces";
import { type NewUser, signInBody } from "./schema.ts";
import { anyUser, findUserByEmail, insertUser, lockFirstRun } from "./store.ts";

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
 * with FUXI_SIGNUP=closed all but one of them are refused.
 */
export async function signUp(body: NewUser, address: string): Promise<SignUpOutcome> {
  const attempt = await tryLimit("signUpPerAddress", addressSubject(address));
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const outcome = await makeAccount(body, config().FUXI_SIGNUP === "open");
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
    if (!(await insertUser(tx, { ...user, passwordHash }))) {
      return { ok: false, code: "email_taken" };
    }
    await recordDeeds(tx, [
      { workspacePk: null, actor: user.id, action: "user.create", details: { operator } },
    ]);
    return { ok: true, user };
  });
}

export type SignInOutcome = { ok: true; user: Person } | { ok: false; code: "wrong" } | TooMany;

/**
 * Proves a password. Unknown addresses take as long as known ones. Attempts count before the check, for the account and
 * for the address; one that succeeds is taken back, so only failures use a limit up.
 */
export async function signIn(credentials: unknown, address: string): Promise<SignInOutcome> {
  const parsed = signInBody.safeParse(credentials);
  if (!parsed.success) return { ok: false, code: "wrong" };
  const { email, password } = parsed.data;
  const ofAddress = await tryLimit("signInPerAddress", addressSubject(address));
  if (!ofAddress.ok) return { ...ofAddress, code: "too_many" };
  const ofAccount = await tryLimit("signInPerAccount", email);
  if (!ofAccount.ok) return { ...ofAccount, code: "too_many" };
  const user = await findUserByEmail(email);
  const right = await verifyPassword(password, user?.passwordHash ?? null);
  if (!user || !right) return { ok: false, code: "wrong" };
  await Promise.all([ofAddress.refund(), ofAccount.refund()]);
  return { ok: true, user: { id: user.id, email: user.email, name: user.name } };
}
