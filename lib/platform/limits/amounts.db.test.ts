import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closeRedis, redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { budgets, takeAmount } from "./index.ts";

openTestStores();

const { max, windowSeconds } = budgets.tellingRowsPerActor;
const take = (subject: string, amount: number) =>
  takeAmount("tellingRowsPerActor", subject, amount);

test("a budget is used up to its maximum, and what is one above is refused whole and not counted", async () => {
  const subject = randomUUID();
  expect(await take(subject, max - 1)).toBe(0);
  expect(await take(subject, 2)).toBeGreaterThan(windowSeconds - 60);
  expect(await take(subject, 1)).toBe(0);
  expect(await take(subject, 1)).toBeGreaterThan(0);
  expect(await take(randomUUID(), max)).toBe(0);
});

test("a window begins with the first use and is not extended", async () => {
  const subject = randomUUID();
  await take(subject, 1);
  const key = redisKeys.limit("tellingRowsPerActor", subject);
  await redis().pexpire(key, 5_000);
  await take(subject, 1);
  expect(await redis().pttl(key)).toBeLessThanOrEqual(5_000);
});

test("without Redis a process counts alone", async () => {
  const subject = randomUUID();
  const alone = async (amount: number) => {
    await closeRedis();
    const taking = take(subject, amount);
    await closeRedis();
    return await taking;
  };
  expect(await alone(max)).toBe(0);
  expect(await alone(1)).toBeGreaterThan(0);
});
