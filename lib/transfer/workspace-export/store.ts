/**
 * The rows of exports; SQL in transactions, for leases whose row counts settle races, and for expirations by the clock
 * of the database. The list reads the same row.
 */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";

export interface WorkspaceExportRow {
  id: string;
  workspace_pk: number;
  user_pk: number;
  state: string;
  done: number;
  bytes: number | null;
  error: string | null;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

const columns =
  "id, workspace_pk, user_pk, state, done, bytes, error, attempts, created_at, finished_at";

/** Undefined: the workspace has one that is not done. takeout_open settles which of two wins. */
export async function insertRow(
  tx: Connection,
  id: string,
  workspacePk: number,
  userPk: number,
): Promise<WorkspaceExportRow | undefined> {
  const [row] = await query<WorkspaceExportRow>(
    {
      text: `
        INSERT INTO takeout (id, workspace_pk, user_pk)
        VALUES ($1, $2, $3)
        ON CONFLICT (workspace_pk) WHERE state IN ('waiting', 'running') DO NOTHING
        RETURNING ${columns}`,
      values: [id, workspacePk, userPk],
    },
    tx,
  );
  return row;
}

const listedMax = 20;

export function listRows(workspacePk: number, days: number): Promise<WorkspaceExportRow[]> {
  return query<WorkspaceExportRow>({
    // Answered by takeout_workspace_pk_created_at_idx.
    text: `
      SELECT ${columns}
      FROM takeout
      WHERE workspace_pk = $1
        AND (finished_at IS NULL OR finished_at > now() - $2 * interval '1 day')
      ORDER BY created_at DESC
      LIMIT ${listedMax}`,
    values: [workspacePk, days],
  });
}

/** Takes an export that waits, or whose worker stopped reporting; each attempt has a number. */
export async function takeRow(
  id: string,
  silentSeconds: number,
): Promise<WorkspaceExportRow | undefined> {
  const [row] = await query<WorkspaceExportRow>({
    // Answered by takeout_pkey.
    text: `
      UPDATE takeout
      SET state = 'running', attempts = attempts + 1, seen_at = now(), done = 0
      WHERE id = $1
        AND (
          state = 'waiting'
          OR (state = 'running' AND seen_at < now() - $2 * interval '1 second')
        )
      RETURNING ${columns}`,
    values: [id, silentSeconds],
  });
  return row;
}

export async function reportRow(id: string, attempt: number, done: number): Promise<void> {
  await query(sql`
    UPDATE takeout
    SET done = ${done}, seen_at = now()
    WHERE id = ${id}
      AND state = 'running'
      AND attempts = ${attempt}`);
}

/** False: another worker has taken it since. */
export async function lockFinish(tx: Connection, id: string, attempt: number): Promise<boolean> {
  const rows = await query(
    sql`
      SELECT 1
      FROM takeout
      WHERE id = ${id}
        AND state = 'running'
        AND attempts = ${attempt}
      FOR UPDATE`,
    tx,
  );
  return rows.length === 1;
}

export async function finishRow(
  tx: Connection,
  id: string,
  end: { state: string; bytes?: number; done?: number; error?: string },
): Promise<void> {
  await query(
    sql`
      UPDATE takeout
      SET state = ${end.state},
        bytes = ${end.bytes ?? null},
        done = coalesce(${end.done ?? null}, done),
        error = ${end.error ?? null},
        finished_at = now()
      WHERE id = ${id}`,
    tx,
  );
}

/** Exports without a worker. */
export async function listWaiting(silentSeconds: number): Promise<string[]> {
  // Answered by takeout_open: one row per unfinished export.
  const rows = await query<{ id: string }>(sql`
    SELECT id
    FROM takeout
    WHERE state IN ('waiting', 'running')
      AND coalesce(seen_at, created_at) < now() - ${silentSeconds} * interval '1 second'
    ORDER BY created_at`);
  return rows.map(({ id }) => id);
}

export async function deleteExpired(days: number): Promise<void> {
  // A few rows per workspace and week: no index.
  await query(sql`DELETE FROM takeout WHERE finished_at <= now() - ${days} * interval '1 day'`);
}

export async function listExisting(ids: string[]): Promise<string[]> {
  const rows = await prisma().workspaceExport.findMany({
    select: { id: true },
    where: { id: { in: ids } },
  });
  return rows.map(({ id }) => id);
}
