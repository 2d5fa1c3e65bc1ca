import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "#lib/platform/config";
import { log, serveSiblings } from "#lib/platform/log";
import { onClose } from "./lifecycle.ts";

export { allowToClose, closeAll, onClose, reportReady, superviseProcess } from "./lifecycle.ts";
export { hasPriorities, lowerPriority, raisePriority } from "./priority.ts";
export { nameSourceLines } from "./stack-traces.ts";
export { logUnlessStarved } from "./starved-log.ts";

/** Rows are short-lived objects, for which a large young generation only costs memory. */
const flags = ["--max-semi-space-size=4"];
/** Compression and file reads use threads, each of which would have its own memory arena. */
const memoryEnv = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

export function programOf(source: URL): string {
  const path = fileURLToPath(source);
  if (!import.meta.isCompiled) return path;
  return join(dirname(fileURLToPath(import.meta.url)), `${basename(path, extname(path))}.mjs`);
}

export function forkProgram(program: string, args: string[], options: ForkOptions): ChildProcess {
  const loader = program.endsWith(".ts") ? ["--import", "tsx"] : [];
  const execArgv = [...(options.execArgv ?? []), ...loader];
  return fork(/* turbopackIgnore: true */ program, args, { ...options, execArgv });
}

export async function runChild(source: URL, id: string, signal: AbortSignal): Promise<void> {
  // Shutdown does not wait for a million rows: another worker continues.
  if (!closes) onClose("children", endChildren);
  closes = true;
  const child = forkProgram(programOf(source), [id], {
    execArgv: flags,
    env: environmentWith(memoryEnv),
    signal,
    killSignal: "SIGKILL",
  });
  children.add(child);
  const [code, by] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of ${id} exited with ${code ?? by}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}

const restartPauseMs = 1_000; // a process that cannot start must not loop

export async function runProcesses(count: number): Promise<() => Promise<void>> {
  let closing = false;
  serveSiblings();
  // A connection that the primary passes to a dying worker would hang.
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
