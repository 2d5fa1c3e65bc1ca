import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { openReports } from "#lib/platform/instance";
import { forgottenAfterMs } from "#lib/platform/instance/schema";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { defineJob, startWorkers, stopWorkers } from "#lib/platform/queue";
import { redis, redisKeys } from "#lib/platform/redis";
import type { OperatorScope } from "#lib/tenancy/operators";
import { makeTestOperator } from "../../../test/operators.ts";
import { openTestStores } from "../../../test/stores.ts";
import { dropJob, lostAfterMs, readSystem, retryJob } from "./index.ts";

openTestStores();

let operator: OperatorScope;
let runs = 0;
let isBroken = true;

beforeAll(async () => {
  ({ operator } = await makeTestOperator("root"));
});

beforeEach(async () => {
  await redis().flushdb();
  runs = 0;
  isBroken = true;
});

afterEach(stopWorkers);

/** A scheduled job: one that fails is tried again at once, and then listed. */
async function startFailing(): Promise<{ queue: string; id: string }> {
  const name = `test.failing-${randomUUID()}`;
  const job = defineJob({
    name,
    schema: z.object({}),
    everyMs: 3_600_000,
    handle: () => {
      runs += 1;
      return isBroken ? Promise.reject(new Error("no space left")) : Promise.resolve();
    },
  });
  await startWorkers([job]);
  return await vi.waitFor(async () => {
    const { failed } = await readSystem(operator);
    const one = failed?.find(({ queue, id }) => queue === "schedules" && id === name);
    if (!one) throw new Error("not failed yet");
    return one;
  }, 300_000);
}

test("a failed job is listed with its error, and runs again when it is retried", async () => {
  const job = await startFailing();
  const data = JSON.stringify({ job: job.id });
  expect([job, runs]).toMatchObject([{ error: "no space left", attempts: 1, data }, 2]);
  const counts = async () =>
    (await readSystem(operator)).queues?.find(({ name }) => name === job.queue);
  expect(await counts()).toMatchObject({ failed: 1, running: 0 });
  isBroken = false;
  await retryJob(operator, job, "Disk is larger");
  await expect.poll(() => runs).toBe(3);
  await expect.poll(() => counts()).toMatchObject({ failed: 0 });
  // A second click on the same button.
  await expect(retryJob(operator, job, "Disk is larger")).rejects.toMatchObject({
    code: "not_found",
  });
  const rows = await query<{ reason: string }>(sql`
    SELECT details ->> 'reason' AS reason FROM audit WHERE action = 'operator.retry_job'`);
  expect(rows).toEqual([{ reason: "Disk is larger" }]);
});

test("a failed job is deleted once, and is not run again", async () => {
  const job = await startFailing();
  await dropJob(operator, job, "Not needed");
  expect((await readSystem(operator)).failed).toEqual([]);
  await expect(dropJob(operator, job, "Not needed")).rejects.toMatchObject({ code: "not_found" });
  expect(runs).toBe(2);
});

test("names of queues that do not exist change nothing in Redis", async () => {
  const before = await redis().dbsize();
  for (const queue of ["none", "../x", "clicks:{0}"]) {
    const job = { queue, id: "1" };
    await expect(retryJob(operator, job, "Testing")).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await redis().dbsize()).toBe(before);
});

test("a process reports itself, is lost when it stops to, then forgotten, and leaves when it ends", async () => {
  await openReports();
  const { processes } = await readSystem(operator);
  expect(processes).toHaveLength(1);
  const [own] = processes ?? [];
  expect(own).toMatchObject({ pid: process.pid, lost: false, node: process.version });
  expect(own?.rssBytes).toBeGreaterThan(10 * 2 ** 20);
  const later = (ms: number) => readSystem(operator, Date.parse(own?.at ?? "") + ms);
  expect((await later(lostAfterMs)).processes).toMatchObject([{ lost: false }]);
  expect((await later(lostAfterMs + 1)).processes).toMatchObject([{ lost: true }]);
  await redis().hset(redisKeys.processes, "other:1", "not JSON");
  expect((await later(forgottenAfterMs - 1)).processes).toHaveLength(1);
  expect((await later(forgottenAfterMs)).processes).toEqual([]);
  expect(await redis().hlen(redisKeys.processes)).toBe(0);
  await closeAll();
});
