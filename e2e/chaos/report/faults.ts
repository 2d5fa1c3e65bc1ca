/** What can happen to processes, stores, connections, disks and clocks. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TcpProxy } from "../../../test/tcp-proxy.ts";
import { listWithChildren, signalAll } from "../signals.ts";
import { pause } from "../stage.ts";
import { clockSettings } from "./clock.ts";
import { kinds, stores, type World } from "./world.ts";

type Heal = () => Promise<unknown> | unknown;

export interface Fault {
  name: string;
  /** Begins the fault, and returns what ends it. A text: why this machine forbids it. */
  strike: (world: World) => Promise<Heal | string> | Heal | string;
  /** Left out of the short form: it takes minutes on a busy machine. */
  slow?: boolean;
}

const nothing: Heal = () => undefined;

const killedProcesses: Fault[] = kinds.map((kind) => ({
  name: `kill -9 of the ${kind}`,
  strike: ({ members }) => {
    members[kind].process.current.kill("SIGKILL");
    return nothing;
  },
}));

const restartedProcesses: Fault[] = kinds.map((kind) => ({
  name: `restart of the ${kind}`,
  strike: ({ members }) => {
    members[kind].process.current.kill("SIGTERM");
    return nothing;
  },
}));

const stoppedProcesses: Fault[] = kinds.map((kind) => ({
  name: `the ${kind} hangs`,
  strike: ({ members }) => {
    const { current } = members[kind].process;
    current.kill("SIGSTOP");
    return () => current.kill("SIGCONT");
  },
}));

const killedStores: Fault[] = stores.map((store) => ({
  name: `kill -9 of ${store}`,
  strike: ({ pids }) => {
    process.kill(pids[store](), "SIGKILL");
    return nothing;
  },
}));

const stoppedStores: Fault[] = stores.map((store) => ({
  name: `${store} hangs`,
  strike: ({ pids }) => {
    const all = listWithChildren(pids[store]());
    signalAll(all, "SIGSTOP");
    return () => signalAll(all, "SIGCONT");
  },
}));

const restartedStores: Fault[] = [
  {
    name: "restart of PostgreSQL",
    strike: ({ pids }) => {
      process.kill(pids.PostgreSQL(), "SIGINT");
      return nothing;
    },
  },
  {
    name: "restart of Redis",
    strike: ({ pids }) => {
      process.kill(pids.Redis(), "SIGTERM");
      return nothing;
    },
  },
];

interface Wire {
  name: string;
  of: (world: World) => TcpProxy;
}

const wires: Wire[] = [
  ...(["redirect", "api"] as const).map((kind) => ({
    name: `clients and the ${kind}`,
    of: (world: World) => world.clients[kind],
  })),
  ...kinds.flatMap((kind) =>
    stores.map((store) => ({
      name: `the ${kind} and ${store}`,
      of: (world: World) => world.members[kind].proxies[store],
    })),
  ),
];

const wireFaults: Fault[] = wires.flatMap(({ name, of }) => [
  {
    name: `connections cut between ${name}`,
    strike: async (world: World) => {
      await of(world).close();
      return () => of(world).reopen();
    },
  },
  {
    name: `connections stalled between ${name}`,
    strike: (world: World) => {
      of(world).stallAll();
      return () => of(world).resume();
    },
  },
  {
    name: `connections half open between ${name}`,
    strike: (world: World) => {
      of(world).abandon();
      return nothing;
    },
  },
]);

const partitions: Fault[] = kinds.map((kind) => ({
  name: `the ${kind} is cut off from both stores`,
  strike: async ({ members }) => {
    const proxies = Object.values(members[kind].proxies);
    await Promise.all(proxies.map((proxy) => proxy.close()));
    return () => Promise.all(proxies.map((proxy) => proxy.reopen()));
  },
}));

const fillerFile = "filler";
const noMounting = "mounting a small disk is not permitted";

const fullDisks: Fault[] = (["redis", "spool"] as const).map((disk) => ({
  name: disk === "redis" ? "the disk of Redis is full" : "the disk of the redirect is full",
  strike: ({ disks }) => {
    if (!disks) return noMounting;
    const file = join(disks[disk], fillerFile);
    fillDisk(file);
    return () => rmSync(file);
  },
}));

function fillDisk(file: string): void {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${file}`, "bs=64k"], { stdio: "ignore" });
  } catch {
    // dd fails when the disk is full.
  }
}

const slowDisk: Fault = {
  name: "the disk of PostgreSQL takes 20 writes a second",
  strike: ({ stage, pids }) => throttle(String(stage.env["FUXI_DATA_DIR"]), pids.PostgreSQL()),
};

const writesPerSecond = 20;
const blkio = "/sys/fs/cgroup/blkio";
const cgroupName = "fuxi-chaos";

/** Limits the writes of PostgreSQL by a control group. */
function throttle(folder: string, pid: number): Heal | string {
  const group = join(blkio, cgroupName);
  if (!existsSync(blkio)) return "there is no control group for disks";
  try {
    const { dev } = statSync(folder);
    const device = `${(dev >> 8) & 0xfff}:${dev & 0xff}`;
    execFileSync("mkdir", ["-p", group]);
    writeFileSync(join(group, "blkio.throttle.write_iops_device"), `${device} ${writesPerSecond}`);
    const pids = listWithChildren(pid);
    moveTo(group, pids);
    return async () => {
      // PostgreSQL starts processes in its group, also while they are moved.
      for (let left = listMembers(group); left.length > 0; left = listMembers(group)) {
        moveTo(blkio, left);
        await pause(5);
      }
      execFileSync("rmdir", [group]);
    };
  } catch (error) {
    return `limiting a disk is not permitted (${String(error).split("\n", 1)[0]})`;
  }
}

function listMembers(group: string): number[] {
  return readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
}

function moveTo(group: string, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      writeFileSync(join(group, "cgroup.procs"), String(pid));
    } catch {
      // It ended meanwhile.
    }
  }
}

/** Seconds. Clicks of a clock that is more than an hour ahead count when they are read. */
const clockShifts = { forward: "+7200", back: "-7200" };

const clockJumps: Fault[] = Object.entries(clockShifts).flatMap(([way, shift]) =>
  kinds.map((kind) => ({
    name: `the clock of the ${kind} jumps ${way} by two hours`,
    slow: kind === "worker" || way === "back",
    strike: async (world: World) => {
      const { members, faketime, clockFile } = world;
      if (!faketime) return "the library that shifts clocks is not available";
      const { settings, process: kept } = members[kind];
      const shifted = clockSettings(faketime, clockFile);
      Object.assign(settings, shifted);
      await restart(kept);
      // It jumps while the process runs.
      writeFileSync(clockFile, shift);
      return async () => {
        writeFileSync(clockFile, "+0");
        for (const name of Object.keys(shifted)) delete settings[name];
        await restart(kept);
      };
    },
  })),
);

/** Ends a process, and waits for the next. */
async function restart(kept: {
  current: { kill: (signal: NodeJS.Signals) => void };
}): Promise<void> {
  const old = kept.current;
  old.kill("SIGTERM");
  while (kept.current === old) await pause(20);
}

export const faults: readonly Fault[] = [
  ...killedProcesses,
  ...restartedProcesses,
  ...stoppedProcesses,
  ...killedStores,
  ...restartedStores,
  ...stoppedStores,
  ...partitions,
  ...wireFaults,
  ...fullDisks,
  slowDisk,
  ...clockJumps,
];
