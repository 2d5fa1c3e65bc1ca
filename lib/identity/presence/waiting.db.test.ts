/** A connected account or an email alone is not enough for an account with a second factor. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeEach, expect, test } from "vitest";
import { confirmEmail } from "#lib/identity/accounts";
import { authOptions } from "#lib/identity/auth";
import { beginSession, endOtherSessions, findSession, userOfCookie } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { openOperator } from "#lib/tenancy/operators";
import { testOrigin } from "../../../test/operators.ts";
import { emailTokenOf, newPerson, withFactor } from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { finishSignIn, isFactorAwaited } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-waiting-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  await redis().flushdb();
});

async function cookieOf(sid: string): Promise<string> {
  return `fuxi-session=${await encode({ token: { sid }, secret: "0".repeat(64) })}`;
}

/** The cookie after a sign-in with a connected account, as next-auth makes it. */
async function connectedCookie({
  id,
  email,
}: SessionUser): Promise<{ sid: string; cookie: string }> {
  const user = { id, email, name: "Ada" };
  const token = await authOptions().callbacks?.jwt?.({ token: {}, user, account: null });
  const sid = String(token?.["sid"]);
  return { sid, cookie: await cookieOf(sid) };
}

async function personWithFactor() {
  const user = await newPerson();
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  return { user, ...(await withFactor(user)) };
}

test("a connected account signs nobody in who has a second factor, until its code is right", async () => {
  const { user, soon } = await personWithFactor();
  const { sid, cookie } = await connectedCookie(user);
  expect(await userOfCookie(cookie)).toBeUndefined();
  expect(await isFactorAwaited(cookie)).toBe(true);
  expect(await finishSignIn(cookie, "nonsense")).toEqual({ ok: false, code: "code_wrong" });
  expect(await userOfCookie(cookie)).toBeUndefined();
  expect(await finishSignIn(cookie, soon())).toEqual({ ok: true });
  expect(await userOfCookie(cookie)).toMatchObject({ id: user.id, sessionId: sid });
  expect(await isFactorAwaited(cookie)).toBe(false);
});

test("without a second factor a connected account signs in at once, and waits for nothing", async () => {
  const user = await newPerson();
  const { cookie } = await connectedCookie(user);
  expect(await userOfCookie(cookie)).toMatchObject({ id: user.id });
  expect(await isFactorAwaited(cookie)).toBe(false);
  expect(await finishSignIn(cookie, "000000")).toEqual({ ok: false, code: "unauthorized" });
});

test("a sign-in that waits opens no back office", async () => {
  const { user } = await personWithFactor();
  await query(sql`UPDATE app_user SET operator = true WHERE pk = ${user.pk}`);
  const { sid } = await connectedCookie(user);
  expect(await openOperator({ pk: user.pk, sessionId: sid }, testOrigin)).toEqual({
    ok: false,
    code: "hidden",
  });
});

test("a sign-in waits 15 minutes for the code, and not longer", async () => {
  const { user, codes } = await personWithFactor();
  const { sid, cookie } = await connectedCookie(user);
  const [row] = await query<{ seconds: number }>(sql`
    SELECT extract(epoch FROM factor_due_at - created_at)::int AS seconds
    FROM session
    WHERE id = ${sid}`);
  expect(row?.seconds).toBe(15 * 60);
  await query(
    sql`UPDATE session SET factor_due_at = now() - interval '30 seconds' WHERE id = ${sid}`,
  );
  expect(await isFactorAwaited(cookie)).toBe(false);
  expect(await finishSignIn(cookie, codes[0] ?? "")).toEqual({ ok: false, code: "unauthorized" });
});

test("signing out elsewhere ends a sign-in that waits", async () => {
  const { user, codes } = await personWithFactor();
  const { cookie } = await connectedCookie(user);
  await endOtherSessions(user);
  expect(await finishSignIn(cookie, codes[0] ?? "")).toEqual({ ok: false, code: "unauthorized" });
});

test("guessing codes after a connected sign-in stops at its limit", async () => {
  const { user, soon } = await personWithFactor();
  const { cookie } = await connectedCookie(user);
  for (let tries = 0; tries < limits.factorPerConnectedAccount.max; tries++) {
    expect(await finishSignIn(cookie, "nonsense")).toMatchObject({ code: "code_wrong" });
  }
  expect(await finishSignIn(cookie, soon())).toEqual({ ok: false, code: "too_many" });
});

test("whatever else was proved, a session of an account with a factor begins with its code only", async () => {
  const { user } = await personWithFactor();
  for (const proofs of [[], ["password"], ["email"], ["oauth"]] as const) {
    expect(await findSession(await beginSession(user.id, "", proofs))).toBeUndefined();
  }
  const full = await beginSession(user.id, "", ["email", "factor"]);
  expect(await findSession(full)).toMatchObject({ id: user.id });
});
