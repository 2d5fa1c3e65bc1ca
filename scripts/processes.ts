/** Runs, finds and ends child programs. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseAdvice } from "../prisma/advice.ts";

/** Unlike Node's own type, requires no variable. */
export type Variables = Record<string, string | undefined>;

export class Advice extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function explain(error: unknown): string {
  if (error instanceof Advice || error instanceof DatabaseAdvice) return error.message;
  if (error instanceof Error && hasErrorCode(error, "EACCES")) {
    return `${error.message}. This folder was made by another account; run as that one, or set FUXI_DATA_DIR.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface ProcessResult {
  code: number;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  cwd?: string;
  env?: Variables;
  timeoutMs?: number;
}

const outputBytesMax = 32 * 1024 * 1024;

/** A program that cannot be started counts as ended with code 127. */
export function run(
  command: string,
  args: string[],
  options: RunOptions = {},
): Promise<ProcessResult> {
  const { timeoutMs = 120_000, env, ...rest } = options;
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { ...rest, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: outputBytesMax },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
        resolve({ code, stdout, stderr: stderr || (error?.message ?? "") });
      },
    );
  });
}

export type Output = "inherit" | number;

interface VisibleOptions {
  env?: Variables;
  signal?: AbortSignal;
  output?: Output;
}

export function runVisibly(
  command: string,
  args: string[],
  { env, output = "inherit", ...options }: VisibleOptions = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output],
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ? 128 : (code ?? 1)));
  });
}

export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return hasErrorCode(error, "EPERM");
  }
}

/** Ended orphans wait for process 1, which in many containers never reaps them. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Empty if there is no such process. Pids are reused, so a pid alone proves nothing. */
export function commandOf(pid: number): string {
  if (!(pid > 0 && isAlive(pid))) return "";
  try {
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], {
      encoding: "utf8",
    }).trim();
  } catch {
    return "";
  }
}

export async function endProcess(
  pid: number,
  signal: NodeJS.Signals,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  send(pid, signal);
  while (isAlive(pid)) {
    if (Date.now() > deadline) send(pid, "SIGKILL");
    await sleep(20);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrorCode(error, "ESRCH")) throw error;
  }
}

export async function endChild(
  child: ChildProcess,
  signal: NodeJS.Signals,
  timeoutMs = 30_000,
): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const killer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  child.kill(signal);
  await ended;
  clearTimeout(killer);
}

export function abortOnSignals(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stopping.abort());
  }
  return stopping.signal;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
