/**
 * Purges a deleted workspace after its grace period.
 *
 * It runs in steps, so that nothing else is blocked. Each step is one transaction that locks the row of the workspace:
 *
 *     begin    the workspace is marked, after which it cannot be restored; its domains are deleted, and free for others
 *     links    some of its links with their names and texts; caches are invalidated before the next step
 *     rest     some rows of potentially many: audit entries, records of reused URLs
 *     end      its row, and with it members, keys, tags, folders and everything that references it
 *
 * Each step deletes what it processed, so after a crash another worker continues. The mark settles the race with a
 * restore: both write its row, and the second one sees the change of the first. Stats are erased by
 * lib/analytics/rollups, which is notified at the start, so that it erases all of them at once instead of link by link,
 * and at the end, for later clicks.
 */
import { z } from "zod";
import { hostEntry, targetEntry } from "#lib/links/link-cache";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { recordAudit } from "#lib/tenancy/audit";
import { graceDays } from "#lib/tenancy/workspaces";
import {
  deleteBatch,
  deleteDomains,
  deleteLinkBatch,
  deleteRecipients,
  deleteRest,
  deleteWorkspaceRow,
  markRemoving,
  type Removal,
  scheduleErasure,
  takeRemoval,
} from "./store.ts";

const removeEveryMs = 60_000;
const rowsPerStep = 1_000;
/** The next run continues. */
const stepsMax = 5_000;

/** Returns the number of steps. Safe to run twice, and concurrently. */
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
    const entries = removal.begun ? await removeBatch(tx, removal, size) : await begin(tx, removal);
    return await recordEntries(tx, entries);
  });
  await publishChanges(changes ?? []);
  return changes !== undefined;
}

async function begin(tx: Connection, { pk }: Removal): Promise<string[]> {
  await markRemoving(tx, pk);
  await scheduleErasure(tx, pk);
  return (await deleteDomains(tx, pk)).map(hostEntry);
}

/** Returns the cache entries to invalidate. */
async function removeBatch(tx: Connection, removal: Removal, size: number): Promise<string[]> {
  const { left, served } = await deleteLinkBatch(tx, removal.pk, size);
  // Visits no longer find links of a deleted domain.
  if (left) return served.map((link) => targetEntry(link.domain_pk, link.key));
  const events = ["webhook_event", "webhook_outbox"] as const;
  const tables = [
    "audit",
    "contact_answer",
    "contact",
    "customer",
    "link_reuse",
    "link_repeat",
    ...events,
  ] as const;
  for (const table of tables) {
    if ((await deleteBatch(tx, table, removal.pk, size)) > 0) return [];
  }
  if ((await deleteRecipients(tx, removal.pk, size)) > 0) return [];
  await deleteRest(tx, removal.pk);
  await deleteWorkspaceRow(tx, removal.pk);
  const action = "workspace.remove" as const;
  await recordAudit(tx, [{ workspacePk: null, actor: "system", action, subject: removal.id }]);
  return [];
}

async function recordEntries(tx: Connection, entries: readonly string[]): Promise<CacheChange[]> {
  if (entries.length === 0) return [];
  const revision = await takeRevision(tx);
  const changes = entries.map((entry) => ({ entry, revision }));
  await recordChanges(tx, changes);
  return changes;
}

export const removalJobs = [
  defineJob({
    name: "workspaces.remove",
    schema: z.object({}),
    handle: () => removeWorkspaces(),
    everyMs: removeEveryMs,
  }),
];
