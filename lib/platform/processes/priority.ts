/**
 * Changes the priority of a process among those that answer visitors.
 *
 * Linux keeps priorities per thread, and with autogroups it compares threads of different sessions
 * only by the priority of the session. Node starts threads before any code runs, and the supervisor
 * starts each process in its own session. So we change all threads and the session.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { config, environmentWith } from "#lib/platform/config";

/** The kernel accepts one such change per 100 ms on the whole machine. */
const attemptsMax = 20;
const attemptPauseMs = 110;
const raisedNiceness = -10;
const refusals = new Set(["EACCES", "EPERM"]);

/** For processes that no visitor waits for. */
export async function lowerPriority(niceness: number, pid: number = process.pid): Promise<void> {
  await changePriority(niceness, pid);
}

/** In a container, a process with low priority competes with those of all others on the machine. */
export function hasPriorities(wanted: string = config().FUXI_PRIORITIES): boolean {
  return wanted === "auto" ? !isContainer() : wanted === "on";
}

const containerFiles = ["/.dockerenv", "/run/.containerenv"];
const containerVariables = ["KUBERNETES_SERVICE_HOST", "container"];

function isContainer(): boolean {
  const env = environmentWith({});
  return (
    containerFiles.some((file) => existsSync(file)) || containerVariables.some((name) => env[name])
  );
}

/** For the process that answers visitors. Without root or SYS_NICE, nothing changes. */
export async function raisePriority(pid: number = process.pid): Promise<void> {
  if (getPriority(pid) !== constants.priority.PRIORITY_NORMAL) return;
  try {
    await changePriority(raisedNiceness, pid);
  } catch (error) {
    if (!refusals.has((error as { info?: { code?: string } }).info?.code ?? "")) throw error;
  }
}

async function changePriority(niceness: number, pid: number): Promise<void> {
  if (process.platform !== "linux") {
    setPriority(pid, niceness);
    return;
  }
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), niceness);
  if (sessionOf(pid) === pid) await lowerSession(niceness, pid);
}

/** The session is the sixth field. The second is a name that may contain spaces. */
function sessionOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[3]);
}

async function lowerSession(niceness: number, pid: number): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    try {
      writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
      return;
    } catch (error) {
      // Some kernels have no such file, and containers may refuse to write it.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      await sleep(attemptPauseMs);
    }
  }
}
