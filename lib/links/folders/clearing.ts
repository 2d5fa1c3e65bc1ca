/**
 * Removes the links of deleted folders from them.
 *
 * The row of the folder is deleted at once, so its name is free and its links read as links without
 * a folder. A worker then clears them in small transactions, which do not block others. It starts a
 * minute later, when every create that read the folder before its deletion has committed.
 */
import { z } from "zod";
import { unfileBatch } from "#lib/links/link-rows";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { endClearing, takeClearing } from "./store.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 2_000;
const stepsMax = 5_000;

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
