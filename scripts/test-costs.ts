/** Minutes and CPU time of each kind of test, and the slowest files. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface KindCost {
  name: string;
  seconds: number;
  cpuSeconds: number | undefined;
}

export interface FileCost {
  file: string;
  seconds: number;
}

const filesShown = 10;

/** Measures everything that this process starts from now on, in a Linux control group if that is permitted. */
export function openCpuMeter(): () => number | undefined {
  const parent = findControlGroup();
  if (parent === undefined) return () => undefined;
  const group = join(parent, `fuxi-test-${process.pid}`);
  try {
    mkdirSync(group);
    enterGroup(group);
  } catch {
    return () => undefined;
  }
  process.once("exit", () => {
    try {
      enterGroup(parent);
      rmdirSync(group);
    } catch {
      // A server of this run is still in the group.
    }
  });
  return () => readCpuSeconds(group);
}

function enterGroup(group: string): void {
  writeFileSync(join(group, "cgroup.procs"), String(process.pid));
}

function findControlGroup(): string | undefined {
  try {
    const mount = / - cgroup2 /;
    const line = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .find((one) => mount.test(one));
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const folder = line?.split(" ")[4];
    return folder === undefined || own === undefined ? undefined : join(folder, own);
  } catch {
    return undefined;
  }
}

function readCpuSeconds(group: string): number {
  const usage = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, "cpu.stat"), "utf8"))?.[1];
  return Number(usage) / 1e6;
}

export async function measure<Result>(
  name: string,
  readCpu: () => number | undefined,
  work: () => Promise<Result>,
): Promise<{ result: Result; cost: KindCost }> {
  const [startedAt, before] = [Date.now(), readCpu()];
  const result = await work();
  const [seconds, after] = [(Date.now() - startedAt) / 1_000, readCpu()];
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { result, cost: { name, seconds, cpuSeconds } };
}

export function describeCost({ name, seconds, cpuSeconds }: KindCost, what = ""): string {
  const cpu = cpuSeconds === undefined ? "" : `${cpuSeconds.toFixed(0).padStart(6)} CPU s`;
  return `  ${name.padEnd(9)} ${(seconds / 60).toFixed(1).padStart(5)} min ${cpu}   ${what}`.trimEnd();
}

export function sumOf(kinds: readonly KindCost[]): KindCost {
  const known = kinds.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  return {
    name: "all",
    seconds: kinds.reduce((sum, { seconds }) => sum + seconds, 0),
    cpuSeconds: known.length < kinds.length ? undefined : known.reduce((sum, one) => sum + one, 0),
  };
}

export function rankFiles(files: readonly FileCost[]): FileCost[] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of files) sums.set(file, (sums.get(file) ?? 0) + seconds);
  return [...sums]
    .map(([file, seconds]) => ({ file, seconds }))
    .toSorted((one, other) => other.seconds - one.seconds);
}

export function describeFiles(ranked: readonly FileCost[]): string {
  const rows = ranked.slice(0, filesShown).map(({ file, seconds }) => {
    return `  ${seconds.toFixed(0).padStart(5)} s  ${file}`;
  });
  return ["  The files that took longest:", ...rows].join("\n");
}

export function writeCosts(
  folder: string,
  kinds: readonly KindCost[],
  ranked: readonly FileCost[],
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "costs.json"),
    `${JSON.stringify({ kinds, files: ranked }, null, 2)}\n`,
  );
}
