import type { LinkFilters } from "#lib/links/reading/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { ListJobState, StoredChange } from "./schema.ts";

export interface ListJobRow {
  id: string;
  workspace_pk: number;
  user_pk: number;
  filters: LinkFilters;
  change: StoredChange;
  state: ListJobState;
  total: number;
  done: number;
  changed: number;
  refused: number;
  cursor_id: string;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

export const columns = `id, workspace_pk, user_pk, filters, change, state, total, done, changed, refused, cursor_id, attempts,
  created_at, finished_at`;

export async function countOpen(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by list_job_workspace_pk_created_at_idx.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM list_job
    WHERE workspace_pk = ${workspacePk}
      AND state IN ('waiting', 'running', 'undo_waiting', 'undoing')`);
  return row?.count ?? 0;
}

type NewJob = Pick<
  ListJobRow,
  "id" | "workspace_pk" | "user_pk" | "filters" | "change" | "total" | "cursor_id"
>;

export function insertJob(tx: Connection, job: NewJob) {
  return tx.one<ListJobRow>({
    text: `
      INSERT INTO list_job (id, workspace_pk, user_pk, filters, change, total, cursor_id)
      VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7)
      RETURNING ${columns}`,
    values: [
      job.id,
      job.workspace_pk,
      job.user_pk,
      JSON.stringify(job.filters),
      JSON.stringify(job.change),
      job.total,
      job.cursor_id,
    ],
  });
}

export function findJob(workspacePk: number, userPk: number, id: string, tx?: Connection) {
  return query.on(tx).one<ListJobRow>({
    // Answered by list_job_pkey.
    // defence: list-job-of-person
    text: `
      SELECT ${columns}
      FROM list_job
      WHERE id = $1
        AND workspace_pk = $2
        AND user_pk = $3
      ${tx ? "FOR UPDATE" : ""}`,
    values: [id, workspacePk, userPk],
  });
}

export function findLatest(workspacePk: number, userPk: number) {
  return query.one<ListJobRow>({
    // Answered by list_job_workspace_pk_created_at_idx.
    text: `
      SELECT ${columns}
      FROM list_job
      WHERE workspace_pk = $1
        AND user_pk = $2
        AND NOT dismissed
      ORDER BY created_at DESC
      LIMIT 1`,
    values: [workspacePk, userPk],
  });
}

export async function dismiss(workspacePk: number, userPk: number, id: string): Promise<void> {
  await query(sql`
    UPDATE list_job
    SET dismissed = true
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}`);
}

export interface Step {
  number: number;
  changed: number;
  undo: Buffer;
}

export async function insertStep(tx: Connection, jobId: string, undo: Omit<Step, "number">) {
  // Answered by list_job_step_pkey.
  await tx.query(sql`
    INSERT INTO list_job_step (job_id, number, changed, undo)
    SELECT ${jobId}, coalesce(max(number), 0) + 1, ${undo.changed}, ${undo.undo}
    FROM list_job_step
    WHERE job_id = ${jobId}`);
}

export interface Progress {
  done: number;
  changed: number;
  refused: number;
}

export async function addProgress(tx: Connection, id: string, more: Progress): Promise<void> {
  await tx.query(sql`
    UPDATE list_job
    SET done = done + ${more.done}, changed = changed + ${more.changed},
      refused = refused + ${more.refused}, seen_at = now()
    WHERE id = ${id}`);
}

export async function moveCursor(tx: Connection, id: string, cursorId: string): Promise<void> {
  await tx.query(sql`UPDATE list_job SET cursor_id = ${cursorId} WHERE id = ${id}`);
}

export function findLastStep(jobId: string) {
  // Answered by list_job_step_pkey.
  return query.one<Step>(sql`
    SELECT number, changed, undo
    FROM list_job_step
    WHERE job_id = ${jobId}
    ORDER BY number DESC
    LIMIT 1`);
}

export async function deleteStep(tx: Connection, jobId: string, number: number): Promise<void> {
  await tx.query(sql`
    DELETE FROM list_job_step
    WHERE job_id = ${jobId}
      AND number = ${number}`);
}

export async function markUndo(tx: Connection, id: string): Promise<void> {
  await tx.query(sql`
    UPDATE list_job
    SET state = 'undo_waiting', total = changed, done = 0, changed = 0, refused = 0,
      finished_at = NULL, dismissed = false
    WHERE id = ${id}`);
}

export async function finishJob(tx: Connection, id: string, state: "done" | "failed" | "undone") {
  await tx.query(sql`UPDATE list_job SET state = ${state}, finished_at = now() WHERE id = ${id}`);
}
