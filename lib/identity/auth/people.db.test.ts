import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "#lib/platform/errors";
import { addressSubject, limits, tryLimit } from "#lib/platform/limits";
import { hashPassword } from "#lib/platform/passwords";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import { openTestStores } from "../../../test/stores.ts";
import { hasOwner, setUpOwner } from "./index.ts";
import { authOptions } from "./next.ts";
import { checkCredentials, createAccount, signUp } from "./people.ts";
import { signUpBody } from "./schema.ts";

// The spies need the lower cost of test/cheap-passwords.ts too.
vi.mock("#lib/platform/passwords", async (importOriginal) => {
  const { hashPassword, verifyPassword, ...others } =
    await importOriginal<typeof import("#lib/platform/passwords")>();
  Object.assign(others.passwordCost, { costLog2: 10, parallelism: 1 });
  return { ...others, hashPassword: vi.fn(hashPassword), verifyPassword: vi.fn(verifyPassword) };
});
openTestStores();

/** Hashing is slow and has few slots; racing calls must reach the database together. */
function hashAtOnce(): void {
  vi.mocked(hashPassword).mockResolvedValue("scrypt$");
}

afterEach(async () => {
  vi.resetAllMocks();
  await prisma().workspace.deleteMany();
  await prisma().user.deleteMany();
  await redis().flushdb();
});

const password = "correct horse";
const address = "203.0.113.7";
const account = (name: string) => ({ name, email: `${name}@example.com`, password });

test("20 first sign-ups at the same moment give exactly one operator", async () => {
  hashAtOnce();
  // Opens the connections in advance, so that no call is ahead of the others.
  const answers = await Promise.all(Array.from({ length: 10 }, () => hasOwner()));
  expect(answers).not.toContain(true);
  const all = Array.from({ length: 20 }, (_, at) =>
    signUp(account(`p${at}`), `198.51.100.${at + 1}`),
  );
  const outcomes = await Promise.all(all);
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  expect(await prisma().user.count({ where: { operator: true } })).toBe(1);
  expect(outcomes.filter((outcome) => outcome.ok && outcome.user.operator)).toHaveLength(1);
  expect(await hasOwner()).toBe(true);
});

test("a closed installation accepts one of 20 first sign-ups and none afterwards", async () => {
  hashAtOnce();
  const all = Array.from({ length: 20 }, (_, at) => createAccount(account(`p${at}`), false));
  const outcomes = await Promise.all(all);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await createAccount(account("late"), false)).toEqual({
    ok: false,
    code: "sign_up_closed",
  });
  expect(await prisma().user.count()).toBe(1);
});

test("an address has one account, in whatever case it is written", async () => {
  const body = signUpBody.parse({ ...account("ada"), email: "  ADA@Example.com " });
  expect(body.email).toBe("ada@example.com");
  expect((await signUp(body, address)).ok).toBe(true);
  expect(await signUp(account("ada"), address)).toEqual({ ok: false, code: "email_taken" });
  expect((await checkCredentials({ email: "Ada@EXAMPLE.com", password }, address)).ok).toBe(true);
});

test("a password has 10 to 200 characters", () => {
  const passes = (length: number) =>
    signUpBody.safeParse({ ...account("ada"), password: "x".repeat(length) }).success;
  expect([9, 10, 200, 201].map(passes)).toEqual([false, true, true, false]);
});

test("wrong passwords of one account are refused after the limit, from any address", async () => {
  await signUp(account("ada"), address);
  for (let tries = 1; tries < limits.signInPerAccount.max; tries++) {
    await tryLimit("signInPerAccount", "ada@example.com");
  }
  const wrong = { email: "ada@example.com", password: "wrong" };
  expect(await checkCredentials(wrong, "192.0.2.1")).toEqual({ ok: false, code: "wrong" });
  const outcome = await checkCredentials({ email: "ADA@example.com", password }, "192.0.2.200");
  expect(outcome).toMatchObject({ ok: false, code: "too_many" });
});

test("wrong passwords of one address are refused after the limit, for any account", async () => {
  for (let tries = 1; tries < limits.signInPerAddress.max; tries++) {
    await tryLimit("signInPerAddress", addressSubject(address));
  }
  const first = await checkCredentials({ email: "p1@example.com", password: "wrong" }, address);
  expect(first).toEqual({ ok: false, code: "wrong" });
  const second = await checkCredentials({ email: "p2@example.com", password: "wrong" }, address);
  expect(second).toMatchObject({ ok: false, code: "too_many" });
});

test("a successful sign-in uses up no limit", async () => {
  await signUp(account("ada"), address);
  for (let tries = 0; tries <= limits.signInPerAccountAndAddress.max; tries++) {
    expect((await checkCredentials({ email: "ada@example.com", password }, address)).ok).toBe(true);
  }
});

test("accounts created from one address are limited", async () => {
  hashAtOnce();
  const taken = limits.signUpPerAddress.max;
  for (let at = 0; at < taken; at++) await signUp(account(`ada${at}`), address);
  expect(await signUp(account("eve"), address)).toMatchObject({ ok: false, code: "too_many" });
  expect((await signUp(account("eve"), "203.0.113.8")).ok).toBe(true);
});

test("after a few taken addresses a sign-up no longer reveals whether an address is taken", async () => {
  hashAtOnce();
  await signUp(account("ada"), "203.0.113.8");
  for (let at = 0; at < limits.takenSignUpPerAddress.max; at++) {
    expect(await signUp(account("ada"), address)).toEqual({ ok: false, code: "email_taken" });
  }
  const taken = await signUp(account("ada"), address);
  const free = await signUp(account("eve"), address);
  expect([taken.ok, free.ok]).toEqual([false, false]);
  expect(taken).toMatchObject({ code: "too_many" });
  expect(free).toMatchObject({ code: "too_many" });
  expect((await signUp(account("eve"), "203.0.113.9")).ok).toBe(true);
});

test("a malformed credential is answered like a wrong password", async () => {
  for (const odd of [
    undefined,
    null,
    "x",
    [],
    { email: ["a@b.c"], password: {} },
    { email: "x" },
  ]) {
    expect(await checkCredentials(odd, address)).toEqual({ ok: false, code: "wrong" });
  }
});

test("next-auth learns nothing about an account that does not exist", async () => {
  const [provider] = authOptions().providers;
  if (provider?.type !== "credentials") throw new Error("The provider is not ours");
  const request = { headers: { "x-forwarded-for": address }, body: {}, query: {}, method: "POST" };
  await signUp(account("ada"), address);
  const wrong = { email: "ada@example.com", password: "wrong horse" };
  expect(await provider.authorize(wrong, request)).toBeNull();
  expect(await provider.authorize({ ...wrong, email: "eve@example.com" }, request)).toBeNull();
  expect(await provider.authorize({ ...wrong, password }, request)).toMatchObject({ name: "ada" });
});

test("setting up the owner twice creates one owner, one workspace and one key", async () => {
  const owner = { email: "Ada@example.com", password, apiKey: "fuxi_a_key_that_was_configured" };
  expect([await setUpOwner(owner), await setUpOwner(owner)]).toEqual([true, true]);
  const [user] = await prisma().user.findMany();
  expect(user).toMatchObject({ email: "ada@example.com", operator: true });
  expect(await listWorkspaces(user?.id ?? "")).toMatchObject([
    { name: "My workspace", slug: "my-workspace", role: "owner" },
  ]);
  expect(await prisma().apiKey.count()).toBe(1);
});

test("an installation that has an operator is not given to a configured owner", async () => {
  await signUp(account("ada"), address);
  expect(await setUpOwner({ email: "eve@example.com", password, apiKey: undefined })).toBe(false);
  expect(await prisma().user.count()).toBe(1);
});

test("a sign-in during too many password checks is asked to try again, without being judged", async () => {
  const { verifyPassword } = await import("#lib/platform/passwords");
  const busy = new AppError("service_unavailable", "The server is busy.", { retryAfterSeconds: 5 });
  vi.mocked(verifyPassword).mockRejectedValueOnce(busy);
  const [provider] = authOptions().providers;
  if (provider?.type !== "credentials") throw new Error("The provider is not ours");
  const request = { headers: {}, body: {}, query: {}, method: "POST" };
  const answers = provider.authorize({ email: "ada@example.com", password }, request);
  await expect(answers).rejects.toThrow(/^busy$/);
});

test("a common password creates no account, and does not use up the sign-ups of taken addresses", async () => {
  const weak = { ...account("weak"), password: "password123" };
  for (let time = 0; time <= limits.takenSignUpPerAddress.max; time++) {
    expect(await signUp(weak, "203.0.113.77")).toEqual({ ok: false, code: "password_common" });
  }
  expect(await signUp(account("weak"), "203.0.113.77")).toMatchObject({ ok: true });
});
