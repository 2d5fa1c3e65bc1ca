/** SQL, because the process of an import loads no Prisma. */

import { parseId } from "#lib/basics/ids";
import { AppError, type ErrorProblem } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Encoding } from "#lib/platform/tables";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import type { FieldName } from "./fields.ts";
import type { ImportProblem } from "./problems.ts";
import type { ImportOptions, ImportSource, ImportState } from "./schema.ts";

export interface SummaryRow {
  id: string;
  workspace_pk: number;
  user_pk: number;
  api_key_pk: number | null;
  name: string;
  bytes: number;
  records: number;
  options: ImportOptions;
  state: ImportState;
  position: number;
  done: number;
  made: number;
  reused: number;
  refused: number;
  error: string | null;
  problem: ErrorProblem | null;
  attempts: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  undone_at: Date | null;
}

export interface ImportRow extends SummaryRow {
  encoding: Encoding;
  delimiter: string;
  width: number;
  head: string[][];
  mapping: (FieldName | null)[];
  source: ImportSource | null;
}

const summaryColumns = `id, workspace_pk, user_pk, api_key_pk, name, bytes, records, options, state, position, done,
  made, reused, refused, error, problem, attempts, created_at, started_at, finished_at, undone_at`;
export const columns = `${summaryColumns}, encoding, delimiter, width, head, mapping, source`;

type NewImportRow = Pick<
  ImportRow,
  | "id"
  | "name"
  | "bytes"
  | "records"
  | "options"
  | "encoding"
  | "delimiter"
  | "width"
  | "head"
  | "source"
> & { mapping: readonly (FieldName | null)[]; userPk: number };

export async function insertRow(
  tx: Connection,
  { workspacePk, apiKeyPk }: WorkspaceScope,
  row: NewImportRow,
): Promise<ImportRow> {
  const [inserted] = await tx.query<ImportRow>({
    text: `
      INSERT INTO import (
        id, workspace_pk, user_pk, api_key_pk, name, bytes, encoding, delimiter, records, width, head, mapping,
        options, source
      )
      VALUES (
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12::jsonb, $13::jsonb, $14::jsonb
      )
      RETURNING ${columns}`,
    values: [
      row.id,
      workspacePk,
      row.userPk,
      apiKeyPk,
      row.name,
      row.bytes,
      row.encoding,
      row.delimiter,
      row.records,
      row.width,
      JSON.stringify(row.head),
      JSON.stringify(row.mapping),
      JSON.stringify(row.options),
      row.source && JSON.stringify(row.source),
    ],
  });
  if (!inserted) throw new Error("An insert returned no row");
  return inserted;
}

export async function countStored(
  workspacePk: number,
  tx?: Connection,
): Promise<{ imports: number; bytes: number }> {
  // Answered by import_workspace_pk_created_at_idx.
  const [kept] = await query.on(tx).query<{ imports: number; bytes: number }>(sql`
    SELECT count(*) AS imports, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM import
    WHERE workspace_pk = ${workspacePk}`);
  return kept ?? { imports: 0, bytes: 0 };
}

/** The stored bytes of all workspaces. In a transaction, concurrent uploads wait for each other. */
export async function sumStoredBytes(tx?: Connection): Promise<number> {
  if (tx) await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('import_files'))`);
  // Needs no index: there are only a few rows per workspace.
  const [stored] = await query
    .on(tx)
    .query<{ bytes: number }>(sql`SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM import`);
  return stored?.bytes ?? 0;
}

/** In a transaction, locks the row. */
export async function findRow(
  workspacePk: number,
  id: string,
  tx?: Connection,
): Promise<ImportRow | undefined> {
  return await query.on(tx).one<ImportRow>({
    // Answered by import_pkey.
    text: `
      SELECT ${columns}
      FROM import
      WHERE id = $1
        AND workspace_pk = $2
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk],
  });
}

/** Only for the owner and admins, because others may not see its links. Throws not_found. */
export async function getRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<ImportRow> {
  const row = parseId("imp", id) && (await findRow(scope.workspacePk, id, tx));
  const creatorPk = onlyCreatorPk(scope);
  // defence: import-of-uploader
  if (row && (creatorPk === null || row.user_pk === creatorPk)) return row;
  throw new AppError("not_found", `Import "${id}" not found in this workspace.`);
}

/** One person’s; everyone’s if null. */
export function listRows(
  { workspacePk, creatorPk }: { workspacePk: number; creatorPk: number | null },
  skip: number,
  size: number,
): Promise<SummaryRow[]> {
  return query<SummaryRow>({
    // Answered by import_workspace_pk_created_at_idx.
    // defence: imports-of-uploader
    text: `
      SELECT ${summaryColumns}
      FROM import
      WHERE workspace_pk = $1
        AND ($2::int IS NULL OR user_pk = $2)
      ORDER BY created_at DESC, id DESC
      OFFSET $3
      LIMIT $4`,
    values: [workspacePk, creatorPk, skip, size],
  });
}

export async function updateSettings(
  tx: Connection,
  { id, mapping, options, head }: Pick<ImportRow, "id" | "mapping" | "options" | "head">,
): Promise<void> {
  await tx.query(sql`
    UPDATE import
    SET mapping = ${JSON.stringify(mapping)}::jsonb, options = ${JSON.stringify(options)}::jsonb,
      head = ${JSON.stringify(head)}::jsonb
    WHERE id = ${id}`);
}

/** The person who starts it becomes its owner. */
export async function markWaiting(
  tx: Connection,
  id: string,
  by: { userPk: number; apiKeyPk: number | null },
): Promise<void> {
  await tx.query(sql`
    UPDATE import
    SET state = 'waiting', started_at = now(), seen_at = now(), user_pk = ${by.userPk},
      api_key_pk = ${by.apiKeyPk}
    WHERE id = ${id}`);
}

export async function finishRow(
  tx: Connection,
  id: string,
  state: "done" | "failed" | "cancelled",
  problem: ImportProblem | undefined,
): Promise<void> {
  await tx.query(sql`
    UPDATE import
    SET state = ${state}, error = ${problem?.message ?? null},
      problem = ${problem ? JSON.stringify(problem.problem) : null}::jsonb, finished_at = now()
    WHERE id = ${id}`);
}

/** False if it was undone before. */
export async function markUndone(tx: Connection, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    UPDATE import
    SET undone_at = now()
    WHERE id = ${id}
      AND undone_at IS NULL
    RETURNING 1`);
  return rows.length === 1;
}

/** Ended imports whose file may still have passwords. */
export function listUnerased(count: number): Promise<ImportRow[]> {
  return query<ImportRow>({
    // A few rows per workspace and week: no index.
    text: `
      SELECT ${columns}
      FROM import
      WHERE state IN ('done', 'failed', 'cancelled')
        AND passwords_erased_at IS NULL
      ORDER BY finished_at
      LIMIT $1`,
    values: [count],
  });
}

export async function markErased(id: string): Promise<void> {
  await query(sql`UPDATE import SET passwords_erased_at = now() WHERE id = ${id}`);
}

export async function deleteRow(tx: Connection, id: string): Promise<void> {
  await tx.query(sql`DELETE FROM import WHERE id = ${id}`);
}

export async function deleteExpired(days: number): Promise<void> {
  // A few rows per workspace and week: no index.
  await query(sql`
    DELETE FROM import
    WHERE state NOT IN ('waiting', 'running')
      AND coalesce(finished_at, created_at) <= now() - ${days} * interval '1 day'`);
}

export async function listExisting(ids: readonly string[]): Promise<string[]> {
  // Answered by import_pkey.
  const rows = await query<{ id: string }>(
    sql`SELECT id FROM import WHERE id = ANY(${ids}::text[])`,
  );
  return rows.map(({ id }) => id);
}
