import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { confirmEmail } from "#lib/identity/accounts";
import {
  addPasskeyFor,
  beginPasskeyFor,
  removePasskeyOf,
  undoFactorChange,
} from "#lib/identity/factor-changes";
import { failuresWritten } from "#lib/identity/failed-proofs";
import { arePasskeysPossible, askForPasskey, listPasskeys } from "#lib/identity/passkeys";
import { passkeysMax } from "#lib/identity/passkeys/schema";
import {
  askForFactor,
  askPresence,
  findMissingProofOf,
  finishSignInByPasskey,
  provePresenceByPasskey,
} from "#lib/identity/presence";
import { findSession, listSessions, userOfCookie } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { dropPersonFactor } from "#lib/office/people";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import { openOperator, operatorOfCommandLine } from "#lib/tenancy/operators";
import { Authenticator } from "../../../test/authenticator.ts";
import { testOrigin } from "../../../test/operators.ts";
import { emailLinks, emailTokenOf, newPerson, signedIn, withFactor } from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { authOptions } from "./index.ts";
import { signInByPasskey } from "./people.ts";

vi.mock("#lib/platform/config", { spy: true });
const dataDir = join(tmpdir(), `fuxi-passkeys-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  vi.mocked(config).mockReset();
  await redis().flushdb();
});

const address = "203.0.113.7";
const wrong = { ok: false, code: "wrong" };
const refused = { ok: false, code: "passkey_refused" };

async function provenPerson(): Promise<SessionUser> {
  const user = await newPerson();
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  const proven = await findSession(user.sessionId);
  if (!proven) throw new Error("No session");
  return proven;
}

async function add(user: SessionUser, key: Authenticator, name = "Laptop") {
  key.origin = config().FUXI_URL;
  const answer = key.create(await beginPasskeyFor(user));
  return await addPasskeyFor(user, { name, answer }, "en");
}

async function personWithPasskey() {
  const user = await provenPerson();
  const key = new Authenticator();
  expect(await add(user, key)).toEqual({ ok: true });
  return { user, key };
}

async function signIn(key: Authenticator) {
  return await signInByPasskey({ answer: key.sign(await askForPasskey("sign in")) }, address);
}

/** As if everything was proved long ago. */
async function makeOld({ sessionId }: SessionUser): Promise<void> {
  await query(sql`
    UPDATE session
    SET password_at = now() - interval '1 hour', factor_at = NULL, passkey_at = NULL
    WHERE id = ${sessionId}`);
}

test("a passkey signs in without a password, and its session passed the second factor", async () => {
  const { user, key } = await personWithPasskey();
  const outcome = await signIn(key);
  expect(outcome).toMatchObject({ ok: true, user: { id: user.id, email: user.email } });
  const session = await findSession(outcome.ok ? String(outcome.user.sessionId) : "");
  if (!session) throw new Error("No session");
  expect(await findMissingProofOf(session)).toMatchObject({ password: false, code: false });
  const [newest] = await listSessions(session);
  expect(newest).toMatchObject({ current: true, proofs: ["passkey"] });
  const [shown] = await listPasskeys(user.pk);
  expect(shown).toMatchObject({ name: "Laptop" });
  expect(shown?.lastUsedAt).not.toBeNull();
});

test("an account with a second factor is signed in by its passkey alone, and by what waits for a code", async () => {
  const { user, key } = await personWithPasskey();
  await withFactor(user);
  expect(await signIn(key)).toMatchObject({ ok: true });
  const token = await authOptions().callbacks?.jwt?.({
    token: {},
    user: { id: user.id, email: user.email, name: "Ada" },
    account: null,
  });
  const cookie = `fuxi-session=${await encode({ token: { sid: String(token?.["sid"]) }, secret: "0".repeat(64) })}`;
  expect(await userOfCookie(cookie)).toBeUndefined();
  const asked = await askForFactor(cookie);
  if (!asked) throw new Error("Nothing waits");
  expect(asked.allowCredentials).toMatchObject([{ id: key.id }]);
  const { key: stranger } = await personWithPasskey();
  expect(await finishSignInByPasskey(cookie, stranger.sign(asked))).toEqual(refused);
  const again = await askForFactor(cookie);
  if (!again) throw new Error("Nothing waits");
  expect(await finishSignInByPasskey(cookie, key.sign(again))).toEqual({ ok: true });
  expect(await userOfCookie(cookie)).toMatchObject({ id: user.id });
});

test("a challenge is accepted once, for its purpose, for ten minutes", async () => {
  const { user, key } = await personWithPasskey();
  const answer = key.sign(await askForPasskey("sign in"));
  expect(await signInByPasskey({ answer }, address)).toMatchObject({ ok: true });
  key.counter = 1;
  await query(sql`UPDATE passkey SET counter = 0 WHERE user_pk = ${user.pk}`);
  expect(await signInByPasskey({ answer }, address)).toEqual(wrong);
  const forProof = key.sign(await askPresence(user));
  expect(await signInByPasskey({ answer: forProof }, address)).toEqual(wrong);
  const asked = await askForPasskey("sign in");
  const late = Date.now() + 11 * 60_000;
  vi.spyOn(Date, "now").mockReturnValue(late);
  expect(await signInByPasskey({ answer: key.sign(asked) }, address)).toEqual(wrong);
  vi.mocked(Date.now).mockRestore();
  const forged = { ...asked, challenge: Buffer.alloc(54, 1).toString("base64url") };
  expect(await signInByPasskey({ answer: key.sign(forged) }, address)).toEqual(wrong);
});

test("another origin, another host, a missing verification and a foreign key are refused", async () => {
  const { key } = await personWithPasskey();
  key.origin = "https://fuxi.example.net";
  expect(await signIn(key)).toEqual(wrong);
  key.origin = config().FUXI_URL;
  const asked = await askForPasskey("sign in");
  const elsewhere = key.sign({ ...asked, rpId: "example.net" });
  expect(await signInByPasskey({ answer: elsewhere }, address)).toEqual(wrong);
  key.verifiesUser = false;
  expect(await signIn(key)).toEqual(wrong);
  key.verifiesUser = true;
  const impostor = Object.assign(new Authenticator(), { id: key.id, origin: key.origin });
  impostor.counter = 100;
  expect(await signIn(impostor)).toEqual(wrong);
  for (const answer of ["", "{}", "null", JSON.stringify({ id: key.id }), "x".repeat(20_000)]) {
    expect(await signInByPasskey({ answer }, address)).toEqual(wrong);
  }
  expect(await signIn(key)).toMatchObject({ ok: true });
});

test("a counter that goes backwards is refused, and the owner is told; zero never counts", async () => {
  const { user, key } = await personWithPasskey();
  expect(await signIn(key)).toMatchObject({ ok: true });
  key.counter -= 1;
  expect(await signIn(key)).toEqual(wrong);
  await failuresWritten();
  expect(await emailLinks(dataDir, user.email, /may have been copied/)).toHaveLength(1);
  const silent = new Authenticator();
  silent.counter = 0;
  expect(await add(user, silent, "Phone")).toEqual({ ok: true });
  expect(await signIn(silent)).toMatchObject({ ok: true });
  expect(await signIn(silent)).toMatchObject({ ok: true });
});

test("a stolen session adds no passkey; a passkey proves presence at once", async () => {
  const { user, key } = await personWithPasskey();
  const answer = new Authenticator().create(await beginPasskeyFor(user));
  await makeOld(user);
  const needed = { problem: { code: "proof_needed" } };
  await expect(beginPasskeyFor(user)).rejects.toMatchObject(needed);
  await expect(addPasskeyFor(user, { name: "X", answer }, "en")).rejects.toMatchObject(needed);
  expect(await findMissingProofOf(user)).toMatchObject({ password: true, passkey: true });
  const other = await signedIn(user.id);
  expect(await provePresenceByPasskey(user, key.sign(await askPresence(other)))).toEqual(refused);
  expect(await provePresenceByPasskey(user, key.sign(await askPresence(user)))).toEqual({
    ok: true,
  });
  expect(await findMissingProofOf(user)).toMatchObject({ password: false });
});

test("the email about a new passkey removes it, and everything that it signed in", async () => {
  const { user } = await personWithPasskey();
  const first = await listPasskeys(user.pk);
  const thief = new Authenticator();
  expect(await add(user, thief, "Thief")).toEqual({ ok: true });
  const outcome = await signIn(thief);
  const links = await emailLinks(dataDir, user.email, /reset\/factor\?token=(?:3D)?([\w-]{43})/);
  expect(await undoFactorChange(links.at(-1) ?? "", address)).toEqual({ ok: true });
  expect(await listPasskeys(user.pk)).toEqual(first);
  expect(await findSession(outcome.ok ? String(outcome.user.sessionId) : "")).toBeUndefined();
  expect(await signIn(thief)).toEqual(wrong);
});

test("a removed passkey signs nobody in, and nobody removes another person’s", async () => {
  const { user, key } = await personWithPasskey();
  const { user: stranger } = await personWithPasskey();
  const [passkey] = await listPasskeys(user.pk);
  expect(await removePasskeyOf(stranger, passkey?.id ?? "", "en")).toBe(false);
  expect(await signIn(key)).toMatchObject({ ok: true });
  expect(await removePasskeyOf(user, passkey?.id ?? "", "en")).toBe(true);
  expect(await signIn(key)).toEqual(wrong);
});

test("an account has at most so many passkeys, and a passkey belongs to one account", async () => {
  const { user, key } = await personWithPasskey();
  for (let at = 1; at < passkeysMax; at++) {
    expect(await add(user, new Authenticator(), `Key ${at}`)).toEqual({ ok: true });
  }
  const full = { ok: false, code: "too_many_passkeys" };
  expect(await add(user, new Authenticator(), "One more")).toEqual(full);
  expect(await add(await provenPerson(), key)).toEqual(full);
});

test("a passkey opens the back office, and administrators can remove a lost one", async () => {
  const { user, key } = await personWithPasskey();
  await prisma().user.update({ where: { pk: user.pk }, data: { operator: true } });
  await makeOld(user);
  expect(await openOperator(user, testOrigin)).toEqual({ ok: false, code: "factor_missing" });
  expect(await provePresenceByPasskey(user, key.sign(await askPresence(user)))).toEqual({
    ok: true,
  });
  expect(await openOperator(user, testOrigin)).toMatchObject({ ok: true });
  await dropPersonFactor(operatorOfCommandLine(), user.id, "Lost the phone");
  expect(await signIn(key)).toEqual(wrong);
});

test("passkeys need a name with TLS, or localhost", () => {
  const at = (url: string) => {
    vi.mocked(config).mockReturnValue({ ...config(), FUXI_URL: url });
    return arePasskeysPossible();
  };
  expect(at("https://fuxi.example.com")).toBe(true);
  expect(at("http://localhost:3000")).toBe(true);
  expect(at("http://fuxi.example.com")).toBe(false);
  expect(at("https://192.0.2.1")).toBe(false);
  expect(at("https://[2001:db8::1]")).toBe(false);
});
