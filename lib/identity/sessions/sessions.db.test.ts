import { encode } from "next-auth/jwt";
import { beforeAll, expect, test } from "vitest";
import { authOptions, ownUrl, signUp } from "#lib/identity/auth";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { openTestStores } from "../../../test/stores.ts";
import { beginSession, endSession, findSession, listSessions, userOfCookie } from "./index.ts";

openTestStores();

const secret = "0".repeat(64);
let userId = "";

beforeAll(async () => {
  const body = { name: "Ada", email: "ada@example.com", password: "correct horse" };
  const created = await signUp(body, "203.0.113.7");
  if (created.ok) userId = created.user.id;
});

async function cookieOf(sid: string, signedWith = secret): Promise<string> {
  return `theme=dark; fuxi-session=${await encode({ token: { sid }, secret: signedWith })}`;
}

test("the cookie of next-auth's own token identifies the person", async () => {
  const { callbacks } = authOptions();
  const user = { id: userId, name: "Ada", email: "ada@example.com" };
  const token = await callbacks?.jwt?.({ token: {}, user, account: null });
  expect(Object.keys(token ?? {})).toEqual(["sid"]);
  const cookie = await cookieOf(String(token?.["sid"]));
  expect(await userOfCookie(cookie)).toMatchObject({ id: userId, operator: true });
});

test("a session that was ended signs its browser out although it was cached", async () => {
  const id = await beginSession(userId);
  const other = await beginSession(userId);
  const cookie = await cookieOf(id);
  expect(await userOfCookie(cookie)).toBeDefined();
  await endSession(id);
  await endSession(id);
  expect(await userOfCookie(cookie)).toBeUndefined();
  expect(await userOfCookie(await cookieOf(other))).toBeDefined();
});

test("a session has the place of its sign-in, but not the address", async () => {
  const address = "81.2.69.142";
  const id = await beginSession(userId, "", ["password"], { address });
  const user = await findSession(id);
  if (!user) throw new Error("No session");
  const listed = (await listSessions(user)).find((one) => one.id === id);
  expect(listed).toMatchObject({ country: "GB", city: expect.stringMatching(/./) });
  const [stored] = await query<{ text: string }>(
    sql`SELECT to_jsonb(session)::text AS text FROM session WHERE id = ${id}`,
  );
  expect(stored?.text).not.toContain(address);
  const unknown = await findSession(await beginSession(userId, "", [], { address: "10.0.0.1" }));
  const [last] = (unknown ? await listSessions(unknown) : []).filter(({ current }) => current);
  expect(last).toMatchObject({ country: null, city: null });
});

test("a session ends after 30 days", async () => {
  const id = await beginSession(userId);
  const old = new Date(Date.now() - 30 * 86_400_000 - 1_000);
  await prisma().session.update({ where: { id }, data: { createdAt: old } });
  expect(await userOfCookie(await cookieOf(id))).toBeUndefined();
});

test("a forged, foreign or broken cookie identifies no person", async () => {
  const id = await beginSession(userId);
  const good = await cookieOf(id);
  expect(await userOfCookie(await cookieOf(id, "1".repeat(64)))).toBeUndefined();
  expect(await userOfCookie(good.slice(0, -3))).toBeUndefined();
  expect(await userOfCookie(`fuxi-session=${id}`)).toBeUndefined();
  expect(await userOfCookie(`fuxi-session=${"x".repeat(10_000)}`)).toBeUndefined();
  expect(await userOfCookie("fuxi-session")).toBeUndefined();
  expect(await userOfCookie("")).toBeUndefined();
  expect(await userOfCookie(undefined)).toBeUndefined();
});

test("next-auth returns no session for one that has ended", async () => {
  const { callbacks } = authOptions();
  const id = await beginSession(userId);
  const readSession = () =>
    callbacks?.session?.({
      session: { expires: "2030-01-01" },
      token: { sid: id },
      user: { id: "", email: "", emailVerified: null },
      newSession: undefined,
      trigger: "update",
    });
  expect(await readSession()).toMatchObject({ user: { email: "ada@example.com" } });
  await endSession(id);
  await expect(readSession()).rejects.toThrow("expired");
});

test.each([
  ["/app/x", "http://localhost:3000/app/x"],
  ["http://localhost:3000/app?a=1", "http://localhost:3000/app?a=1"],
  ["https://evil.example/", "http://localhost:3000/app"],
  ["//evil.example", "http://localhost:3000/app"],
  ["/\\evil.example", "http://localhost:3000/app"],
  ["javascript:alert(1)", "http://localhost:3000/app"],
  ["http://localhost:3000@evil.example", "http://localhost:3000/app"],
  ["http://", "http://localhost:3000/app"],
])("after signing in, %s redirects to %s", (url, target) => {
  expect(ownUrl(url)).toBe(target);
});
