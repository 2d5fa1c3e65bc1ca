/**
 * The worker of sources. One transaction adds a batch of rows with their recipients and links; the
 * transaction of the next batch stores what became of it. After a crash, rows since the stored
 * position are added again with the same message ids, so each still makes one recipient. Every
 * transaction verifies the lease (platform/leases), so a source that was paused, cancelled or taken
 * by another worker adds nothing more. The next batch is prepared while one is written.
 */
import { z } from "zod";
import { presentId } from "#lib/basics/ids";
import { deleteLinksInBulk } from "#lib/links/editing";
import { addSourceRecipients } from "#lib/outreach/campaigns";
import type { RecipientOutcome } from "#lib/outreach/campaigns/schema";
import { AppError } from "#lib/platform/errors";
import { checkFiles } from "#lib/platform/files";
import { AttemptsUsed, LeasedWork } from "#lib/platform/leases";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { addNotification } from "#lib/tenancy/notifications";
import { type Batch, batchesOf } from "./batches.ts";
import { removeFile, removeUnneeded } from "./files.ts";
import { sourceDays } from "./schema.ts";
import { markEnded, type SourceRow, sourceColumns } from "./store.ts";
import {
  type Chunk,
  deleteAdded,
  deleteExpired,
  listAdded,
  listNeeded,
  type Progress,
  type RowRefusal,
  recordProgress,
} from "./worker-store.ts";

const sweepEveryMs = 600_000;
const undoneAtOnce = 1_000;

export const sourceWork = new LeasedWork<SourceRow>({
  job: "recipients.run",
  concurrency: 2,
  requeue: { job: "recipients.requeue", everyMs: 2_000 },
  // Answered by recipient_source_open.
  table: "recipient_source AS source",
  columns: sourceColumns,
  states: { waiting: "running", undoing: "undoing" },
  // A source of a banned workspace waits until the ban is lifted.
  only: `EXISTS (
    SELECT 1
    FROM campaign
    JOIN workspace ON workspace.pk = campaign.workspace_pk
    WHERE campaign.pk = source.campaign_pk
      AND campaign.deleted_at IS NULL
      AND workspace.banned_at IS NULL
  )`,
  silentSeconds: 10,
  // A batch fails for good only after its worker died or it was refused this many times.
  attemptsMax: 20,
  isReady: checkFiles,
  program: new URL("../../../workers/recipients.ts", import.meta.url),
  work: addOrUndo,
  settle,
});

export const runSource = (id: string) => sourceWork.run(id);

export const sourceJobs = [
  ...sourceWork.jobs,
  defineJob({
    name: "recipients.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => sweepSources(),
  }),
];

async function addOrUndo(row: SourceRow): Promise<void> {
  const problem = await (row.state === "undoing" ? undoAll(row) : addAll(row));
  await finish(row, problem);
}

/** Rethrows errors that may not happen again. */
async function settle(row: SourceRow, error: unknown): Promise<void> {
  if (error instanceof AttemptsUsed) return await finish(row, "The job stopped several times.");
  if (!(error instanceof AppError) || error.retryAfterSeconds) throw error;
  // defence: banned-source-waits
  if (error.problem?.code === "workspace_banned") throw error;
  await finish(row, error.message);
}

/** The scope of the person who started it, with their current permissions. Throws for a banned workspace. */
async function scopeOf(row: SourceRow): Promise<WorkspaceScope | undefined> {
  const { workspace_pk: workspacePk, user_pk: userPk, api_key_pk: apiKeyPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk });
  if (scope?.banned) assertMay(scope, "campaigns.write");
  return scope?.permissions.has("campaigns.write") ? scope : undefined;
}

/** Numbers are set, not added to stored ones, so a repeated batch counts once. */
class Tally {
  #progress: Progress;
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

  async store(tx: Connection, row: SourceRow): Promise<readonly Chunk[]> {
    // defence: canceled-source-stops
    await sourceWork.lock(tx, row);
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
  /** Chunks of earlier batches that this transaction stores; undefined if it wrote nothing. */
  stored?: readonly Chunk[];
}

async function addAll(row: SourceRow): Promise<string | undefined> {
  const tally = new Tally(row);
  const recent = { names: new Set<string>() };
  let last: Adding | undefined;
  for await (const batch of batchesOf(row)) {
    const scope = await scopeOf(row);
    if (!scope) return "The person who started this left the workspace or can’t add recipients.";
    const settled = addResults(tally, last);
    const adding: Adding = { batch, results: Promise.resolve([]) };
    const assertOpen = async (tx: Connection) => {
      adding.stored = await tally.store(tx, row);
    };
    const source = { pk: row.pk, assertOpen, before: settled, recent };
    adding.results = addSourceRecipients(scope, row.campaign_id, batch.rows, source);
    // A failure is thrown when the promise is awaited; until then it must not count as unhandled.
    adding.results.catch(() => undefined);
    await settled;
    // If all rows were known, no transaction has stored what became of earlier batches.
    if (last) tally.drop(last.stored ?? (await transaction((tx) => tally.store(tx, row))));
    last = adding;
  }
  await addResults(tally, last);
  await transaction((tx) => tally.store(tx, row));
  return undefined;
}

async function addResults(tally: Tally, adding: Adding | undefined): Promise<void> {
  if (adding) tally.add(adding.batch, await adding.results);
}

/** Deletes links first, so that a retry after a crash finds the rest. Returns why it failed. */
async function undoAll(row: SourceRow): Promise<string | undefined> {
  for (;;) {
    const scope = await scopeOf(row);
    if (!scope) return "The person who started this left the workspace or can’t delete links.";
    const added = await listAdded(row, undoneAtOnce);
    if (added.length === 0) return undefined;
    const ids = added.flatMap(({ link_id: id }) => (id === null ? [] : [presentId("link", id)]));
    const { left } = await deleteLinksInBulk(scope, ids, []);
    const kept = left.find(({ code }) => code !== "link_unknown");
    if (kept) return kept.message;
    const positions = added.map(({ position }) => position);
    await sourceWork.commit(row, (tx) => deleteAdded(tx, row, positions));
  }
}

async function finish(row: SourceRow, problem: string | undefined): Promise<void> {
  const state = row.state === "undoing" ? "undone" : "done";
  await sourceWork.commit(row, async (tx) => {
    const refused = await markEnded(tx, row.pk, problem === undefined ? state : "failed", problem);
    await notify(tx, row, { refused, isFailed: problem !== undefined });
  });
  if ((await listNeeded([row.id])).length === 0) await removeFile(row.id);
}

/** Notifies the person who started it if something is left to do. */
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

export async function sweepSources(now = Date.now()): Promise<void> {
  await deleteExpired(sourceDays);
  await removeUnneeded(now);
}
