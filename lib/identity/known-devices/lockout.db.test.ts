/** Using up the limits of an account does not keep its owner out. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  changePassword,
  confirmEmail,
  requestEmail,
  requestEmailChange,
  resetPassword,
} from "#lib/identity/accounts";
import { checkCredentials, signInByEmail } from "#lib/identity/auth";
import { emailTokenMinutes } from "#lib/identity/email-tokens";
import { addressSubject, type LimitCall, limits, tryLimits } from "#lib/platform/limits";
import { redis } from "#lib/platform/redis";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  withFactor,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { rememberDevice } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-lockout-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  await redis().flushdb();
});

const address = "203.0.113.7";
const elsewhere = "198.51.100.9";

function browserOf(cookies: string) {
  return { userAgent: "", locale: "en", cookies, address: "" };
}

/** The browser of someone who has signed in there. */
function knownBrowser(email: string) {
  return browserOf(rememberDevice("", email).split(";")[0] ?? "");
}

async function useUp(...limit: LimitCall): Promise<void> {
  for (let tries = 0; tries < limits[limit[0]].max; tries++) await tryLimits([limit]);
}

test("wrong passwords from one network keep nobody out elsewhere", async () => {
  const user = await newPerson();
  const wrong = { email: user.email, password: "wrong horse" };
  for (let tries = 0; tries < limits.signInPerAccountAndAddress.max; tries++) {
    expect(await checkCredentials(wrong, elsewhere)).toEqual({ ok: false, code: "wrong" });
  }
  const right = { email: user.email, password };
  expect(await checkCredentials(right, elsewhere)).toMatchObject({ code: "too_many" });
  expect(await checkCredentials(right, address)).toMatchObject({ ok: true });
});

test("a known browser signs in although all other limits of the account and the network are used up", async () => {
  const user = await newPerson();
  await useUp("signInPerAddress", addressSubject(address));
  await useUp("signInPerAccount", user.email);
  const right = { email: user.email, password };
  expect(await checkCredentials(right, address)).toMatchObject({ code: "too_many" });
  const browser = knownBrowser(user.email);
  expect(await checkCredentials(right, address, browser)).toMatchObject({ ok: true });
});

test("a known browser has as many wrong passwords as its limit, and not one more", async () => {
  const user = await newPerson();
  const browser = knownBrowser(user.email);
  const wrong = { email: user.email, password: "wrong horse" };
  for (let tries = 0; tries < limits.signInPerDevice.max; tries++) {
    const outcome = await checkCredentials(wrong, `192.0.2.${tries}`, browser);
    expect(outcome).toEqual({ ok: false, code: "wrong" });
  }
  const right = { email: user.email, password };
  expect(await checkCredentials(right, "192.0.2.200", browser)).toMatchObject({ code: "too_many" });
});

test("a browser that is known to one account is unknown to every other", async () => {
  const user = await newPerson();
  const stranger = await newPerson();
  await useUp("signInPerAccount", user.email);
  const right = { email: user.email, password };
  const outcome = await checkCredentials(right, address, knownBrowser(stranger.email));
  expect(outcome).toMatchObject({ code: "too_many" });
});

test("codes that a stranger with the password gets wrong keep the owner’s browser and emailed link working", async () => {
  const user = await newPerson();
  await confirmEmail(user, await emailTokenOf("email", user), "en");
  const { codes } = await withFactor(user);
  await useUp("factorPerAccount", String(user.pk));
  const [first, second] = codes;
  const right = { email: user.email, password, code: first };
  expect(await checkCredentials(right, address)).toMatchObject({ code: "too_many" });
  expect(await checkCredentials(right, address, knownBrowser(user.email))).toMatchObject({
    ok: true,
  });
  const token = await emailTokenOf("signin", user);
  expect(await signInByEmail({ token, code: second }, address)).toMatchObject({ ok: true });
});

test.each([
  ["reset", "resetLetterPerAccount"],
  ["signin", "signInLetterPerAccount"],
] as const)("whoever is refused another %s email has a valid link", async (purpose, name) => {
  expect(limits[name].windowSeconds).toBeLessThanOrEqual(emailTokenMinutes[purpose] * 60);
  const user = await newPerson();
  for (let at = 0; at < limits[name].max; at++) {
    expect(await requestEmail(purpose, user.email, "en", `198.51.100.${at + 1}`)).toEqual({
      ok: true,
    });
  }
  const recently = { ok: false, code: "sent_recently" };
  expect(await requestEmail(purpose, user.email, "en", address)).toEqual(recently);
  const { cookies } = knownBrowser(user.email);
  expect(await requestEmail(purpose, user.email, "en", address, cookies)).toEqual({ ok: true });
  // One purpose does not use up the other.
  const other = purpose === "reset" ? "signin" : "reset";
  expect(await requestEmail(other, user.email, "en", address)).toEqual({ ok: true });
});

test("an unknown address is refused exactly like a known one", async () => {
  const ask = (email: string, at: number) =>
    requestEmail("signin", email, "en", `198.51.100.${at + 1}`);
  const user = await newPerson();
  for (let at = 0; at <= limits.signInLetterPerAccount.max; at++) {
    expect(await ask("nobody@example.com", at)).toEqual(await ask(user.email, at));
  }
});

test("an emailed link works although others behind the same address have used up the limit of guesses", async () => {
  const user = await newPerson();
  await useUp("proofPerAddress", addressSubject(address));
  const token = await emailTokenOf("signin", user);
  expect(await signInByEmail({ token }, address)).toMatchObject({ ok: true });
  const reset = await emailTokenOf("reset", user);
  expect(await resetPassword(reset, "another horse", address, "en")).toEqual({ ok: true });
});

test("attempts of others use up nothing of a signed-in person", async () => {
  const user = await newPerson();
  await useUp("signInPerAccount", user.email);
  await useUp("letterPerAccount", user.email);
  expect(await requestEmailChange(user, password, `new-${user.email}`, "en")).toEqual({ ok: true });
  expect(await changePassword(user, password, "another horse", "en")).toEqual({ ok: true });
});

test("a session has as many wrong passwords as its limit, and not one more", async () => {
  const user = await newPerson();
  for (let tries = 0; tries < limits.passwordPerSession.max; tries++) {
    expect(await changePassword(user, "wrong horse", "another horse", "en")).toMatchObject({
      code: "password_wrong",
    });
  }
  expect(await changePassword(user, password, "another horse", "en")).toMatchObject({
    code: "too_many",
  });
});
