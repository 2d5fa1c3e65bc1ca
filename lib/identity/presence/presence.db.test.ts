/** What a stolen cookie cannot do: changes that would keep the owner out, or outlive the session, need a fresh proof. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changePassword, deleteAccount, requestEmailChange } from "#lib/identity/accounts";
import { createApiKey, editApiKey, rotateApiKey } from "#lib/identity/api-keys";
import { signInByEmail, signInWithOAuth } from "#lib/identity/auth";
import { beginFactorFor, confirmFactorFor } from "#lib/identity/factor-changes";
import { findSession, noteProofs } from "#lib/identity/sessions";
import type { Proof, SessionUser } from "#lib/identity/sessions/schema";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { freshMinutes } from "#lib/tenancy/live-actors";
import { changeRole, transferOwnership } from "#lib/tenancy/members";
import { createWorkspace, deleteWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  signedIn,
  withFactor,
} from "../../../test/people.ts";
import { joinTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { findMissingProofOf, provePresence } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-presence-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
// The first account is an administrator, who may not always be deleted.
beforeAll(async () => void (await newPerson()));
beforeEach(async () => {
  await redis().flushdb();
});

const address = "203.0.113.7";
const refused = { code: "forbidden", problem: { code: "proof_needed" } };
let people = 0;

/** Someone who signed in with a connected account only. */
async function connectedPerson(): Promise<SessionUser> {
  people += 1;
  const email = `connected-${people}@example.com`;
  const identity = { provider: "github", subject: email, email, emailProven: true, name: "Hub" };
  const outcome = await signInWithOAuth(identity);
  if (!outcome.ok) throw new Error(outcome.code);
  return await signedIn(outcome.user.id, ["oauth"]);
}

/** As if everything had been proved so many minutes ago. */
async function makeOlder(user: SessionUser, minutes: number): Promise<void> {
  await query(sql`
    UPDATE session
    SET
      password_at = password_at - ${minutes} * interval '1 minute',
      email_at = email_at - ${minutes} * interval '1 minute',
      oauth_at = oauth_at - ${minutes} * interval '1 minute',
      factor_at = factor_at - ${minutes} * interval '1 minute'
    WHERE id = ${user.sessionId}`);
}

async function scopeOf(user: SessionUser): Promise<WorkspaceScope> {
  people += 1;
  const slug = `presence-${people}`;
  await createWorkspace(user.id, { name: "Acme", slug });
  const scope = await openWorkspace(user.id, slug, user.sessionId);
  if (!scope) throw new Error("No scope");
  return scope;
}

/** Every sensitive write, with what the password in its own form does not prove. */
const writes: Record<string, (user: SessionUser, scope: WorkspaceScope) => Promise<unknown>> = {
  "sets up a second factor": (user) => beginFactorFor(user),
  "turns on a second factor": (user) => confirmFactorFor(user, "000000", "en"),
  "creates an API key": (_, scope) => createApiKey(scope, { name: "Key" }),
  "edits an API key": (_, scope) => editApiKey(scope, "key_x", { scopes: ["all"] }),
  "rotates an API key": (_, scope) => rotateApiKey(scope, "key_x", { overlapSeconds: 0 }),
  "transfers a workspace": (_, scope) => transferOwnership(scope, "user_x"),
  "makes another owner": (_, scope) => changeRole(scope, "user_x", "owner"),
  "deletes a workspace": (_, scope) => deleteWorkspace(scope),
};

test.each(Object.entries(writes))(
  "a session whose last proof is too old never %s, and one with a fresh proof does",
  async (_, write) => {
    const user = await newPerson();
    const scope = await scopeOf(user);
    await makeOlder(user, freshMinutes);
    await expect(write(user, scope)).rejects.toMatchObject(refused);
    expect(await provePresence(user, { password, code: "" })).toEqual({ ok: true });
    await write(user, scope);
  },
);

const personalWrites: Record<string, (user: SessionUser, given: string) => Promise<unknown>> = {
  "changes the email address": (user, given) =>
    requestEmailChange(user, given, `new-${user.email}`, "en"),
  "changes the password": (user, given) => changePassword(user, given, "another horse", "en"),
  "deletes the account": (user, given) => deleteAccount(user, given),
};

test.each(Object.entries(personalWrites))(
  "without a password an old session never %s, and after a connected sign-in just before it does",
  async (_, write) => {
    const user = await connectedPerson();
    await makeOlder(user, freshMinutes);
    await expect(write(user, "")).rejects.toMatchObject(refused);
    expect(await prisma().user.count({ where: { pk: user.pk } })).toBe(1);
    await noteProofs(user, ["oauth"]);
    await makeOlder(user, freshMinutes - 1);
    expect(await write(user, "")).toEqual({ ok: true });
  },
);

test.each(Object.entries(personalWrites))(
  "with a second factor the password alone never %s: its code is needed too",
  async (_, write) => {
    const user = await newPerson();
    const { soon } = await withFactor(user);
    await makeOlder(user, freshMinutes);
    await expect(write(user, password)).rejects.toMatchObject(refused);
    expect(await findMissingProofOf(user)).toEqual({
      password: false,
      code: true,
      signIn: false,
      passkey: false,
    });
    expect(await provePresence(user, { password: "", code: soon() })).toEqual({ ok: true });
    expect(await write(user, password)).toEqual({ ok: true });
  },
);

test("a stolen cookie cannot enroll a factor that locks the owner out", async () => {
  const user = await newPerson();
  await makeOlder(user, freshMinutes);
  const thief = await findSession(user.sessionId);
  if (!thief) throw new Error("No session");
  await expect(beginFactorFor(thief)).rejects.toMatchObject(refused);
  expect(await provePresence(thief, { password: "", code: "" })).toMatchObject({ ok: false });
  expect(await provePresence(thief, { password: "a guess", code: "" })).toEqual({
    ok: false,
    code: "password_wrong",
  });
  await expect(beginFactorFor(thief)).rejects.toMatchObject(refused);
  const row = await prisma().user.findUniqueOrThrow({ where: { pk: user.pk } });
  expect(row.factorSecret).toBeNull();
});

test("an emailed link just before is a proof for an account without a password", async () => {
  const user = await connectedPerson();
  await makeOlder(user, freshMinutes);
  expect(await provePresence(user, { password: "", code: "" })).toEqual({
    ok: false,
    code: "sign_in_needed",
  });
  const token = await emailTokenOf("signin", user);
  const entered = await signInByEmail({ token }, address);
  const session = entered.ok ? await findSession(entered.user.sessionId ?? "") : undefined;
  if (!session) throw new Error("No session");
  expect(await deleteAccount(session, "")).toEqual({ ok: true });
});

test("for an account without a password the code of its factor is enough", async () => {
  const user = await connectedPerson();
  const factor = await beginFactorFor(user);
  const totp = new TOTP({ secret: factor?.secret ?? "" });
  await confirmFactorFor(user, totp.generate(), "en");
  await makeOlder(user, freshMinutes);
  expect(await findMissingProofOf(user)).toEqual({
    password: false,
    code: true,
    signIn: false,
    passkey: false,
  });
  const code = totp.generate({ timestamp: Date.now() + 30_000 });
  expect(await provePresence(user, { password: "", code })).toEqual({ ok: true });
  expect(await deleteAccount(user, "")).toEqual({ ok: true });
});

test("a fresh session of an account with a password still needs the password for what asks for it", async () => {
  const user = await newPerson();
  expect(await deleteAccount(user, "")).toEqual({ ok: false, code: "password_wrong" });
  await makeOlder(user, freshMinutes);
  expect(await deleteAccount(user, password)).toEqual({ ok: true });
});

test.each<[string, Proof[]]>([
  ["a session that proved nothing", []],
  ["a factor without the password", ["factor"]],
])("%s is not fresh", async (_, proofs) => {
  const { id } = await newPerson();
  await expect(beginFactorFor(await signedIn(id, proofs))).rejects.toMatchObject(refused);
});

test("guessing the password of a stolen session stops at its limit, also after the right one", async () => {
  const user = await newPerson();
  await makeOlder(user, freshMinutes);
  for (let tries = 0; tries < limits.passwordPerSession.max; tries++) {
    expect(await provePresence(user, { password: "a guess", code: "" })).toMatchObject({
      code: "password_wrong",
    });
  }
  expect(await provePresence(user, { password, code: "" })).toEqual({
    ok: false,
    code: "too_many",
  });
});

test("an API key needs no session: what its scopes permit is not asked again", async () => {
  const user = await newPerson();
  const scope = await scopeOf(user);
  const other = await joinTestScope(scope, `other-${people}`, "member");
  const keyless = await openWorkspace(user.id, scope.slug);
  if (!keyless) throw new Error("No scope");
  expect(await changeRole(keyless, String(other.userId), "owner")).toEqual({ ok: true });
});
