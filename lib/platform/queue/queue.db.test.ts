import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { redis, redisKeys } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import { defineJob, enqueue, enqueueOnce, listQueues, startWorkers, stopWorkers } from "./index.ts";

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
