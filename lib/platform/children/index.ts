/**
 * Long jobs in processes of their own: they do not slow down the counting of clicks, and their memory is returned with
 * the process.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { environmentWith } from "#lib/platform/config";
import { onClose } from "#lib/platform/shutdown";

/** Rows create many short-lived objects: a large young generation only makes the process larger. */
const flags = ["--max-semi-space-size=4", "--import", "tsx"];
/** Compression and file reads use threads, each of which would otherwise have its own memory arena. */
const memoryEnv = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

/** Resolves when the process of this entry is finished; rejects when it died, so that the job is retried. */
export async function runChild(entry: URL, id: string): Promise<void> {
  // A worker's shutdown does not wait for a million rows: another one continues.
  if (!closes) onClose("children", endChildren);
  closes = true;
  const child = fork(entry, [id], { execArgv: flags, env: environmentWith(memoryEnv) });
  children.add(child);
  const [code, signal] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of ${id} exited with ${code ?? signal}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}
