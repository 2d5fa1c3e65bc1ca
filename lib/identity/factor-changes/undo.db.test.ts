/** A changed second factor: other sessions end, and the owner's email has a link that undoes it. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { getAccountSecurity } from "#lib/identity/accounts";
import { checkCredentials } from "#lib/identity/auth";
import { undoDays } from "#lib/identity/second-factor";
import { findSession } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { redis } from "#lib/platform/redis";
import {
  emailLinks,
  newPerson,
  testPassword as password,
  signedIn,
  withFactor,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { dropFactorOf, renewRecoveryOf, undoFactorChange } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-factor-undo-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const address = "203.0.113.7";
const expired = { ok: false, code: "expired" };

beforeEach(async () => {
  await redis().flushdb();
  await rm(join(dataDir, "outbox"), { recursive: true, force: true });
});

/** The tokens of the emails to a person, oldest first. */
function undoTokensOf(user: SessionUser): Promise<string[]> {
  return emailLinks(dataDir, user.email, /reset\/factor\?token=(?:3D)?([\w-]{43})/);
}

async function lastToken(user: SessionUser): Promise<string> {
  return (await undoTokensOf(user)).at(-1) ?? "";
}

const signIn = (user: SessionUser, code = "") =>
  checkCredentials({ email: user.email, password, code }, address);

test("the link turns off a factor that someone enrolled, ends every session, and signs nobody in", async () => {
  const user = await newPerson();
  await withFactor(user);
  const thief = await signedIn(user.id, ["password", "factor"]);
  expect(await signIn(user)).toMatchObject({ code: "code_missing" });
  const sessions = await prisma().session.count({ where: { userPk: user.pk } });
  expect(await undoFactorChange(await lastToken(user), address)).toEqual({ ok: true });
  expect(await findSession(user.sessionId)).toBeUndefined();
  expect(await findSession(thief.sessionId)).toBeUndefined();
  expect(await prisma().session.count({ where: { userPk: user.pk } })).toBe(sessions);
  expect(await getAccountSecurity(user.pk)).toMatchObject({ factor: false, recoveryLeft: 0 });
  expect(await signIn(user)).toMatchObject({ ok: true });
});

test("the link restores a factor that someone turned off, with its recovery codes", async () => {
  const user = await newPerson();
  const { codes, soon } = await withFactor(user);
  await dropFactorOf(user, codes[0] ?? "", "en");
  expect(await signIn(user)).toMatchObject({ ok: true });
  expect(await undoFactorChange(await lastToken(user), address)).toEqual({ ok: true });
  expect(await signIn(user)).toMatchObject({ code: "code_missing" });
  expect(await signIn(user, codes[1])).toMatchObject({ ok: true });
  expect(await signIn(user, soon())).toMatchObject({ ok: true });
});

test("the link restores recovery codes that someone replaced", async () => {
  const user = await newPerson();
  const { codes } = await withFactor(user);
  const renewed = await renewRecoveryOf(user, codes[0] ?? "", "en");
  const stolen = renewed.ok ? renewed.codes[0] : "";
  expect(await undoFactorChange(await lastToken(user), address)).toEqual({ ok: true });
  expect(await signIn(user, stolen)).toMatchObject({ code: "code_wrong" });
  expect(await signIn(user, codes[1])).toMatchObject({ ok: true });
});

test("the first link undoes a chain of changes, and then no link undoes anything", async () => {
  const user = await newPerson();
  const { codes } = await withFactor(user);
  const [owners = ""] = await undoTokensOf(user);
  await dropFactorOf(user, codes[0] ?? "", "en");
  await withFactor(user);
  const [, first = "", second = ""] = await undoTokensOf(user);
  expect(await undoFactorChange(first, address)).toEqual({ ok: true });
  expect(await signIn(user, codes[1])).toMatchObject({ ok: true });
  for (const token of [owners, first, second]) {
    expect(await undoFactorChange(token, address)).toEqual(expired);
  }
  expect(await getAccountSecurity(user.pk)).toMatchObject({ factor: true });
});

test("a link works once, however many requests bring it at once", async () => {
  const user = await newPerson();
  await withFactor(user);
  const token = await lastToken(user);
  const all = await Promise.all(Array.from({ length: 8 }, () => undoFactorChange(token, address)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(1);
});

test(`a link works for ${undoDays} days, and not longer`, async () => {
  const user = await newPerson();
  await withFactor(user);
  const token = await lastToken(user);
  const age = (seconds: number) =>
    query(sql`
      UPDATE factor_undo
      SET expires_at = now() + ${undoDays} * interval '1 day' - ${seconds} * interval '1 second'
      WHERE user_pk = ${user.pk}`);
  await age(undoDays * 86_400);
  expect(await undoFactorChange(token, address)).toEqual(expired);
  await age(undoDays * 86_400 - 60);
  expect(await undoFactorChange(token, address)).toEqual({ ok: true });
});

test("a change signs out other browsers, and not the one that makes it", async () => {
  const user = await newPerson();
  const before = await signedIn(user.id);
  const { codes } = await withFactor(user);
  expect(await findSession(before.sessionId)).toBeUndefined();
  const other = await signedIn(user.id, ["password", "factor"]);
  await renewRecoveryOf(user, codes[0] ?? "", "en");
  expect(await findSession(other.sessionId)).toBeUndefined();
  expect(await findSession(user.sessionId)).toBeDefined();
});

test("a wrong code changes nothing and leaves no link behind", async () => {
  const user = await newPerson();
  await withFactor(user);
  const links = await prisma().factorUndo.count({ where: { userPk: user.pk } });
  expect(await dropFactorOf(user, "nonsense", "en")).toEqual({ ok: false, code: "code_wrong" });
  expect(await prisma().factorUndo.count({ where: { userPk: user.pk } })).toBe(links);
});

test("the database stores no token, and guessing one stops at its limit", async () => {
  const user = await newPerson();
  await withFactor(user);
  const token = await lastToken(user);
  const rows = await prisma().factorUndo.findMany({ where: { userPk: user.pk } });
  expect(JSON.stringify(rows)).not.toContain(token);
  for (let tries = 0; tries < limits.proofPerAddress.max; tries++) {
    expect(await undoFactorChange("x".repeat(43), address)).toEqual(expired);
  }
  expect(await undoFactorChange("x".repeat(43), address)).toEqual({ ok: false, code: "too_many" });
  expect(await undoFactorChange(token, address)).toEqual({ ok: true });
});
