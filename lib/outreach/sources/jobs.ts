/**
 * The worker of sources. A batch of rows is one transaction with its recipients and links; the transaction of the next
 * batch stores what became of it. After a crash, rows since the last stored position are added again: their message IDs
 * are the same, so each makes one recipient.
 *
 * Every transaction verifies the lease, by the number of its attempt: a source that was paused or cancelled, and one
 * that another worker has taken, adds nothing more. While a batch is written, the next one is prepared.
 */
import { z } from "zod";
import { addSourceRecipients } from "#lib/outreach/campaigns";
import type { RecipientOutcome } from "#lib/outreach/campaigns/schema";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { addNotification } from "#lib/tenancy/notifications";
import { type Batch, batchesOf } from "./batches.ts";
import { runInChild } from "./child.ts";
import { isReadable, removeFile, removeUnneeded } from "./files.ts";
import { sourceDays } from "./schema.ts";
import { markEnded, type SourceRow } from "./store.ts";
import { undoSource } from "./undo.ts";
import {
  type Chunk,
  deleteExpired,
  isTakeable,
  listNeeded,
  listOpen,
  lockLeased,
  type Progress,
  type RowRefusal,
  recordProgress,
  releaseSource,
  reportAlive,
  takeSource,
} from "./worker-store.ts";

/** A source whose worker did not report for this long may be taken by another. */
const silentSeconds = 10;
const reportEveryMs = 2_000;
/** A batch fails finally only when its worker died, or was refused, this often. */
const attemptsMax = 20;
const retryEveryMs = 2_000;
const sweepEveryMs = 600_000;

export const runJob = defineJob({
  name: "recipients.run",
  schema: z.object({ id: z.string() }),
  concurrency: 2,
  handle: async ({ id }) => {
    // It is enqueued again while it waits: on a busy machine, processes would start only to end.
    // While its file cannot be read, no attempt is counted.
    if ((await isTakeable(id, silentSeconds)) && (await isReadable(id))) await runInChild(id);
  },
});

/** The jobs of this module, for a worker. */
export const sourceJobs = [
  runJob,
  defineJob({
    name: "recipients.requeue",
    schema: z.object({}),
    everyMs: retryEveryMs,
    handle: requeueSources,
  }),
  defineJob({
    name: "recipients.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => sweepSources(),
  }),
];

/** It was paused or cancelled, or taken by another worker. */
class LeaseLost extends Error {}

/** Adds the recipients of a source, or undoes it. Safe to run twice and concurrently. */
export async function runSource(id: string): Promise<void> {
  const row = await takeSource(id, silentSeconds);
  if (!row) return;
  const reporting = setInterval(() => {
    reportAlive(row).catch(() => undefined); // the next report replaces it
  }, reportEveryMs);
  try {
    await finish(row, await addOrUndo(row));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const problem = problemOf(error);
    if (problem !== undefined) return await finish(row, problem);
    log.error({ event: "recipients.interrupted", id, error: String(error) });
    await releaseSource(row).catch(() => undefined); // it is taken once it is overdue
    throw error;
  } finally {
    clearInterval(reporting);
  }
}

/** Returns why it failed. */
async function addOrUndo(row: SourceRow): Promise<string | undefined> {
  if (row.attempts > attemptsMax) return "The job stopped several times.";
  return row.state === "undoing" ? await undoSource(row, scopeOf) : await addAll(row);
}

/** Undefined: it may succeed later. */
function problemOf(error: unknown): string | undefined {
  return error instanceof AppError && !error.retryAfterSeconds ? error.message : undefined;
}

/** The one who started it, with the permissions of now. */
async function scopeOf(row: SourceRow): Promise<WorkspaceScope | undefined> {
  const { workspace_pk: workspacePk, user_pk: userPk, api_key_pk: apiKeyPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk });
  return scope?.permissions.has("campaigns.write") ? scope : undefined;
}

/** What became of batches. Numbers are set, never added to stored ones: a batch that is added again counts once. */
class Tally {
  #progress: Progress;
  /** Not known to be stored. */
  #chunks: Chunk[] = [];

  constructor({ position, done, added, refused }: SourceRow) {
    this.#progress = { position, done, added, refused };
  }

  add(batch: Batch, results: readonly RecipientOutcome[]): void {
    const refusals = results.flatMap((result, at): RowRefusal[] => {
      if (result.status === "ready") return [];
      const given = batch.rows[at]?.messageId ?? "";
      return [[batch.lines[at] ?? 0, given, result.code, result.message]];
    });
    const { done, added, refused } = this.#progress;
    if (refusals.length > 0) this.#chunks.push({ firstRow: done, refusals });
    this.#progress = {
      position: batch.position,
      done: done + results.length,
      added: added + results.length - refusals.length,
      refused: refused + refusals.length,
    };
  }

  /** Returns the chunks that are stored with the commit. */
  async store(tx: Connection, row: SourceRow): Promise<readonly Chunk[]> {
    // defence: canceled-source-stops
    if (!(await lockLeased(tx, row))) throw new LeaseLost();
    const chunks = [...this.#chunks];
    await recordProgress(tx, row.pk, this.#progress, chunks);
    return chunks;
  }

  drop(stored: readonly Chunk[]): void {
    this.#chunks = this.#chunks.filter((chunk) => !stored.includes(chunk));
  }
}

interface Adding {
  batch: Batch;
  results: Promise<RecipientOutcome[]>;
  /** Of earlier batches, in the same transaction; undefined: nothing was written. */
  stored?: readonly Chunk[];
}

/** Returns why it failed. */
async function addAll(row: SourceRow): Promise<string | undefined> {
  const tally = new Tally(row);
  const recent = { names: new Set<string>() };
  let last: Adding | undefined;
  for await (const batch of batchesOf(row)) {
    const scope = await scopeOf(row);
    if (!scope) return "The person who started this left the workspace or can’t add recipients.";
    const settled = settle(tally, last);
    const adding: Adding = { batch, results: Promise.resolve([]) };
    const assertOpen = async (tx: Connection) => {
      adding.stored = await tally.store(tx, row);
    };
    const source = { pk: row.pk, assertOpen, before: settled, recent };
    adding.results = addSourceRecipients(scope, row.campaign_id, batch.rows, source);
    // It is awaited later and throws there; until then it must not count as unhandled.
    adding.results.catch(() => undefined);
    await settled;
    // Where all rows were known, no transaction has stored what became of earlier ones.
    if (last) tally.drop(last.stored ?? (await transaction((tx) => tally.store(tx, row))));
    last = adding;
  }
  await settle(tally, last);
  await transaction((tx) => tally.store(tx, row));
  return undefined;
}

async function settle(tally: Tally, adding: Adding | undefined): Promise<void> {
  if (adding) tally.add(adding.batch, await adding.results);
}

/** Does nothing when the lease was lost. */
async function finish(row: SourceRow, problem: string | undefined): Promise<void> {
  const state = row.state === "undoing" ? "undone" : "done";
  const isKept = await transaction(async (tx) => {
    if (!(await lockLeased(tx, row))) return true;
    const refused = await markEnded(tx, row.pk, problem === undefined ? state : "failed", problem);
    await notify(tx, row, { refused, isFailed: problem !== undefined });
    return false;
  });
  if (!isKept) await removeIfUnneeded(row.id);
}

/** The one who started it, where something is left to do. */
async function notify(
  tx: Connection,
  { workspace_pk: workspacePk, user_pk: userPk, campaign_id: subject, name, state }: SourceRow,
  { refused, isFailed }: { refused: number; isFailed: boolean },
): Promise<void> {
  if (!isFailed && (refused === 0 || state === "undoing")) return;
  const kind = isFailed ? "recipients.failed" : "recipients.refused";
  const details = { name, refused };
  await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
}

async function removeIfUnneeded(id: string): Promise<void> {
  if ((await listNeeded([id])).length === 0) await removeFile(id);
}

/** Enqueues sources again that were lost with Redis or with their worker. */
async function requeueSources(): Promise<void> {
  for (const id of await listOpen(silentSeconds)) {
    await enqueue(runJob, { id }, `${id} again ${Date.now()}`);
  }
}

/** Deletes expired sources, and files that none needs. */
export async function sweepSources(now = Date.now()): Promise<void> {
  await deleteExpired(sourceDays);
  await removeUnneeded(now);
}
