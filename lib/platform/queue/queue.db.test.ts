import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { openTestStores } from "../../../test/stores.ts";
import { defineJob, enqueue, startWorkers, stopWorkers } from "./index.ts";

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
  await enqueue(job, { number: "7" }, "only");
  await enqueue(job, { number: "7" }, "only");
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
