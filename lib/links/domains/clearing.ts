/**
 * Deletes the links of deleted domains.
 *
 * The row of the domain is deleted at once, which ends all visits and list entries of its links. A
 * worker then deletes the links in small transactions, which do not block others, and saves its
 * position with each. It starts a minute later, when every create that read the domain before its
 * deletion has committed. A transferred domain took its links along; links that the old workspace
 * created at that moment are deleted the same way.
 */
import { z } from "zod";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { clearNext, endClearing, savePosition, takeClearing } from "./domain-links.ts";

export const clearingDelaySeconds = 60;
const clearEveryMs = 15_000;
const linksPerStep = 5_000;
const stepsMax = 2_000;

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
