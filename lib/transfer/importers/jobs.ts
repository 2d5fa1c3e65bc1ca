/**
 * The worker of importers. A page of the other system is one transaction: its links, and where the next page starts. The
 * same transaction verifies the lease, by the number of its attempt; so after a crash no page is missing, and a cancelled
 * importer stores nothing more.
 *
 * When the other system asks to wait, the importer waits without a worker until it is due.
 */
import { z } from "zod";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { addNotification } from "#lib/tenancy/notifications";
import { storeSource } from "#lib/transfer/imports";
import { countLinks, fileOf, sourceOf } from "./assembling.ts";
import { apiOf } from "./calls.ts";
import { Paused, type Problem, problemOf, Stopped } from "./problems.ts";
import { keptDays, linksMax, systemLabels, waitDaysMax } from "./schema.ts";
import { sealPage, unsealToken } from "./secrets.ts";
import {
  deleteExpired,
  finishRow,
  type ImporterRow,
  listDue,
  lockLeased,
  type PageResult,
  postpone,
  recordPage,
  reportAlive,
  takeRow,
} from "./store.ts";
import { readers } from "./systems/all.ts";
import type { Reading } from "./systems/reading.ts";

/** An importer whose worker did not report for this long may be taken by another. */
const silentSeconds = 20;
const reportEveryMs = 4_000;
const retryEveryMs = 2_000;
const sweepEveryMs = 600_000;
/** Requests that fail one after the other. */
const failuresMax = 6;
const pauseSeconds = 2;
const pauseSecondsMax = 300;
const dayMs = 86_400_000;

export const runJob = defineJob({
  name: "importers.run",
  schema: z.object({ id: z.string() }),
  concurrency: 4,
  handle: ({ id }) => runImporter(id),
});

/** The jobs of this module, for a worker. */
export const importerJobs = [
  runJob,
  defineJob({
    name: "importers.requeue",
    schema: z.object({}),
    everyMs: retryEveryMs,
    handle: requeueImporters,
  }),
  defineJob({
    name: "importers.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => deleteExpired(keptDays),
  }),
];

/** It was taken by another worker, or was cancelled. */
class LeaseLost extends Error {}

/** Reads what is left, and makes it an import. Safe to run twice and concurrently. `address`: of the API, for tests. */
export async function runImporter(id: string, address?: string): Promise<void> {
  const row = await takeRow(id, silentSeconds);
  if (!row) return;
  const reporting = setInterval(() => {
    reportAlive(row).catch(() => undefined); // the next report replaces it
  }, reportEveryMs);
  try {
    if (row.failures >= failuresMax) throw new Stopped(whyFailed(row));
    await becomeImport(await readAll(row, address));
    await finish(row, "ready");
  } catch (error) {
    await settle(row, error);
  } finally {
    clearInterval(reporting);
  }
}

function whyFailed({ error, problem }: ImporterRow): Problem {
  return error !== null && problem ? { message: error, problem } : problemOf("interrupted");
}

async function settle(row: ImporterRow, error: unknown): Promise<void> {
  if (error instanceof LeaseLost) return;
  if (error instanceof Stopped) return await finish(row, "failed", error.why);
  if (error instanceof Paused) return await pause(row, error);
  // The stored pages could not be read to their end: that is no fault of theirs.
  const isCut = error instanceof AppError && error.code === "bad_request";
  if (error instanceof AppError && !error.retryAfterSeconds && !isCut) {
    // Why the import is refused, such as no room for its file.
    const problem = error.problem ?? problemOf("interrupted").problem;
    return await finish(row, "failed", { message: error.message, problem });
  }
  log.error({ event: "importer.interrupted", id: row.id, error: String(error) });
  await postpone(row, growing(row.failures), problemOf("interrupted"), true);
}

async function pause(row: ImporterRow, { why, seconds }: Paused): Promise<void> {
  if (Date.now() - row.created_at.getTime() > waitDaysMax * dayMs) {
    const params = { system: systemLabels[row.system], days: waitDaysMax };
    return await finish(row, "failed", problemOf("too_slow", params));
  }
  await postpone(row, seconds ?? growing(row.failures), why, seconds === undefined);
}

function growing(failures: number): number {
  return Math.min(pauseSeconds * 2 ** failures, pauseSecondsMax);
}

/** The one who started it, with the permissions of now. */
async function scopeOf(row: ImporterRow): Promise<WorkspaceScope> {
  const { workspace_pk: workspacePk, user_pk: userPk, api_key_pk: apiKeyPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk });
  if (scope?.permissions.has("links.write")) return scope;
  throw new Stopped(problemOf("starter_gone"));
}

/** Returns the row as it is after the last page. */
async function readAll(taken: ImporterRow, address?: string): Promise<ImporterRow> {
  let row = taken;
  const reading = readingOf(row, address);
  while (row.pages === 0 || row.cursor !== null) {
    await scopeOf(row);
    const page = await readers[row.system].readPage(reading, row.cursor);
    const found = row.found + page.links.length;
    if (found > linksMax) throw new Stopped(problemOf("too_many_links", { max: linksMax }));
    const result: PageResult = {
      sealed: await sealPage(
        row.id,
        page.links.map(({ cells }) => cells),
      ),
      cursor: page.next,
      found,
      total: page.total ?? row.total,
      counts: countLinks(row.counts, page.links),
    };
    await transaction(async (tx) => {
      await assertLeased(tx, row);
      await recordPage(tx, row, result);
    });
    const { sealed: _sealed, ...read } = result;
    row = { ...row, ...read, pages: row.pages + 1, failures: 0 };
  }
  return row;
}

function readingOf({ id, system, address, sealed, clicks }: ImporterRow, own?: string): Reading {
  const used = own ?? address ?? readers[system].address;
  if (!sealed || !used) throw new Error("An open importer has its token and an address");
  const token = unsealToken(id, sealed);
  return { api: apiOf(system, used), token, address: used, wantsClicks: clicks };
}

async function assertLeased(tx: Connection, row: ImporterRow): Promise<void> {
  // defence: canceled-reading-stops
  if (!(await lockLeased(tx, row))) throw new LeaseLost();
}

async function becomeImport(row: ImporterRow): Promise<void> {
  if (row.found === 0) throw new Stopped(problemOf("nothing_found"));
  const label = systemLabels[row.system];
  await storeSource(await scopeOf(row), fileOf(row, readers[row.system].newestFirst), {
    id: row.import_id,
    userPk: row.user_pk,
    name: row.address ? `${label} (${new URL(row.address).host})` : label,
    source: sourceOf(row),
  });
}

/** Does nothing when the lease was lost. */
async function finish(row: ImporterRow, state: "ready" | "failed", why?: Problem): Promise<void> {
  await transaction(async (tx) => {
    if (!(await lockLeased(tx, row))) return;
    await finishRow(tx, row.id, state, why);
    const { id, workspace_pk: workspacePk, user_pk: userPk } = row;
    await addNotification(tx, {
      workspacePk,
      userPk,
      kind: `importer.${state}`,
      subject: state === "ready" ? row.import_id : id,
      details: { name: systemLabels[row.system] },
    });
  });
}

/** Enqueues importers that are due, and those that were lost with Redis or with their worker. */
async function requeueImporters(): Promise<void> {
  for (const id of await listDue(silentSeconds)) {
    await enqueue(runJob, { id }, `${id} again ${Date.now()}`);
  }
}
