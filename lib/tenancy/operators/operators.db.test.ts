import { expect, test } from "vitest";
import { endSession } from "#lib/identity/sessions";
import { query, sql, transaction } from "#lib/platform/postgres";
import { findAuditEntries } from "#lib/tenancy/audit";
import { makeTestOperator, makeTestPerson, testOrigin } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  auditLook,
  auditLooks,
  officeFactorHours,
  officeIdleMinutes,
  openOperator,
  operatorOfCommandLine,
  operatorOfToken,
  recordOperation,
} from "./index.ts";
import { reasonField } from "./schema.ts";

const token = "0123456789abcdef0123456789abcdef";
openTestStores({ FUXI_ADMIN_TOKEN: token });

test("only an administrator with a second factor gets a scope", async () => {
  const plain = await makeTestPerson("plain", { operator: false, factor: true });
  expect(await openOperator(plain, testOrigin)).toEqual({ ok: false, code: "hidden" });
  const bare = await makeTestPerson("bare", { operator: true, factor: false });
  expect(await openOperator(bare, testOrigin)).toEqual({ ok: false, code: "factor_missing" });
  const { user, operator } = await makeTestOperator("full");
  expect(operator).toMatchObject({ actor: user.id, userPk: user.pk, via: "dashboard" });
});

/** As if the session had passed the factor, and used the back office, so many seconds ago. */
async function setUse(sessionId: string, factor: number | null, office: number | null) {
  await query(sql`
    UPDATE session
    SET
      factor_at = now() - ${factor}::float * interval '1 second',
      office_at = now() - ${office}::float * interval '1 second'
    WHERE id = ${sessionId}`);
}

const due = { ok: false, code: "factor_due" };

/** Seconds before and after a limit, since the clock of a machine may be set back between two statements. */
const aside = 30;

test("a session that has not passed the second factor gets no scope, although the account has one", async () => {
  const { user } = await makeTestOperator("proved-little");
  await setUse(user.sessionId, null, null);
  expect(await openOperator(user, testOrigin)).toEqual(due);
  await setUse(user.sessionId, null, 0);
  expect(await openOperator(user, testOrigin)).toEqual(due);
});

test(`after ${officeFactorHours} hours the second factor is asked for again, however much it was used`, async () => {
  const { user } = await makeTestOperator("long-day");
  await setUse(user.sessionId, officeFactorHours * 3_600 - aside, 0);
  expect(await openOperator(user, testOrigin)).toMatchObject({ ok: true });
  await setUse(user.sessionId, officeFactorHours * 3_600 + aside, 0);
  expect(await openOperator(user, testOrigin)).toEqual(due);
});

test(`access ends after ${officeIdleMinutes} minutes without a use, and each use prolongs it`, async () => {
  const { user } = await makeTestOperator("away");
  const idle = officeIdleMinutes * 60;
  await setUse(user.sessionId, idle - aside, null);
  expect(await openOperator(user, testOrigin)).toMatchObject({ ok: true });
  await setUse(user.sessionId, idle + aside, null);
  expect(await openOperator(user, testOrigin)).toEqual(due);
  await setUse(user.sessionId, 2 * idle, idle - aside);
  expect(await openOperator(user, testOrigin)).toMatchObject({ ok: true });
  await query(sql`
    UPDATE session
    SET factor_at = factor_at - 2 * ${idle} * interval '1 second'
    WHERE id = ${user.sessionId}`);
  expect(await openOperator(user, testOrigin)).toMatchObject({ ok: true });
  await setUse(user.sessionId, 2 * idle, idle + aside);
  expect(await openOperator(user, testOrigin)).toEqual(due);
  // A refused request is no use.
  expect(await openOperator(user, testOrigin)).toEqual(due);
});

test("a change of the account applies to the next request, without waiting for a cache", async () => {
  const { user } = await makeTestOperator("changing");
  await query(sql`UPDATE app_user SET factor_since = NULL WHERE pk = ${user.pk}`);
  expect(await openOperator(user, testOrigin)).toEqual({ ok: false, code: "factor_missing" });
  await query(
    sql`UPDATE app_user SET factor_since = now(), operator = false WHERE pk = ${user.pk}`,
  );
  expect(await openOperator(user, testOrigin)).toEqual({ ok: false, code: "hidden" });
});

test("an ended session, another one's session and an unproven address open nothing", async () => {
  const { user } = await makeTestOperator("ended");
  const other = await makeTestPerson("other");
  const hidden = { ok: false, code: "hidden" };
  const { sessionId } = other;
  expect(await openOperator({ pk: user.pk, sessionId }, testOrigin)).toEqual(hidden);
  await query(sql`UPDATE app_user SET email_proven_at = NULL WHERE pk = ${user.pk}`);
  expect(await openOperator(user, testOrigin)).toEqual(hidden);
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${user.pk}`);
  await endSession(user.sessionId);
  expect(await openOperator(user, testOrigin)).toEqual(hidden);
});

test("a script gets a scope with exactly the token of the instance", () => {
  expect(operatorOfToken(token, testOrigin)).toMatchObject({ actor: "system", via: "token" });
  for (const wrong of ["", token.slice(1), `${token}0`, token.toUpperCase()]) {
    expect(operatorOfToken(wrong, testOrigin)).toBeUndefined();
  }
});

test("a look is in the audit log of each workspace once, with where it came from", async () => {
  const [ada, eve] = [await makeTestScope("ada"), await makeTestScope("eve")];
  const { operator, user } = await makeTestOperator("looking");
  await auditLooks(operator, [ada.workspacePk, eve.workspacePk, ada.workspacePk], {});
  for (const { workspacePk } of [ada, eve]) {
    const entries = await findAuditEntries(workspacePk, { action: "operator.*", size: 10 });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: "operator.view",
      actor: { id: user.id, name: "looking", type: "user" },
      address: testOrigin.address,
    });
  }
});

test("a change is recorded with its reason, and how it was made unless in the dashboard", async () => {
  const ada = await makeTestScope("reason");
  const { operator } = await makeTestOperator("changer");
  const change = {
    workspacePk: ada.workspacePk,
    action: "operator.view",
    reason: "Asked",
  } as const;
  await transaction((tx) => recordOperation(tx, operator, change));
  await transaction((tx) => recordOperation(tx, operatorOfCommandLine(), change));
  await auditLook(operatorOfCommandLine(), ada.workspacePk, { subject: ada.workspaceId });
  const entries = await findAuditEntries(ada.workspacePk, { action: "operator.*", size: 10 });
  expect(entries.map(({ actor, details }) => [actor.type, details])).toEqual([
    ["system", { via: "cli" }],
    ["system", { via: "cli", reason: "Asked" }],
    ["user", { reason: "Asked" }],
  ]);
});

test("a reason has 3 to 500 characters", () => {
  expect(reasonField.safeParse("abc").success).toBe(true);
  expect(reasonField.safeParse(" ab ").success).toBe(false);
  expect(reasonField.safeParse("a".repeat(500)).success).toBe(true);
  expect(reasonField.safeParse("a".repeat(501)).success).toBe(false);
});
