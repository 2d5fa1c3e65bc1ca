import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import {
  defineJob,
  enqueue,
  enqueueOnce,
  listFailedJobs,
  listQueues,
  retryFailedJob,
  startWorkers,
  stopWorkers,
} from "./index.ts";
import { Schedules } from "./schedules.ts";

openTestStores();

afterEach(() => {
  vi.useRealTimers();
});

test("a job runs with parsed data, is retried after a failure, and one id waits once", async () => {
  const runs: number[] = [];
  const job = defineJob({
    name: "test.retry",
    schema: z.object({ number: z.coerce.number() }),
    handle: ({ number }) => {
      runs.push(number);
      return runs.length === 1
        ? Promise.reject(new Error("the first time fails"))
        : Promise.resolve();
    },
  });
  await enqueue(job, { number: "7" }, { id: "only" });
  await enqueue(job, { number: "7" }, { id: "only" });
  await startWorkers([job]);
  await expect.poll(() => runs).toEqual([7, 7]);
  await expect(enqueue(job, { number: "none" })).rejects.toThrow();
  await stopWorkers();
});

test("a scheduled job runs by itself, and a stopping worker lets it finish", async () => {
  let started = 0;
  let ended = 0;
  const job = defineJob({
    name: "test.scheduled",
    schema: z.object({}),
    everyMs: 200,
    handle: async () => {
      started += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
      ended += 1;
    },
  });
  await startWorkers([job]);
  await expect.poll(() => started).toBeGreaterThan(2);
  await stopWorkers();
  expect(ended).toBe(started);
});

test("what a worker with a clock ahead has scheduled runs now", async () => {
  let runs = 0;
  const job = defineJob({
    name: "test.ahead",
    schema: z.object({}),
    everyMs: 200,
    handle: () => {
      runs += 1;
      return Promise.resolve();
    },
  });
  vi.useFakeTimers({ now: Date.now() + 7_200_000, toFake: ["Date"] });
  await startWorkers([job]);
  await expect.poll(() => runs).toBeGreaterThan(0);
  await stopWorkers();
  vi.useRealTimers();
  runs = 0;
  await startWorkers([job]);
  await expect.poll(() => runs).toBeGreaterThan(2);
  await stopWorkers();
});

test("a job with a condition runs when it is true, and of several workers one has the turn", async () => {
  await query(sql`CREATE TABLE work (pk int)`);
  const runs = { fast: 0, slow: 0, ticks: 0 };
  const fast = defineJob({
    name: "test.due",
    schema: z.object({}),
    everyMs: 100,
    due: () => "EXISTS (SELECT FROM work)",
    handle: async () => {
      runs.fast += 1;
      await query(sql`DELETE FROM work`);
    },
  });
  const slow = defineJob({
    name: "test.turn",
    schema: z.object({}),
    everyMs: 60_000,
    handle: () => {
      runs.slow += 1;
      return Promise.resolve();
    },
  });
  const ticks = defineJob({
    name: "test.ticks",
    schema: z.object({}),
    everyMs: 100,
    handle: () => {
      runs.ticks += 1;
      return Promise.resolve();
    },
  });
  // As another worker of the same instance.
  const other = new Schedules([slow], async ({ handle }) => await handle({}));
  await startWorkers([fast, slow, ticks]);
  // The first run asks nothing.
  await expect.poll(() => runs).toMatchObject({ fast: 1, slow: 1 });
  runs.ticks = 0;
  await expect.poll(() => runs.ticks).toBeGreaterThan(4);
  expect(runs).toMatchObject({ fast: 1, slow: 1 });
  await query(sql`INSERT INTO work VALUES (1)`);
  await expect.poll(() => runs.fast).toBe(2);
  await other.stop();
  await stopWorkers();
});

test("a scheduled job that fails again is in the list of failed jobs, once, and can be retried", async () => {
  let isBroken = true;
  let runs = 0;
  const job = defineJob({
    name: "test.broken",
    schema: z.object({}),
    everyMs: 100,
    handle: () => {
      runs += 1;
      return isBroken ? Promise.reject(new Error("broken")) : Promise.resolve();
    },
  });
  await startWorkers([job]);
  await expect.poll(() => runs).toBeGreaterThan(4);
  const failed = async () =>
    (await listFailedJobs(10_000)).filter(({ queue }) => queue === "schedules");
  expect(await failed()).toMatchObject([{ id: "test.broken", error: "broken" }]);
  isBroken = false;
  expect(await retryFailedJob("schedules", "test.broken")).toBe(true);
  await expect.poll(failed).toEqual([]);
  await stopWorkers();
});

test("the queue that an earlier version kept for a schedule is removed", async () => {
  const job = defineJob({
    name: "test.former",
    schema: z.object({}),
    everyMs: 100,
    handle: () => Promise.resolve(),
  });
  await enqueue(job, {}, { delayMs: 60_000 });
  await redis("queue").sadd(redisKeys.queueNames, job.name);
  await startWorkers([job]);
  const names = (await listQueues(10_000)).map(({ name }) => name);
  expect(names).toContain("schedules");
  expect(names).not.toContain(job.name);
  expect(await redis("queue").exists(`${redisKeys.queuePrefix}:${job.name}:delayed`)).toBe(0);
  await stopWorkers();
});

test("a job whose worker died is run by another one, however often that happened", async () => {
  let runs = 0;
  const job = defineJob({
    name: "test.died",
    schema: z.object({}),
    silentMs: 400,
    handle: () => {
      runs += 1;
      return Promise.resolve();
    },
  });
  await enqueueOnce(job, {}, "only");
  // As a dead worker left it: without its lock.
  const key = `${redisKeys.queuePrefix}:test.died`;
  await redis("queue").lmove(`${key}:wait`, `${key}:active`, "RIGHT", "LEFT");
  await redis("queue").hset(`${key}:only`, "stc", 50);
  await enqueueOnce(job, {}, "only");
  await startWorkers([job]);
  await expect.poll(() => runs).toBe(1);
  await stopWorkers();
  expect(await listQueues(10_000)).toContainEqual(
    expect.objectContaining({ name: "test.died", waiting: 0, running: 0, failed: 0 }),
  );
});
