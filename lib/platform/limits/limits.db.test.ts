import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closeRedis, redis, redisKeys, redisReady } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { addressSubject, limits, tryLimit } from "./index.ts";

openTestStores();

const now = 1_700_000_000_000;

test.each(Object.entries(limits))(
  "%s lets max attempts through and refuses the next",
  async (name, limit) => {
    const subject = addressSubject(randomUUID());
    const attempt = (at: number) => tryLimit(name as keyof typeof limits, subject, at);
    for (let count = 0; count < limit.max; count++) {
      expect((await attempt(now + count)).ok).toBe(true);
    }
    const windowMs = limit.windowSeconds * 1_000;
    expect(await attempt(now + limit.max)).toEqual({
      ok: false,
      retryAfterSeconds: Math.ceil((windowMs - limit.max) / 1_000),
    });
    expect((await attempt(now + windowMs - 1)).ok).toBe(false);
    expect((await attempt(now + windowMs)).ok).toBe(true);
    expect((await attempt(now + windowMs)).ok).toBe(false);
  },
);

test("50 attempts at once on a limit of 10 let exactly 10 through", async () => {
  const subject = addressSubject(randomUUID());
  const attempts = Array.from({ length: 50 }, () =>
    tryLimit("signInPerAccountAndAddress", subject, now),
  );
  const passed = (await Promise.all(attempts)).filter(({ ok }) => ok);
  expect(passed).toHaveLength(limits.signInPerAccountAndAddress.max);
});

test("a refunded attempt does not count", async () => {
  const subject = addressSubject(randomUUID());
  for (let count = 0; count < 2 * limits.signInPerAccountAndAddress.max; count++) {
    const attempt = await tryLimit("signInPerAccountAndAddress", subject, now);
    expect(attempt.ok).toBe(true);
    if (attempt.ok) await attempt.refund();
  }
});

test("subjects are not stored in clear, and stored state expires", async () => {
  await tryLimit("signInPerAccountAndAddress", addressSubject("192.0.2.1", "ada@example.com"));
  const keys = await redis().keys("limit:*");
  expect(keys.join(" ")).not.toContain("ada@");
  expect(keys).not.toEqual([]);
  // -1: it never expires. Keys of earlier tests may have expired meanwhile, which is -2.
  for (const key of keys) expect(await redis().pttl(key), key).not.toBe(-1);
  expect(redisKeys.limit("a", "b")).toBe("limit:a:b");
});

test("without Redis the process enforces the same limit by itself", async () => {
  const subject = addressSubject(randomUUID());
  await closeRedis();
  for (let count = 0; count < limits.signInPerAccountAndAddress.max; count++) {
    // The new connection is not ready yet, so the call fails as in an outage.
    const attempt = tryLimit("signInPerAccountAndAddress", subject, now);
    await closeRedis();
    expect((await attempt).ok).toBe(true);
  }
  const refused = tryLimit("signInPerAccountAndAddress", subject, now);
  await closeRedis();
  expect((await refused).ok).toBe(false);
});

test("attempts that were counted without Redis count when it is back, also one that Redis had counted", async () => {
  const subject = addressSubject(randomUUID());
  const { max } = limits.signInPerAccountAndAddress;
  const attempt = () => tryLimit("signInPerAccountAndAddress", subject, now);
  for (let count = 0; count < max - 2; count++) expect((await attempt()).ok).toBe(true);
  // Sent, and the connection is lost before the answer.
  const unanswered = attempt();
  await closeRedis();
  expect((await unanswered).ok).toBe(true);
  await redisReady(redis(), 10_000);
  expect((await attempt()).ok).toBe(true);
  expect((await attempt()).ok).toBe(false);
});
