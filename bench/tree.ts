/** The CPU time of a process and everything that it started. Of Linux. */
import { readdirSync, readFileSync } from "node:fs";

interface Stat {
  pid: number;
  parent: number;
  /** With that of ended children. */
  cpuMs: number;
}

const msPerTick = 10;

/** The process itself, its children, theirs, and so on. */
function treeOf(root: number): Stat[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const found = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < found.length; at++) {
    found.push(...all.filter(({ parent }) => parent === found[at]?.pid));
  }
  return found;
}

/** CPU time of a tree so far, user and system, in milliseconds. */
export function cpuMsOf(root: number): number {
  return treeOf(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** That of the process alone, and of what it started and ended. */
export function ownCpuMsOf(pid: number): number {
  return readStat(String(pid)).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

function readStat(name: string): Stat[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    // After the name in brackets: state, parent, … and from the twelfth on user, system, and both of ended children.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).map(Number);
    const cpuMs = ticks.reduce((sum, one) => sum + one, 0) * msPerTick;
    return [{ pid: Number(name), parent: Number(fields[1]), cpuMs }];
  } catch {
    return []; // It has ended meanwhile.
  }
}
