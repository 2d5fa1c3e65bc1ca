/** For database tests: signed-in people, with emails and authenticators. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { signUp } from "#lib/identity/auth";
import { type EmailTokenPurpose, issueEmailToken } from "#lib/identity/email-tokens";
import { beginFactorFor, confirmFactorFor } from "#lib/identity/factor-changes";
import { beginSession, findSession } from "#lib/identity/sessions";
import type { Proof, SessionUser } from "#lib/identity/sessions/schema";
import { transaction } from "#lib/platform/postgres";

export const testPassword = "correct horse";
let people = 0;

/** A signed-in person with an unverified address. */
export async function newPerson(): Promise<SessionUser> {
  people += 1;
  const email = `p${people}@example.com`;
  const body = { name: "Ada", email, password: testPassword };
  const created = await signUp(body, `198.18.0.${people}`);
  if (!created.ok) throw new Error(created.code);
  return await signedIn(created.user.id);
}

/** Another session of a person, who has just proved this. */
export async function signedIn(
  userId: string,
  proofs: readonly Proof[] = ["password"],
): Promise<SessionUser> {
  const user = await findSession(await beginSession(userId, "Mozilla/5.0 Firefox/140.0", proofs));
  if (!user) throw new Error("The session is none");
  return user;
}

/** The token of an email. */
export function emailTokenOf(
  purpose: EmailTokenPurpose,
  user: SessionUser,
  email = user.email,
): Promise<string> {
  return transaction((tx) => issueEmailToken(tx, purpose, { userPk: user.pk, email }));
}

/** Turns the second factor on; `soon` is the next code, because the present one was used for that. */
export async function withFactor(user: SessionUser) {
  const factor = await beginFactorFor(user);
  const totp = new TOTP({ secret: factor?.secret ?? "" });
  const confirmed = await confirmFactorFor(user, totp.generate(), "en");
  if (!confirmed.ok) throw new Error(confirmed.code);
  const soon = () => totp.generate({ timestamp: Date.now() + 30_000 });
  return { soon, codes: confirmed.codes };
}

/** What a pattern finds in the emails to a person, oldest first: its group, or all of it. */
export async function emailLinks(
  dataDir: string,
  email: string,
  pattern: RegExp,
): Promise<string[]> {
  const folder = join(dataDir, "outbox");
  const found: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const mail = (await readFile(join(folder, file), "utf8")).replace(/=\r?\n/g, "");
    const match = mail.includes(email) ? pattern.exec(mail) : null;
    if (match) found.push(match[1] ?? match[0]);
  }
  return found;
}
