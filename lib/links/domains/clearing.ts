/**
 * What a deleted domain leaves behind: its links.
 *
 * The row of the domain goes at once, and with it every visit and every list that shows the links. A worker deletes the
 * links themselves, so many a transaction that nobody waits for it, and saves its position with each. It begins a minute
 * later: a create that found the domain before it went has committed by then, so no link stays behind. A domain that
 * was given to another workspace took its links along; what its old one made in that moment is deleted likewise.
 */
import { z } from "zod";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { clearSome, endClearing, saveClearing, takeClearing } from "./links-of.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 5_000;
/** Of one run; the next one goes on. */
const stepsMax = 2_000;

/** Deletes the links of domains that were deleted. Returns the steps it took. */
export async function clearDomains(size = linksPerStep): Promise<number> {
  for (let step = 0; step < stepsMax; step++) {
    if (!(await clearStep(size))) return step;
  }
  return stepsMax;
}

function clearStep(size: number): Promise<boolean> {
  return transaction(async (tx) => {
    const clearing = await takeClearing(tx);
    if (!clearing) return false;
    const last = await clearSome(tx, clearing, size);
    if (last === undefined) await endClearing(tx, clearing.domain_pk, clearing.workspace_pk);
    else await saveClearing(tx, clearing, last);
    return true;
  });
}

export const clearDomainsJob = defineJob({
  name: "domains.clear",
  schema: z.object({}),
  handle: () => clearDomains(),
  everyMs: clearEveryMs,
});
