/** What every bench stands on: stores of its own, processes of ours, and a load from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { migrate } from "../prisma/migrate.ts";
import { ensureDatabase, withDatabase } from "../scripts/databases.ts";
import { peekUnpacked, unpackDebianPackages } from "../scripts/debian.ts";
import { completeEnvironment } from "../scripts/environment.ts";
import { lockDataFolder } from "../scripts/lock.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild, findProgram, nodeFlags } from "../scripts/processes.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { reapServices, startServices } from "../scripts/services.ts";

const folder = ".fuxi-bench";
const dataDir = join(folder, "data");

export interface Running {
  port: number;
  /** Sends a word over IPC and resolves with the answer. */
  ask: (word: string) => Promise<unknown>;
  stop: () => Promise<void>;
}

export interface Stage {
  env: NodeJS.ProcessEnv;
  databaseUrl: string;
  redisUrl: string;
  dataDir: string;
  /** Starts one of our entries or a baseline, after the modules of `imports`; resolves when it serves. */
  run: (entry: string, imports?: string[]) => Promise<Running>;
  close: () => Promise<void>;
}

/** Empty stores, migrated. One bench at a time: two would measure each other. */
export async function openStage(): Promise<Stage> {
  mkdirSync(folder, { recursive: true });
  const lock = await lockDataFolder(folder, "npm run bench");
  await reapServices(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const services = await startServices({ dataDir, report: () => undefined });
  const databaseUrl = withDatabase(services.databaseUrl, "bench");
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const env = completeEnvironment(
    { ...process.env, HOST: "127.0.0.1", FUXI_DATA_DIR: dataDir, FUXI_LOG_LEVEL: "warn" },
    {
      nodeEnv: "production",
      databaseUrl,
      redisUrl: services.redisUrl,
      webPort: await findFreePort(),
      secrets: openSecrets(dataDir),
    },
  );
  Object.assign(process.env, env);
  const close = async () => {
    await services.stop();
    lock.release();
  };
  for (const reason of ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException"]) {
    process.once(reason, (error: unknown) => {
      console.error(error);
      void close().finally(() => process.exit(1));
    });
  }
  const run = (entry: string, imports: string[] = []) => runEntry(entry, imports, env);
  return { env, databaseUrl, redisUrl: services.redisUrl, dataDir, run, close };
}

async function runEntry(
  entry: string,
  imports: string[],
  env: NodeJS.ProcessEnv,
): Promise<Running> {
  const port = await findFreePort();
  // The same flags for a baseline as for ours.
  const flags = [...nodeFlags, ...imports.flatMap((module) => ["--import", module])];
  const child = spawn(process.execPath, [...flags, entry], {
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  await nextMessage(child, entry);
  return {
    port,
    ask: (word) => {
      const answer = nextMessage(child, entry);
      child.send(word);
      return answer;
    },
    stop: () => endChild(child, "SIGTERM"),
  };
}

function nextMessage(child: ChildProcess, entry: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`${entry} ended with code ${code}`));
    child.once("exit", fail);
    child.once("message", (message) => {
      child.off("exit", fail);
      resolve(message);
    });
  });
}

let loads = 0;

export interface Load {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
}

/** Puts load on an address with wrk, which spends far less of the two cores than a load generator in JavaScript. */
export async function putLoad(
  url: string,
  script: string,
  { connections = 64, seconds = 5, threads = 1 } = {},
): Promise<Load> {
  const file = join(dataDir, `load-${++loads}.lua`);
  writeFileSync(file, `${script}\n${summary}`);
  const wrk = await findWrk();
  const args = [`-c${connections}`, `-t${threads}`, `-d${seconds}s`, "-s", file, url];
  const text = await new Promise<string>((resolve, reject) => {
    const child = spawn(wrk.program, args, { env: { ...process.env, ...wrk.env } });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
  const [rate = 0, p50 = 0, p99 = 0, errors = 0] = (/^LOAD (.*)$/m.exec(text)?.[1] ?? "")
    .split(" ")
    .map(Number);
  return { requestsPerSecond: rate, p50Ms: p50, p99Ms: p99, errors };
}

const summary = `
function done(summary, latency)
  local e = summary.errors
  print(string.format("LOAD %.1f %.3f %.3f %d", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.timeout + e.status))
end`;

async function findWrk(): Promise<{ program: string; env: Record<string, string> }> {
  const installed = findProgram("wrk");
  if (installed) return { program: installed, env: {} };
  const unpacked = peekUnpacked("wrk") ?? (await unpackDebianPackages("wrk", ["wrk"], console.log));
  return { program: join(unpacked.folder, "usr/bin/wrk"), env: unpacked.env };
}

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** What the figures were measured on. */
export function machine(): string {
  const [first] = cpus();
  return `${cpus().length} cores, ${first?.model.trim() ?? "unknown"}, Node ${process.version}`;
}
