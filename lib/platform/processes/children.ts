/**
 * Child processes that run a file of this repository, compiled or not. Long jobs have processes of their own: they do not
 * slow down the counting of clicks, and their memory is returned with the process.
 */
import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "#lib/platform/config";
import { onClose } from "./lifecycle.ts";

/** Rows create many short-lived objects: a large young generation only makes the process larger. */
const flags = ["--max-semi-space-size=4"];
/** Compression and file reads use threads, each of which would otherwise have its own memory arena. */
const memoryEnv = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

/** The file to run for a source. Compiled files are side by side, and named after their sources. */
export function programOf(source: URL): string {
  const path = fileURLToPath(source);
  if (!import.meta.isCompiled) return path;
  return join(dirname(fileURLToPath(import.meta.url)), `${basename(path, extname(path))}.mjs`);
}

/** Starts a program that `programOf` has found. `execArgv`: without what runs TypeScript. */
export function forkProgram(program: string, args: string[], options: ForkOptions): ChildProcess {
  const loader = program.endsWith(".ts") ? ["--import", "tsx"] : [];
  const execArgv = [...(options.execArgv ?? []), ...loader];
  return fork(/* turbopackIgnore: true */ program, args, { ...options, execArgv });
}

/** Resolves when the process of this source is finished; rejects when it died, so that the job is retried. The signal kills it. */
export async function runChild(source: URL, id: string, signal: AbortSignal): Promise<void> {
  // A worker's shutdown does not wait for a million rows: another one continues.
  if (!closes) onClose("children", endChildren);
  closes = true;
  const child = forkProgram(programOf(source), [id], {
    execArgv: flags,
    env: environmentWith(memoryEnv),
    signal,
    killSignal: "SIGKILL",
  });
  children.add(child);
  const [code, by] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of ${id} exited with ${code ?? by}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}
