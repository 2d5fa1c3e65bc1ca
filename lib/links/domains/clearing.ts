/**
 * Deletes the links of deleted domains.
 *
 * The row of the domain is deleted at once, and with it every visit and every list entry of the links. A worker deletes
 * the links themselves, in transactions small enough not to block others, and saves its position with each. It starts a
 * minute later: a create that read the domain before its deletion has committed by then, so no link is left. A domain
 * that was transferred to another workspace took its links along; links that the old workspace created in that moment
 * are deleted the same way.
 */
import { z } from "zod";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { clearNext, endClearing, savePosition, takeClearing } from "./domain-links.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 5_000;
/** Per run; the next one continues. */
const stepsMax = 2_000;

/** Deletes the links of deleted domains. Returns the number of steps. */
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
    const last = await clearNext(tx, clearing, size);
    if (last === undefined) await endClearing(tx, clearing.domain_pk, clearing.workspace_pk);
    else await savePosition(tx, clearing, last);
    return true;
  });
}

export const clearDomainsJob = defineJob({
  name: "domains.clear",
  schema: z.object({}),
  handle: () => clearDomains(),
  everyMs: clearEveryMs,
});
