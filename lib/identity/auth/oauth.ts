/** Signs in with connected accounts at OAuth providers. */
import { newId } from "#lib/basics/ids";
import { announceClaim, claimAccount } from "#lib/identity/first-proof";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import {
  type BannedAccount,
  type Browser,
  findBannedAccount,
  type Person,
  unknownBrowser,
} from "./people.ts";
import { emailAddress } from "./schema.ts";
import {
  anyUser,
  findIdentity,
  findUserByEmail,
  insertIdentity,
  insertUser,
  lockFirstRun,
  lockUser,
} from "./store.ts";

export interface OAuthIdentity {
  provider: string;
  subject: string;
  email: string;
  emailProven: boolean;
  name: string;
}

export type OAuthOutcome =
  | { ok: true; user: Person }
  | { ok: false; code: "email_unproven" | "account_exists" | "sign_up_closed" }
  | BannedAccount;

/** A verified address may be an account’s first proof. A proven account with a second factor is not linked. */
export async function signInWithOAuth(
  identity: OAuthIdentity,
  { locale }: Browser = unknownBrowser,
): Promise<OAuthOutcome> {
  const found = await findIdentity(identity.provider, identity.subject);
  if (found) {
    const { id, email, name } = found;
    return (await findBannedAccount(id)) ?? { ok: true, user: { id, email, name } };
  }
  const email = emailAddress.safeParse(identity.email);
  if (!identity.emailProven || !email.success) return { ok: false, code: "email_unproven" };
  const user = await findUserByEmail(email.data);
  const banned = user && (await findBannedAccount(user.id));
  if (banned) return banned;
  const person = { id: newId("user"), email: email.data, name: identity.name };
  const isOpen = await isSignUpOpen();
  const { outcome, changes } = await transaction(async (tx) => {
    const found = user
      ? await openOAuthAccount(tx, user.pk, email.data)
      : {
          changes: undefined,
          person: (await insertOAuthUser(tx, person, isOpen))
            ? person
            : ("sign_up_closed" as const),
        };
    return { changes: found.changes, outcome: await connect(tx, identity, found.person) };
  });
  if (changes) await announceClaim({ email: email.data, locale }, changes);
  return outcome;
}

async function openOAuthAccount(tx: Connection, userPk: number, email: string) {
  const row = await lockUser(tx, userPk);
  const refused = row?.email !== email || (row.proven && row.factor);
  if (!row || refused) return { changes: undefined, person: "account_exists" as const };
  return { changes: row.proven ? undefined : await claimAccount(tx, row), person: row };
}

async function connect(
  tx: Connection,
  { provider, subject }: OAuthIdentity,
  person: Person | "account_exists" | "sign_up_closed",
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

async function insertOAuthUser(tx: Connection, person: Person, isOpen: boolean): Promise<boolean> {
  await lockFirstRun(tx);
  const operator = !(await anyUser(tx));
  if (!operator && !isOpen) return false;
  const row = { ...person, passwordHash: null, operator, proven: true };
  if (!(await insertUser(tx, row))) return false;
  await recordAudit(tx, [
    { workspacePk: null, actor: person.id, action: "user.create", details: { operator } },
  ]);
  return true;
}
