/**
 * What a deleted folder leaves behind: links that name it.
 *
 * The row of the folder goes at once, so that nobody finds it, its name is free, and links that still name it read as
 * links without a folder. A worker clears them, so few a transaction that nobody waits for it. It begins a minute
 * later: creates that found the folder before it went have committed by then.
 */
import { z } from "zod";
import { unfileSome } from "#lib/links/link-rows";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { endClearing, takeClearing } from "./store.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 2_000;
/** Of one run; the next one goes on. */
const stepsMax = 5_000;

/** Clears the links of folders that were deleted. Returns the steps it took. */
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
    const cleared = await unfileSome(tx, folderPk, size);
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
