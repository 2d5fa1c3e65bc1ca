/**
 * A job is a name, a schema for its data and a handler that is safe to run twice.
 *
 * Failed jobs are retried, then kept for `failedKeptDays` so that operators can look at them.
 */
import { type Job, Queue, Worker } from "bullmq";
import { z } from "zod";
import { withTimeout } from "#lib/basics/bounds";
import { daySeconds } from "#lib/basics/time/schema";
import { log } from "#lib/platform/log";
import { logUnlessStarved } from "#lib/platform/processes";
import { closeRedis, openRedis, type RedisClient, redis, redisKeys } from "#lib/platform/redis";
import { traced } from "#lib/platform/traces";
import { Schedules } from "./schedules.ts";
import type { FailedJob, QueueCounts } from "./schema.ts";

const attemptsMax = 8;
const backoffMs = 500;
const doneKept = 100;
const failedKeptDays = 30;
const lockDurationMs = 30_000;
/** Workers poll at least this often, so a lost wake-up delays a job by no more than this. */
const drainDelaySeconds = 2;
/** Scheduled jobs that failed. */
const failedSchedules = "schedules";

export interface JobDefinition<Schema extends z.ZodType> {
  name: string;
  schema: Schema;
  handle: (data: z.output<Schema>) => Promise<unknown>;
  concurrency?: number;
  everyMs?: number;
  /** SQL that is true while a scheduled job has work, answered by a small index. Without it, the job runs every period. */
  due?: () => string;
  /** When a silent worker counts as dead. For jobs that count their attempts themselves. */
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
let schedules: Schedules | undefined;

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
    queue.on("error", () => undefined); // the connection reports it
    queues.set(name, queue);
  }
  return queue;
}

interface JobOptions {
  /** While a job has it, others with the same id are ignored. */
  id?: string;
  delayMs?: number;
}

export async function enqueue<Schema extends z.ZodType>(
  { name, schema }: Pick<JobDefinition<Schema>, "name" | "schema">,
  data: z.input<Schema>,
  { id, delayMs = 0 }: JobOptions = {},
): Promise<void> {
  const parsed = schema.parse(data);
  await queueOf(name).add(name, parsed, { delay: delayMs, ...(id && { jobId: id }) });
}

/** BullMQ ignores a job with the id of one that has ended, so run the ended one again. */
export async function enqueueOnce<Schema extends z.ZodType>(
  definition: JobDefinition<Schema>,
  data: z.input<Schema>,
  id: string,
): Promise<void> {
  const job = await queueOf(definition.name).getJob(id);
  // defence: one-job-per-work
  if (!job) return await enqueue(definition, data, { id });
  const state = await job.getState();
  // defence: ended-job-runs-again
  if (state === "completed" || state === "failed") await runAgain(job, state);
}

/** False: someone else ran it again, or deleted it. */
async function runAgain(job: Job, state: "completed" | "failed"): Promise<boolean> {
  try {
    await job.retry(state, { resetAttemptsMade: true });
    return true;
  } catch (error) {
    if ((await job.getState()) === state) throw error;
    return false;
  }
}

export async function startWorkers(definitions: JobDefinition<z.ZodType>[]): Promise<void> {
  const scheduled = definitions.filter(({ everyMs }) => everyMs !== undefined);
  const queued = definitions.filter(({ everyMs }) => everyMs === undefined);
  const names = queued.map(({ name }) => name);
  if (scheduled.length > 0) names.push(failedSchedules);
  if (names.length > 0) await queueConnection().sadd(redisKeys.queueNames, ...names);
  for (const definition of queued) workers.push(startWorker(definition));
  if (scheduled.length === 0) return;
  workers.push(startWorker(againOf(scheduled)));
  schedules = new Schedules(scheduled, runScheduled);
  await dropFormerQueues(scheduled.map(({ name }) => name));
}

const scheduledData = z.object({ job: z.string() });

/** Runs a scheduled job again that failed. If it fails again, operators see it. */
function againOf(scheduled: readonly JobDefinition<z.ZodType>[]) {
  return defineJob({
    name: failedSchedules,
    schema: scheduledData,
    concurrency: 4,
    handle: async ({ job }) => {
      const definition = scheduled.find(({ name }) => name === job);
      if (definition) await runLocally(definition, {});
    },
  });
}

async function runScheduled(definition: JobDefinition<z.ZodType>): Promise<void> {
  try {
    await runLocally(definition, {});
  } catch (error) {
    const { name: job } = definition;
    logUnlessStarved("error", { event: "job.failed", job, error: String(error) });
    // The next run is due soon; retries would pile up.
    const once = { jobId: job, attempts: 1, removeOnComplete: true };
    await queueOf(failedSchedules).add(failedSchedules, { job }, once);
  }
}

/** Until the next release: each scheduled job used to have a queue. */
async function dropFormerQueues(names: readonly string[]): Promise<void> {
  const former = await redis("queue").smembers(redisKeys.queueNames);
  for (const name of names.filter((one) => former.includes(one))) {
    await queueOf(name).obliterate({ force: true });
    await queueConnection().srem(redisKeys.queueNames, name);
  }
}

async function runLocally(definition: JobDefinition<z.ZodType>, data: unknown): Promise<unknown> {
  const work = async () => definition.handle(definition.schema.parse(data));
  return await traced(`job ${definition.name}`, {}, work);
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
    const ms = (job.finishedOn ?? 0) - (job.processedOn ?? 0);
    log.info({ event: "job.done", job: definition.name, id: job.id, ms });
  });
  worker.on("failed", (job, error) => {
    const left = attemptsMax - (job?.attemptsMade ?? attemptsMax);
    logUnlessStarved("error", {
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

/** BullMQ would give up a job whose workers die repeatedly. */
function deathOf({ silentMs }: JobDefinition<z.ZodType>) {
  if (silentMs === undefined) return { lockDuration: lockDurationMs };
  const maxStalledCount = Number.MAX_SAFE_INTEGER;
  return { lockDuration: silentMs, stalledInterval: silentMs / 2, maxStalledCount };
}

export async function countFailedJobs(timeoutMs: number): Promise<number> {
  return await withTimeout(timeoutMs, async () => {
    const names = await redis("queue").smembers(redisKeys.queueNames);
    const counts = await Promise.all(
      names.map((name) => redis("queue").zcard(`${redisKeys.queuePrefix}:${name}:failed`)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

/** Includes all queues that ever had a worker. Throws when Redis does not answer in time. */
export async function listQueues(timeoutMs: number): Promise<QueueCounts[]> {
  return await withTimeout(timeoutMs, async () => {
    const names = await redis("queue").smembers(redisKeys.queueNames);
    return await Promise.all(names.sort().map((name) => countsOf(name, queueOf(name))));
  });
}

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

export async function retryFailedJob(name: string, id: string): Promise<boolean> {
  const job = await findFailed(name, id);
  return job !== undefined && (await runAgain(job, "failed"));
}

export async function dropFailedJob(name: string, id: string): Promise<boolean> {
  const job = await findFailed(name, id);
  await job?.remove();
  return job !== undefined;
}

/** Checks the name, because any name would create a queue. */
async function findFailed(name: string, id: string): Promise<Job | undefined> {
  if ((await redis("queue").sismember(redisKeys.queueNames, name)) === 0) return undefined;
  const job = await queueOf(name).getJob(id);
  return job && (await job.isFailed()) ? job : undefined;
}

export async function stopWorkers(): Promise<void> {
  await schedules?.stop();
  schedules = undefined;
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await Promise.all([...queues.values()].map((queue) => queue.close()));
  queues.clear();
  if (connection) await closeRedis(connection);
  connection = undefined;
}

const failedJobsMax = 100;
const dataCharsMax = 500;
const errorCharsMax = 500;

async function countsOf(name: string, queue: Queue): Promise<QueueCounts> {
  const counts = await queue.getJobCounts("waiting", "active", "delayed", "failed");
  const of = (state: string) => counts[state] ?? 0;
  return {
    name,
    waiting: of("waiting"),
    running: of("active"),
    delayed: of("delayed"),
    failed: of("failed"),
  };
}

async function failedOf(name: string, queue: Queue): Promise<FailedJob[]> {
  const jobs = await queue.getFailed(0, failedJobsMax - 1);
  return jobs.map((job) => ({
    queue: name,
    id: job.id ?? "",
    error: job.failedReason.slice(0, errorCharsMax),
    attempts: job.attemptsMade,
    data: JSON.stringify(job.data).slice(0, dataCharsMax),
    createdAt: new Date(job.timestamp).toISOString(),
    failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
  }));
}
