/**
 * Bulk calls that continue after their response. A call is a row with its body; a worker executes it and stores the
 * outcome of each row. After a crash another worker starts over: each link of the call is marked with the job and its
 * position (idempotency.ts), so links that already exist are found and not created twice.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { newId } from "#lib/basics/ids";
import { type CreateOptions, createLinksInBulk, type RowOutcome } from "#lib/links/creating";
import { type LinkFailure, linkFailure } from "#lib/links/fields";
import type { LinkBrief } from "#lib/links/fields/schema";
import { presentBriefly } from "#lib/links/presenting";
import { flushSearch } from "#lib/links/search";
import { deleteExpiredRepeats, digestOf, type IdempotentCall } from "#lib/links/writing";
import { LeasedWork } from "#lib/platform/leases";
import { query, sql, transaction } from "#lib/platform/postgres";
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
import {
  countWaiting,
  findMarked,
  finishJob,
  insertJob,
  type JobResult,
  type JobRow,
  presentJob,
  reportProgress,
  type TakenJob,
} from "./store.ts";

/** Rows between two updates of the job's row. */
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
  // Open ones: bulk_job_open.
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
  return await createLinksInBulk(scope, rows, options);
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
  if (row.request.replaceAll("-", "") !== request) {
    const message =
      "This Idempotency-Key was already used with a different request body. Use a new key.";
    return linkFailure("repeat_differs", message);
  }
  await bulkWork.enqueue(row.id);
  return { ok: true, job: presentJob(row) };
}

/** A job that the actor started, or that an admin may see. */
export async function findBulkJob(scope: WorkspaceScope, id: string): Promise<BulkJob | undefined> {
  assertMay(scope, "links.read");
  // Its links may be in folders that other members cannot see, or out of the reach of a key.
  const creatorPk = onlyCreatorPk(scope);
  const keyPk = isLimited(scope) ? scope.apiKeyPk : null;
  const [row] = await query<JobRow>(
    // Answered by bulk_job_pkey.
    // defence: bulk-job-of-starter
    sql`
      SELECT id, state, total, done, refused, error, created_at, finished_at
      FROM bulk_job
      WHERE id = ${id}
        AND workspace_pk = ${scope.workspacePk}
        AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})
        AND (${keyPk}::int IS NULL OR api_key_pk = ${keyPk})`,
  );
  return row && presentJob(row);
}

type JobOutcome = LinkBrief | { row: number; message: string; code: string };

/** The outcomes of a finished job as JSON: the links in the order of their rows, then the failures. */
export async function findBulkOutcomes(
  scope: WorkspaceScope,
  id: string,
): Promise<string | undefined> {
  assertMay(scope, "links.read");
  const creatorPk = onlyCreatorPk(scope);
  const keyPk = isLimited(scope) ? scope.apiKeyPk : null;
  // Answered by bulk_job_pkey.
  const [row] = await query<{ outcomes: Buffer | null }>(sql`
    SELECT outcomes
    FROM bulk_job
    WHERE id = ${id}
      AND workspace_pk = ${scope.workspacePk}
      AND (${creatorPk}::int IS NULL OR user_pk = ${creatorPk})
      AND (${keyPk}::int IS NULL OR api_key_pk = ${keyPk})`);
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
