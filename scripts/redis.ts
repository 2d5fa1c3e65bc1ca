/** Runs Redis. Every write is in the append-only file within a second, and nothing is evicted. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { raisePriority } from "#lib/platform/processes";
import { Daemon } from "./daemon.ts";
import { peekUnpacked, unpackDebianPackages } from "./debian.ts";
import { claimPort } from "./ports.ts";
import {
  Advice,
  commandOf,
  endProcess,
  findProgram,
  hasEnded,
  run,
  type Variables,
} from "./processes.ts";
import { profileOf } from "./profiles.ts";

/** How long Redis may take to answer at all. Loading data may take longer. */
const startTimeoutMs = 60_000;
/** Each worker of the tests has its own logical database. */
const databases = 64;

interface Program {
  file: string;
  env: Variables;
}

interface Options {
  dataDir: string;
  password: string;
  report: (line: string) => void;
  signal?: AbortSignal;
  settings?: string[];
  timeoutMs?: number;
}

export async function startRedis(
  options: Options,
): Promise<{ url: string; stop: (signal?: NodeJS.Signals) => Promise<void> }> {
  const program = await findRedis(options.report);
  const folder = join(options.dataDir, "redis");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await stopOrphanedRedis(options.dataDir);

  const port = await claimPort(options.dataDir, "redis");
  const file = join(folder, "redis.conf");
  const settings = options.settings ?? [];
  const text = configuration(folder, port, options.password, settings);
  writeFileSync(file, text, { mode: 0o600 });
  const logFile = join(options.dataDir, "redis.log");
  const url = `redis://:${options.password}@127.0.0.1:${port}`;
  const daemon = new Daemon({
    name: "Redis",
    launch: () => launch(program, file, logFile),
    waitUntilReady: async (child, signal) => {
      await waitUntilReady(url, child, logFile, { timeoutMs: options.timeoutMs, signal });
      // Visits wait for the cache, and for the acceptance of clicks.
      await raisePriority(child.pid);
    },
    stopSignal: "SIGTERM",
    report: options.report,
  });
  await daemon.start(options.signal);
  return { url, stop: (signal) => daemon.stop(signal) };
}

function launch(program: Program, file: string, logFile: string): ChildProcess {
  const log = openSync(logFile, "a");
  const env = { ...process.env, ...program.env };
  // A separate group: Ctrl-C must only reach the supervisor, which stops it last.
  const child = spawn(program.file, [file], { detached: true, stdio: ["ignore", log, log], env });
  closeSync(log);
  return child;
}

function configuration(folder: string, port: number, password: string, settings: string[]): string {
  const { share, mbMin } = profileOf(process.env).redis;
  const memory = Math.max(mbMin, Math.floor((totalmem() * share) / 1024 / 1024));
  const lines = [
    "bind 127.0.0.1",
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `pidfile ${JSON.stringify(join(folder, "redis.pid"))}`,
    "daemonize no",
    "appendonly yes",
    "appendfsync everysec",
    // The append-only file is enough; snapshots would double the writes.
    'save ""',
    // Most of it is counted clicks. With the default of 64 MB, it would be rewritten every three seconds.
    "auto-aof-rewrite-min-size 512mb",
    `maxmemory ${memory}mb`,
    "maxmemory-policy noeviction",
    `databases ${databases}`,
    'logfile ""',
    ...settings,
  ];
  return `${lines.join("\n")}\n`;
}

export async function findRedis(report: (line: string) => void): Promise<Program> {
  const installed = findProgram("redis-server", "valkey-server");
  if (installed !== undefined) return { file: installed, env: {} };
  const unpacked = peekUnpacked("redis");
  const known = unpacked && {
    file: join(unpacked.folder, "usr/bin/redis-server"),
    env: unpacked.env,
  };
  if (known && (await works(known))) return known;
  try {
    const { folder, env } = await unpackDebianPackages("redis", ["redis-server"], report);
    const program = { file: join(folder, "usr/bin/redis-server"), env };
    if (await works(program)) return program;
    throw new Advice("Debian's redis-server does not run here.");
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    throw new Advice(
      `No Redis found. Install one, for example with: sudo apt-get install redis-server, or set REDIS_URL. (${error.message})`,
    );
  }
}

async function works({ file, env }: Program): Promise<boolean> {
  const ended = await run(file, ["--version"], { env });
  return ended.code === 0;
}

export async function stopOrphanedRedis(dataDir: string): Promise<void> {
  const folder = join(dataDir, "redis");
  const file = join(folder, "redis.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  // Redis has its address in its command line, unlike an unrelated process with the same pid.
  const port = readFileSync(join(folder, "redis.conf"), "utf8").match(/^port (\d+)$/m)?.[1];
  if (commandOf(pid).includes(`127.0.0.1:${port}`)) await endProcess(pid, "SIGTERM");
  rmSync(file, { force: true });
}

interface Waiting {
  timeoutMs: number | undefined;
  signal: AbortSignal | undefined;
}

async function waitUntilReady(
  url: string,
  child: ChildProcess,
  logFile: string,
  { timeoutMs = startTimeoutMs, signal }: Waiting,
): Promise<void> {
  let deadline = Date.now() + timeoutMs;
  // Without the ready check of the client, a ping tells whether Redis is still loading.
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => 50,
  });
  client.on("error", () => {
    // Connections are refused until Redis listens. The deadline below decides when to give up.
  });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const answer = await Promise.race([client.ping().catch(String), sleep(1_000, "")]);
      if (answer === "PONG") return;
      if (answer.includes("LOADING")) deadline = Date.now() + timeoutMs;
      if (hasEnded(child) || Date.now() > deadline) {
        throw new Advice(`Redis did not start. Its log: ${logFile}`);
      }
      await sleep(20);
    }
  } finally {
    client.disconnect();
  }
}
