import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./index.ts";

test("the right password passes and another does not", async () => {
  const stored = await hashPassword("correct horse");
  expect(await verifyPassword("correct horse", stored)).toBe(true);
  expect(await verifyPassword("correct horsf", stored)).toBe(false);
});

test("the same password never has the same hash twice", async () => {
  expect(await hashPassword("correct horse")).not.toBe(await hashPassword("correct horse"));
});

test("a password in two Unicode compositions is one password", async () => {
  const stored = await hashPassword("pass\u00e9word10");
  expect(await verifyPassword("passe\u0301word10", stored)).toBe(true);
});

test("a hash with an earlier cost is still verified", async () => {
  expect(await verifyPassword("correct horse", await cheapHash())).toBe(true);
});

test("an unknown account is refused after the same work as a known one", async () => {
  const stored = await hashPassword("correct horse");
  const known = await workOf(() => verifyPassword("wrong horse!", stored));
  const unknown = await workOf(() => verifyPassword("wrong horse!", null));
  expect(await verifyPassword("", null)).toBe(false);
  expect(unknown).toBeGreaterThan(known / 3);
});

test("two passwords are checked and 64 wait; one more is refused until there is room again", async () => {
  const stored = await cheapHash();
  const check = () => verifyPassword("correct horse", stored);
  const admitted = Array.from({ length: 2 + 64 }, check);
  await expect(check()).rejects.toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 5,
  });
  expect(await Promise.all(admitted)).toEqual(admitted.map(() => true));
  expect(await check()).toBe(true);
});

/** scrypt("correct horse", "salt", N = 2^10, r = 8, p = 1) */
async function cheapHash(): Promise<string> {
  const { scryptSync } = await import("node:crypto");
  const hash = scryptSync("correct horse", "salt", 32, { N: 1_024, r: 8, p: 1 });
  const salt = Buffer.from("salt").toString("base64url");
  return `scrypt$10$8$1$${salt}$${hash.toString("base64url")}`;
}

/** CPU microseconds, which other load on the machine does not affect. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
