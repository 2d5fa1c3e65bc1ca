import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { lowerPriority, raisePriority } from "./priority.ts";

const niceness = 7;
const hasThreads = process.platform === "linux";
const hasSessions = hasThreads && existsSync("/proc/self/autogroup");

describe("priority of a process", () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  async function start({ detached }: { detached: boolean }): Promise<number> {
    const child = spawn(process.execPath, ["-e", "console.log(1);setInterval(() => {}, 1e6)"], {
      detached,
    });
    children.push(child);
    await once(child.stdout, "data");
    if (child.pid === undefined) throw new Error("The child did not start.");
    return child.pid;
  }

  it("is that of all of its threads", async () => {
    const pid = await start({ detached: true });
    await lowerPriority(niceness, pid);
    expect(getPriority(pid)).toBe(niceness);
    if (!hasThreads) return;
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    expect(threads.length).toBeGreaterThan(1);
    expect(threads.map((thread) => getPriority(thread))).toEqual(threads.map(() => niceness));
  });

  it.runIf(hasSessions)("is that of its session, when it leads one", async () => {
    const pid = await start({ detached: true });
    const before = readFileSync(`/proc/${pid}/autogroup`, "utf8");
    await lowerPriority(niceness, pid);
    const now = readFileSync(`/proc/${pid}/autogroup`, "utf8");
    expect(before).toContain("nice 0");
    expect(now).toContain(`nice ${niceness}`);
  });

  it("is raised where the system permits it", async () => {
    const pid = await start({ detached: true });
    await raisePriority(pid);
    const threads = hasThreads ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    const expected = isPermitted(pid) ? -10 : 0;
    expect(threads.map((thread) => getPriority(thread))).toEqual(threads.map(() => expected));
  });

  it("is not raised for a process that was started with a lower one", async () => {
    const pid = await start({ detached: true });
    setPriority(pid, niceness);
    await raisePriority(pid);
    expect(getPriority(pid)).toBe(niceness);
  });

  it.runIf(hasSessions)("leaves the session of others alone", async () => {
    const own = readFileSync("/proc/self/autogroup", "utf8");
    const pid = await start({ detached: false });
    await lowerPriority(niceness, pid);
    expect(readFileSync("/proc/self/autogroup", "utf8")).toBe(own);
    expect(getPriority(pid)).toBe(niceness);
  });
});

function isPermitted(pid: number): boolean {
  try {
    setPriority(pid, -10);
    return true;
  } catch {
    return false;
  }
}
