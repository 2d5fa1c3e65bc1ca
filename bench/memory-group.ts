/** A control group of Linux that limits the memory of what runs in it, as a small machine would. Needs root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess } from "../scripts/processes.ts";

const leaveEveryMs = 50;

export interface MemoryGroup {
  /** The start of a command line that runs the rest of it in the group. */
  prefix: string[];
  /** The most that was in use so far, without what the kernel could have freed only if it counted caches of files. */
  read: () => { peakBytes: number; processBytes: number; killed: number };
  close: () => Promise<void>;
}

/** Names of the files of both versions of control groups. */
const versions = [
  {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    peak: "memory.max_usage_in_bytes",
    process: "total_rss",
    events: "memory.oom_control",
  },
  {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    peak: "memory.peak",
    process: "anon",
    events: "memory.events",
  },
];

export function limitMemory(name: string, bytes: number): MemoryGroup {
  const version = versions.find(({ root }) => existsSync(join(root, "memory.stat")));
  if (version === undefined) throw new Error("This system has no control groups for memory");
  const folder = join(version.root, name);
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  writeFileSync(file(version.limit), String(bytes));
  const fieldOf = (name: string, field: string) =>
    Number(new RegExp(`^${field} (\\d+)$`, "m").exec(readFileSync(file(name), "utf8"))?.[1] ?? 0);
  return {
    prefix: ["sh", "-c", `echo $$ > ${file("cgroup.procs")} && exec "$@"`, "sh"],
    read: () => ({
      peakBytes: Number(readFileSync(file(version.peak), "utf8")),
      processBytes: fieldOf("memory.stat", version.process),
      killed: fieldOf(version.events, "oom_kill"),
    }),
    close: async () => {
      // What did not start whole may still run in it.
      for (const pid of readFileSync(file("cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
        await endProcess(Number(pid), "SIGKILL");
      }
      while (readFileSync(file("cgroup.procs"), "utf8") !== "") await sleep(leaveEveryMs);
      rmdirSync(folder);
    },
  };
}
