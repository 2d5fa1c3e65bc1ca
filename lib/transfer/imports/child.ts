/** The process of an import (workers/import.ts). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { environmentWith } from "#lib/platform/config";
import { onClose } from "#lib/platform/shutdown";

const entry = new URL("../../../workers/import.ts", import.meta.url);
/** Rows create many short-lived objects: a large young generation only makes the process larger. */
const flags = ["--max-semi-space-size=4", "--import", "tsx"];
/** Compression and file reads use threads, each of which would otherwise have its own memory arena. */
const memoryEnv = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

/** Resolves when the import is finished; rejects when its process died, so that the job is retried. */
export async function runInChild(id: string): Promise<void> {
  // A worker's shutdown does not wait for a million rows: another one continues.
  if (!closes) onClose("imports", endChildren);
  closes = true;
  const child = fork(entry, [id], { execArgv: flags, env: environmentWith(memoryEnv) });
  children.add(child);
  const [code, signal] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of import ${id} exited with ${code ?? signal}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}
