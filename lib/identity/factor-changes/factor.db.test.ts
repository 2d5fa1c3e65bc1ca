import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { afterAll, beforeEach, expect, test } from "vitest";
import { confirmEmail, getAccountSecurity } from "#lib/identity/accounts";
import { checkCredentials, signInByEmail, signInWithOAuth } from "#lib/identity/auth";
import { recoveryCodes } from "#lib/identity/second-factor";
import { limits } from "#lib/platform/limits";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  withFactor,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { beginFactorFor, confirmFactorFor, dropFactorOf, renewRecoveryOf } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-factor-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const address = "203.0.113.7";

beforeEach(async () => {
  await redis().flushdb();
});

test("with a second factor neither password nor email is enough, and the email token waits for the code", async () => {
  const user = await newPerson();
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  const { soon } = await withFactor(user);
  const credentials = { email: user.email, password };
  const missing = { ok: false, code: "code_missing" };
  expect(await checkCredentials(credentials, address)).toEqual(missing);
  const wrong = { ok: false, code: "code_wrong" };
  expect(await checkCredentials({ ...credentials, code: "000000x" }, address)).toEqual(wrong);
  const token = await emailTokenOf("signin", user);
  expect(await signInByEmail({ token }, address)).toEqual(missing);
  expect(await signInByEmail({ token, code: "nonsense" }, address)).toEqual(wrong);
  expect(await signInByEmail({ token, code: soon() }, address)).toMatchObject({ ok: true });
});

test("without the password the existence of a second factor is not revealed", async () => {
  const user = await newPerson();
  await withFactor(user);
  const wrong = { email: user.email, password: "wrong horse" };
  expect(await checkCredentials(wrong, address)).toEqual({ ok: false, code: "wrong" });
  expect(await checkCredentials({ ...wrong, code: "123456" }, address)).toEqual({
    ok: false,
    code: "wrong",
  });
});

test("a code signs in once, however many requests bring it at once", async () => {
  const user = await newPerson();
  const { soon } = await withFactor(user);
  const code = soon();
  const all = Array.from({ length: 8 }, (_, at) =>
    checkCredentials({ email: user.email, password, code }, `198.51.100.${at + 1}`),
  );
  expect((await Promise.all(all)).filter(({ ok }) => ok)).toHaveLength(1);
});

test("a recovery code signs in once, however many requests bring it at once, in whatever notation", async () => {
  const user = await newPerson();
  const { codes } = await withFactor(user);
  expect(new Set(codes).size).toBe(recoveryCodes);
  const code = codes[0]?.toUpperCase().replaceAll("-", " ");
  const all = Array.from({ length: 8 }, (_, at) =>
    checkCredentials({ email: user.email, password, code }, `198.51.100.${at + 1}`),
  );
  expect((await Promise.all(all)).filter(({ ok }) => ok)).toHaveLength(1);
  expect((await getAccountSecurity(user.pk)).recoveryLeft).toBe(recoveryCodes - 1);
});

test("new recovery codes invalidate the old ones", async () => {
  const user = await newPerson();
  const { codes } = await withFactor(user);
  const renewed = await renewRecoveryOf(user, codes[0] ?? "", "en");
  expect(renewed).toMatchObject({ ok: true });
  const old = { email: user.email, password, code: codes[1] };
  expect(await checkCredentials(old, address)).toMatchObject({ code: "code_wrong" });
  const code = renewed.ok ? renewed.codes[0] : "";
  expect(await checkCredentials({ ...old, code }, address)).toMatchObject({ ok: true });
});

test("guessing codes stops at its limit, on every path", async () => {
  const user = await newPerson();
  const { soon } = await withFactor(user);
  const { max } = limits.factorPerAccount;
  for (let tries = 0; tries < max - 1; tries++) {
    expect(await dropFactorOf(user, "nonsense", "en")).toMatchObject({ code: "code_wrong" });
  }
  const credentials = { email: user.email, password };
  const wrong = { ...credentials, code: "nonsense" };
  expect(await checkCredentials(wrong, address)).toMatchObject({ code: "code_wrong" });
  expect(await checkCredentials({ ...credentials, code: soon() }, address)).toMatchObject({
    code: "too_many",
  });
});

test("the second factor is removed with a valid code only, and then the password is enough", async () => {
  const user = await newPerson();
  const { codes } = await withFactor(user);
  expect(await beginFactorFor(user)).toBeUndefined();
  expect(await dropFactorOf(user, "nonsense", "en")).toEqual({ ok: false, code: "code_wrong" });
  expect(await dropFactorOf(user, codes[0] ?? "", "en")).toEqual({ ok: true });
  expect((await checkCredentials({ email: user.email, password }, address)).ok).toBe(true);
  expect(await getAccountSecurity(user.pk)).toMatchObject({ factor: false, recoveryLeft: 0 });
});

test("the database stores neither the plain secret of a second factor nor its codes", async () => {
  const user = await newPerson();
  const factor = await beginFactorFor(user);
  const totp = new TOTP({ secret: factor?.secret ?? "" });
  const confirmed = await confirmFactorFor(user, totp.generate(), "en");
  const row = await prisma().user.findUniqueOrThrow({
    where: { pk: user.pk },
    include: { recoveryCodes: true },
  });
  const kept = Buffer.concat([
    Buffer.from(row.factorSecret ?? ""),
    ...row.recoveryCodes.map((code) => Buffer.from(code.hash)),
  ]);
  expect(kept.includes(Buffer.from(totp.secret.buffer))).toBe(false);
  expect(confirmed.ok && kept.includes(confirmed.codes[0] ?? "")).toBe(false);
});

test("an OAuth identity signs in its linked account, whatever address it has later", async () => {
  const identity = {
    provider: "github",
    subject: "1",
    email: "Hub@example.com",
    emailProven: true,
    name: "Hub",
  };
  const created = await signInWithOAuth(identity);
  expect(created).toMatchObject({ ok: true, user: { email: "hub@example.com" } });
  expect(await signInWithOAuth({ ...identity, email: "changed@example.com" })).toEqual(created);
  expect(await signInWithOAuth({ ...identity, subject: "2", emailProven: false })).toEqual({
    ok: false,
    code: "email_unproven",
  });
});

test("an OAuth identity takes over no account with a second factor", async () => {
  const user = await newPerson();
  const identity = {
    provider: "google",
    subject: "9",
    email: user.email,
    emailProven: true,
    name: "X",
  };
  const refused = { ok: false, code: "account_exists" };
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  const { codes } = await withFactor(user);
  expect(await signInWithOAuth(identity)).toEqual(refused);
  await dropFactorOf(user, codes[0] ?? "", "en");
  expect(await signInWithOAuth(identity)).toMatchObject({ ok: true, user: { id: user.id } });
});
