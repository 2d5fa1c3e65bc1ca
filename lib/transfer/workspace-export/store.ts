/** SQL in transactions, and for expirations by the clock of the database. */
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

export const columns =
  "id, workspace_pk, user_pk, state, done, bytes, error, attempts, created_at, finished_at";

/** Undefined if the workspace has an open one. If two start at once, takeout_open decides which wins. */
export async function insertRow(
  tx: Connection,
  id: string,
  workspacePk: number,
  userPk: number,
): Promise<WorkspaceExportRow | undefined> {
  return await tx.one<WorkspaceExportRow>({
    text: `
      INSERT INTO takeout (id, workspace_pk, user_pk)
      VALUES ($1, $2, $3)
      ON CONFLICT (workspace_pk) WHERE state IN ('waiting', 'running') DO NOTHING
      RETURNING ${columns}`,
    values: [id, workspacePk, userPk],
  });
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

export async function reportRows(tx: Connection, id: string, done: number): Promise<void> {
  await tx.query(sql`UPDATE takeout SET done = ${done} WHERE id = ${id}`);
}

export async function finishRow(
  tx: Connection,
  id: string,
  end: { state: string; bytes?: number; done?: number; error?: string },
): Promise<void> {
  await tx.query(sql`
    UPDATE takeout
    SET state = ${end.state},
      bytes = ${end.bytes ?? null},
      done = coalesce(${end.done ?? null}, done),
      error = ${end.error ?? null},
      finished_at = now()
    WHERE id = ${id}`);
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
