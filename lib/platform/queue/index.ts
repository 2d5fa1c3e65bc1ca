/**
 * Jobs on BullMQ. A job is a name, a schema for its data and a handler that is safe to run twice.
 *
 * A failed job is retried with growing delays; one that failed finally stays in its queue's failed set for
 * `failedKeptDays`, which is the dead-letter list for operators, and is logged.
 */

import { type Job, Queue, Worker } from "bullmq";
import type { z } from "zod";
import { withTimeout } from "#lib/basics/bounds";
import { daySeconds } from "#lib/basics/time/schema";
import { log } from "#lib/platform/log";
import { closeRedis, openRedis, type RedisClient, redis, redisKeys } from "#lib/platform/redis";
import { traced } from "#lib/platform/traces";
import { countsOf, failedJobsMax, failedOf } from "./jobs.ts";
import type { FailedJob, QueueCounts } from "./schema.ts";

const attemptsMax = 8;
const backoffMs = 500;
const doneKept = 100;
const failedKeptDays = 30;
const lockDurationMs = 30_000;
/** A waiting worker polls at least this often, so that a lost wake-up costs no more. */
const drainDelaySeconds = 2;
const watchEveryMs = 2_000;
/** A job overdue by this much has no worker. */
const overdueMs = 10_000;
/** A job that is due by this much later than its period was scheduled with another clock. */
const aheadMs = 10_000;

export interface JobDefinition<Schema extends z.ZodType> {
  /** `noun.verb` */
  name: string;
  schema: Schema;
  handle: (data: z.output<Schema>) => Promise<unknown>;
  /** Concurrent jobs of this kind in one process. */
  concurrency?: number;
  /** Scheduled, with the data `{}`. */
  everyMs?: number;
  /**
   * A worker that is silent for this long is dead, and another one runs the job, however often that happens. For jobs that
   * count their attempts themselves.
   */
  silentMs?: number;
}

export function defineJob<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
): JobDefinition<Schema> {
  return definition;
}

const defaultJobOptions = {
  attempts: attemptsMax,
  backoff: { type: "exponential", delay: backoffMs },
  removeOnComplete: { count: doneKept },
  removeOnFail: { age: failedKeptDays * daySeconds },
};

let connection: RedisClient | undefined;
const queues = new Map<string, Queue>();
const workers: Worker[] = [];
const watches: NodeJS.Timeout[] = [];

function queueConnection(): RedisClient {
  connection ??= openRedis("queue", "patient", "queue");
  return connection;
}

function queueOf(name: string): Queue {
  let queue = queues.get(name);
  if (!queue) {
    queue = new Queue(name, {
      connection: queueConnection(),
      prefix: redisKeys.queuePrefix,
      defaultJobOptions,
    });
    queue.on("error", () => undefined); // the connection reports its own loss
    queues.set(name, queue);
  }
  return queue;
}

/** Enqueues a job. Only one with the same `id` waits at a time. */
export async function enqueue<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
  data: z.input<Schema>,
  id?: string,
): Promise<void> {
  const parsed = definition.schema.parse(data);
  await queueOf(definition.name).add(definition.name, parsed, id ? { jobId: id } : {});
}

/**
 * Enqueues the only job with this id, so that there is never a second one. A job that waits, runs or is due for another
 * attempt is left alone. BullMQ ignores a job whose id an ended one still has: that one runs again.
 */
export async function enqueueOnce<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
  data: z.input<Schema>,
  id: string,
): Promise<void> {
  const job = await queueOf(definition.name).getJob(id);
  // defence: one-job-per-work
  if (!job) return await enqueue(definition, data, id);
  const state = await job.getState();
  // defence: ended-job-runs-again
  if (state === "completed" || state === "failed") await runAgain(job, state);
}

/** False: somebody else has run it again, or deleted it. */
async function runAgain(job: Job, state: "completed" | "failed"): Promise<boolean> {
  try {
    await job.retry(state, { resetAttemptsMade: true });
    return true;
  } catch (error) {
    if ((await job.getState()) === state) throw error;
    return false;
  }
}

/** Starts a worker for each definition, and the schedules. */
export async function startWorkers(definitions: JobDefinition<z.ZodType>[]): Promise<void> {
  const names = definitions.map(({ name }) => name);
  if (names.length > 0) await queueConnection().sadd(redisKeys.queueNames, ...names);
  for (const definition of definitions) {
    workers.push(startWorker(definition));
    if (definition.everyMs === undefined) continue;
    await schedule(definition, definition.everyMs);
    watches.push(watchSchedule(definition, definition.everyMs));
  }
}

async function schedule(definition: JobDefinition<z.ZodType>, everyMs: number): Promise<void> {
  await queueOf(definition.name).upsertJobScheduler(
    schedulerOf(definition),
    { every: everyMs },
    // A failed scheduled job is simply due again: retries would only pile up.
    { name: definition.name, data: {}, opts: { attempts: 1, removeOnComplete: true } },
  );
}

/** As the time of the next job, BullMQ keeps what a worker with another clock has set. */
async function scheduleAnew(definition: JobDefinition<z.ZodType>, everyMs: number): Promise<void> {
  log.warn({ event: "job.ahead", job: definition.name });
  await queueOf(definition.name).removeJobScheduler(schedulerOf(definition));
  await schedule(definition, everyMs);
}

function schedulerOf({ name }: JobDefinition<z.ZodType>): string {
  return `every ${name}`;
}

/**
 * A schedule is stored in Redis, and is lost when Redis restarts empty; and a full Redis refuses the writes that start
 * a job, even of the job that would free memory. So a lost schedule is created again, and an overdue job is run here,
 * without the queue: it is safe to run twice. A schedule that was moved by a worker whose clock was ahead is created again
 * too: nothing would run before that time.
 */
function watchSchedule(definition: JobDefinition<z.ZodType>, everyMs: number): NodeJS.Timeout {
  let busy = false;
  const check = async () => {
    const scheduler = await queueOf(definition.name).getJobScheduler(schedulerOf(definition));
    if (!scheduler) return await schedule(definition, everyMs);
    const inMs = (scheduler.next ?? 0) - Date.now();
    if (inMs > everyMs + aheadMs) return await scheduleAnew(definition, everyMs);
    const lateMs = -inMs - everyMs;
    if (lateMs < overdueMs || running.has(definition.name)) return;
    log.warn({ event: "job.overdue", job: definition.name, lateMs: Math.round(lateMs) });
    await runLocally(definition, {});
  };
  return setInterval(() => {
    if (busy) return;
    busy = true;
    check()
      .catch(() => undefined) // Redis or Postgres is unavailable, which both report themselves
      .finally(() => {
        busy = false;
      });
  }, watchEveryMs);
}

const running = new Set<string>();

async function runLocally(definition: JobDefinition<z.ZodType>, data: unknown): Promise<unknown> {
  running.add(definition.name);
  try {
    const work = async () => definition.handle(definition.schema.parse(data));
    return await traced(`job ${definition.name}`, {}, work);
  } finally {
    running.delete(definition.name);
  }
}

function startWorker(definition: JobDefinition<z.ZodType>): Worker {
  const worker = new Worker(definition.name, (job) => runLocally(definition, job.data), {
    connection: queueConnection(),
    prefix: redisKeys.queuePrefix,
    concurrency: definition.concurrency ?? 1,
    drainDelay: drainDelaySeconds,
    ...deathOf(definition),
  });
  worker.on("completed", (job) => {
    // A job scheduled every second would flood the log.
    const level = definition.everyMs === undefined ? "info" : "debug";
    const ms = (job.finishedOn ?? 0) - (job.processedOn ?? 0);
    log[level]({ event: "job.done", job: definition.name, id: job.id, ms });
  });
  worker.on("failed", (job, error) => {
    const left = attemptsMax - (job?.attemptsMade ?? attemptsMax);
    log.error({
      event: "job.failed",
      job: definition.name,
      id: job?.id,
      left,
      error: error.message,
    });
  });
  worker.on("error", () => undefined); // the connection reports its own loss
  return worker;
}

/** When a job is taken from its worker. BullMQ gives up a job whose workers die repeatedly. */
function deathOf({ silentMs }: JobDefinition<z.ZodType>) {
  if (silentMs === undefined) return { lockDuration: lockDurationMs };
  const maxStalledCount = Number.MAX_SAFE_INTEGER;
  return { lockDuration: silentMs, stalledInterval: silentMs / 2, maxStalledCount };
}

/** The jobs that failed finally, in all queues. Throws when Redis does not answer in time. */
export async function countFailedJobs(timeoutMs: number): Promise<number> {
  return await withTimeout(timeoutMs, async () => {
    const names = await redis("queue").smembers(redisKeys.queueNames);
    const counts = await Promise.all(
      names.map((name) => redis("queue").zcard(`${redisKeys.queuePrefix}:${name}:failed`)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

/** All queues that have had a worker. Throws when Redis does not answer in time. */
export async function listQueues(timeoutMs: number): Promise<QueueCounts[]> {
  return await withTimeout(timeoutMs, async () => {
    const names = await redis("queue").smembers(redisKeys.queueNames);
    return await Promise.all(names.sort().map((name) => countsOf(name, queueOf(name))));
  });
}

/** The latest failed jobs of all queues, newest first. Throws when Redis does not answer in time. */
export async function listFailedJobs(timeoutMs: number): Promise<FailedJob[]> {
  return await withTimeout(timeoutMs, async () => {
    const names = await redis("queue").smembers(redisKeys.queueNames);
    const lists = await Promise.all(names.map((name) => failedOf(name, queueOf(name))));
    return lists
      .flat()
      .sort((a, b) => b.failedAt.localeCompare(a.failedAt))
      .slice(0, failedJobsMax);
  });
}

/** A failed job, run again. False: it is not among the failed ones. */
export async function retryFailedJob(name: string, id: string): Promise<boolean> {
  const job = await findFailed(name, id);
  return job !== undefined && (await runAgain(job, "failed"));
}

/** Deletes a failed job. False: it is not among the failed ones. */
export async function dropFailedJob(name: string, id: string): Promise<boolean> {
  const job = await findFailed(name, id);
  await job?.remove();
  return job !== undefined;
}

/** Only of queues that exist: every name would be one otherwise. */
async function findFailed(name: string, id: string): Promise<Job | undefined> {
  if ((await redis("queue").sismember(redisKeys.queueNames, name)) === 0) return undefined;
  const job = await queueOf(name).getJob(id);
  return job && (await job.isFailed()) ? job : undefined;
}

/** Lets running jobs end, takes no new ones, closes the connection. */
export async function stopWorkers(): Promise<void> {
  for (const watch of watches.splice(0)) clearInterval(watch);
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  queues.clear();
  if (connection) await closeRedis(connection);
  connection = undefined;
}
