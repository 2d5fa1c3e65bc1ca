/**
 * The worker of imports. A chunk of rows is one transaction: the links, the outcome of each row, and the position of
 * the next chunk. The same transaction verifies the lease of the import (platform/leases); so a worker that was presumed
 * dead, and one whose import was cancelled, can no longer write.
 *
 * While the database writes a chunk, the next one is read and prepared.
 */

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { z } from "zod";
import { hourMs } from "#lib/basics/time/schema";
import { type PreparedRows, prepareRows, type RowOutcome, writeRows } from "#lib/links/creating";
import { flushSearch } from "#lib/links/search";
import { checkFiles, removeOrphans } from "#lib/platform/files";
import { AttemptsUsed, LeasedWork } from "#lib/platform/leases";
import type { Connection } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import type { StoredRow } from "#lib/platform/tables";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";
import { addEvent } from "#lib/tenancy/webhook-events";
import { Batches } from "./batches.ts";
import { recordChunk, storedOutcomeOf } from "./chunks.ts";
import { ending, folder, isMissing, readRows } from "./file.ts";
import { createMissing } from "./names.ts";
import { eraseEnded, eraseRead } from "./passwords.ts";
import { findOptionProblem, readerOf } from "./preview.ts";
import { type ImportProblem, importProblem, rowProblem } from "./problems.ts";
import { acceptedOf, bodyOrRefusal, type RowReader, withRefusals } from "./rows.ts";
import { keptDays } from "./schema.ts";
import {
  columns,
  deleteExpired,
  findRow,
  finishRow,
  type ImportRow,
  listExisting,
  listUnerased,
} from "./store.ts";

/** Rows per transaction. More would not be faster, and canceling waits for this many. */
const chunkRows = 2_000;
/** Each row of an import that may reuse links holds a lock for its URL. */
const matchedChunkRows = 200;
const sweepEveryMs = 600_000;
/** An upload takes time, so a file may be older than its row. */
const orphanMs = 6 * hourMs;

/** Imports that were canceled, or whose worker died at their end, in each sweep. */
const erasedAtOnce = 100;

const compress = promisify(gzip);

export const importWork = new LeasedWork<ImportRow>({
  job: "imports.run",
  concurrency: 2,
  requeue: { job: "imports.requeue", everyMs: 2_000 },
  // Open ones are answered by import_open.
  table: "import",
  columns,
  states: { waiting: "running" },
  silentSeconds: 10,
  // Only dead workers and refused chunks count as attempts.
  attemptsMax: 20,
  isReady: checkFiles,
  program: new URL("../../../workers/import.ts", import.meta.url),
  work: async (row) => await finish(row, await processRows(row)),
  settle,
});

export const runImport = (id: string) => importWork.run(id);

export const importJobs = [
  ...importWork.jobs,
  defineJob({
    name: "imports.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => sweepImports(),
  }),
] as const;

async function settle(row: ImportRow, error: unknown): Promise<void> {
  const isUsed = error instanceof AttemptsUsed;
  if (!isUsed && !isMissing(error)) throw error;
  const problem = importProblem(isUsed ? "worker_died" : "file_gone");
  await finish(row, { state: "failed", problem });
}

export type ImportOutcome =
  | { state: "done" }
  | { state: "failed"; problem: ImportProblem }
  | { state: "cancelled"; by: string };

async function processRows(row: ImportRow): Promise<ImportOutcome> {
  const reader = await readerFor(row);
  if (!reader) return { state: "failed", problem: importProblem("starter_gone") };
  let firstRow = row.done;
  let start = row.position;
  let writing: Promise<RowOutcome[]> = Promise.resolve([]);
  for await (const batch of batchesOf(row)) {
    const prepared = await prepareBatch(row, batch, reader);
    const end = endAfter(await writing) ?? (isOutcome(prepared) ? prepared : undefined);
    if (end) return end;
    if (isOutcome(prepared)) return prepared;
    const position = batch.at(-1)?.end ?? 0;
    writing = writeBatch(row, prepared, { batch, reader, firstRow, start, position });
    // A failure is thrown when the promise is awaited. Until then, it must not count as unhandled.
    writing.catch(() => undefined);
    firstRow += batch.length;
    start = position;
  }
  return endAfter(await writing) ?? { state: "done" };
}

function isOutcome(value: PreparedRows | ImportOutcome): value is ImportOutcome {
  return "state" in value;
}

/** After the plan has no links left, later rows get none either. */
function endAfter(outcomes: readonly RowOutcome[]): ImportOutcome | undefined {
  for (const outcome of outcomes) {
    if (!outcome.ok && outcome.code === "quota_used_up") {
      return { state: "failed", problem: rowProblem(outcome, {}) };
    }
  }
  return undefined;
}

async function scopeOf(row: ImportRow): Promise<WorkspaceScope | undefined> {
  const { workspace_pk: workspacePk, user_pk: userPk, api_key_pk: apiKeyPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk });
  return scope?.permissions.has("links.write") ? scope : undefined;
}

async function readerFor(row: ImportRow): Promise<RowReader | undefined> {
  const scope = await scopeOf(row);
  return scope && (await readerOf(scope, row));
}

async function* batchesOf(row: ImportRow): AsyncGenerator<StoredRow[]> {
  const mayMatch = (await scopeOf(row))?.reuseSeconds !== null || row.mapping.includes("reuse");
  const batches = new Batches(mayMatch ? matchedChunkRows : chunkRows, row.mapping, row.position);
  // The stored file includes the heading.
  let skipped = row.position === 0 && row.options.heading ? 1 : 0;
  for await (const rows of readRows(row.id, row.position)) {
    for (const one of rows.slice(skipped)) {
      const full = batches.add(one);
      if (full) yield full;
    }
    skipped = 0;
  }
  const last = batches.rows;
  if (last.length > 0) yield last;
}

/** Before each batch, the person who started the import must still have the permission. */
async function prepareBatch(
  row: ImportRow,
  batch: readonly StoredRow[],
  reader: RowReader,
): Promise<PreparedRows | ImportOutcome> {
  const scope = await scopeOf(row);
  if (!scope) return { state: "failed", problem: importProblem("starter_gone") };
  const fault = await findOptionProblem(scope, row.options);
  if (fault) return { state: "failed", problem: fault };
  const bodiesOf = () => batch.map(({ cells }) => bodyOrRefusal(cells, reader));
  if (row.options.onMissingName === "make") {
    await createMissing(scope, acceptedOf(bodiesOf()), reader.names);
  }
  const options = { source: "dashboard", prefill: false } as const;
  const rows = bodiesOf();
  const { onTakenKey } = row.options;
  const { entries } = await prepareRows(scope, acceptedOf(rows), options, onTakenKey);
  return { scope, entries: withRefusals(rows, entries) };
}

interface BatchPlace {
  batch: readonly StoredRow[];
  reader: RowReader;
  firstRow: number;
  start: number;
  position: number;
}

async function writeBatch(
  row: ImportRow,
  prepared: PreparedRows,
  { batch, reader, firstRow, start, position }: BatchPlace,
): Promise<RowOutcome[]> {
  const outcomes = await writeRows(prepared, {
    begin: (tx) => importWork.lock(tx, row),
    record: async (tx, outcomes) => {
      const refused = outcomes.filter(({ ok }) => !ok).length;
      const stored = outcomes.map((outcome, at) =>
        storedOutcomeOf(row, outcome, batch[at], reader),
      );
      const text = JSON.stringify(stored);
      const chunk = {
        firstRow,
        rows: outcomes.length,
        refused,
        madePks: outcomes.flatMap((outcome) =>
          // defence: undo-spares-reused-links
          outcome.ok && !outcome.reused ? [outcome.row.pk] : [],
        ),
        outcomes: await compress(text, { level: 1 }),
      };
      await recordChunk(tx, row.id, chunk, position);
    },
  });
  // defence: import-passwords-erased
  await eraseRead(row, start, position);
  // Runs in parallel with the next chunk. A job repeats it after a failure.
  void flushSearch().catch(() => undefined);
  return outcomes;
}

async function finish(row: ImportRow, end: ImportOutcome): Promise<void> {
  await importWork.commit(row, async (tx) => {
    const now = await findRow(row.workspace_pk, row.id, tx);
    if (now) await endImport(tx, now, end);
  });
  await eraseEnded(row);
}

/** The row must be locked and current. */
export async function endImport(tx: Connection, row: ImportRow, end: ImportOutcome): Promise<void> {
  const { id, workspace_pk: workspacePk, user_pk: userPk, name, done, made, reused, refused } = row;
  const problem = end.state === "failed" ? end.problem : undefined;
  await finishRow(tx, id, end.state, problem);
  const details = {
    name,
    done,
    made,
    reused,
    refused,
    ...(problem ? { error: problem.message } : {}),
  };
  const actor = end.state === "cancelled" ? end.by : "system";
  const action = end.state === "cancelled" ? "import.cancel" : (`import.${end.state}` as const);
  await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
  if (end.state === "cancelled") return;
  const state = end.state;
  const data = { id, name, state, rows: done, created: made, refused };
  await addEvent(tx, { workspacePk, type: "import.finished", data });
  const kind = end.state === "done" ? "import.done" : "import.failed";
  await addNotification(tx, { workspacePk, userPk, kind, subject: id, details });
}

/** Deletes expired imports, and files without a row. */
export async function sweepImports(now = Date.now()): Promise<void> {
  await deleteExpired(keptDays);
  // defence: canceled-import-erased
  for (const row of await listUnerased(erasedAtOnce)) await eraseEnded(row);
  await removeOrphans({ folder, ending, listNeeded: listExisting, orphanMs, now });
}
