/**
 * Imports: a file of links is uploaded, previewed, and processed by a worker.
 *
 *     upload ──▶ ready ──start──▶ waiting ──taken──▶ running ──▶ done
 *                                    ▲  │              │  ├───▶ failed
 *                                    │  └──cancel──────┼──┴───▶ cancelled
 *                                    └─────────────────┘ its worker stopped reporting
 *
 * Postgres is the source of truth: state, position in the file and the outcome of each row. The file is in the data
 * folder, as rows that can be read from any position (table.ts). A chunk of rows is one transaction with the links,
 * their outcomes and the next position (jobs.ts), so after a crash no row is created twice and none is skipped. Each
 * import runs in a process of its own (workers/import.ts), so that it does not slow down the counting of clicks.
 */
import { startListJob } from "#lib/links/list-jobs";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { countLinksQuery } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { discardFile } from "#lib/platform/files";
import { transaction } from "#lib/platform/postgres";
import { assertMay, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { assertMapping, withChanges } from "./changes.ts";
import { turnForwardingOn, turnsForwardingOn } from "./dub.ts";
import { fileOf } from "./file.ts";
import { endImport, importWork } from "./jobs.ts";
import { maskHead } from "./passwords.ts";
import { presentImport, presentSummary } from "./present.ts";
import { findObstacle, previewOf } from "./preview.ts";
import { asImportError, importError } from "./problems.ts";
import {
  type ChangeImport,
  type Import,
  type ImportSummary,
  type ListImports,
  type Preview,
  type Upload,
  undoHours,
} from "./schema.ts";
import {
  deleteRow,
  getRow,
  type ImportRow,
  listRows,
  markUndone,
  markWaiting,
  updateSettings,
} from "./store.ts";
import { storeFile } from "./storing.ts";

export { importJobs, runImport } from "./jobs.ts";
export { listRefusedRows, openResults } from "./results.ts";
export { storeSource } from "./storing.ts";

/**
 * Stores a file of the workspace, and describes its contents. `declaredBytes`: the length announced by the client.
 * Throws when the file is not accepted.
 */
export async function uploadImport(
  scope: WorkspaceScope,
  body: ReadableStream<Uint8Array> | null,
  change: Upload,
  { declaredBytes = 0, signal }: { declaredBytes?: number; signal?: AbortSignal } = {},
): Promise<Import> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("imports");
  const { userPk } = scope;
  if (userPk === null)
    throw new AppError("forbidden", "Only people who are signed in can upload files.");
  return presentImport(await storeFile(scope, body, { ...change, userPk, declaredBytes, signal }));
}

/** The import, for its owner and for admins. Throws not_found. */
export async function getImport(scope: WorkspaceScope, id: string): Promise<Import> {
  assertMay(scope, "links.read");
  return presentImport(await getRow(scope, id));
}

/** A page of the actor’s imports, newest first; for admins, of all. */
export async function listImports(
  scope: WorkspaceScope,
  { page, pageSize }: ListImports,
): Promise<ImportSummary[]> {
  assertMay(scope, "links.read");
  const owner = { workspacePk: scope.workspacePk, creatorPk: onlyCreatorPk(scope) };
  const rows = await listRows(owner, (page - 1) * pageSize, pageSize);
  return rows.map((row) => presentSummary(row));
}

/** Sets the fields of columns and the options, before an import is started. */
export async function changeImport(
  scope: WorkspaceScope,
  id: string,
  { mapping, options }: ChangeImport,
): Promise<Import> {
  assertMay(scope, "links.write");
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    assertReady(row);
    const chosen = mapping ?? row.mapping;
    assertMapping(chosen, row.width);
    const settled = withChanges(row.options, options);
    if (settled.heading && row.records === 1) {
      throw importError("heading_alone");
    }
    // defence: first-row-passwords-masked
    const head = maskHead({ ...row, mapping: chosen, options: settled });
    await updateSettings(tx, { id, mapping: chosen, options: settled, head });
  });
  return await getImport(scope, id);
}

function assertReady({ state }: ImportRow): void {
  if (state === "ready") return;
  const message = `This import was already started (status: ${state}). Upload the file again to import it differently.`;
  throw new AppError("conflict", message);
}

/** The first rows as links, and the problems of the others. */
export async function previewImport(scope: WorkspaceScope, id: string): Promise<Preview> {
  assertMay(scope, "links.write");
  const row = await getRow(scope, id);
  assertReady(row);
  return await previewOf(scope, row);
}

/** Lets a worker create the links. */
export async function startImport(scope: WorkspaceScope, id: string): Promise<Import> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("imports");
  const { workspacePk, userPk, apiKeyPk, actor } = scope;
  if (userPk === null)
    throw new AppError("forbidden", "Only people who are signed in can start imports.");
  const turnsOn = await turnsForwardingOn(scope, await getRow(scope, id));
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    assertReady(row);
    const obstacle = await findObstacle(scope, row);
    if (obstacle) throw asImportError(obstacle);
    await markWaiting(tx, id, { userPk, apiKeyPk });
    const details = { name: row.name, rows: presentSummary(row).rows };
    await recordAudit(tx, [{ workspacePk, actor, action: "import.start", subject: id, details }]);
  });
  if (turnsOn) await turnForwardingOn(scope);
  await importWork.enqueue(id);
  return await getImport(scope, id);
}

/** Stops an import: created links stay, and its results are available. */
export async function cancelImport(scope: WorkspaceScope, id: string): Promise<Import> {
  assertMay(scope, "links.write");
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    if (row.state !== "waiting" && row.state !== "running") {
      const message = `This import can’t be canceled (status: ${row.state}). Only queued and running imports can.`;
      throw new AppError("conflict", message);
    }
    await endImport(tx, row, { state: "cancelled", by: scope.actor });
  });
  return await getImport(scope, id);
}

/** Deletes file and results. The links stay. */
export async function deleteImport(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    if (row.state === "waiting" || row.state === "running") {
      throw new AppError(
        "conflict",
        `This import isn’t finished yet (status: ${row.state}). Cancel it first.`,
      );
    }
    await deleteRow(tx, id);
    const details = { name: row.name };
    await recordAudit(tx, [{ workspacePk, actor, action: "import.delete", subject: id, details }]);
  });
  await discardFile(fileOf(id));
  return { id };
}

/**
 * Deletes the links that an import created, as far as they exist and the actor may delete them; links that it reused
 * stay. The deletion is a job, which can be undone itself for some minutes.
 */
export async function undoImport(scope: WorkspaceScope, id: string): Promise<ListJob> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await getRow(scope, id);
  const filters = countLinksQuery.parse({ importId: id, showArchived: "true" });
  return await startListJob(scope, filters, { delete: true }, async (tx) => {
    const row = await getRow(scope, id, tx);
    const { undoUntil } = presentSummary(row);
    if (undoUntil === null || Date.parse(undoUntil) <= Date.now()) throw undoOver();
    if (!(await markUndone(tx, id))) throw undoOver();
    const details = { name: row.name, made: row.made };
    await recordAudit(tx, [{ workspacePk, actor, action: "import.undo", subject: id, details }]);
  });
}

function undoOver(): AppError {
  const message = `This import can’t be undone. Imports can be undone for ${undoHours} hours after their end, once.`;
  return new AppError("conflict", message, { problem: "undo_over" });
}
