import { expect, test } from "vitest";
import { hashPassword, hashPasswords, passwordCost, verifyPassword } from "./index.ts";

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

test("hashes and checks take none of the threads of files and DNS", async () => {
  const { createHook } = await import("node:async_hooks");
  const started: string[] = [];
  const stored = await cheapHash();
  const hook = createHook({ init: (_id, type) => started.push(type) }).enable();
  try {
    await hashPassword("correct horse");
    await verifyPassword("correct horse", stored);
    expect(started).not.toContain("SCRYPTREQUEST");
  } finally {
    hook.disable();
  }
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
  // Passwords of other links in the workspace have room, 16 for each link.
  const link = { group: "workspace 1", member: "1" };
  const ofLink = Array.from({ length: 16 }, () => verifyPassword("correct horse", stored, link));
  await expect(verifyPassword("correct horse", stored, link)).rejects.toMatchObject({
    code: "service_unavailable",
  });
  expect(await Promise.all(ofLink)).toEqual(ofLink.map(() => true));
  expect(await Promise.all(admitted)).toEqual(admitted.map(() => true));
  expect(await check()).toBe(true);
});

test("a full queue of one workspace’s hashes delays no check, no other workspace and no account", async () => {
  const cost = { ...passwordCost };
  Object.assign(passwordCost, { costLog2: 12, parallelism: 1 });
  try {
    const stored = await cheapHash();
    let left = 65;
    const queued = Array.from({ length: left }, async (_, at) => {
      await hashPasswords([String(at)], owner);
      left -= 1;
    });
    // The whole queue is waiting behind the first hash.
    await Promise.all([
      verifyPassword("correct horse", stored),
      hashPasswords(["other"], { group: "other", member: "other" }),
      hashPassword("an account"),
    ]);
    // At most a few had their turn meanwhile; in one queue, all of them would have.
    expect(left).toBeGreaterThan(32);
    await Promise.all(queued);
  } finally {
    Object.assign(passwordCost, cost);
  }
});

test("a caller has 64 hashes waiting, a workspace 128, and a call gets all of its hashes or none", async () => {
  const cost = { ...passwordCost };
  Object.assign(passwordCost, { costLog2: 10, parallelism: 1 });
  try {
    const texts = Array.from({ length: 64 }, (_, at) => String(at));
    const running = hashPasswords(["first"], owner);
    const full = hashPasswords(texts, owner);
    const refused = { code: "rate_limit_exceeded", retryAfterSeconds: 5 };
    await expect(hashPasswords(["more"], owner)).rejects.toMatchObject(refused);
    const second = { ...owner, member: "second" };
    await expect(hashPasswords([...texts, "more"], second)).rejects.toMatchObject(refused);
    const others = hashPasswords(texts, second);
    const third = { ...owner, member: "third" };
    await expect(hashPasswords(["more"], third)).rejects.toMatchObject(refused);
    const elsewhere = await hashPasswords(["more"], { group: "other", member: "third" });
    expect(elsewhere.size).toBe(1);
    expect((await Promise.all([running, full, others])).map(({ size }) => size)).toEqual([
      1, 64, 64,
    ]);
  } finally {
    Object.assign(passwordCost, cost);
  }
});

const owner = { group: "workspace", member: "key" };

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
