/** The process in which an import runs (workers/import.ts). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { environmentWith } from "#lib/platform/config";
import { onClose } from "#lib/platform/shutdown";

const entry = new URL("../../../workers/import.ts", import.meta.url);
/** What rows leave behind dies young, and is much: a large nursery only makes the process larger. */
const flags = ["--max-semi-space-size=4", "--import", "tsx"];
/** Compressing and reading files happen in threads, of which each would else keep memory of its own. */
const frugal = { MALLOC_ARENA_MAX: "2" };

const children = new Set<ChildProcess>();
let closes = false;

/** Resolves when the import was worked through; rejects when its process died, so that the job is tried again. */
export async function runInChild(id: string): Promise<void> {
  // A worker that ends does not wait for a million rows: another one goes on where they are.
  if (!closes) onClose("imports", endChildren);
  closes = true;
  const child = fork(entry, [id], { execArgv: flags, env: environmentWith(frugal) });
  children.add(child);
  const [code, signal] = await once(child, "exit").finally(() => children.delete(child));
  if (code !== 0) throw new Error(`The process of import ${id} exited with ${code ?? signal}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}
