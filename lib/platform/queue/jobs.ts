/** Queues and their failed jobs, for administrators. */
import type { Queue } from "bullmq";
import type { FailedJob, QueueCounts } from "./schema.ts";

export const failedJobsMax = 100;
const dataCharsMax = 500;
const errorCharsMax = 500;

export async function countsOf(name: string, queue: Queue): Promise<QueueCounts> {
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

/** The latest failures of a queue. */
export async function failedOf(name: string, queue: Queue): Promise<FailedJob[]> {
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
