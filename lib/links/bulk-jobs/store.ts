import type { RowOutcome } from "#lib/links/creating";
import { type Connection, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { BulkJob } from "./schema.ts";

export interface JobRow {
  id: string;
  state: BulkJob["status"];
  total: number;
  done: number;
  refused: number;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export function presentJob(row: JobRow): BulkJob {
  const { id, state, total, done, refused, error } = row;
  return {
    id,
    status: state,
    total,
    done,
    refused,
    error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export type MarkedRow = JobRow & { request: string };

export function findMarked(tx: Connection, workspacePk: number, digest: string) {
  // Answered by bulk_job_workspace_pk_digest_key.
  return tx.one<MarkedRow>(sql`
    SELECT id, state, total, done, refused, error, created_at, finished_at, request
    FROM bulk_job
    WHERE workspace_pk = ${workspacePk}
      AND digest = ${digest}::uuid`);
}

export async function countWaiting(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by bulk_job_open.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM bulk_job
    WHERE workspace_pk = ${workspacePk}
      AND state IN ('waiting', 'running')`);
  return row?.count ?? 0;
}

export function insertJob(
  tx: Connection,
  { workspacePk, userPk, apiKeyPk }: WorkspaceScope,
  job: { id: string; digest: string; request: string; total: number; body: Buffer },
) {
  return tx.one<MarkedRow>(sql`
    INSERT INTO bulk_job (
      id, workspace_pk, user_pk, api_key_pk, digest, request, total, body
    )
    VALUES (
      ${job.id}, ${workspacePk}, ${userPk}, ${apiKeyPk}, ${job.digest}::uuid,
      ${job.request}::uuid, ${job.total}, ${job.body}
    )
    RETURNING id, state, total, done, refused, error, created_at, finished_at, request`);
}

export interface TakenJob {
  id: string;
  state: string;
  workspace_pk: number;
  user_pk: number;
  api_key_pk: number | null;
  digest: string;
  request: string;
  body: Buffer;
}

export async function reportProgress(tx: Connection, id: string, outcomes: readonly RowOutcome[]) {
  const refused = outcomes.filter(({ ok }) => !ok).length;
  await tx.query(sql`
    UPDATE bulk_job
    SET done = ${outcomes.length}, refused = ${refused}, seen_at = now()
    WHERE id = ${id}`);
}

export interface JobResult {
  state: "done" | "failed";
  error: string | null;
  refused: number;
  outcomes: Buffer | null;
}

export async function finishJob(
  tx: Connection,
  id: string,
  { state, error, refused, outcomes }: JobResult,
): Promise<void> {
  await tx.query(sql`
    UPDATE bulk_job
    SET state = ${state}, error = ${error}, refused = ${refused}, outcomes = ${outcomes},
      finished_at = now(), body = ''
    WHERE id = ${id}`);
}
