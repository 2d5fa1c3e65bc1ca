/**
 * Importers: all links of another system are read with a token, and become an import that can be reviewed.
 *
 *     create ──▶ waiting ──due──▶ running ──▶ ready (an import: lib/transfer/imports)
 *                  ▲  │              │  └───▶ failed
 *                  │  └──cancel──────┼──────▶ cancelled
 *                  └─────────────────┘ the other system asked to wait, or its worker stopped reporting
 *
 * Nothing is created from here: preview, results and undo are those of the import. The token is sealed, and deleted with
 * the pages when the importer ends.
 */

import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { isAllowedUrl } from "#lib/platform/safe-fetch";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { importerWork } from "./jobs.ts";
import { importerError } from "./problems.ts";
import { type Importer, type ListImporters, type NewImporter, openImportersMax } from "./schema.ts";
import { sealToken } from "./secrets.ts";
import {
  countOpen,
  finishRow,
  getRow,
  type ImporterRow,
  insertImporter,
  listRows,
} from "./store.ts";

export { importerJobs } from "./jobs.ts";
export { importerPageColumn, importerTokenColumn } from "./secrets.ts";

export async function createImporter(
  scope: WorkspaceScope,
  { system, token, address, clicks }: NewImporter,
): Promise<Importer> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("imports");
  const { userPk, workspacePk, actor } = scope;
  if (userPk === null)
    throw new AppError("forbidden", "Only people who are signed in can start imports.");
  const own = address ? addressOf(address) : null;
  const id = newId("impr");
  await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    if ((await countOpen(tx, workspacePk)) >= openImportersMax) {
      throw importerError("too_many_importers", { max: openImportersMax }, "conflict");
    }
    await insertImporter(tx, scope, {
      id,
      user_pk: userPk,
      system,
      address: own,
      sealed: sealToken(id, token),
      clicks,
      import_id: newId("imp"),
    });
    const details = { name: system, ...(own ? { address: own } : {}) };
    await recordAudit(tx, [{ workspacePk, actor, action: "importer.start", subject: id, details }]);
  });
  await importerWork.enqueue(id);
  return present(await getRow(scope, id));
}

function addressOf(given: string): string {
  const url = new URL(given);
  if (!isAllowedUrl(url)) throw importerError("address_refused");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** For the owner and for admins. Throws not_found. */
export async function getImporter(scope: WorkspaceScope, id: string): Promise<Importer> {
  assertMay(scope, "links.read");
  return present(await getRow(scope, id));
}

/** The actor’s importers, newest first; for admins, all of them. */
export async function listImporters(
  scope: WorkspaceScope,
  { pageSize }: ListImporters,
): Promise<Importer[]> {
  assertMay(scope, "links.read");
  const owner = { workspacePk: scope.workspacePk, creatorPk: onlyCreatorPk(scope) };
  return (await listRows(owner, pageSize)).map(present);
}

export async function cancelImporter(scope: WorkspaceScope, id: string): Promise<Importer> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const { state, system } = await getRow(scope, id, tx);
    if (state !== "waiting" && state !== "running") {
      const message = `This importer can’t be canceled (status: ${state}). Only queued and running ones can.`;
      throw new AppError("conflict", message);
    }
    await finishRow(tx, id, "cancelled", undefined);
    const action = "importer.cancel" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details: { name: system } }]);
  });
  return present(await getRow(scope, id));
}

function present(row: ImporterRow): Importer {
  const { id, system, address, state, found, total, error, problem } = row;
  const waits = state === "waiting" && row.error !== null;
  return {
    id,
    system,
    address,
    state,
    found,
    total,
    resumesAt: waits ? row.resumes_at.toISOString() : null,
    error,
    problem,
    importId: state === "ready" ? row.import_id : null,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
