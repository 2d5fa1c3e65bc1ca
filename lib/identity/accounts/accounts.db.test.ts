import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { checkCredentials, signInByEmail } from "#lib/identity/auth";
import { dropEmailTokens } from "#lib/identity/email-tokens";
import {
  beginProvenSession,
  beginSession,
  endOtherSessions,
  endOwnSession,
  endSessions,
  findSession,
  listSessions,
} from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { publishChanges } from "#lib/platform/cache-sync";
import { limits } from "#lib/platform/limits";
import { hashPassword } from "#lib/platform/passwords";
import { transaction } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import { createWorkspace, listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  signedIn,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  accountJobs,
  changeName,
  changePassword,
  confirmEmail,
  deleteAccount,
  requestEmail,
  requestEmailChange,
  resetPassword,
  sendAccountExistsEmail,
} from "./index.ts";
import { getAccountSecurity, lockAccountRow, writePassword } from "./store.ts";

const dataDir = join(tmpdir(), `fuxi-accounts-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const address = "203.0.113.7";
const next = "another horse";

beforeEach(async () => {
  await redis().flushdb();
});

async function runEmailJob(data: object): Promise<void> {
  const [job] = accountJobs;
  await job?.handle(job.schema.parse(data));
}

async function emailsTo(email: string): Promise<string[]> {
  const folder = join(dataDir, "outbox");
  const files = await readdir(folder).catch(() => []);
  const emails = await Promise.all(
    files.sort().map((file) => readFile(join(folder, file), "utf8")),
  );
  return emails.filter((mail) => mail.includes(`To: ${email}`));
}

test("a password reset email is sent for an existing address only, and both responses are the same", async () => {
  const user = await newPerson();
  const requested = await requestEmail("reset", user.email, "en", address);
  expect(await requestEmail("reset", "nobody@example.com", "en", address)).toEqual(requested);
  expect(requested).toEqual({ ok: true });
  for (const email of [user.email, "nobody@example.com"]) {
    await runEmailJob({ purpose: "reset", email, locale: "en", userPk: null });
  }
  const [mail = ""] = await emailsTo(user.email);
  expect(mail).toContain("Reset your Fuxi password");
  expect(await emailsTo("nobody@example.com")).toEqual([]);
  const token = /\/reset\?token=3D([\w-]+)/.exec(mail.replaceAll("=\r\n", ""))?.[1] ?? "";
  expect(await resetPassword(token, next, address, "en")).toEqual({ ok: true });
  expect((await checkCredentials({ email: user.email, password: next }, address)).ok).toBe(true);
  expect((await checkCredentials({ email: user.email, password }, address)).ok).toBe(false);
});

test("the owner of an address is notified of a sign-up with it, and no other person is", async () => {
  const user = await newPerson();
  await sendAccountExistsEmail(user.email, "en", address);
  for (const email of [user.email, "free@example.com"]) {
    await runEmailJob({ purpose: "held", email, locale: "en", userPk: null });
  }
  const [mail = ""] = await emailsTo(user.email);
  expect(mail).toContain("/signin");
  expect(mail).not.toContain("token");
  expect(await emailsTo("free@example.com")).toEqual([]);
});

test.each(["letterPerAccountAndAddress", "letterPerAddress"] as const)(
  "emails stop at %s",
  async (name) => {
    const { max } = limits[name];
    const ask = (at: number) =>
      name === "letterPerAddress"
        ? requestEmail("signin", `ada${at}@example.com`, "en", address)
        : requestEmail("signin", "ada@example.com", "en", address);
    for (let at = 0; at < max; at++) expect(await ask(at)).toEqual({ ok: true });
    expect(await ask(max)).toEqual({ ok: false, code: "too_many" });
  },
);

test("a sign-in that proved the old password before a reset starts no session after it", async () => {
  const user = await newPerson();
  const checked = await checkCredentials({ email: user.email, password }, address);
  if (!checked.ok) throw new Error(checked.code);
  await resetPassword(await emailTokenOf("reset", user), next, address, "en");
  expect(await beginProvenSession(user.id, checked.provenHash, "", ["password"])).toBeUndefined();
  const renewed = await checkCredentials({ email: user.email, password: next }, address);
  if (!renewed.ok) throw new Error(renewed.code);
  expect(await beginProvenSession(user.id, renewed.provenHash, "", ["password"])).toBeDefined();
});

test("a sign-in and a reset at once leave no session of the old password, whoever is first", async () => {
  for (let round = 0; round < 4; round++) {
    const user = await newPerson();
    const checked = await checkCredentials({ email: user.email, password }, address);
    if (!checked.ok) throw new Error(checked.code);
    const hash = await hashPassword(next);
    const sessions: Promise<string | undefined>[] = [];
    const changes = await transaction(async (tx) => {
      if (round % 2 === 0)
        sessions.push(beginProvenSession(user.id, checked.provenHash, "", ["password"]));
      await writePassword(tx, user.pk, hash, true);
      sessions.push(beginProvenSession(user.id, checked.provenHash, "", ["password"]));
      const ended = await endSessions(tx, user.pk, null);
      sessions.push(beginProvenSession(user.id, checked.provenHash, "", ["password"]));
      // Long enough for them to arrive before the commit.
      await setTimeout(20);
      return ended;
    });
    await publishChanges(changes);
    await Promise.all(sessions);
    const open = await prisma().session.count({ where: { userPk: user.pk, endedAt: null } });
    expect(open, `round ${round}`).toBe(0);
  }
});

test("an email sign-in and a reset at once leave no session, whoever is first", async () => {
  const hash = await hashPassword(next);
  for (let round = 0; round < 6; round++) {
    const user = await newPerson();
    const token = await emailTokenOf("signin", user);
    const signIn = () => signInByEmail({ token }, `198.51.100.${round + 1}`);
    const entering = round % 3 === 0 ? [await signIn()] : [];
    const changes = await transaction(async (tx) => {
      await lockAccountRow(tx, user.pk);
      const waiting = round % 3 === 1 ? [signIn()] : [];
      await writePassword(tx, user.pk, hash, true);
      await dropEmailTokens(tx, user.pk);
      const ended = await endSessions(tx, user.pk, null);
      if (round % 3 === 2) waiting.push(signIn());
      // Long enough for them to arrive before the commit.
      await setTimeout(20);
      return { ended, waiting };
    });
    await publishChanges(changes.ended);
    entering.push(...(await Promise.all(changes.waiting)));
    for (const outcome of entering) {
      expect(outcome.ok, `round ${round}`).toBe(round % 3 === 0);
      // next-auth creates a session for a sign-in without one.
      if (outcome.ok && !outcome.user.sessionId) await beginSession(outcome.user.id);
    }
    const open = await prisma().session.count({ where: { userPk: user.pk, endedAt: null } });
    expect(open, `round ${round}`).toBe(0);
  }
});

test("of 20 uses of one password reset email at once, one succeeds", async () => {
  const user = await newPerson();
  const token = await emailTokenOf("reset", user);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      resetPassword(token, `horse password ${at}`, `198.51.100.${at + 1}`, "en"),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
});

test("an email token is valid for its purpose and its time only, and not after the address changed", async () => {
  const user = await newPerson();
  const late = await emailTokenOf("reset", user);
  await prisma().emailToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
  const other = await emailTokenOf("signin", user);
  const old = await emailTokenOf("reset", user, "old@example.com");
  for (const token of [late, other, old, "", "x".repeat(43), "\0", "x".repeat(100_000)]) {
    expect(await resetPassword(token, next, address, "en")).toEqual({ ok: false, code: "expired" });
  }
  expect(await signInByEmail({ token: other }, address)).toMatchObject({ ok: true });
  expect(await signInByEmail({ token: other }, address)).toEqual({ ok: false, code: "wrong" });
});

test("guessing tokens stops at its limit", async () => {
  const { max } = limits.proofPerAddress;
  const guess = () => resetPassword("x".repeat(43), next, address, "en");
  for (let tries = 0; tries < max; tries++)
    expect(await guess()).toMatchObject({ code: "expired" });
  expect(await guess()).toMatchObject({ code: "too_many" });
  const guessed = { token: "x".repeat(43) };
  expect(await signInByEmail(guessed, address)).toMatchObject({ code: "too_many" });
});

test("the database stores no plain token", async () => {
  const user = await newPerson();
  const token = await emailTokenOf("reset", user);
  const rows = await prisma().emailToken.findMany({ where: { userPk: user.pk } });
  expect(JSON.stringify(rows.map((row) => Buffer.from(row.hash).toString()))).not.toContain(token);
});

test("a changed name is the one that the next request reads", async () => {
  const user = await newPerson();
  await changeName(user, "Ada Lovelace");
  expect(await findSession(user.sessionId)).toMatchObject({ name: "Ada Lovelace" });
});

test("a reset by email signs out every session, a change in the settings every session but the current one", async () => {
  const user = await newPerson();
  const other = await signedIn(user.id);
  expect(await changePassword(user, "wrong horse", next, "en")).toEqual({
    ok: false,
    code: "password_wrong",
  });
  expect(await changePassword(user, password, next, "en")).toEqual({ ok: true });
  expect(await findSession(other.sessionId)).toBeUndefined();
  expect(await findSession(user.sessionId)).toBeDefined();
  await resetPassword(await emailTokenOf("reset", user), password, address, "en");
  expect(await findSession(user.sessionId)).toBeUndefined();
});

test("an account opened with another person's address loses its sessions once the owner signs in by email", async () => {
  await newPerson();
  const squatter = await newPerson();
  expect((await getAccountSecurity(squatter.pk)).proven).toBe(false);
  const token = await emailTokenOf("signin", squatter);
  expect((await signInByEmail({ token }, address)).ok).toBe(true);
  expect(await findSession(squatter.sessionId)).toBeUndefined();
  expect((await checkCredentials({ email: squatter.email, password }, address)).ok).toBe(false);
  expect(await getAccountSecurity(squatter.pk)).toMatchObject({ proven: true, password: false });
});

test("a person with a proven address keeps password and sessions after signing in by email", async () => {
  const user = await newPerson();
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  await signInByEmail({ token: await emailTokenOf("signin", user) }, address);
  expect(await findSession(user.sessionId)).toBeDefined();
  expect((await checkCredentials({ email: user.email, password }, address)).ok).toBe(true);
});

test("a new address needs the password, and is confirmed by the person who requested it", async () => {
  const user = await newPerson();
  const stranger = await newPerson();
  const email = `new-${user.email}`;
  expect(await requestEmailChange(user, "wrong horse", email, "en")).toEqual({
    ok: false,
    code: "password_wrong",
  });
  expect(await requestEmailChange(user, password, email, "en")).toEqual({ ok: true });
  await runEmailJob({ purpose: "email", email, locale: "en", userPk: user.pk });
  expect(await emailsTo(email)).toHaveLength(1);
  const token = await emailTokenOf("email", user, email);
  expect(await confirmEmail(stranger, token, "en")).toEqual({ ok: false, code: "expired" });
  expect(await confirmEmail(user, token, "en")).toEqual({ ok: true, email });
  expect(await confirmEmail(user, token, "en")).toEqual({ ok: false, code: "expired" });
  // The cached session is updated too.
  expect(await findSession(user.sessionId)).toMatchObject({ email });
  expect((await emailsTo(user.email)).join()).toContain("was changed");
});

test("an address of another account gets no email and cannot be confirmed", async () => {
  const user = await newPerson();
  const other = await newPerson();
  expect(await requestEmailChange(user, password, other.email, "en")).toEqual({ ok: true });
  await runEmailJob({ purpose: "email", email: other.email, locale: "en", userPk: user.pk });
  expect(await emailsTo(other.email)).toEqual([]);
  const token = await emailTokenOf("email", user, other.email);
  expect(await confirmEmail(user, token, "en")).toEqual({ ok: false, code: "email_held" });
  expect(await findSession(user.sessionId)).toMatchObject({ email: user.email });
});

test("people see their own sessions and end one or all others, with immediate effect", async () => {
  const user = await newPerson();
  const second = await signedIn(user.id);
  const third = await signedIn(user.id);
  const stranger = await newPerson();
  const shown = await listSessions(user);
  expect(shown).toHaveLength(3);
  expect(shown.filter(({ current }) => current).map(({ id }) => id)).toEqual([user.sessionId]);
  expect(shown[0]?.browser).toBe("Firefox");
  expect(await endOwnSession(stranger, second.sessionId)).toBe(false);
  expect(await findSession(second.sessionId)).toBeDefined();
  expect(await endOwnSession(user, second.sessionId)).toBe(true);
  expect(await findSession(second.sessionId)).toBeUndefined();
  expect(await endOtherSessions(user)).toBe(1);
  expect(await findSession(third.sessionId)).toBeUndefined();
  expect(await findSession(user.sessionId)).toBeDefined();
  expect(await findSession(stranger.sessionId)).toBeDefined();
});

async function scopeFor(user: SessionUser, slug: string) {
  await createWorkspace(user.id, { name: slug, slug });
  const scope = await openWorkspace(user.id, slug);
  if (!scope) throw new Error("No scope");
  return scope;
}

async function addMember(workspacePk: number, userPk: number, role: string): Promise<void> {
  await prisma().membership.create({ data: { workspacePk, userPk, role } });
}

test("an account that is the only owner of a shared workspace stays, and the error names the workspace", async () => {
  const user = await newPerson();
  const other = await newPerson();
  const shared = await scopeFor(user, "shared");
  await scopeFor(user, "alone");
  await addMember(shared.workspacePk, other.pk, "admin");
  expect(await deleteAccount(user, "wrong horse")).toEqual({ ok: false, code: "password_wrong" });
  expect(await deleteAccount(user, password)).toEqual({
    ok: false,
    code: "owner",
    names: ["shared"],
  });
  expect(await listWorkspaces(user.id)).toHaveLength(2);
  expect(await findSession(user.sessionId)).toBeDefined();
});

test("deleting an account deletes its sessions, keys and own workspace", async () => {
  const user = await newPerson();
  const other = await newPerson();
  const shared = await scopeFor(user, "ours");
  const alone = await scopeFor(user, "just-mine");
  await addMember(shared.workspacePk, other.pk, "owner");
  expect(await deleteAccount(user, password)).toEqual({ ok: true });
  expect(await findSession(user.sessionId)).toBeUndefined();
  expect(await checkCredentials({ email: user.email, password }, address)).toMatchObject({
    code: "wrong",
  });
  const rows = await prisma().workspace.findMany({
    where: { pk: { in: [shared.workspacePk, alone.workspacePk] } },
    orderBy: { pk: "asc" },
  });
  expect(rows.map(({ deletedAt }) => deletedAt !== null)).toEqual([false, true]);
});

test("two owners who delete their accounts at once leave the third member an owner", async () => {
  const first = await newPerson();
  const second = await newPerson();
  const third = await newPerson();
  const shared = await scopeFor(first, "left-behind");
  await addMember(shared.workspacePk, second.pk, "owner");
  await addMember(shared.workspacePk, third.pk, "member");
  const outcomes = await Promise.all([
    deleteAccount(first, password),
    deleteAccount(second, password),
  ]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes).toContainEqual({ ok: false, code: "owner", names: ["left-behind"] });
});

test("a common password is refused on reset and change, with its reason; the emailed link and the old password stay", async () => {
  const user = await newPerson();
  const common = { ok: false, code: "password_common" };
  const token = await emailTokenOf("reset", user);
  expect(await resetPassword(token, "password123", address, "en")).toEqual(common);
  expect(await resetPassword(token, next, address, "en")).toEqual({ ok: true });
  const again = await signedIn(user.id);
  expect(await changePassword(again, next, "password123", "en")).toEqual(common);
  const own = `${user.email}`.slice(0, 40);
  expect(await changePassword(again, next, own, "en")).toMatchObject({ ok: false });
  expect(await changePassword(again, next, password, "en")).toEqual({ ok: true });
});
