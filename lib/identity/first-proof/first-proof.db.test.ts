import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createShare, openShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { confirmEmail, resetPassword } from "#lib/identity/accounts";
import {
  admitApiKey,
  createApiKey,
  editApiKey,
  keepApiKey,
  listApiKeys,
  revokeApiKey,
} from "#lib/identity/api-keys";
import { checkCredentials, signInByEmail, signInWithOAuth } from "#lib/identity/auth";
import { beginFactorFor, confirmFactorFor } from "#lib/identity/factor-changes";
import { claimAccount } from "#lib/identity/first-proof";
import { findSession } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { isMailConfigured } from "#lib/platform/config";
import { query, sql, transaction } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { acceptInvitation, inviteMember } from "#lib/tenancy/members";
import { listNotifications } from "#lib/tenancy/notifications";
import { createWorkspace, listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { untilWaiting } from "../../../test/locks.ts";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  signedIn,
  withFactor,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";

vi.mock("#lib/platform/config", { spy: true });
const dataDir = join(tmpdir(), `fuxi-first-proof-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
// The first account of an instance counts as proven.
beforeAll(async () => void (await newPerson()));
beforeEach(async () => {
  vi.mocked(isMailConfigured).mockReturnValue(false);
  await redis().flushdb();
});

const address = "203.0.113.7";
const share = newShare.parse({ name: "All", kind: "workspace", parts: ["figures"] });
const invitation = { role: "admin", days: 7 } as const;
const google = { provider: "google", emailProven: true, name: "Ada" };
let spaces = 0;

async function scopeOf(user: SessionUser) {
  const [known] = await listWorkspaces(user.id);
  spaces += 1;
  const slug = known?.slug ?? `proof-${spaces}`;
  if (!known) await createWorkspace(user.id, { name: "Acme", slug });
  const scope = await openWorkspace(user.id, slug);
  if (!scope) throw new Error("No scope");
  return scope;
}

/** Everything a stranger can leave behind in an account with another person's address. */
async function fillAccount(user: SessionUser) {
  const scope = await scopeOf(user);
  const { key, apiKey } = await createApiKey(scope, { name: "Import server" });
  const { token } = await createShare(scope, share);
  const { address: link } = await inviteMember(scope, invitation, "en");
  await withFactor(user);
  await prisma().oAuthIdentity.create({
    data: { provider: "github", subject: `stranger ${user.pk}`, userPk: user.pk },
  });
  const invited = new URL(link).searchParams.get("token") ?? "";
  return {
    scope,
    key,
    apiKey,
    token,
    invited,
    other: await signedIn(user.id, ["password", "factor"]),
  };
}

/** The ways in which an owner comes, each with the person it signs in. */
const proofs = {
  "an email sign-in": async (user: SessionUser) => {
    const token = await emailTokenOf("signin", user);
    expect(await signInByEmail({ token }, address)).toMatchObject({ ok: true });
  },
  "a password reset": async (user: SessionUser) => {
    const token = await emailTokenOf("reset", user);
    expect(await resetPassword(token, "the owner’s horse", address, "en")).toEqual({ ok: true });
    const entered = await checkCredentials(
      { email: user.email, password: "the owner’s horse" },
      address,
    );
    expect(entered).toMatchObject({ ok: true });
  },
  "a connected sign-in": async (user: SessionUser) => {
    const identity = { ...google, subject: `owner ${user.pk}`, email: user.email };
    expect(await signInWithOAuth(identity)).toMatchObject({ ok: true, user: { id: user.id } });
  },
};

test.each(Object.entries(proofs))(
  "%s that proves an address for the first time ends everything that was made before it",
  async (_name, prove) => {
    const stranger = await newPerson();
    const { scope, key, token, invited, other } = await fillAccount(stranger);
    // As if the key had been made after mail was configured.
    await prisma().apiKey.updateMany({
      where: { userPk: stranger.pk },
      data: { unproven: false },
    });
    expect(await admitApiKey(key, address)).toMatchObject({ ok: true });
    await prove(stranger);
    expect(await admitApiKey(key, address)).toMatchObject({ ok: false, code: "unknown" });
    expect(await openShare({ token, grant: undefined, address })).toMatchObject({ ok: false });
    const guest = await newPerson();
    expect(await acceptInvitation(guest, invited)).toEqual({ ok: false, code: "invitation_over" });
    expect(await findSession(stranger.sessionId)).toBeUndefined();
    expect(await findSession(other.sessionId)).toBeUndefined();
    expect((await checkCredentials({ email: stranger.email, password }, address)).ok).toBe(false);
    const back = { ...google, provider: "github", subject: `stranger ${stranger.pk}` };
    expect(await signInWithOAuth({ ...back, email: "stranger@example.com" })).not.toMatchObject({
      user: { id: stranger.id },
    });
    const row = await prisma().user.findUniqueOrThrow({ where: { pk: stranger.pk } });
    expect(row).toMatchObject({ factorSecret: null, factorSince: null });
    expect(row.emailProvenAt).not.toBeNull();
    expect(await listWorkspaces(stranger.id)).toMatchObject([{ slug: scope.slug, role: "owner" }]);
  },
);

/** Everything that outlives a session, written with a scope and a session. */
function writesOf(user: SessionUser, scope: WorkspaceScope) {
  return {
    key: () => createApiKey(scope, { name: "Late" }),
    share: () => createShare(scope, share),
    invitation: () => inviteMember(scope, invitation, "en"),
    factor: () => beginFactorFor(user),
  };
}

const ended = { code: "unauthorized" };

test("a session that was looked up before the proof writes nothing with a scope that was opened after it", async () => {
  const stranger = await newPerson();
  const { slug } = await scopeOf(stranger);
  await proofs["an email sign-in"](stranger);
  const scope = await openWorkspace(stranger.id, slug, stranger.sessionId);
  if (!scope) throw new Error("No scope");
  expect(scope.confirmed).toBe(true);
  const late = { ...stranger, confirmed: true };
  for (const write of Object.values(writesOf(late, scope))) {
    await expect(write()).rejects.toMatchObject(ended);
  }
  const owner = await signedIn(stranger.id);
  const own = await openWorkspace(owner.id, slug, owner.sessionId);
  if (!own) throw new Error("No scope");
  for (const write of Object.values(writesOf(owner, own))) expect(await write()).toBeDefined();
});

test("a factor that a stranger prepared is not turned on after the proof", async () => {
  const stranger = await newPerson();
  await proofs["an email sign-in"](stranger);
  const owner = await signedIn(stranger.id);
  const factor = await beginFactorFor(owner);
  const code = new TOTP({ secret: factor?.secret ?? "" }).generate();
  const late = { ...stranger, confirmed: true };
  await expect(confirmFactorFor(late, code, "en")).rejects.toMatchObject(ended);
  expect(await confirmFactorFor(owner, code, "en")).toMatchObject({ ok: true });
});

test.each(["key", "share", "invitation", "factor"] as const)(
  "a %s that is written while the address is being proved waits, and is refused",
  async (name) => {
    const stranger = await newPerson();
    const { slug } = await scopeOf(stranger);
    const scope = await openWorkspace(stranger.id, slug, stranger.sessionId);
    if (!scope) throw new Error("No scope");
    let late: Promise<unknown> | undefined;
    await transaction(async (tx) => {
      await query(sql`SELECT FROM app_user WHERE pk = ${stranger.pk} FOR NO KEY UPDATE`, tx);
      late = writesOf(stranger, scope)[name]();
      late.catch(() => undefined);
      await untilWaiting();
      await claimAccount(tx, stranger);
    });
    await expect(late).rejects.toMatchObject(ended);
  },
);

test("the owner is told by a notification and an email", async () => {
  const stranger = await newPerson();
  const { scope } = await fillAccount(stranger);
  await proofs["an email sign-in"](stranger);
  expect(await listNotifications(scope)).toMatchObject([
    {
      kind: "account.claimed",
      details: { keys: 0, keysToReview: 1, shares: 1, invitations: 1 },
    },
  ]);
  const folder = join(dataDir, "outbox");
  const mails = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), "utf8")),
  );
  const told = mails.filter((mail) => mail.includes(`To: ${stranger.email}`)).join();
  expect(told).toContain("Your Fuxi account is now confirmed as yours");
});

test("a proven account keeps everything when its owner signs in by email or resets the password", async () => {
  const user = await newPerson();
  expect(await confirmEmail(user, await emailTokenOf("email", user), "en")).toMatchObject({
    ok: true,
  });
  const scope = await scopeOf(user);
  const { key } = await createApiKey(scope, { name: "Server" });
  const { token } = await createShare(scope, share);
  await proofs["an email sign-in"](user);
  await proofs["a password reset"](user);
  expect(await admitApiKey(key, address)).toMatchObject({ ok: true });
  expect(await openShare({ token, grant: undefined, address })).toMatchObject({ ok: true });
});

test("a key from before mail was configured survives the proof, and the owner keeps or revokes it", async () => {
  const user = await newPerson();
  const scope = await scopeOf(user);
  const kept = await createApiKey(scope, { name: "Production" });
  const ended = await createApiKey(scope, { name: "Whose is it" });
  expect((await listApiKeys(scope)).map(({ needsReview }) => needsReview)).toEqual([false, false]);
  vi.mocked(isMailConfigured).mockReturnValue(true);
  await proofs["an email sign-in"](user);
  for (const { key } of [kept, ended]) {
    expect(await admitApiKey(key, address)).toMatchObject({ ok: true });
  }
  const now = await scopeOf(user);
  expect((await listApiKeys(now)).map(({ needsReview }) => needsReview)).toEqual([true, true]);
  // An edit is no decision.
  await editApiKey(now, kept.apiKey.id, { name: "Production servers" });
  expect(await keepApiKey(now, kept.apiKey.id)).toBe(true);
  expect(await revokeApiKey(now, ended.apiKey.id)).toBe(true);
  expect(await listApiKeys(now)).toMatchObject([
    { name: "Production servers", needsReview: false },
  ]);
  expect(await admitApiKey(kept.key, address)).toMatchObject({ ok: true });
  expect(await admitApiKey(ended.key, address)).toMatchObject({ ok: false });
});

test("where mail is configured, nothing that outlives a session is made before the address is proven", async () => {
  vi.mocked(isMailConfigured).mockReturnValue(true);
  const user = await newPerson();
  const scope = await scopeOf(user);
  const refused = { code: "forbidden", problem: { code: "email_unconfirmed" } };
  await expect(createApiKey(scope, { name: "Key" })).rejects.toMatchObject(refused);
  await expect(createShare(scope, share)).rejects.toMatchObject(refused);
  await expect(inviteMember(scope, invitation, "en")).rejects.toMatchObject(refused);
  await expect(beginFactorFor(user)).rejects.toMatchObject(refused);
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  const proven = await scopeOf(user);
  const now = await findSession(user.sessionId);
  if (!now) throw new Error("The session ended");
  expect(await createApiKey(proven, { name: "Key" })).toMatchObject({
    apiKey: { needsReview: false },
  });
  await createShare(proven, share);
  await inviteMember(proven, invitation, "en");
  expect(await beginFactorFor(now)).toBeDefined();
});

test("a second factor that was begun before mail was configured is not confirmed before the proof", async () => {
  const user = await newPerson();
  const factor = await beginFactorFor(user);
  expect(factor).toBeDefined();
  vi.mocked(isMailConfigured).mockReturnValue(true);
  await expect(confirmFactorFor(user, "123456", "en")).rejects.toMatchObject({
    problem: { code: "email_unconfirmed" },
  });
});

test("confirming an address signs out other browsers, and keeps what the account has", async () => {
  const user = await newPerson();
  const { key, other } = await fillAccount(user);
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  expect(await findSession(other.sessionId)).toBeUndefined();
  expect(await findSession(user.sessionId)).toMatchObject({ confirmed: true });
  expect(await admitApiKey(key, address)).toMatchObject({ ok: true });
});
