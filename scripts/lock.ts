/** Allows one supervisor per data folder. If it was killed, the next one waits for the processes that it listed. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Advice, commandOf, endProcess, hasErrorCode, isAlive } from "./processes.ts";

interface LockHolder {
  pid: number;
  address: string;
  children: number[];
}

export interface DataLock {
  /** The next supervisor waits for these processes. */
  putChildren: (pids: number[]) => void;
  release: () => void;
}

const flushTimeoutMs = 25_000;

export async function lockDataFolder(dataDir: string, address: string): Promise<DataLock> {
  const file = join(dataDir, "start.lock");
  const holder: LockHolder = { pid: process.pid, address, children: [] };
  const write = (flag: string) => writeFileSync(file, JSON.stringify(holder), { flag });
  try {
    write("wx");
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    await waitForPredecessor(readHolder(file), dataDir);
    write("w");
  }
  return {
    putChildren: (pids) => {
      holder.children = pids;
      write("w");
    },
    release: () => rmSync(file, { force: true }),
  };
}

export function peekRunning(dataDir: string): string | undefined {
  const holder = readHolder(join(dataDir, "start.lock"));
  return holder !== undefined && isFuxiProcess(holder.pid) ? holder.address : undefined;
}

function readHolder(file: string): LockHolder | undefined {
  try {
    const { pid = 0, address = "", children = [] } = JSON.parse(readFileSync(file, "utf8"));
    return { pid, address, children };
  } catch {
    // The file is missing, or a power loss damaged it. Either way, no such process is running.
    return undefined;
  }
}

async function waitForPredecessor(holder: LockHolder | undefined, dataDir: string): Promise<void> {
  if (holder === undefined) return;
  if (isFuxiProcess(holder.pid)) {
    throw new Advice(
      `Fuxi already runs on ${dataDir}: ${holder.address} (process ${holder.pid}). To run a second instance, set another FUXI_DATA_DIR and PORT.`,
    );
  }
  const deadline = Date.now() + flushTimeoutMs;
  for (const pid of holder.children.filter(isFuxiProcess)) {
    while (isAlive(pid) && Date.now() < deadline) await sleep(50);
    if (isAlive(pid)) await endProcess(pid, "SIGKILL");
  }
}

/** Pids are reused, so check what the process is. */
function isFuxiProcess(pid: number): boolean {
  return (
    pid !== process.pid &&
    /bootstrap\.mjs|fuxi-processes\/|fuxi-launcher\/|server\.ts|workers\//.test(commandOf(pid))
  );
}
