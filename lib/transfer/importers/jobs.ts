/**
 * The worker of importers. A page of the other system is one transaction: its links, and where the next page starts. The
 * same transaction verifies the lease (platform/leases); so after a crash no page is missing, and a cancelled importer
 * stores nothing more.
 *
 * When the other system asks to wait, the importer waits without a worker until it is due.
 */
import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { csvLine } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { LeasedWork } from "#lib/platform/leases";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { addNotification } from "#lib/tenancy/notifications";
import { storeSource } from "#lib/transfer/imports";
import { type FieldName, fieldNames, type ImportSource } from "#lib/transfer/imports/schema";
import { apiOf } from "./calls.ts";
import { Paused, type Problem, problemOf, Stopped } from "./problems.ts";
import { keptDays, linksMax, type SystemName, systemLabels, waitDaysMax } from "./schema.ts";
import { sealPage, unsealPage, unsealToken } from "./secrets.ts";
import {
  type Counts,
  columns,
  deleteExpired,
  finishRow,
  getPage,
  type ImporterRow,
  type PageResult,
  postpone,
  recordPage,
} from "./store.ts";
import { bitly } from "./systems/bitly.ts";
import { dub } from "./systems/dub.ts";
import { rebrandly } from "./systems/rebrandly.ts";
import { shlink } from "./systems/shlink.ts";
import { shortIo } from "./systems/short-io.ts";
import type { FoundLink, Reading, System } from "./systems/system.ts";
import { yourls } from "./systems/yourls.ts";

const sweepEveryMs = 600_000;
const failuresMax = 6;
const pauseSeconds = 2;
const pauseSecondsMax = 300;

export const importerWork = new LeasedWork<ImporterRow>({
  job: "importers.run",
  concurrency: 4,
  requeue: { job: "importers.requeue", everyMs: 2_000 },
  // Open ones are answered by importer_open.
  table: "importer",
  columns,
  states: { waiting: "running" },
  // A worker that died counts as a failure.
  set: "failures = failures + CASE WHEN state = 'running' THEN 1 ELSE 0 END",
  only: "resumes_at <= now()",
  silentSeconds: 20,
  // Each pause is an attempt. `failuresMax` decides when it fails.
  attemptsMax: Number.POSITIVE_INFINITY,
  work: readLinks,
  settle,
});

export const runImporter = (id: string) => importerWork.run(id);

export const importerJobs = [
  ...importerWork.jobs,
  defineJob({
    name: "importers.sweep",
    schema: z.object({}),
    everyMs: sweepEveryMs,
    handle: () => deleteExpired(keptDays),
  }),
];

async function readLinks(row: ImporterRow): Promise<void> {
  if (row.failures >= failuresMax) throw new Stopped(whyFailed(row));
  await becomeImport(await readAll(row));
  await finish(row, "ready");
}

function whyFailed({ error, problem }: ImporterRow): Problem {
  return error !== null && problem ? { message: error, problem } : problemOf("interrupted");
}

async function settle(row: ImporterRow, error: unknown): Promise<void> {
  if (error instanceof Stopped) return await finish(row, "failed", error.why);
  if (error instanceof Paused) return await pause(row, error);
  // A read error cut the file short. The stored pages are fine.
  const isCut = error instanceof AppError && error.code === "bad_request";
  if (error instanceof AppError && !error.retryAfterSeconds && !isCut) {
    const problem = error.problem ?? problemOf("interrupted").problem;
    return await finish(row, "failed", { message: error.message, problem });
  }
  await wait(row, growing(row.failures), problemOf("interrupted"), true);
  throw error;
}

async function pause(row: ImporterRow, { why, seconds }: Paused): Promise<void> {
  if (Date.now() - row.created_at.getTime() > waitDaysMax * dayMs) {
    const params = { system: systemLabels[row.system], days: waitDaysMax };
    return await finish(row, "failed", problemOf("too_slow", params));
  }
  await wait(row, seconds ?? growing(row.failures), why, seconds === undefined);
}

async function wait(row: ImporterRow, seconds: number, why: Problem, isFailure: boolean) {
  await importerWork.commit(row, (tx) => postpone(tx, row.id, { seconds, why, isFailure }));
}

function growing(failures: number): number {
  return Math.min(pauseSeconds * 2 ** failures, pauseSecondsMax);
}

async function scopeOf(row: ImporterRow): Promise<WorkspaceScope> {
  const { workspace_pk: workspacePk, user_pk: userPk, api_key_pk: apiKeyPk } = row;
  const scope = await reopenScope({ workspacePk, userPk, apiKeyPk });
  if (scope?.permissions.has("links.write")) return scope;
  throw new Stopped(problemOf("starter_gone"));
}

async function readAll(taken: ImporterRow): Promise<ImporterRow> {
  let row = taken;
  const reading = readingOf(row);
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
      // defence: canceled-reading-stops
      await importerWork.lock(tx, row);
      await recordPage(tx, row, result);
    });
    const { sealed: _sealed, ...read } = result;
    row = { ...row, ...read, pages: row.pages + 1, failures: 0 };
  }
  return row;
}

function readingOf({ id, system, address, sealed, clicks }: ImporterRow): Reading {
  const used = address ?? readers[system].address;
  if (!sealed || !used) throw new Error("An open importer has its token and an address");
  const token = unsealToken(id, sealed);
  return { api: apiOf(system, used), token, address: used, wantsClicks: clicks };
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

async function finish(row: ImporterRow, state: "ready" | "failed", why?: Problem): Promise<void> {
  await importerWork.commit(row, async (tx) => {
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

const readers: Readonly<Record<SystemName, System>> = {
  bitly,
  "short-io": shortIo,
  rebrandly,
  dub,
  yourls,
  shlink,
};

const domainsMax = 200;

function countLinks(before: Counts, links: readonly FoundLink[]): Counts {
  const domains = { ...before.domains };
  const leftOut = { ...before.leftOut };
  const fields = { ...before.fields };
  for (const { cells, leftOut: without } of links) {
    const { domain = "" } = cells;
    if (Object.hasOwn(domains, domain) || Object.keys(domains).length < domainsMax) {
      domains[domain] = (domains[domain] ?? 0) + 1;
    }
    // A link whose two rules have no counterpart here counts once.
    for (const key of new Set(without.map((one) => `${one.property} ${one.reason}`))) {
      leftOut[key] = (leftOut[key] ?? 0) + 1;
    }
    for (const field of Object.keys(cells)) fields[field] = true;
  }
  return { domains, leftOut, fields };
}

const reasons = ["unsupported", "not_given", "shortened", "turned_off"] as const;

function sourceOf({ system, counts }: Pick<ImporterRow, "system" | "counts">): ImportSource {
  const domains = Object.entries(counts.domains ?? {})
    .map(([domain, links]) => ({ domain, links }))
    .sort((one, other) => other.links - one.links);
  const leftOut = Object.entries(counts.leftOut ?? {}).flatMap(([key, links]) => {
    const [property = "", given] = key.split(" ");
    const reason = reasons.find((one) => one === given);
    return reason ? [{ property, reason, links }] : [];
  });
  return { system, domains, leftOut };
}

function fileOf(row: ImporterRow, newestFirst: boolean): ReadableStream<Uint8Array> {
  const lines = linesOf(row, newestFirst);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function isFirst(seen: Set<string>, name: string): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

async function* linesOf(row: ImporterRow, newestFirst: boolean): AsyncGenerator<Uint8Array> {
  const has = row.counts.fields ?? {};
  const fields: FieldName[] = fieldNames.filter((field) => has[field]);
  yield Buffer.from(csvLine(fields));
  // Pages shift while people create links there, so the same link may be on two of them.
  const seen = new Set<string>();
  for (let at = 0; at < row.pages; at++) {
    const number = newestFirst ? row.pages - 1 - at : at;
    const links = await unsealPage(row.id, await getPage(row.id, number));
    if (newestFirst) links.reverse();
    const others = links.filter((cells) => isFirst(seen, cells.originShortLink ?? ""));
    const lines = others.map((cells) => csvLine(fields.map((field) => cells[field] ?? "")));
    if (lines.length > 0) yield Buffer.from(lines.join(""));
  }
}
