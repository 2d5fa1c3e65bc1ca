/**
 * A CSV file of a million links: uploaded, processed by the worker as on an instance, and its results read. Compared
 * with plain INSERT statements of as many rows, without checks, codes, search texts and outcomes. The memory is the
 * maximum of the import process.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { openLinks } from "#lib/links/creating";
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { stopWorkers } from "#lib/platform/queue";
import { closeRedis } from "#lib/platform/redis";
import { getImport, openResults, startImport, uploadImport } from "#lib/transfer/imports";
import { makeTestScope } from "../test/scope.ts";
import { machine, openStage } from "./stage.ts";

const rows = Number(process.env["BENCH_ROWS"] ?? 1_000_000);
const statementRows = 1_000;
const pollEveryMs = 250;
let peakBytes = 0;

const stage = await openStage();
await openLinks();
const scope = await makeTestScope("bench");
const baseline = await insertPlainly();
const worker = await stage.run("workers/index.ts");

const uploading = performance.now();
const { id, bytes } = await uploadImport(scope, fileOf(), { name: "bench.csv" });
const uploadSeconds = secondsSince(uploading);
const started = performance.now();
await startImport(scope, id);
const { made } = await ended();
const importSeconds = secondsSince(started);
const reading = performance.now();
const resultBytes = await readResults();
const resultSeconds = secondsSince(reading);
await worker.stop();

const rate = Math.round(made / importSeconds);
const result = {
  machine: machine(),
  rows,
  fileMegabytes: Math.round(bytes / 1e6),
  uploadRowsPerSecond: Math.round(rows / uploadSeconds),
  importRowsPerSecond: rate,
  plainInsertRowsPerSecond: baseline,
  ratio: Number((rate / baseline).toFixed(2)),
  peakMegabytes: Math.round(peakBytes / 1e6),
  resultsRowsPerSecond: Math.round(rows / resultSeconds),
  resultsMegabytes: Math.round(resultBytes / 1e6),
};
console.log(result);
if (process.argv.includes("--keep")) {
  writeFileSync("bench/imports.json", `${JSON.stringify(result, null, 2)}\n`);
}
await stopWorkers();
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

function secondsSince(from: number): number {
  return (performance.now() - from) / 1_000;
}

function urlOf(row: number): string {
  return `https://shop.example.com/products/${row % 997}?order=${row}&ref=newsletter`;
}

/** URL, title and a note, as in a campaign; some quoted. */
function fileOf(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      let text = next === 0 ? "url,title,comments\r\n" : "";
      const end = Math.min(next + statementRows, rows);
      for (; next < end; next++)
        text += `${urlOf(next)},"Product ${next}, autumn",sent by mail\r\n`;
      controller.enqueue(encoder.encode(text));
      if (next === rows) controller.close();
    },
  });
}

/** The maximum memory of the import process so far, as counted by Linux; 0: it is not running. */
function readMemory(): number {
  const kilobytes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fuxi-processes/import.mjs"))
          return [];
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        return [Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)];
      } catch {
        return []; // it ended meanwhile
      }
    });
  return Math.max(0, ...kilobytes) * 1_024;
}

async function ended() {
  for (;;) {
    peakBytes = Math.max(peakBytes, readMemory());
    const found = await getImport(scope, id);
    if (found.state === "done" && found.made === rows) return found;
    if (found.state !== "running" && found.state !== "waiting") {
      throw new Error(`The import is ${found.state}: ${found.made} made, ${found.error}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}

async function readResults(): Promise<number> {
  let read = 0;
  const { send } = await openResults(scope, id, { only: "all" });
  await send((chunk) => {
    read += chunk.length;
    return Promise.resolve();
  });
  return read;
}

/** Rows a second of plain statements, on pks outside of every sequence. */
async function insertPlainly(): Promise<number> {
  const first = 30_000_000_000;
  const count = Math.min(rows, 200_000);
  const startedAt = performance.now();
  for (let at = 0; at < count; at += statementRows) {
    const numbers = Array.from({ length: statementRows }, (_, nth) => at + nth);
    await query(sql`
      INSERT INTO link (
        pk, id, workspace_pk, domain_pk, key, url, title, comments, created_at, updated_at
      )
      SELECT ${first}::bigint + n, gen_random_uuid(), ${scope.workspacePk} + 1, 1, n::text, url,
        'Product ' || n || ', autumn', 'sent by mail', now(), now()
      FROM unnest(${numbers}::int[], ${numbers.map(urlOf)}::text[]) AS new (n, url)`);
  }
  return Math.round(count / secondsSince(startedAt));
}
