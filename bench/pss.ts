/** Memory of processes as Linux accounts it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Proportional set size: its own memory, and of shared memory its share. */
export function pssMbOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024;
}

/** The processes of an instance that `npm start` runs, by the names of their compiled files. */
export function processesOf(folder: string): Record<string, number> {
  const { children }: { children: number[] } = JSON.parse(
    readFileSync(join(folder, "start.lock"), "utf8"),
  );
  return Object.fromEntries(
    children.map((pid) => {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return [/fuxi-processes\/(\w+)\.mjs/.exec(command)?.[1] ?? "", pid];
    }),
  );
}
