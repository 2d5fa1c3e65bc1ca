import { beforeAll, expect, test } from "vitest";
import { findSession } from "#lib/identity/sessions";
import { query, sql, transaction } from "#lib/platform/postgres";
import { type OperatorScope, openOperator } from "#lib/tenancy/operators";
import { untilWaiting } from "../../../test/locks.ts";
import { makeTestOperator, makeTestPerson, testOrigin } from "../../../test/operators.ts";
import { newPerson, withFactor } from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addOperator,
  dropPersonFactor,
  endPersonSessions,
  findPersonId,
  listOperators,
  removeOperator,
  resendConfirmation,
} from "./index.ts";

openTestStores();

let operator: OperatorScope;
let operatorId: string;
const reason = "Asked by phone";

beforeAll(async () => {
  const root = await makeTestOperator("root");
  operator = root.operator;
  operatorId = root.user.id;
});

async function lastEntry(subject: string): Promise<unknown> {
  const [row] = await query(sql`
    SELECT workspace_pk, actor, action, details FROM audit
    WHERE subject = ${subject} AND action LIKE 'operator.%'
    ORDER BY id DESC LIMIT 1`);
  return row;
}

function entryOf(action: string, email: string) {
  return { workspace_pk: null, actor: operatorId, action, details: { reason, email } };
}

test("ended sessions are refused at once, twice in a row, and recorded with the reason", async () => {
  const person = await makeTestPerson("ended");
  await endPersonSessions(operator, person.id, reason);
  await endPersonSessions(operator, person.id, reason);
  expect(await findSession(person.sessionId)).toBeUndefined();
  expect(await lastEntry(person.id)).toEqual(entryOf("operator.end_sessions", person.email));
});

test("a second factor is turned off with its recovery codes and sessions; a second time is refused", async () => {
  const person = await newPerson();
  await withFactor(person);
  await dropPersonFactor(operator, person.id, reason);
  const [row] = await query(sql`
    SELECT factor_since, factor_secret,
      (SELECT count(*) FROM recovery_code WHERE user_pk = app_user.pk) AS codes
    FROM app_user WHERE pk = ${person.pk}`);
  expect(row).toEqual({ factor_since: null, factor_secret: null, codes: 0 });
  expect(await findSession(person.sessionId)).toBeUndefined();
  await expect(dropPersonFactor(operator, person.id, reason)).rejects.toMatchObject({
    problem: { code: "factor_off" },
  });
});

test("a confirmed address gets no second confirmation email", async () => {
  const person = await makeTestPerson("confirmed");
  await expect(resendConfirmation(operator, person.id, reason)).rejects.toMatchObject({
    problem: { code: "person_confirmed" },
  });
  await query(sql`UPDATE app_user SET email_proven_at = NULL WHERE pk = ${person.pk}`);
  await resendConfirmation(operator, person.id, reason);
  expect(await lastEntry(person.id)).toEqual(entryOf("operator.resend_confirmation", person.email));
});

test("an administrator is made of a confirmed person only, and is one at the next request", async () => {
  const person = await makeTestPerson("risen", { operator: false, factor: true });
  await query(sql`UPDATE app_user SET email_proven_at = NULL WHERE pk = ${person.pk}`);
  await expect(addOperator(operator, person.id, reason)).rejects.toMatchObject({
    problem: { code: "person_unconfirmed" },
  });
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${person.pk}`);
  await addOperator(operator, person.id, reason);
  expect(await openOperator(person, testOrigin)).toMatchObject({ ok: true });
  expect((await listOperators(operator)).map(({ email }) => email)).toContain(person.email);
  await removeOperator(operator, person.id, reason);
  expect(await openOperator(person, testOrigin)).toEqual({ ok: false, code: "hidden" });
});

test("of administrators who remove each other at once, one stays", async () => {
  await query(sql`UPDATE app_user SET operator = false`);
  const [one, two] = [await makeTestOperator("one"), await makeTestOperator("two")];
  const removals = await transaction(async (tx) => {
    // Both wait here at their audit entry. Without a lock before it, each has removed the other by then.
    await tx.query(sql`LOCK TABLE audit IN SHARE MODE`);
    const started = Promise.allSettled([
      removeOperator(one.operator, two.user.id, reason),
      removeOperator(two.operator, one.user.id, reason),
    ]);
    await untilWaiting(2);
    return { started };
  });
  const outcomes = await removals.started;
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await listOperators(operator)).toHaveLength(1);
});

test("a missing person is not found, and nothing is recorded", async () => {
  const id = "user_00000000000000000000000000";
  for (const change of [endPersonSessions, addOperator, removeOperator]) {
    await expect(change(operator, id, reason)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await lastEntry(id)).toBeUndefined();
  expect(await findPersonId(operator, "nobody@example.com")).toBeUndefined();
});
