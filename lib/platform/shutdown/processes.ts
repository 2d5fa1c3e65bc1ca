/**
 * One entry in several processes that share a port (node:cluster). This process opens nothing itself: it starts the
 * others, starts anew which ends by itself, and ends them when it is to end.
 */
import cluster, { type Worker } from "node:cluster";
import { answerSiblings, log } from "#lib/platform/log";

/** A process that cannot even start must not be started in a circle without a pause. */
const restartPauseMs = 1_000;

/** Resolves when all serve, with what ends them. */
export async function runProcesses(count: number): Promise<() => Promise<void>> {
  let closing = false;
  answerSiblings();
  // Each takes connections from the port by itself. Handed over one by one they would be spread more evenly, but one that
  // is on its way to a process that dies would be left hanging.
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
