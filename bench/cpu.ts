/** CPU time of processes by the operating system's accounting, which other work on the machine distorts less than wall time. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Load } from "./stage.ts";

const ticksPerSecond = 100;

/** The process of the PostgreSQL server of a bench. */
export function postmasterOf(dataDir: string): number {
  const [pid] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
  return Number(pid);
}

/** CPU milliseconds of a process and its children so far, including ended ones. */
export function cpuOf(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = readStat(entry);
    // After the name in brackets: state, parent, … and from the twelfth on user, system, and both of ended children.
    const [, parent] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    if (Number(entry) === pid) ticks += user + system + endedUser + endedSystem;
    else if (Number(parent) === pid) ticks += user + system;
  }
  return (ticks * 1_000) / ticksPerSecond;
}

export interface Cost {
  load: Load;
  /** CPU microseconds per request, by process. */
  by: Record<string, number>;
  total: number;
}

/** CPU time of the processes for each request that `put` sends. */
export async function costOf(
  put: () => Promise<Load>,
  pids: Record<string, number>,
): Promise<Cost> {
  const before = Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)] as const);
  const load = await put();
  const requests = load.requestsPerSecond * load.seconds;
  const by = Object.fromEntries(
    before.map(([name, ms]) => [name, ((cpuOf(pids[name] ?? 0) - ms) * 1_000) / requests]),
  );
  return { load, by, total: Object.values(by).reduce((sum, one) => sum + one, 0) };
}

function readStat(entry: string): string[] {
  try {
    return readFileSync(`/proc/${entry}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return []; // It ended while the folder was read.
  }
}
