/**
 * Workspace export: all data of a workspace in one archive, requested by an owner or an admin, streamed by a worker, a
 * page at a time, into a stored file, and kept for some days.
 *
 *     waiting ──taken──▶ running ──▶ done ──stored for days──▶ deleted
 *                  ▲        │  └───▶ failed
 *                  └────────┘ its worker did not report for a minute
 *
 * The row in Postgres is the source of truth: BullMQ only wakes a worker, and a schedule picks up rows that Redis lost.
 * A worker that dies leaves an incomplete file, which is never read; the next one starts over.
 * The export is not a snapshot: rows that change meanwhile are written as they are when their page is read.
 */
import { Readable } from "node:stream";
import { z } from "zod";
import { ZipWriter } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import {
  bytesOf,
  checkFiles,
  FileStoreUnavailable,
  files,
  removeOrphans,
} from "#lib/platform/files";
import { newId, parseId } from "#lib/platform/ids";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { assertMay, reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";
import { filesOf, imageFilesOf } from "./files.ts";
import type { WorkspaceExport } from "./schema.ts";
import {
  deleteExpired,
  finishRow,
  insertRow,
  listExisting,
  listRows,
  listWaiting,
  lockFinish,
  reportRow,
  takeRow,
  type WorkspaceExportRow,
} from "./store.ts";

export const keptDays = 7;
const attemptsMax = 5;
/** An export whose worker did not report for this long may be taken by another. */
const silentSeconds = 60;
const reportEveryMs = 5_000;
const sweepEveryMs = 30_000;
/** A file without a row may be younger than its future row. */
const orphanMs = 3_600_000;
const folder = "takeouts";
/** Of a complete file. */
const ending = ".zip";

const exportJob = defineJob({
  name: "takeout.make",
  schema: z.object({ id: z.string() }),
  handle: ({ id }) => runWorkspaceExport(id),
});

/** The jobs of this module, for a worker. */
export const workspaceExportJobs = [
  exportJob,
  defineJob({
    name: "takeout.sweep",
    schema: z.object({}),
    handle: () => sweepWorkspaceExports(),
    everyMs: sweepEveryMs,
  }),
];

/** Requests an export. Undefined: one is already running. */
export async function startWorkspaceExport(
  scope: WorkspaceScope,
): Promise<WorkspaceExport | undefined> {
  // No key may do this, whatever its scopes: it would be everything at once.
  assertMay(scope, "workspace.export");
  const { workspacePk, workspaceId, userPk, actor } = scope;
  if (userPk === null) throw new AppError("forbidden", "Only users can request an export.");
  const row = await transaction(async (tx) => {
    const inserted = await insertRow(tx, newId("out"), workspacePk, userPk);
    if (!inserted) return undefined;
    const action = "workspace.export";
    await recordAudit(tx, [{ workspacePk, actor, action, subject: workspaceId }]);
    return inserted;
  });
  if (!row) return undefined;
  // Without Redis the schedule picks up the row.
  await enqueue(exportJob, { id: row.id }, row.id).catch(() => undefined);
  return present(row);
}

/** The existing exports, newest first. */
export async function listWorkspaceExports(scope: WorkspaceScope): Promise<WorkspaceExport[]> {
  assertMay(scope, "workspace.export");
  return (await listRows(scope.workspacePk, keptDays)).map(present);
}

export interface WorkspaceExportFile {
  name: string;
  bytes: number;
  /** A signed address for downloading it from the store. */
  url: string | undefined;
  stream: () => Promise<NodeJS.ReadableStream>;
}

/** The file of an export of this workspace. Throws not_found for others, and for an expired one. */
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

/** Runs an export that waits, or whose worker stopped reporting. Safe to run twice and concurrently. */
export async function runWorkspaceExport(id: string): Promise<void> {
  // While files cannot be stored, no attempt is counted.
  if (!(await checkFiles())) return;
  const row = await takeRow(id, silentSeconds);
  if (!row) return;
  if (row.attempts > attemptsMax) {
    await finish(row, { state: "failed", error: "The export stopped unexpectedly several times." });
    return;
  }
  const scope = await reopenScope({
    workspacePk: row.workspace_pk,
    userPk: row.user_pk,
    apiKeyPk: null,
  });
  if (!scope?.permissions.has("workspace.export")) {
    await finish(row, {
      state: "failed",
      error: "The person who requested the export can no longer access it.",
    });
    return;
  }
  try {
    const { bytes, rows } = await write(scope, row);
    await finish(row, { state: "done", bytes, done: rows });
  } catch (error) {
    // It is taken again once it is overdue.
    if (error instanceof FileStoreUnavailable) return;
    log.error({ event: "takeout.failed", id, error: String(error) });
    await finish(row, { state: "failed", error: "The export couldn’t be written. See the log." });
  }
}

async function write(
  scope: WorkspaceScope,
  row: WorkspaceExportRow,
): Promise<{ bytes: number; rows: number }> {
  let rows = 0;
  const pulse = setInterval(() => {
    reportRow(row.id, row.attempts, rows).catch(() => undefined); // the next report replaces it
  }, reportEveryMs);
  try {
    const count = (more: number) => {
      rows += more;
    };
    const bytes = await files().write(fileOf(row.id), async (add) => {
      const zip = new ZipWriter(add);
      for (const { name, produce } of filesOf(scope, count)) await zip.add(name, produce);
      for await (const { name, produce } of imageFilesOf(scope)) await zip.add(name, produce);
      await zip.end();
    });
    return { bytes, rows };
  } finally {
    clearInterval(pulse);
  }
}

type ExportOutcome =
  | { state: "done"; bytes: number; done: number }
  | { state: "failed"; error: string };

/** Ends the export and notifies its requester, in one transaction; does nothing when another worker took it over. */
async function finish(row: WorkspaceExportRow, end: ExportOutcome): Promise<void> {
  await transaction(async (tx) => {
    if (!(await lockFinish(tx, row.id, row.attempts))) return;
    await finishRow(tx, row.id, end);
    await addNotification(tx, {
      workspacePk: row.workspace_pk,
      userPk: row.user_pk,
      kind: end.state === "done" ? "takeout.done" : "takeout.failed",
      subject: row.id,
    });
  });
}

/** Restarts exports without a worker, and deletes expired ones. */
export async function sweepWorkspaceExports(now = Date.now()): Promise<void> {
  for (const id of await listWaiting(silentSeconds)) await runWorkspaceExport(id);
  await deleteExpired(keptDays);
  await removeOrphans({ folder, ending, listNeeded: listExisting, orphanMs, now });
}

function fileOf(id: string): string {
  return `${folder}/${id}${ending}`;
}

function present(row: WorkspaceExportRow): WorkspaceExport {
  const { id, done, bytes, error, created_at, finished_at } = row;
  const states = ["waiting", "running", "done", "failed"] as const;
  const expires = finished_at && new Date(finished_at.getTime() + keptDays * 86_400_000);
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
