/** Processes and queues of the instance. Job data contains ids, and nothing else about tenants. */

import { withTimeout } from "#lib/basics/bounds";
import { readBacklog } from "#lib/links/indexing";
import { AppError } from "#lib/platform/errors";
import { reportEveryMs } from "#lib/platform/instance";
import { forgottenAfterMs, type ProcessReport, processReport } from "#lib/platform/instance/schema";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { dropFailedJob, listFailedJobs, listQueues, retryFailedJob } from "#lib/platform/queue";
import { redis, redisKeys, redisReady } from "#lib/platform/redis";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import type { System } from "./schema.ts";

const timeoutMs = 2_000;

/** Null if Redis does not answer. */
export async function readSystem(_: OperatorScope, now = Date.now()): Promise<System> {
  // Otherwise the first call of a process would run before it is connected.
  await redisReady(redis(), timeoutMs);
  const [reports, queues, search, failed] = await Promise.all([
    listReports(now).catch(() => null),
    listQueues(timeoutMs).catch(() => null),
    readBacklog(now).catch(() => null),
    listFailedJobs(timeoutMs).catch(() => null),
  ]);
  const processes = reports?.map((report) => ({ ...report, lost: isLost(report, now) })) ?? null;
  return { processes, queues, search, failed };
}

export interface JobName {
  queue: string;
  id: string;
}

export async function retryJob(
  operator: OperatorScope,
  job: JobName,
  reason: string,
): Promise<void> {
  await changeJob(operator, "operator.retry_job", job, reason, retryFailedJob);
}

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
  // Record the entry first: if that fails, the job stays unchanged. If the change fails, the entry is rolled back.
  await transaction(async (tx) => {
    const entry = { workspacePk: null, action, reason, details: { name: `${queue} ${id}` } };
    await recordOperation(tx, operator, entry);
    if (!(await change(queue, id))) {
      throw new AppError("not_found", "No failed job has this ID. Reload the list.");
    }
  });
}

export const lostAfterMs = 3 * reportEveryMs + 5_000;
const reportsTimeoutMs = 1_000;

/** Sorted by name. Throws if Redis does not answer in time. */
async function listReports(now: number): Promise<ProcessReport[]> {
  return await withTimeout(reportsTimeoutMs, async () => {
    const stored = await redis().hgetall(redisKeys.processes);
    const reports: ProcessReport[] = [];
    const forgotten: string[] = [];
    for (const [id, text] of Object.entries(stored)) {
      const report = readReport(text);
      if (report && now - Date.parse(report.at) < forgottenAfterMs) reports.push(report);
      else forgotten.push(id);
    }
    if (forgotten.length > 0) await redis().hdel(redisKeys.processes, ...forgotten);
    return reports.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  });
}

/** Another version of the program may have written it. */
function readReport(text: string): ProcessReport | undefined {
  try {
    return processReport.parse(JSON.parse(text));
  } catch (error) {
    log.debug({ event: "report.unreadable", error: String(error) });
    return undefined;
  }
}

function isLost({ at }: ProcessReport, now: number): boolean {
  return now - Date.parse(at) > lostAfterMs;
}
