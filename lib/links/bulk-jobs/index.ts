/**
 * Bulk calls that continue after their response. A call is a row with its body. A worker executes
 * it and stores the outcome of each row. After a crash another worker starts over: each link is
 * marked with the job and its position (idempotency.ts), so no link is created twice.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { newId } from "#lib/basics/ids";
import { type CreateOptions, createLinksInBulk, type RowOutcome } from "#lib/links/creating";
import { type LinkFailure, linkFailure, repeatDiffers } from "#lib/links/fields";
import type { LinkBrief } from "#lib/links/fields/schema";
import { presentBriefly } from "#lib/links/presenting";
import { flushSearch } from "#lib/links/search";
import {
  deleteExpiredRepeats,
  digestOf,
  type IdempotentCall,
  isOtherCall,
} from "#lib/links/writing";
import { AppError } from "#lib/platform/errors";
import { LeasedWork } from "#lib/platform/leases";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import {
  assertMay,
  lockWorkspace,
  onlyCreatorPk,
  reopenScope,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { isLimited } from "#lib/tenancy/reach";
import type { BulkJob } from "./schema.ts";

const stepRows = 1_000;
const waitingMax = 100;
const sweepEveryMs = 600_000;
const settleEveryMs = 2_000;
const lost = "The person who sent this request left the workspace, or their API key was revoked.";

const compress = promisify(gzip);
const expand = promisify(gunzip);

const bulkWork = new LeasedWork<TakenJob>({
  job: "links.bulk",
  concurrency: 2,
  requeue: { job: "links.requeue", everyMs: 5_000 },
  // Queries for open jobs are answered by bulk_job_open.
  table: "bulk_job",
  columns: "id, state, workspace_pk, user_pk, api_key_pk, digest, request, body",
  states: { waiting: "running" },
  silentSeconds: 60,
  work: createAll,
});

export async function createMany(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  options: CreateOptions,
): Promise<RowOutcome[]> {
  assertIncluded(scope, "bulk");
  await assertFeatureOn("bulk");
  if (options.repeat) await assertSameCall(scope, options.repeat);
  const outcomes = await createLinksInBulk(scope, rows, options);
  // Only if two calls with different bodies run at the same time.
  if (outcomes.some((outcome) => !outcome.ok && outcome.code === "repeat_differs")) {
    throw new AppError("unprocessable_entity", repeatDiffers);
  }
  return outcomes;
}

/** Before anything is created: otherwise rows beyond those of the first call would be. */
async function assertSameCall(
  { workspacePk }: WorkspaceScope,
  call: Omit<IdempotentCall, "part">,
): Promise<void> {
  const job = await findMarked(query.on(), workspacePk, call.digest);
  const isOther = job ? isDifferent(job, call) : await isOtherCall(workspacePk, call);
  if (isOther) throw new AppError("unprocessable_entity", repeatDiffers);
}

function isDifferent(row: MarkedRow, { request }: Pick<IdempotentCall, "request">): boolean {
  return row.request.replaceAll("-", "") !== request;
}

type BulkStart = { ok: true; job: BulkJob } | LinkFailure;

/** Stores a call that creates links and returns at once. A repeated call gets the same job. */
export async function startBulkJob(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  mark: Omit<IdempotentCall, "part"> | undefined,
): Promise<BulkStart> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("bulk");
  if (mark) await assertSameCall(scope, mark);
  const id = newId("job");
  const { digest, request } = mark ?? { digest: digestOf(id), request: digestOf(id) };
  const body = await compress(JSON.stringify(rows));
  const row = await transaction(async (tx) => {
    // Concurrent calls of a workspace wait here, so that they cannot pass the limit.
    await lockWorkspace(tx, scope.workspacePk);
    const marked = await findMarked(tx, scope.workspacePk, digest);
    if (marked) return marked;
    if ((await countWaiting(tx, scope.workspacePk)) >= waitingMax) return undefined;
    return await insertJob(tx, scope, { id, digest, request, total: rows.length, body });
  });
  if (!row) {
    const message = `A workspace can have up to ${waitingMax} queued background jobs. Wait until one is done.`;
    return linkFailure("jobs_waiting", message);
  }
  // Only if two calls with different bodies started at the same time.
  if (isDifferent(row, { request })) return linkFailure("repeat_differs", repeatDiffers);
  await bulkWork.enqueue(row.id);
  return { ok: true, job: presentJob(row) };
}

/** For the starter of a job and admins: others may not see all of its links. */
function findOwn<Row>(scope: WorkspaceScope, id: string, columns: string) {
  assertMay(scope, "links.read");
  const keyPk = isLimited(scope) ? scope.apiKeyPk : null;
  return query.one<Row>({
    // Answered by bulk_job_pkey.
    // defence: bulk-job-of-starter
    text: `
      SELECT ${columns}
      FROM bulk_job
      WHERE id = $1
        AND workspace_pk = $2
        AND ($3::int IS NULL OR user_pk = $3)
        AND ($4::int IS NULL OR api_key_pk = $4)`,
    values: [id, scope.workspacePk, onlyCreatorPk(scope), keyPk],
  });
}

export async function findBulkJob(scope: WorkspaceScope, id: string): Promise<BulkJob | undefined> {
  const row = await findOwn<JobRow>(scope, id, jobColumns);
  return row && presentJob(row);
}

type JobOutcome = LinkBrief | { row: number; message: string; code: string };

/** The outcomes of a finished job as JSON: the links in the order of their rows, then the failures. */
export async function findBulkOutcomes(
  scope: WorkspaceScope,
  id: string,
): Promise<string | undefined> {
  const row = await findOwn<{ outcomes: Buffer | null }>(scope, id, "outcomes");
  return row?.outcomes ? (await expand(row.outcomes)).toString() : undefined;
}

async function createAll(job: TakenJob): Promise<void> {
  const scope = await reopenScope({
    workspacePk: job.workspace_pk,
    userPk: job.user_pk,
    apiKeyPk: job.api_key_pk,
  });
  if (!scope?.permissions.has("links.write")) {
    return await finish(job, { state: "failed", error: lost, refused: 0, outcomes: null });
  }
  const rows: unknown[] = JSON.parse((await expand(job.body)).toString());
  const repeat = {
    digest: job.digest.replaceAll("-", ""),
    request: job.request.replaceAll("-", ""),
  };
  const outcomes: RowOutcome[] = [];
  for (let at = 0; at < rows.length; at += stepRows) {
    const options = { source: "api", prefill: false, repeat } as const;
    const step = await createLinksInBulk(scope, rows.slice(at, at + stepRows), options, at);
    if (step.some((outcome) => !outcome.ok && outcome.code === "unavailable")) {
      throw new Error("PostgreSQL is unavailable; the job restarts when it’s back");
    }
    for (const outcome of step) outcomes.push(outcome);
    await bulkWork.commit(job, (tx) => reportProgress(tx, job.id, outcomes));
  }
  const refused = outcomes.filter(({ ok }) => !ok).length;
  const text = JSON.stringify(presentOutcomes(outcomes));
  await finish(job, { state: "done", error: null, refused, outcomes: await compress(text) });
}

async function finish(job: TakenJob, result: JobResult): Promise<void> {
  await bulkWork.commit(job, (tx) => finishJob(tx, job.id, result));
}

function presentOutcomes(outcomes: readonly RowOutcome[]): JobOutcome[] {
  const created: JobOutcome[] = [];
  const refused: JobOutcome[] = [];
  for (const [row, outcome] of outcomes.entries()) {
    if (outcome.ok) created.push(presentBriefly(outcome.row, outcome.context));
    else refused.push({ row, message: outcome.message, code: outcome.code });
  }
  return [...created, ...refused];
}

async function deleteRepeats(): Promise<void> {
  while ((await deleteExpiredRepeats()) > 0);
}

export const linkJobs = [
  ...bulkWork.jobs,
  defineJob({
    name: "links.settle",
    schema: z.object({}),
    everyMs: settleEveryMs,
    handle: flushSearch,
  }),
  defineJob({
    name: "links.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: deleteRepeats,
  }),
];

interface JobRow {
  id: string;
  state: BulkJob["status"];
  total: number;
  done: number;
  refused: number;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

function presentJob(row: JobRow): BulkJob {
  const { id, state: status, total, done, refused, error } = row;
  const createdAt = row.created_at.toISOString();
  const finishedAt = row.finished_at?.toISOString() ?? null;
  return { id, status, total, done, refused, error, createdAt, finishedAt };
}

const jobColumns = "id, state, total, done, refused, error, created_at, finished_at";

type MarkedRow = JobRow & { request: string };

function findMarked(tx: Connection, workspacePk: number, digest: string) {
  // Answered by bulk_job_workspace_pk_digest_key.
  return tx.one<MarkedRow>(sql`
    SELECT id, state, total, done, refused, error, created_at, finished_at, request
    FROM bulk_job
    WHERE workspace_pk = ${workspacePk}
      AND digest = ${digest}::uuid`);
}

async function countWaiting(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by bulk_job_open.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM bulk_job
    WHERE workspace_pk = ${workspacePk}
      AND state IN ('waiting', 'running')`);
  return row?.count ?? 0;
}

function insertJob(
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

interface TakenJob {
  id: string;
  state: string;
  workspace_pk: number;
  user_pk: number;
  api_key_pk: number | null;
  digest: string;
  request: string;
  body: Buffer;
}

async function reportProgress(tx: Connection, id: string, outcomes: readonly RowOutcome[]) {
  const refused = outcomes.filter(({ ok }) => !ok).length;
  await tx.query(sql`
    UPDATE bulk_job
    SET done = ${outcomes.length}, refused = ${refused}, seen_at = now()
    WHERE id = ${id}`);
}

interface JobResult {
  state: "done" | "failed";
  error: string | null;
  refused: number;
  outcomes: Buffer | null;
}

async function finishJob(
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
