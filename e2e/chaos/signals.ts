/** Signals to a process and its children, such as PostgreSQL and its sessions. */
import { execFileSync } from "node:child_process";

/** The numbers of a process and of its children. */
export function listWithChildren(pid: number): number[] {
  const chosen = ["--pid", String(pid), "--ppid", String(pid)];
  const pids = execFileSync("ps", ["-o", "pid=", ...chosen]).toString();
  return pids
    .trim()
    .split(/\s+/)
    .map(Number)
    .filter((each) => each > 1);
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
    }
  }
}
