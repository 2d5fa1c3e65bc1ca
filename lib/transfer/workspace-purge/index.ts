/**
 * The end of a workspace that was deleted and that nobody wanted back within the grace.
 *
 * Step by step, so that nobody waits for it, each step one transaction that holds the row of the workspace:
 *
 *     begin    the workspace is marked, after which it cannot be had back; its domains go, and are free for others
 *     links    some of its links with their names and texts; visitors are told so before the next step
 *     rest     some rows of what may be many: what was done in it, which urls have links
 *     end      its row, and with it members, keys, tags, folders and all that hangs on it
 *
 * What a step took is gone, so a worker that dies is followed by one that goes on there. The mark settles the race with
 * whoever wants the workspace back: both write its row, and the second one sees what the first one did. Statistics are
 * erased by lib/analytics/rollups, which is asked at the beginning, so that it takes all of them at once and not link by link, and
 * at the end, for what was counted meanwhile.
 */
import { z } from "zod";
import { hostEntry, targetEntry } from "#lib/links/link-cache";
import { type Change, publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { recordDeeds } from "#lib/tenancy/audit";
import { graceDays } from "#lib/tenancy/workspaces";
import {
  askForErasure,
  deleteDomains,
  deleteRest,
  deleteSomeLinks,
  deleteSomeOf,
  deleteWorkspaceRow,
  markRemoving,
  type Removal,
  takeRemoval,
} from "./store.ts";

const removeEveryMs = 60_000;
const rowsPerStep = 1_000;
/** Of one run; the next one goes on. */
const stepsMax = 5_000;

/** Removes workspaces whose grace is over. Returns the steps it took. Safe to run twice, and at once. */
export async function removeWorkspaces(size = rowsPerStep, steps = stepsMax): Promise<number> {
  for (let step = 0; step < steps; step++) {
    if (!(await removeStep(size))) return step;
  }
  return steps;
}

async function removeStep(size: number): Promise<boolean> {
  const changes = await transaction(async (tx) => {
    const removal = await takeRemoval(tx, graceDays);
    if (!removal) return undefined;
    const entries = removal.begun ? await removeSome(tx, removal, size) : await begin(tx, removal);
    return await recordEntries(tx, entries);
  });
  await publishChanges(changes ?? []);
  return changes !== undefined;
}

async function begin(tx: Connection, { pk }: Removal): Promise<string[]> {
  await markRemoving(tx, pk);
  await askForErasure(tx, pk);
  return (await deleteDomains(tx, pk)).map(hostEntry);
}

/** Answers the entries of caches that are old now. */
async function removeSome(tx: Connection, removal: Removal, size: number): Promise<string[]> {
  const { left, served } = await deleteSomeLinks(tx, removal.pk, size);
  // Nobody finds the links of a domain that is gone.
  if (left) return served.map((link) => targetEntry(link.domain_pk, link.key));
  for (const table of ["audit", "link_reuse", "link_repeat"] as const) {
    if ((await deleteSomeOf(tx, table, removal.pk, size)) > 0) return [];
  }
  await deleteRest(tx, removal.pk);
  await deleteWorkspaceRow(tx, removal.pk);
  await recordDeeds(tx, [
    { workspacePk: null, actor: "system", action: "workspace.remove", subject: removal.id },
  ]);
  return [];
}

async function recordEntries(tx: Connection, entries: readonly string[]): Promise<Change[]> {
  if (entries.length === 0) return [];
  const revision = await takeRevision(tx);
  const changes = entries.map((entry) => ({ entry, revision }));
  await recordChanges(tx, changes);
  return changes;
}

/** Jobs that a worker of this installation runs. */
export const removalJobs = [
  defineJob({
    name: "workspaces.remove",
    schema: z.object({}),
    handle: () => removeWorkspaces(),
    everyMs: removeEveryMs,
  }),
];
