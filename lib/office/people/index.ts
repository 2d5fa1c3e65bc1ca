/** Recorded changes of accounts. Each locks all administrators, so that at least one stays. */
import { sendConfirmationEmail } from "#lib/identity/accounts";
import { deletePasskeys } from "#lib/identity/passkeys";
import { dropFactor } from "#lib/identity/second-factor";
import { endSessions, renewSessions } from "#lib/identity/sessions";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { type Operation, type OperatorScope, recordOperation } from "#lib/tenancy/operators";

interface LockedPerson {
  pk: number;
  id: string;
  email: string;
  locale: string | null;
  confirmed: boolean;
  operator: boolean;
  factor: boolean;
  banned: boolean;
}

type Change = (tx: Connection, person: LockedPerson) => Promise<CacheChange[]>;

interface PersonChange {
  action: Operation["action"];
  id: string;
  reason: string;
}

async function changePerson(
  operator: OperatorScope,
  { action, id, reason }: PersonChange,
  change: Change,
): Promise<LockedPerson> {
  const { person, changes } = await transaction(async (tx) => {
    // Lock administrators first and by pk, so that two changes lock in the same order. Answered by app_user_operator.
    // defence: last-operator
    await tx.query(sql`SELECT FROM app_user WHERE operator ORDER BY pk FOR NO KEY UPDATE`);
    const locked = await lockPerson(tx, id);
    const done = await change(tx, locked);
    const entry = { workspacePk: null, action, subject: id, reason };
    await recordOperation(tx, operator, { ...entry, details: { email: locked.email } });
    return { person: locked, changes: done };
  });
  await publishChanges(changes);
  return person;
}

async function lockPerson(tx: Connection, id: string): Promise<LockedPerson> {
  // Answered by app_user_id_key.
  const [row] = await tx.query<LockedPerson>(sql`
    SELECT
      pk, id, email, locale, email_proven_at IS NOT NULL AS confirmed, operator,
      factor_since IS NOT NULL
        OR EXISTS (SELECT FROM passkey WHERE passkey.user_pk = app_user.pk) AS factor,
      banned_at IS NOT NULL AS banned
    FROM app_user
    WHERE id = ${id}
    FOR NO KEY UPDATE`);
  if (row) return row;
  throw new AppError("not_found", "Not found on this instance.");
}

function refused(problem: ProblemCode, message: string): AppError {
  return new AppError("conflict", message, { problem });
}

export async function endPersonSessions(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const change = { action: "operator.end_sessions", id, reason } as const;
  await changePerson(operator, change, (tx, { pk }) => endSessions(tx, pk, null));
}

export async function resendConfirmation(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const change = { action: "operator.resend_confirmation", id, reason } as const;
  const person = await changePerson(operator, change, (_, { confirmed }) => {
    if (confirmed) throw refused("person_confirmed", "This email address is already confirmed.");
    return Promise.resolve([]);
  });
  await sendConfirmationEmail(person.email, person.locale ?? "en", operator.origin.address);
}

/** Sends the person an email, and ends their sessions. */
export async function dropPersonFactor(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const change = { action: "operator.factor_off", id, reason } as const;
  const person = await changePerson(operator, change, async (tx, { pk, factor }) => {
    if (!factor) throw refused("factor_off", "Two-factor authentication is already off.");
    await dropFactor(tx, pk);
    // A lost or stolen device may have a passkey too.
    // defence: operator-removes-passkeys
    await deletePasskeys(tx, pk, null);
    return await endSessions(tx, pk, null);
  });
  const to = { email: person.email, locale: person.locale ?? "en" };
  // The change is committed, whether or not the email is sent.
  await sendEmail(to, "factorOff", {}).catch(() => undefined);
}

export async function addOperator(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const change = { action: "operator.add", id, reason } as const;
  await changePerson(operator, change, async (tx, { pk, confirmed, banned }) => {
    if (!confirmed || banned) {
      const message =
        "Only a person with a confirmed email address who can sign in can be an administrator.";
      throw refused("person_unconfirmed", message);
    }
    await tx.query(sql`UPDATE app_user SET operator = true WHERE pk = ${pk}`);
    return await renewSessions(tx, pk);
  });
}

export async function removeOperator(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  const change = { action: "operator.remove", id, reason } as const;
  await changePerson(operator, change, async (tx, { pk }) => {
    await tx.query(sql`UPDATE app_user SET operator = false WHERE pk = ${pk}`);
    const left = await tx.query(sql`SELECT pk FROM app_user WHERE operator LIMIT 1`);
    if (left.length > 0) return await renewSessions(tx, pk);
    throw refused("last_operator", "This is the last administrator. Add another one first.");
  });
}

export function listOperators(
  _: OperatorScope,
): Promise<{ id: string; email: string; name: string; factor: boolean }[]> {
  // Answered by app_user_operator.
  return query(sql`
    SELECT id, email, name,
      factor_since IS NOT NULL
        OR EXISTS (SELECT FROM passkey WHERE passkey.user_pk = app_user.pk) AS factor
    FROM app_user
    WHERE operator
    ORDER BY email`);
}

export async function findPersonId(_: OperatorScope, email: string): Promise<string | undefined> {
  // Answered by app_user_email_key.
  const [row] = await query<{ id: string }>(
    sql`SELECT id FROM app_user WHERE email = ${email.trim().toLowerCase()}`,
  );
  return row?.id;
}
