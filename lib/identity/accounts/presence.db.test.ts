/** What an account without a password needs to be changed: a sign-in just before. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { signInByEmail, signInWithOAuth } from "#lib/identity/auth";
import { findSession, freshMinutes } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import { emailTokenOf, newPerson, signedIn, testPassword } from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changePassword, deleteAccount, requestEmailChange } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-presence-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  await redis().flushdb();
});

const address = "203.0.113.7";
const stale = { ok: false, code: "stale" };
let people = 0;

/** Someone who signed in with a connected account only. */
async function connectedPerson(): Promise<SessionUser> {
  people += 1;
  const email = `connected-${people}@example.com`;
  const identity = { provider: "github", subject: email, email, emailProven: true, name: "Hub" };
  const outcome = await signInWithOAuth(identity);
  if (!outcome.ok) throw new Error(outcome.code);
  return await signedIn(outcome.user.id);
}

async function makeOlder(user: SessionUser, minutes: number): Promise<void> {
  await query(sql`
    UPDATE session
    SET created_at = now() - ${minutes} * interval '1 minute'
    WHERE id = ${user.sessionId}`);
}

test("without a password an old session changes and deletes nothing", async () => {
  const user = await connectedPerson();
  await makeOlder(user, freshMinutes);
  expect(await deleteAccount(user, "")).toEqual(stale);
  expect(await requestEmailChange(user, "", `new-${user.email}`, "en")).toEqual(stale);
  expect(await changePassword(user, "", "another horse", "en")).toEqual(stale);
  expect(await prisma().user.count({ where: { pk: user.pk } })).toBe(1);
});

test("a connected sign-in or an emailed link just before is enough", async () => {
  const user = await connectedPerson();
  await makeOlder(user, freshMinutes - 1);
  expect(await requestEmailChange(user, "", `new-${user.email}`, "en")).toEqual({ ok: true });
  await makeOlder(user, freshMinutes);
  const token = await emailTokenOf("signin", user);
  const entered = await signInByEmail({ token }, address);
  const session = entered.ok ? await findSession(entered.user.sessionId ?? "") : undefined;
  if (!session) throw new Error("No session");
  expect(await deleteAccount(session, "")).toEqual({ ok: true });
});

test("a fresh session of an account with a password still needs the password", async () => {
  await newPerson();
  const user = await newPerson();
  expect(await deleteAccount(user, "")).toEqual({ ok: false, code: "wrong" });
  await makeOlder(user, freshMinutes);
  expect(await deleteAccount(user, testPassword)).toEqual({ ok: true });
});
