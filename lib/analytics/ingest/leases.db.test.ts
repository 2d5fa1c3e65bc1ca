import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { followShards } from "./drain.ts";
import { openIngest } from "./index.ts";
import { ShardLeases } from "./leases.ts";

openTestStores();

const shards = [0, 1, 2, 3];
/** A busy machine may take seconds from one renewal to the next. */
const leaseMs = 600_000;

beforeEach(async () => {
  await query(sql`TRUNCATE analytics.shard_lease, analytics.counting_worker`);
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => void vi.useRealTimers());

/** The shards of each worker, once all have renewed their leases. */
async function heldBy(...workers: ShardLeases[]): Promise<number[][]> {
  vi.setSystemTime(Date.now() + 1_000);
  const held: number[][] = [];
  for (const worker of workers) {
    const own: number[] = [];
    for (const shard of shards) if (await worker.holds(shard)) own.push(shard);
    held.push(own);
  }
  return held;
}

/** As if a worker had been killed some seconds ago. */
async function forget(shard: number): Promise<void> {
  await query(sql`
    WITH killed AS (
      SELECT worker FROM analytics.shard_lease WHERE shard = ${shard}
    ), gone AS (
      DELETE FROM analytics.counting_worker WHERE id = (SELECT worker FROM killed)
    )
    UPDATE analytics.shard_lease
    SET until = 'epoch'
    WHERE worker = (SELECT worker FROM killed)`);
}

test("workers divide the shards evenly, and each shard is of one", async () => {
  const [first, second, third] = [
    new ShardLeases(shards, leaseMs),
    new ShardLeases(shards, leaseMs),
    new ShardLeases(shards, leaseMs),
  ];
  expect(await heldBy(first)).toEqual([shards]);
  expect(await heldBy(second)).toEqual([[]]);
  expect((await heldBy(first))[0]).toHaveLength(2);
  const two = await heldBy(first, second);
  expect(two.map(({ length }) => length)).toEqual([2, 2]);
  expect(two.flat().sort()).toEqual(shards);
  await heldBy(third);
  await heldBy(first, second);
  const three = await heldBy(first, second, third);
  expect(three.map(({ length }) => length).sort()).toEqual([1, 1, 2]);
  expect(three.flat().sort()).toEqual(shards);
});

test("the shards of a worker that ended are taken at once, those of a killed one when their leases end", async () => {
  const [first, second] = [new ShardLeases(shards, leaseMs), new ShardLeases(shards, leaseMs)];
  await heldBy(first);
  await heldBy(second);
  await heldBy(first, second);
  await first.release();
  const ended = await query(sql`
    SELECT shard FROM analytics.shard_lease WHERE until < now() - interval '1 hour'`);
  expect(ended).toHaveLength(2);
  expect(await heldBy(second)).toEqual([shards]);
  const third = new ShardLeases(shards, leaseMs);
  expect(await heldBy(third)).toEqual([[]]);
  await forget(0);
  expect(await heldBy(third)).toEqual([shards]);
  // The first one was only slow: it takes part again.
  await heldBy(second, third);
  expect((await heldBy(second, third)).map(({ length }) => length)).toEqual([2, 2]);
});

test("many workers that start at once never have a shard in common", async () => {
  const workers = Array.from({ length: 8 }, () => new ShardLeases(shards, leaseMs));
  for (let round = 0; round < 4; round++) {
    vi.setSystemTime(Date.now() + 1_000);
    const held = await Promise.all(
      workers.map(async (worker) => {
        const own = await Promise.all(shards.map((shard) => worker.holds(shard)));
        return shards.filter((shard) => own[shard]);
      }),
    );
    expect(new Set(held.flat()).size).toBe(held.flat().length);
  }
});

test("a worker whose clock is set back takes the shards of one that has ended", async () => {
  const [first, second] = [new ShardLeases(shards, leaseMs), new ShardLeases(shards, leaseMs)];
  await heldBy(first);
  expect(await heldBy(second)).toEqual([[]]);
  await first.release();
  vi.setSystemTime(Date.now() - 7_200_000);
  expect(await heldBy(second)).toEqual([shards]);
});

test("a worker leaves the shards of others unread, and an idle one writes nothing", async () => {
  vi.useRealTimers();
  await openIngest();
  const [first, second] = [new ShardLeases([0]), new ShardLeases([0])];
  const follow = (leases: ShardLeases) => followShards([0], leases, { forMs: 0 });
  await follow(first);
  expect(await query(sql`SELECT id FROM analytics.counting_worker`)).toEqual([]);
  expect(await first.holds(0)).toBe(true);
  const stream = redisKeys.clickStream(0);
  // Unreadable, and therefore not less to be counted: it becomes a dead letter.
  await redis().xadd(stream, "*", "v", "9", "g", `${randomUUID()}:1`);
  await follow(second);
  expect(await redis().xlen(stream)).toBe(1);
  await follow(first);
  expect(await redis().xlen(stream)).toBe(0);
  expect(await query(sql`SELECT reason FROM analytics.dead_click`)).toHaveLength(1);
});
