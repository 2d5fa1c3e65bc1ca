/**
 * Long jobs in processes of their own: they do not slow down the counting of clicks, and their memory is returned with
 * the process.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "#lib/platform/config";
import { onClose } from "#lib/platform/shutdown";

/** Rows create many short-lived objects: a large young generation only makes the process larger. */
const flags = ["--max-semi-space-size=4", ...(import.meta.isCompiled ? [] : ["--import", "tsx"])];
/** Compression and file reads use threads, each of which would otherwise have its own memory arena. */
const memoryEnv = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

/** Compiled files are side by side, and named after their sources. */
function fileOf(source: URL): string {
  const path = fileURLToPath(source);
  if (!import.meta.isCompiled) return path;
  return join(dirname(fileURLToPath(import.meta.url)), `${basename(path, ".ts")}.mjs`);
}

/** Resolves when the process of this source is finished; rejects when it died, so that the job is retried. */
export async function runChild(source: URL, id: string): Promise<void> {
  // A worker's shutdown does not wait for a million rows: another one continues.
  if (!closes) onClose("children", endChildren);
  closes = true;
  const file = fileOf(source);
  const child = fork(/* turbopackIgnore: true */ file, [id], {
    execArgv: flags,
    env: environmentWith(memoryEnv),
  });
  children.add(child);
  const [code, signal] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of ${id} exited with ${code ?? signal}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}
