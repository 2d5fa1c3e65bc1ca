/** The environment of every bench: its own stores, processes of Fuxi, and a load generator. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";
import { openParsers } from "#lib/platform/parsers";
import { raisePriority } from "#lib/platform/processes";
import { migrate } from "../prisma/migrate.ts";
import { compiledProcess, isCompiled, uncompiledProcess } from "../scripts/compile.ts";
import { ensureDatabase, onServer, withDatabase } from "../scripts/databases.ts";
import { findOrUnpack } from "../scripts/debian.ts";
import { completeEnvironment } from "../scripts/environment.ts";
import { lockDataFolder } from "../scripts/lock.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild, type Variables } from "../scripts/processes.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { startServices, stopOrphanedServices } from "../scripts/services.ts";

const folder = ".fuxi-bench";
const dataDir = join(folder, "data");

export interface Running {
  pid: number;
  port: number;
  /** Sends a word over IPC and resolves with the answer. */
  ask: (word: string) => Promise<unknown>;
  /** Its event-loop delay since the last call; needs bench/delay.ts among its imports. */
  askDelay: () => Promise<Delay>;
  stop: () => Promise<void>;
}

export interface Delay {
  delayP50Ms: number;
  delayP99Ms: number;
  delayMaxMs: number;
  /** The share of time in which the event loop was busy. */
  busy: number;
}

export interface Stage {
  env: NodeJS.ProcessEnv;
  databaseUrl: string;
  redisUrl: string;
  dataDir: string;
  /** Starts an entry or a baseline, after the modules of `imports`; resolves when it serves. */
  run: (entry: string, imports?: string[], env?: Variables, args?: string[]) => Promise<Running>;
  /** A migrated database that `fill` filled once; its contents are kept for later runs. */
  openFilled: (name: string, fill: () => Promise<void>) => Promise<string>;
  /**
   * The same without a copy, for benches that only read: gigabytes exist once. Others with the same stem are dropped.
   */
  openKept: (stem: string, name: string, fill: () => Promise<void>) => Promise<string>;
  /** PostgreSQL with nothing in memory, also not in that of the operating system. */
  restartCold: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Empty stores, migrated. One bench at a time: two would disturb each other. The server's folder stays, with the
 * databases that took minutes to fill.
 */
export async function openStage(): Promise<Stage> {
  mkdirSync(folder, { recursive: true });
  const lock = await lockDataFolder(folder, "npm run bench");
  await stopOrphanedServices(dataDir);
  mkdirSync(dataDir, { recursive: true });
  rmSync(join(dataDir, "spool"), { recursive: true, force: true });
  rmSync(join(dataDir, "output.log"), { force: true });
  let services = await startServices({ dataDir, report: () => undefined });
  const databaseUrl = withDatabase(services.databaseUrl, "bench");
  await onServer(databaseUrl, "DROP DATABASE IF EXISTS bench WITH (FORCE)");
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  await emptyRedis(services.redisUrl);
  const env = completeEnvironment(
    { ...process.env, HOST: "127.0.0.1", FUXI_DATA_DIR: dataDir },
    {
      nodeEnv: "production",
      databaseUrl,
      redisUrl: services.redisUrl,
      webPort: await findFreePort(),
      secrets: openSecrets(dataDir),
    },
  );
  Object.assign(process.env, env);
  const [parser = ""] = compiledProcess("workers/parser.ts").slice(-1);
  openParsers({ warm: 0 }, pathToFileURL(resolve(parser)));
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
  const run = (entry: string, imports: string[] = [], more: Variables = {}, args: string[] = []) =>
    runEntry([entry, ...args], imports, { ...env, ...more });
  const openFilled = (name: string, fill: () => Promise<void>) =>
    copyFilled(databaseUrl, name, fill);
  const openKept = (stem: string, name: string, fill: () => Promise<void>) =>
    keepFilled(databaseUrl, { stem, name, fill });
  const restartCold = async () => {
    await services.stop();
    writeFileSync("/proc/sys/vm/drop_caches", "3");
    // With these set, it would only check that the stores respond.
    delete process.env["DATABASE_URL"];
    delete process.env["REDIS_URL"];
    services = await startServices({ dataDir, report: () => undefined });
    Object.assign(process.env, env);
  };
  const { redisUrl } = services;
  return { env, databaseUrl, redisUrl, dataDir, run, openFilled, openKept, restartCold, close };
}

async function emptyRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}

/** A copy of the database of that name, which is filled first unless an earlier run of the same migrations did. */
async function copyFilled(
  databaseUrl: string,
  name: string,
  fill: () => Promise<void>,
): Promise<string> {
  const digest = createHash("sha256").update(readdirSync("prisma/migrations").join()).digest("hex");
  const kept = `${name}_${digest.slice(0, 8)}`;
  if ((await listDatabases(databaseUrl, kept)).length === 0) {
    await fill();
    await leaveBench(databaseUrl);
    await onServer(databaseUrl, `CREATE DATABASE ${kept}_new TEMPLATE bench STRATEGY FILE_COPY`);
    await onServer(databaseUrl, `ALTER DATABASE ${kept}_new RENAME TO ${kept}`);
  }
  await onServer(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onServer(databaseUrl, `CREATE DATABASE ${name} TEMPLATE ${kept} STRATEGY FILE_COPY`);
  // Gigabytes that were just copied must not be written back during the measurement.
  await onServer(databaseUrl, "CHECKPOINT");
  return withDatabase(databaseUrl, name);
}

/** The database that `fill` filled, under the name itself. */
async function keepFilled(
  databaseUrl: string,
  { stem, name, fill }: { stem: string; name: string; fill: () => Promise<void> },
): Promise<string> {
  const kept = `${stem}_${name}`;
  for (const { datname } of await listDatabases(databaseUrl, `${stem}%`)) {
    if (datname !== kept) await onServer(databaseUrl, `DROP DATABASE ${datname} WITH (FORCE)`);
  }
  if ((await listDatabases(databaseUrl, kept)).length === 0) {
    await fill();
    await leaveBench(databaseUrl);
    await onServer(databaseUrl, `ALTER DATABASE bench RENAME TO ${kept}`);
    await ensureDatabase(databaseUrl);
    await migrate(databaseUrl);
    await onServer(databaseUrl, "CHECKPOINT");
  }
  const url = withDatabase(databaseUrl, kept);
  // An older one is migrated, as on an instance.
  await migrate(url);
  return url;
}

function listDatabases(databaseUrl: string, like: string): Promise<{ datname: string }[]> {
  const pattern = like.replaceAll("_", "\\_");
  return onServer(databaseUrl, "SELECT datname FROM pg_database WHERE datname LIKE $1", [pattern]);
}

/** A database that is copied or renamed must have no connections; the pool of this process reconnects. */
async function leaveBench(databaseUrl: string): Promise<void> {
  await onServer(
    databaseUrl,
    "SELECT pg_terminate_backend(pid)::text AS datname FROM pg_stat_activity WHERE datname = 'bench'",
  );
}

async function runEntry(
  [entry = "", ...args]: string[],
  imports: string[],
  env: NodeJS.ProcessEnv,
): Promise<Running> {
  const port = await findFreePort();
  // What `npm start` runs; the same flags for a baseline.
  const program = isCompiled(entry) ? compiledProcess(entry) : uncompiledProcess(entry);
  const compiler = imports.length > 0 && isCompiled(entry) ? ["tsx"] : [];
  const flags = [...compiler, ...imports].flatMap((module) => ["--import", module]);
  const child = spawn(process.execPath, [...flags, ...program, ...args], {
    env: { ...env, PORT: String(port) },
    // What `npm start` logs is logged; to a file, because there are many requests.
    stdio: ["ignore", openSync(join(dataDir, "output.log"), "a"), "inherit", "ipc"],
    // A session of its own, as under the supervisor: Linux compares processes of one session with each other first.
    detached: true,
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  await nextMessage(child, entry);
  const ask = (word: string): Promise<unknown> => {
    const answer = nextMessage(child, entry);
    child.send(word);
    return answer;
  };
  return {
    pid: child.pid ?? 0,
    port,
    ask,
    askDelay: async () => asDelay(await ask("delay")),
    stop: () => endChild(child, "SIGTERM"),
  };
}

/** Sound because bench/delay.ts sends only this. */
function asDelay(message: unknown): Delay {
  return message as Delay;
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

/** For benches without a stage. */
export function openLoads(): void {
  mkdirSync(dataDir, { recursive: true });
}

export interface Load {
  /** For which it was put. */
  seconds: number;
  requestsPerSecond: number;
  meanMs: number;
  p50Ms: number;
  p80Ms: number;
  p99Ms: number;
  errors: number;
}

export interface LoadOptions {
  connections?: number;
  seconds?: number;
  threads?: number;
  /**
   * Has the priority of a process that answers visitors. Visitors have machines of their own: that they wait for a core of this
   * one is not part of the time.
   */
  isUrgent?: boolean;
}

/** Puts load on a URL with wrk, which uses far less of the two cores than a load generator in JavaScript. */
export async function putLoad(
  url: string,
  script: string,
  { connections = 64, seconds = 5, threads = 1, isUrgent = false }: LoadOptions = {},
): Promise<Load> {
  const file = join(dataDir, `load-${++loads}.lua`);
  writeFileSync(file, `${script}\n${summary}`);
  const wrk = await findOrUnpack("wrk");
  const args = [`-c${connections}`, `-t${threads}`, `-d${seconds}s`, "-s", file, url];
  const text = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, ...wrk.env };
    const child = spawn(wrk.program, args, { env, detached: isUrgent });
    if (isUrgent) void raisePriority(child.pid);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
  const [rate = 0, mean = 0, p50 = 0, p80 = 0, p99 = 0, errors = 0] = (
    /^LOAD (.*)$/m.exec(text)?.[1] ?? ""
  )
    .split(" ")
    .map(Number);
  return {
    seconds,
    requestsPerSecond: rate,
    meanMs: mean,
    p50Ms: p50,
    p80Ms: p80,
    p99Ms: p99,
    errors,
  };
}

const summary = `
function done(summary, latency)
  local e = summary.errors
  print(string.format("LOAD %.1f %.3f %.3f %.3f %.3f %d", summary.requests / (summary.duration / 1e6),
    latency.mean / 1000, latency:percentile(50) / 1000, latency:percentile(80) / 1000,
    latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.timeout + e.status))
end`;

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return (lower + upper) / 2;
}

/** The machine of the measurement. */
export function machine(): string {
  const [first] = cpus();
  return `${cpus().length} cores, ${first?.model.trim() ?? "unknown"}, Node ${process.version}`;
}
