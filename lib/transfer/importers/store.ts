/** The SQL of importers: transactions, leases whose row counts settle races, and expirations by the clock of the database. */
import { AppError, type ErrorProblem } from "#lib/platform/errors";
import { parseId } from "#lib/platform/ids";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import type { Problem } from "./problems.ts";
import type { ImporterState, SystemName } from "./schema.ts";

/** What was counted while reading. */
export interface Counts {
  /** Links per domain. */
  domains?: Record<string, number>;
  /** Links per property and reason, separated by a space. */
  leftOut?: Record<string, number>;
  /** The fields that some link has. */
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

const columns = `id, workspace_pk, user_pk, api_key_pk, system, address, sealed, clicks, state, cursor, pages, found,
  total, counts, failures, attempts, import_id, error, problem, created_at, resumes_at, finished_at`;

export async function insertImporter(
  tx: Connection,
  { workspacePk, apiKeyPk }: WorkspaceScope,
  row: Pick<
    ImporterRow,
    "id" | "user_pk" | "system" | "address" | "sealed" | "clicks" | "import_id"
  >,
): Promise<void> {
  await query(
    sql`
      INSERT INTO importer (
        id, workspace_pk, user_pk, api_key_pk, system, address, sealed, clicks, import_id
      )
      VALUES (
        ${row.id}, ${workspacePk}, ${row.user_pk}, ${apiKeyPk}, ${row.system}, ${row.address},
        ${row.sealed}, ${row.clicks}, ${row.import_id}
      )`,
    tx,
  );
}

export async function countOpen(tx: Connection, workspacePk: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    // Answered by importer_workspace_pk_created_at_idx.
    sql`
      SELECT count(*) AS count
      FROM importer
      WHERE workspace_pk = ${workspacePk}
        AND state IN ('waiting', 'running')`,
    tx,
  );
  return row?.count ?? 0;
}

/** An importer for its owner and for admins, locked within a transaction. Throws not_found. */
export async function getRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<ImporterRow> {
  const [row] = parseId("impr", id)
    ? await query<ImporterRow>(
        {
          // Answered by importer_pkey.
          text: `
            SELECT ${columns}
            FROM importer
            WHERE id = $1
              AND workspace_pk = $2
            ${tx ? "FOR UPDATE" : ""}`,
          values: [id, scope.workspacePk],
        },
        tx,
      )
    : [];
  const creatorPk = onlyCreatorPk(scope);
  // defence: reading-of-starter
  if (row && (creatorPk === null || row.user_pk === creatorPk)) return row;
  throw new AppError("not_found", `Importer "${id}" not found in this workspace.`);
}

/** Those of one person, newest first; null: of everyone. */
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

/**
 * Takes an importer that waits and is due, or whose worker stopped reporting; each attempt has a number. A worker that
 * died counts as a failure.
 */
export async function takeRow(id: string, silentSeconds: number): Promise<ImporterRow | undefined> {
  const [row] = await query<ImporterRow>({
    // Answered by importer_pkey.
    text: `
      UPDATE importer
      SET state = 'running', attempts = attempts + 1, seen_at = now(),
        failures = failures + CASE WHEN state = 'running' THEN 1 ELSE 0 END
      WHERE id = $1
        AND (
          (state = 'waiting' AND resumes_at <= now())
          OR (state = 'running' AND seen_at < now() - $2 * interval '1 second')
        )
      RETURNING ${columns}`,
    values: [id, silentSeconds],
  });
  return row;
}

type Lease = Pick<ImporterRow, "id" | "attempts">;

/** False: it was cancelled, or another worker has taken it since. */
export async function lockLeased(tx: Connection, { id, attempts }: Lease): Promise<boolean> {
  const rows = await query(
    sql`
      SELECT 1
      FROM importer
      WHERE id = ${id}
        AND state = 'running'
        AND attempts = ${attempts}
      FOR NO KEY UPDATE`,
    tx,
  );
  return rows.length === 1;
}

/** Renews the lease. */
export async function reportAlive({ id, attempts }: Lease): Promise<void> {
  await query(sql`
    UPDATE importer
    SET seen_at = now()
    WHERE id = ${id}
      AND state = 'running'
      AND attempts = ${attempts}`);
}

export interface PageResult {
  sealed: Buffer;
  cursor: object | null;
  found: number;
  total: number | null;
  counts: Counts;
}

/** Stores a page and where the next one starts. */
export async function recordPage(
  tx: Connection,
  { id, pages }: Pick<ImporterRow, "id" | "pages">,
  { sealed, cursor, found, total, counts }: PageResult,
): Promise<void> {
  await query(
    sql`
      INSERT INTO importer_page (importer_id, number, sealed)
      VALUES (${id}, ${pages}, ${sealed})`,
    tx,
  );
  await query(
    sql`
      UPDATE importer
      SET cursor = ${JSON.stringify(cursor)}::jsonb, pages = pages + 1, found = ${found},
        total = ${total}, counts = ${JSON.stringify(counts)}::jsonb, failures = 0, error = NULL,
        problem = NULL, seen_at = now()
      WHERE id = ${id}`,
    tx,
  );
}

/** Lets it wait. `isFailure`: it counts as one. */
export async function postpone(
  { id, attempts }: Lease,
  seconds: number,
  { message, problem }: Problem,
  isFailure: boolean,
): Promise<void> {
  await query(sql`
    UPDATE importer
    SET state = 'waiting', resumes_at = now() + ${seconds} * interval '1 second',
      failures = failures + ${isFailure ? 1 : 0}, error = ${message},
      problem = ${JSON.stringify(problem)}::jsonb
    WHERE id = ${id}
      AND state = 'running'
      AND attempts = ${attempts}`);
}

/** Ends it: the token and the pages are deleted. The row is locked. */
export async function finishRow(
  tx: Connection,
  id: string,
  state: "ready" | "failed" | "cancelled",
  why: Problem | undefined,
): Promise<void> {
  await query(
    // defence: importer-token-erased
    sql`
      UPDATE importer
      SET state = ${state}, sealed = NULL, cursor = NULL, error = ${why?.message ?? null},
        problem = ${why ? JSON.stringify(why.problem) : null}::jsonb, finished_at = now()
      WHERE id = ${id}`,
    tx,
  );
  await query(sql`DELETE FROM importer_page WHERE importer_id = ${id}`, tx);
}

export async function getPage(id: string, number: number): Promise<Buffer> {
  const [row] = await query<{ sealed: Buffer }>(
    // Answered by importer_page_pkey.
    sql`
      SELECT sealed
      FROM importer_page
      WHERE importer_id = ${id}
        AND number = ${number}`,
  );
  if (!row) throw new Error("A page of an importer is missing");
  return row.sealed;
}

/** Importers that are due, or without a worker. */
export async function listDue(silentSeconds: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    // Answered by importer_open.
    sql`
      SELECT id
      FROM importer
      WHERE (state = 'waiting' AND resumes_at <= now())
        OR (state = 'running' AND seen_at < now() - ${silentSeconds} * interval '1 second')
      ORDER BY created_at`,
  );
  return rows.map(({ id }) => id);
}

export async function deleteExpired(days: number): Promise<void> {
  // A few rows per workspace and week: no index.
  await query(sql`DELETE FROM importer WHERE finished_at <= now() - ${days} * interval '1 day'`);
}
