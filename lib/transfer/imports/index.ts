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

import { dayMs, hourMs } from "#lib/basics/time/schema";
import { startListJob } from "#lib/links/list-jobs";
import type { ListJob } from "#lib/links/list-jobs/schema";
import { countMatching } from "#lib/links/reading";
import { countLinksQuery } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { discardFile } from "#lib/platform/files";
import { transaction } from "#lib/platform/postgres";
import { assertMay, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { turnForwardingOn, turnsForwardingOn } from "./dub.ts";
import { fileOf } from "./file.ts";
import { endImport, importWork } from "./jobs.ts";
import { maskHead } from "./passwords.ts";
import { findObstacle, previewOf } from "./preview.ts";
import { asImportError, importError } from "./problems.ts";
import {
  type ChangeImport,
  type Import,
  type ImportOptions,
  type ImportSummary,
  keptDays,
  type ListImports,
  type Preview,
  type Upload,
  undoHours,
  usualOptions,
} from "./schema.ts";
import {
  deleteRow,
  getRow,
  type ImportRow,
  listRows,
  markUndone,
  markWaiting,
  type SummaryRow,
  updateSettings,
} from "./store.ts";
import { storeFile } from "./upload.ts";

export { importJobs, runImport } from "./jobs.ts";
export { listRefusedRows, openResults } from "./results.ts";
export { storeSource } from "./upload.ts";

/** `declaredBytes` comes from the client. Throws if the file is not accepted. */
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

/** For the owner and for admins. Throws not_found. */
export async function getImport(scope: WorkspaceScope, id: string): Promise<Import> {
  assertMay(scope, "links.read");
  const row = await getRow(scope, id);
  return presentImport(row, undoUntilOf(row) === null ? 0 : await countMatching(scope, madeBy(id)));
}

/** The links that an import created and that were not deleted since. */
function madeBy(id: string) {
  return countLinksQuery.parse({ importId: id, showArchived: "true" });
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

export async function previewImport(scope: WorkspaceScope, id: string): Promise<Preview> {
  assertMay(scope, "links.write");
  const row = await getRow(scope, id);
  assertReady(row);
  return await previewOf(scope, row);
}

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

/** Created links stay, and the results are available. */
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

export async function deleteImport(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    if (row.state === "waiting" || row.state === "running") {
      const message = `This import isn’t finished yet (status: ${row.state}). Cancel it first.`;
      throw new AppError("conflict", message);
    }
    await deleteRow(tx, id);
    const details = { name: row.name };
    await recordAudit(tx, [{ workspacePk, actor, action: "import.delete", subject: id, details }]);
  });
  await discardFile(fileOf(id));
  return { id };
}

/** Reused links stay. The deletion is a job, which can be undone itself for some minutes. */
export async function undoImport(scope: WorkspaceScope, id: string): Promise<ListJob> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await getRow(scope, id);
  return await startListJob(scope, madeBy(id), { delete: true }, async (tx) => {
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

function withChanges(before: ImportOptions, changes: ChangeImport["options"] = {}): ImportOptions {
  return {
    heading: changes.heading ?? before.heading,
    domain: changes.domain === undefined ? before.domain : changes.domain || null,
    otherDomain:
      changes.otherDomain === undefined
        ? (before.otherDomain ?? null)
        : changes.otherDomain || null,
    domains: changes.domains ?? before.domains ?? {},
    folderId: changes.folderId === undefined ? before.folderId : changes.folderId || null,
    tagIds: changes.tagIds ?? before.tagIds,
    onTakenKey: changes.onTakenKey ?? before.onTakenKey,
    onMissingName: changes.onMissingName ?? before.onMissingName,
  };
}

function assertMapping(mapping: ImportRow["mapping"], width: number): void {
  if (mapping.length !== width) {
    const message = `mapping: The file has ${width} columns, so send ${width} fields. Use null for columns to skip.`;
    throw new AppError("unprocessable_entity", message);
  }
  const seen = new Set<string>();
  for (const field of mapping) {
    if (field === null) continue;
    if (seen.has(field)) {
      throw importError("field_twice", { field });
    }
    seen.add(field);
  }
}

const shownCellChars = 200;

function presentSummary(row: SummaryRow, now = Date.now()): ImportSummary {
  const { id, name, state, bytes, done, made, reused, refused, error, problem } = row;
  const rows = row.records - (row.options.heading ? 1 : 0);
  const rate = rateOf(row, now);
  const isOpen = state === "waiting" || state === "running";
  const over = (row.finished_at ?? row.created_at).getTime() + keptDays * dayMs;
  return {
    id,
    name,
    state,
    bytes,
    rows,
    done,
    made,
    reused,
    refused,
    rowsPerSecond: rate,
    secondsLeft: state === "running" && rate ? Math.ceil((rows - done) / rate) : null,
    error,
    problem,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: isOpen ? null : new Date(over).toISOString(),
    undoUntil: undoUntilOf(row),
    undoneAt: row.undone_at?.toISOString() ?? null,
  };
}

function undoUntilOf({ finished_at, made, reused, undone_at }: SummaryRow): string | null {
  if (!finished_at || made === reused || undone_at) return null;
  return new Date(finished_at.getTime() + undoHours * hourMs).toISOString();
}

function rateOf({ started_at, finished_at, done }: SummaryRow, now: number): number | null {
  if (!started_at || done === 0) return null;
  const seconds = ((finished_at?.getTime() ?? now) - started_at.getTime()) / 1_000;
  return seconds > 0 ? Math.round(done / seconds) : null;
}

function presentImport(row: ImportRow, undoLinks = 0): Import {
  const { width, mapping, options, encoding, delimiter, source } = row;
  // defence: sample-passwords-masked
  const shown = maskHead(row).map((cells) => cells.map((cell) => cell.slice(0, shownCellChars)));
  const rows = shown.slice(options.heading ? 1 : 0);
  return {
    ...presentSummary(row),
    encoding,
    delimiter,
    columns: Array.from({ length: width }, (_, at) => ({
      name: (options.heading && shown[0]?.[at]) || `Column ${at + 1}`,
      samples: rows.map((cells) => cells[at] ?? "").filter((cell) => cell !== ""),
    })),
    mapping,
    // Imports of an earlier version have fewer options.
    options: { ...usualOptions, ...options },
    source,
    undoLinks,
    firstRows: rows,
  };
}
