/**
 * One entry in several processes that share a port (node:cluster). This process opens nothing itself: it starts
 * workers, restarts those that end, and ends them on shutdown.
 */
import cluster, { type Worker } from "node:cluster";
import { log, serveSiblings } from "#lib/platform/log";

/** Pause before restarting a process, so that one that cannot start does not loop. */
const restartPauseMs = 1_000;

/** Resolves when all workers serve, with the function that ends them. */
export async function runProcesses(count: number): Promise<() => Promise<void>> {
  let closing = false;
  serveSiblings();
  // Each worker accepts connections from the port by itself. Distributed by the primary they would be more even, but
  // one in transit to a dying worker would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.on("exit", (worker, code, signal) => {
    if (closing) return;
    log.warn({ event: "process.ended", pid: worker.process.pid, code, signal });
    setTimeout(() => {
      if (!closing) cluster.fork();
    }, restartPauseMs);
  });
  const first = Array.from({ length: count }, () => cluster.fork());
  await Promise.all(
    first.map((worker) => new Promise((resolve) => worker.once("listening", resolve))),
  );
  return async () => {
    closing = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map(endWorker));
  };
}

async function endWorker(worker: Worker | undefined): Promise<void> {
  if (!worker || worker.isDead()) return;
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  worker.process.kill("SIGTERM");
  await ended;
}
