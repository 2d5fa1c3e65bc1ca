/**
 * Changes of all links that match a list, as jobs that can be undone.
 *
 *     waiting ──▶ running ──▶ done ──undo──▶ undo_waiting ──▶ undoing ──▶ undone
 *                    └──────▶ failed
 *
 * A worker goes through the list from its newest link at the start, some links per transaction. The
 * same transaction stores the undo of the step, so that no change lacks its undo after a crash, and
 * a repeated step changes nothing. The list continues after the last link instead of a row number,
 * so that no link is skipped when others no longer match.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { newId, newUuid, parseId } from "#lib/basics/ids";
import { hourMs } from "#lib/basics/time/schema";
import { changeGroup, deleteLinksWithUndo, restoreLinks } from "#lib/links/editing";
import {
  type GroupStep,
  type ListChange,
  type ReplaceHost,
  restoreMinutes,
  withHost,
} from "#lib/links/editing/schema";
import { urlsOfRow } from "#lib/links/fields";
import { type FoundLink, findRows } from "#lib/links/presenting";
import { countMatching, listMatching } from "#lib/links/reading";
import type { LinkFilters } from "#lib/links/reading/schema";
import { allLinks, keepRefused } from "#lib/links/refused-links";
import { withoutHidden } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { AttemptsUsed, LeasedWork } from "#lib/platform/leases";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import {
  type HostPreview,
  keptHours,
  kindOf,
  type ListJob,
  openJobsMax,
  type StoredChange,
  stepLinks,
} from "./schema.ts";
import {
  addProgress,
  columns,
  countOpen,
  deleteStep,
  dismiss,
  findJob,
  findLastStep,
  findLatest,
  finishJob,
  insertJob,
  insertStep,
  type ListJobRow,
  markUndo,
  moveCursor,
  type Progress,
} from "./store.ts";

const compress = promisify(gzip);
const expand = promisify(gunzip);

const listWork = new LeasedWork<ListJobRow>({
  job: "links.list",
  concurrency: 2,
  requeue: { job: "links.list-requeue", everyMs: 5_000 },
  // A workspace has a few rows per day, so there is no index of open ones.
  table: "list_job",
  columns,
  states: { waiting: "running", undo_waiting: "undoing" },
  silentSeconds: 30,
  attemptsMax: 20,
  work: changeOrUndo,
  settle: async (row, error) => {
    if (!(error instanceof AttemptsUsed)) throw error;
    await finish(row, "failed");
  },
});

export const runListJob = (id: string) => listWork.run(id);

export const listJobs = listWork.jobs;

/** Links created later stay unchanged. If `record` throws, there is no job. */
export async function startListJob(
  scope: WorkspaceScope,
  filters: LinkFilters,
  change: ListChange,
  record?: (tx: Connection) => Promise<void>,
): Promise<ListJob> {
  return await startJob(scope, filters, change, record);
}

export async function startDisablingRefused(scope: WorkspaceScope): Promise<ListJob> {
  assertMay(scope, "destinations.write");
  return await startJob(scope, allLinks, { disabled: true, only: "refused" });
}

async function startJob(
  scope: WorkspaceScope,
  filters: LinkFilters,
  change: StoredChange,
  record?: (tx: Connection) => Promise<void>,
): Promise<ListJob> {
  assertMay(scope, "links.write");
  const { workspacePk, userPk, apiKeyPk } = scope;
  // A job would outlive the key.
  // defence: api-key-starts-no-list-job
  if (userPk === null || apiKeyPk !== null)
    throw new AppError("forbidden", "Only people who are signed in can change a whole list.");
  const cursorId = newUuid();
  const total = await countMatching(scope, filters);
  const id = newId("job");
  const row = await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    if ((await countOpen(tx, workspacePk)) >= openJobsMax) throw tooMany();
    await record?.(tx);
    return await insertJob(tx, {
      id,
      workspace_pk: workspacePk,
      user_pk: userPk,
      filters,
      change,
      total,
      cursor_id: cursorId,
    });
  });
  if (!row) throw new Error("The job was not stored");
  await listWork.enqueue(id);
  return present(row);
}

const previewedMax = 20_000;
const samplesMax = 5;

/** Goes through the newest links of a list, for about a second at most. */
export async function previewReplaceHost(
  scope: WorkspaceScope,
  filters: LinkFilters,
  step: ReplaceHost,
): Promise<HostPreview> {
  assertMay(scope, "links.write");
  const preview: HostPreview = { links: 0, checked: 0, more: false, samples: [] };
  let cursorId: string | undefined = newUuid();
  while (cursorId !== undefined && preview.checked < previewedMax) {
    const page: Awaited<ReturnType<typeof listMatching>> = await listMatching(scope, filters, {
      cursorId,
      limit: stepLinks,
    });
    await addToPreview(scope, page.ids, step, preview);
    cursorId = page.lastId;
  }
  return { ...preview, more: cursorId !== undefined };
}

/** Only links that the actor can see. */
export async function previewReplaceHostOf(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  step: ReplaceHost,
): Promise<HostPreview> {
  assertMay(scope, "links.write");
  const preview: HostPreview = { links: 0, checked: 0, more: false, samples: [] };
  await addToPreview(scope, linkIds, step, preview);
  return preview;
}

async function addToPreview(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  step: ReplaceHost,
  preview: HostPreview,
): Promise<void> {
  const uuids = linkIds.flatMap((id) => parseId("link", id) ?? []);
  // defence: host-preview-of-visible-links
  const rows = await withoutHidden(scope, await findRows(scope.workspacePk, uuids));
  const changes = rows.map((row) => previewHost(row, step)).filter(({ length }) => length > 0);
  preview.checked += rows.length;
  preview.links += changes.length;
  preview.samples.push(...changes.flat().slice(0, samplesMax - preview.samples.length));
}

/** How the destinations of a link would change. */
function previewHost(row: FoundLink, step: ReplaceHost): { from: string; to: string }[] {
  return [...new Set(urlsOfRow(row))].flatMap((from) => {
    const to = withHost(from, step);
    return to === from ? [] : { from, to };
  });
}

function tooMany(): AppError {
  const message = `A workspace can run up to ${openJobsMax} changes of whole lists at once. Wait until one is done.`;
  const params = { max: openJobsMax };
  return new AppError("conflict", message, { problem: "list_jobs_open", params });
}

export async function findListJob(scope: WorkspaceScope): Promise<ListJob | undefined> {
  assertMay(scope, "links.read");
  if (scope.userPk === null) return undefined;
  const row = await findLatest(scope.workspacePk, scope.userPk);
  return row && present(row);
}

export async function dismissListJob(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.read");
  if (scope.userPk !== null) await dismiss(scope.workspacePk, scope.userPk, id);
}

/** Undoes a job, except for links that others have changed. Throws not_found and conflict. */
export async function undoListJob(scope: WorkspaceScope, id: string): Promise<ListJob> {
  assertMay(scope, "links.write");
  const { workspacePk, userPk } = scope;
  const row = await transaction(async (tx) => {
    const found = userPk === null ? undefined : await findJob(workspacePk, userPk, String(id), tx);
    if (!found) throw new AppError("not_found", `Job "${id}" not found in this workspace.`);
    const { undoUntil } = present(found);
    if (undoUntil === null || Date.parse(undoUntil) <= Date.now()) {
      throw new AppError("conflict", "This change can no longer be undone.", {
        problem: "undo_over",
      });
    }
    await markUndo(tx, found.id);
    return await findJob(workspacePk, found.user_pk, found.id, tx);
  });
  if (!row) throw new Error("The job vanished");
  await listWork.enqueue(row.id);
  return present(row);
}

function present(row: ListJobRow): ListJob {
  const { id, state, total, done, changed, refused } = row;
  const [kind, undoUntil] = [kindOf(row.change), undoUntilOf(row)];
  return { id, state, kind, total, done, changed, refused, undoUntil };
}

/** Deleted links can be restored for some minutes, counted from the first one. */
function undoUntilOf({ state, change, changed, created_at, finished_at }: ListJobRow) {
  if ((state !== "done" && state !== "failed") || changed === 0 || !finished_at) return null;
  const until =
    "delete" in change
      ? created_at.getTime() + restoreMinutes * 60_000
      : finished_at.getTime() + keptHours * hourMs;
  return new Date(until).toISOString();
}

async function changeOrUndo(row: ListJobRow): Promise<void> {
  await finish(row, await (row.state === "undoing" ? undoAll(row) : changeAll(row)));
}

async function finish(row: ListJobRow, state: "done" | "failed" | "undone"): Promise<void> {
  await listWork.commit(row, (tx) => finishJob(tx, row.id, state));
}

async function scopeOf(row: ListJobRow): Promise<WorkspaceScope | undefined> {
  const { workspace_pk: workspacePk, user_pk: userPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk: null });
  // defence: list-job-ends-with-permission
  return scope?.permissions.has("links.write") ? scope : undefined;
}

/** Continues from the saved position. The person must have the permission at each step. */
async function changeAll(row: ListJobRow): Promise<"done" | "failed"> {
  for (let cursorId: string | undefined = row.cursor_id; cursorId !== undefined; ) {
    const scope = await scopeOf(row);
    if (!scope) return "failed";
    const page: { ids: string[]; lastId: string | undefined } = await listMatching(
      scope,
      row.filters,
      { cursorId, limit: stepLinks },
    );
    if (page.ids.length > 0) await changeLinks(scope, row, page.ids);
    const { lastId } = page;
    if (lastId !== undefined) await listWork.commit(row, (tx) => moveCursor(tx, row.id, lastId));
    cursorId = lastId;
  }
  return "done";
}

async function changeLinks(scope: WorkspaceScope, row: ListJobRow, ids: string[]): Promise<void> {
  if ("delete" in row.change) {
    await deleteLinksWithUndo(scope, ids, async (tx, deleted) => {
      const refused = ids.length - deleted.length;
      await record(tx, row, { done: ids.length, changed: deleted.length, refused }, deleted);
    });
    return;
  }
  const { only, ...change } = row.change;
  const linkIds = only === "refused" ? await keepRefused(scope, ids) : ids;
  await changeGroup(scope, [{ ...change, linkIds }], async (tx, { outcomes, undo }) => {
    const refused = outcomes.filter(({ ok }) => !ok).length;
    const changed = outcomes.filter((one) => one.ok && one.changed).length;
    await record(tx, row, { done: ids.length, changed, refused }, undo);
  });
}

/** Runs in the transaction of the links: checks the lease, and saves the progress and the undo. */
async function record(
  tx: Connection,
  row: ListJobRow,
  progress: Progress,
  undo: readonly GroupStep[] | readonly string[],
): Promise<void> {
  // defence: list-job-lease
  await listWork.lock(tx, row);
  await addProgress(tx, row.id, progress);
  if (progress.changed === 0) return;
  const { changed } = progress;
  await insertStep(tx, row.id, { changed, undo: await compress(JSON.stringify(undo)) });
}

async function undoAll(row: ListJobRow): Promise<"undone" | "failed"> {
  for (let step = await findLastStep(row.id); step; step = await findLastStep(row.id)) {
    const scope = await scopeOf(row);
    if (!scope) return "failed";
    const { number, changed: done } = step;
    const settle = async (tx: Connection, changed: number) => {
      await listWork.lock(tx, row);
      await addProgress(tx, row.id, { done, changed, refused: done - changed });
      await deleteStep(tx, row.id, number);
    };
    const text = (await expand(step.undo)).toString();
    if ("delete" in row.change) {
      // Sound because `record` stored it.
      const ids: string[] = JSON.parse(text);
      await restoreLinks(scope, ids, (tx, outcomes) =>
        settle(tx, outcomes.filter(({ ok }) => ok).length),
      );
    } else {
      const steps: GroupStep[] = JSON.parse(text);
      await changeGroup(scope, steps, (tx, { outcomes }) =>
        settle(tx, outcomes.filter((one) => one.ok && one.changed).length),
      );
    }
  }
  return "undone";
}
