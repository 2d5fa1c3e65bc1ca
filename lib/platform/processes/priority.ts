/**
 * The priority of a process on a machine that it shares with the processes that answer visitors.
 *
 * Linux keeps priorities per thread, and where autogroups are on it compares threads of different sessions by the
 * priority of their session only. Node has started threads of its own before any code runs, and the supervisor starts
 * each process in a session of its own: setting the priority of the process alone would change one thread, within its
 * session.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** The kernel accepts one change of a session in 100 ms, on the whole machine. */
const attemptsMax = 20;
const attemptPauseMs = 110;
const raisedNiceness = -10;
/** Node reports what the system answered within an error of its own. */
const refusals = new Set(["EACCES", "EPERM"]);

/** Lowers the priority of all threads of a process, and of its session when it leads one. */
export async function lowerPriority(niceness: number, pid: number = process.pid): Promise<void> {
  await changePriority(niceness, pid);
}

/**
 * For the process that answers visitors: its requests of a tenth of a millisecond do not wait until other processes have
 * used up their time on the core. Only root, or a process that has the capability SYS_NICE, may do so; others keep the
 * priority they have, and so does a process that was started with a lower one.
 */
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

/** The session stands in the sixth field of the status; the second one is a name that may contain spaces. */
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
      // Kernels without autogroups have no such file, and containers may refuse to write it.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      await sleep(attemptPauseMs);
    }
  }
}
