/** The SQL of importers: transactions, and expirations by the clock of the database. */

import { parseId } from "#lib/basics/ids";
import { AppError, type ErrorProblem } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import type { Problem } from "./problems.ts";
import type { ImporterState, SystemName } from "./schema.ts";

export interface Counts {
  domains?: Record<string, number>;
  /** Links per property and reason. A space separates the two in a key. */
  leftOut?: Record<string, number>;
  fields?: Record<string, true>;
}

export interface ImporterRow {
  id: string;
  workspace_pk: number;
  user_pk: number;
  api_key_pk: number | null;
  system: SystemName;
  address: string | null;
  sealed: Buffer | null;
  clicks: boolean;
  state: ImporterState;
  cursor: unknown;
  pages: number;
  found: number;
  total: number | null;
  counts: Counts;
  failures: number;
  attempts: number;
  import_id: string;
  error: string | null;
  problem: ErrorProblem | null;
  created_at: Date;
  resumes_at: Date;
  finished_at: Date | null;
}

export const columns = `id, workspace_pk, user_pk, api_key_pk, system, address, sealed, clicks, state, cursor, pages, found,
  total, counts, failures, attempts, import_id, error, problem, created_at, resumes_at, finished_at`;

export async function insertImporter(
  tx: Connection,
  { workspacePk, apiKeyPk }: WorkspaceScope,
  row: Pick<
    ImporterRow,
    "id" | "user_pk" | "system" | "address" | "sealed" | "clicks" | "import_id"
  >,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO importer (
      id, workspace_pk, user_pk, api_key_pk, system, address, sealed, clicks, import_id
    )
    VALUES (
      ${row.id}, ${workspacePk}, ${row.user_pk}, ${apiKeyPk}, ${row.system}, ${row.address},
      ${row.sealed}, ${row.clicks}, ${row.import_id}
    )`);
}

export async function countOpen(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by importer_workspace_pk_created_at_idx.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM importer
    WHERE workspace_pk = ${workspacePk}
      AND state IN ('waiting', 'running')`);
  return row?.count ?? 0;
}

/** For the owner and for admins; in a transaction, locked. Throws not_found. */
export async function getRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<ImporterRow> {
  const [row] = parseId("impr", id)
    ? await query.on(tx).query<ImporterRow>({
        // Answered by importer_pkey.
        text: `
          SELECT ${columns}
          FROM importer
          WHERE id = $1
            AND workspace_pk = $2
          ${tx ? "FOR UPDATE" : ""}`,
        values: [id, scope.workspacePk],
      })
    : [];
  const creatorPk = onlyCreatorPk(scope);
  // defence: reading-of-starter
  if (row && (creatorPk === null || row.user_pk === creatorPk)) return row;
  throw new AppError("not_found", `Importer "${id}" not found in this workspace.`);
}

/** One person’s, newest first; everyone’s if null. */
export function listRows(
  { workspacePk, creatorPk }: { workspacePk: number; creatorPk: number | null },
  size: number,
): Promise<ImporterRow[]> {
  return query<ImporterRow>({
    // Answered by importer_workspace_pk_created_at_idx.
    text: `
      SELECT ${columns}
      FROM importer
      WHERE workspace_pk = $1
        AND ($2::int IS NULL OR user_pk = $2)
      ORDER BY created_at DESC, id DESC
      LIMIT $3`,
    values: [workspacePk, creatorPk, size],
  });
}

export interface PageResult {
  sealed: Buffer;
  cursor: object | null;
  found: number;
  total: number | null;
  counts: Counts;
}

export async function recordPage(
  tx: Connection,
  { id, pages }: Pick<ImporterRow, "id" | "pages">,
  { sealed, cursor, found, total, counts }: PageResult,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO importer_page (importer_id, number, sealed)
    VALUES (${id}, ${pages}, ${sealed})`);
  await tx.query(sql`
    UPDATE importer
    SET cursor = ${JSON.stringify(cursor)}::jsonb, pages = pages + 1, found = ${found},
      total = ${total}, counts = ${JSON.stringify(counts)}::jsonb, failures = 0, error = NULL,
      problem = NULL, seen_at = now()
    WHERE id = ${id}`);
}

/** The row must be locked. */
export async function postpone(
  tx: Connection,
  id: string,
  { seconds, why, isFailure }: { seconds: number; why: Problem; isFailure: boolean },
): Promise<void> {
  await tx.query(sql`
    UPDATE importer
    SET state = 'waiting', resumes_at = now() + ${seconds} * interval '1 second',
      failures = failures + ${isFailure ? 1 : 0}, error = ${why.message},
      problem = ${JSON.stringify(why.problem)}::jsonb
    WHERE id = ${id}`);
}

/** Deletes the token and the pages. The row must be locked. */
export async function finishRow(
  tx: Connection,
  id: string,
  state: "ready" | "failed" | "cancelled",
  why: Problem | undefined,
): Promise<void> {
  // defence: importer-token-erased
  await tx.query(sql`
    UPDATE importer
    SET state = ${state}, sealed = NULL, cursor = NULL, error = ${why?.message ?? null},
      problem = ${why ? JSON.stringify(why.problem) : null}::jsonb, finished_at = now()
    WHERE id = ${id}`);
  await tx.query(sql`DELETE FROM importer_page WHERE importer_id = ${id}`);
}

export async function getPage(id: string, number: number): Promise<Buffer> {
  // Answered by importer_page_pkey.
  const [row] = await query<{ sealed: Buffer }>(sql`
    SELECT sealed
    FROM importer_page
    WHERE importer_id = ${id}
      AND number = ${number}`);
  if (!row) throw new Error("A page of an importer is missing");
  return row.sealed;
}

export async function deleteExpired(days: number): Promise<void> {
  // A few rows per workspace and week: no index.
  await query(sql`DELETE FROM importer WHERE finished_at <= now() - ${days} * interval '1 day'`);
}
