/**
 * Clears the links of deleted folders.
 *
 * The row of the folder is deleted at once, so that it is not found, its name is free, and its links read as links
 * without a folder. A worker clears them, in transactions small enough not to block others. It starts a minute later:
 * creates that read the folder before its deletion have committed by then.
 */
import { z } from "zod";
import { unfileBatch } from "#lib/links/link-rows";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { endClearing, takeClearing } from "./store.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 2_000;
/** Per run; the next one continues. */
const stepsMax = 5_000;

/** Clears the links of deleted folders. Returns the number of steps. */
export async function clearFolders(size = linksPerStep): Promise<number> {
  for (let step = 0; step < stepsMax; step++) {
    if (!(await clearStep(size))) return step;
  }
  return stepsMax;
}

function clearStep(size: number): Promise<boolean> {
  return transaction(async (tx) => {
    const folderPk = await takeClearing(tx);
    if (folderPk === undefined) return false;
    const cleared = await unfileBatch(tx, folderPk, size);
    if (cleared === 0) await endClearing(tx, folderPk);
    return true;
  });
}

export const clearFoldersJob = defineJob({
  name: "folders.clear",
  schema: z.object({}),
  handle: () => clearFolders(),
  everyMs: clearEveryMs,
});
