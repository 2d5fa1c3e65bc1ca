import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { codeOfPk } from "#lib/platform/codes";
import { renderMetrics } from "#lib/platform/log";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { poolCounters, takeCodes } from "./pool.ts";
import { leaseRange, rangeCounters } from "./ranges.ts";

openTestStores();

beforeAll(openLinks);

test("20,000 codes taken at once, singly and by the thousand, are all different and match their pks", async () => {
  const taken = await Promise.all([
    ...Array.from({ length: 5_000 }, () => takeCodes(1)),
    ...Array.from({ length: 15 }, () => takeCodes(1_000)),
  ]);
  const codes = taken.flat();
  expect(codes).toHaveLength(20_000);
  expect(new Set(codes.map(({ pk }) => pk)).size).toBe(20_000);
  expect(new Set(codes.map(({ code }) => code)).size).toBe(20_000);
  for (const { pk, code } of codes.slice(0, 200)) expect(codeOfPk(pk)).toBe(code);
});

test("of a burst larger than the pool every caller gets a different code", async () => {
  const before = { ...poolCounters };
  const taken = await Promise.all(Array.from({ length: 16_000 }, () => takeCodes(1)));
  const codes = taken.flat();
  expect(new Set(codes.map(({ code }) => code)).size).toBe(16_000);
  expect(new Set(codes.map(({ pk }) => pk)).size).toBe(16_000);
  expect(poolCounters.waits).toBeGreaterThan(before.waits);
  expect(poolCounters.taken - before.taken).toBe(16_000);
});

test("each layer counts its assigned ranges, and the operator reads the counts", async () => {
  await redis().del(redisKeys.pkBlock);
  await drainLocal();
  const before = { ...rangeCounters };
  await leaseRange(10);
  expect(rangeCounters).toMatchObject({ redis: before.redis + 1, blocks: before.blocks + 1 });
  // An invalid block: Redis answers with an error, and the process leases one for itself.
  await redis().set(redisKeys.pkBlock, "not a block");
  await leaseRange(10);
  expect(rangeCounters).toMatchObject({
    postgres: before.postgres + 1,
    redisErrors: before.redisErrors + 1,
    blocks: before.blocks + 2,
  });
  await leaseRange(10);
  expect(rangeCounters.local).toBe(before.local + 1);
  await redis().del(redisKeys.pkBlock);
  const text = await renderMetrics();
  for (const [what, value] of Object.entries(rangeCounters)) {
    expect(text).toContain(`fuxi_pk_ranges_total{what="${what}"} ${value}`);
  }
  for (const what of Object.keys(poolCounters)) {
    expect(text).toContain(`fuxi_code_pool_total{what="${what}"}`);
  }
});

/** Uses up this process's own leases, so that the next range comes from Redis. */
async function drainLocal(): Promise<void> {
  for (;;) {
    const { local } = rangeCounters;
    await leaseRange(65_536);
    if (rangeCounters.local === local) return;
  }
}
