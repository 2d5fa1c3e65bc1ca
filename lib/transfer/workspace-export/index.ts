/**
 * Workspace export: all data of a workspace in one archive, requested by an owner or an admin, streamed by a worker, a
 * page at a time, into a stored file, and kept for some days.
 *
 *     waiting ──▶ running ──▶ done ──stored for days──▶ deleted
 *                    └──────▶ failed
 *
 * A worker that dies (platform/leases) leaves an incomplete file, which is never read; the next one starts over.
 * The export is not a snapshot: rows that change meanwhile are written as they are when their page is read.
 */

import { Readable } from "node:stream";
import { z } from "zod";
import { newId, parseId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { ZipWriter } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import {
  bytesOf,
  checkFiles,
  FileStoreUnavailable,
  files,
  removeOrphans,
} from "#lib/platform/files";
import { AttemptsUsed, LeasedWork } from "#lib/platform/leases";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";
import { filesOf, imageFilesOf } from "./files.ts";
import type { WorkspaceExport } from "./schema.ts";
import {
  columns,
  deleteExpired,
  finishRow,
  insertRow,
  listExisting,
  listRows,
  reportRows,
  type WorkspaceExportRow,
} from "./store.ts";

export const keptDays = 7;
const reportEveryMs = 5_000;
const sweepEveryMs = 30_000;
/** A file may be older than its row. */
const orphanMs = 3_600_000;
const folder = "takeouts";
/** Only complete files have it. */
const ending = ".zip";

const exportWork = new LeasedWork<WorkspaceExportRow>({
  job: "takeout.make",
  requeue: { job: "takeout.requeue", everyMs: sweepEveryMs },
  // Open ones are answered by takeout_open.
  table: "takeout",
  columns,
  states: { waiting: "running" },
  set: "done = 0",
  silentSeconds: 60,
  attemptsMax: 5,
  isReady: checkFiles,
  work: exportAll,
  settle,
});

export const runWorkspaceExport = (id: string) => exportWork.run(id);

export const workspaceExportJobs = [
  ...exportWork.jobs,
  defineJob({
    name: "takeout.sweep",
    schema: z.object({}),
    handle: () => sweepWorkspaceExports(),
    everyMs: sweepEveryMs,
  }),
];

/** Undefined if an export is already running. */
export async function startWorkspaceExport(
  scope: WorkspaceScope,
): Promise<WorkspaceExport | undefined> {
  // No key may do this, whatever its scopes, because it would get everything at once.
  assertMay(scope, "workspace.export");
  const { workspacePk, workspaceId, userPk, actor } = scope;
  if (userPk === null)
    throw new AppError("forbidden", "Only people who are signed in can request an export.");
  const row = await transaction(async (tx) => {
    const inserted = await insertRow(tx, newId("out"), workspacePk, userPk);
    if (!inserted) return undefined;
    const action = "workspace.export";
    await recordAudit(tx, [{ workspacePk, actor, action, subject: workspaceId }]);
    return inserted;
  });
  if (!row) return undefined;
  await exportWork.enqueue(row.id);
  return present(row);
}

export async function listWorkspaceExports(scope: WorkspaceScope): Promise<WorkspaceExport[]> {
  assertMay(scope, "workspace.export");
  return (await listRows(scope.workspacePk, keptDays)).map(present);
}

export interface WorkspaceExportFile {
  name: string;
  bytes: number;
  /** A signed address in the store. */
  url: string | undefined;
  stream: () => Promise<NodeJS.ReadableStream>;
}

/** For exports of this workspace. Throws not_found for others and for expired ones. */
export async function openWorkspaceExport(
  scope: WorkspaceScope,
  id: string,
): Promise<WorkspaceExportFile> {
  assertMay(scope, "workspace.export");
  const missing = new AppError("not_found", `Export "${id}" not found in this workspace.`);
  if (parseId("out", id) === undefined) throw missing;
  const rows = await listRows(scope.workspacePk, keptDays);
  const row = rows.find((one) => one.id === id && one.state === "done");
  const found = row && (await files().find(fileOf(id)));
  if (!found) throw missing;
  const day = row.created_at.toISOString().slice(0, 10);
  const name = `fuxi-${scope.slug}-${day}.zip`;
  return {
    name,
    bytes: found.bytes,
    url: await files().addressOf(fileOf(id), name),
    stream: async () => Readable.from(bytesOf(await files().open(fileOf(id)))),
  };
}

async function exportAll(row: WorkspaceExportRow): Promise<void> {
  const { workspace_pk: workspacePk, user_pk: userPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk: null });
  if (!scope?.permissions.has("workspace.export")) {
    const error = "The person who requested the export can no longer access it.";
    return await finish(row, { state: "failed", error });
  }
  const { bytes, rows } = await write(scope, row);
  await finish(row, { state: "done", bytes, done: rows });
}

async function settle(row: WorkspaceExportRow, error: unknown): Promise<void> {
  if (error instanceof FileStoreUnavailable) throw error;
  const isUsed = error instanceof AttemptsUsed;
  if (!isUsed) log.error({ event: "takeout.failed", id: row.id, error: String(error) });
  const problem = isUsed
    ? "The export stopped unexpectedly several times."
    : "The export couldn’t be written. See the log.";
  await finish(row, { state: "failed", error: problem });
}

async function write(
  scope: WorkspaceScope,
  row: WorkspaceExportRow,
): Promise<{ bytes: number; rows: number }> {
  let rows = 0;
  let reportedAt = Date.now();
  const count = async (more: number) => {
    rows += more;
    if (Date.now() - reportedAt < reportEveryMs) return;
    reportedAt = Date.now();
    await exportWork.commit(row, (tx) => reportRows(tx, row.id, rows));
  };
  const bytes = await files().write(fileOf(row.id), async (add) => {
    const zip = new ZipWriter(add);
    for (const { name, produce } of filesOf(scope, count)) await zip.add(name, produce);
    for await (const { name, produce } of imageFilesOf(scope)) await zip.add(name, produce);
    await zip.end();
  });
  return { bytes, rows };
}

type ExportOutcome =
  | { state: "done"; bytes: number; done: number }
  | { state: "failed"; error: string };

async function finish(row: WorkspaceExportRow, end: ExportOutcome): Promise<void> {
  await exportWork.commit(row, async (tx) => {
    await finishRow(tx, row.id, end);
    await addNotification(tx, {
      workspacePk: row.workspace_pk,
      userPk: row.user_pk,
      kind: end.state === "done" ? "takeout.done" : "takeout.failed",
      subject: row.id,
    });
  });
}

/** Deletes expired exports, and files without a row. */
export async function sweepWorkspaceExports(now = Date.now()): Promise<void> {
  await deleteExpired(keptDays);
  await removeOrphans({ folder, ending, listNeeded: listExisting, orphanMs, now });
}

function fileOf(id: string): string {
  return `${folder}/${id}${ending}`;
}

function present(row: WorkspaceExportRow): WorkspaceExport {
  const { id, done, bytes, error, created_at, finished_at } = row;
  const states = ["waiting", "running", "done", "failed"] as const;
  const expires = finished_at && new Date(finished_at.getTime() + keptDays * dayMs);
  return {
    id,
    state: states.find((state) => state === row.state) ?? "failed",
    done,
    bytes,
    error,
    createdAt: created_at.toISOString(),
    expiresAt: expires?.toISOString() ?? null,
  };
}
