/** Processes and queues of the instance. Nothing of it is about a tenant; job data has ids alone. */
import { AppError } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { dropFailedJob, listFailedJobs, listQueues, retryFailedJob } from "#lib/platform/queue";
import { redis, redisReady } from "#lib/platform/redis";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { isLost, listReports } from "./processes.ts";
import type { System } from "./schema.ts";

const timeoutMs = 2_000;

/** Null where Redis does not answer. */
export async function readSystem(_: OperatorScope, now = Date.now()): Promise<System> {
  // The first call of a process would come before its connection.
  await redisReady(redis(), timeoutMs);
  const [reports, queues, failed] = await Promise.all([
    listReports(now).catch(() => null),
    listQueues(timeoutMs).catch(() => null),
    listFailedJobs(timeoutMs).catch(() => null),
  ]);
  const processes = reports?.map((report) => ({ ...report, lost: isLost(report, now) })) ?? null;
  return { processes, queues, failed };
}

/** The name of a job, as its queue and its id. */
export interface JobName {
  queue: string;
  id: string;
}

/** Runs a failed job again. Throws not_found. */
export async function retryJob(
  operator: OperatorScope,
  job: JobName,
  reason: string,
): Promise<void> {
  await changeJob(operator, "operator.retry_job", job, reason, retryFailedJob);
}

/** Deletes a failed job. Throws not_found. */
export async function dropJob(
  operator: OperatorScope,
  job: JobName,
  reason: string,
): Promise<void> {
  await changeJob(operator, "operator.drop_job", job, reason, dropFailedJob);
}

async function changeJob(
  operator: OperatorScope,
  action: "operator.retry_job" | "operator.drop_job",
  { queue, id }: JobName,
  reason: string,
  change: typeof retryFailedJob,
): Promise<void> {
  // Recorded with the change: when it fails, so does the entry.
  await transaction(async (tx) => {
    const entry = { workspacePk: null, action, reason, details: { name: `${queue} ${id}` } };
    await recordOperation(tx, operator, entry);
    if (!(await change(queue, id))) {
      throw new AppError("not_found", "No failed job has this ID. Reload the list.");
    }
  });
}
