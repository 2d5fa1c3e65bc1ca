/**
 * A CSV file of a million links: uploaded, processed by the worker as on an instance, and its results read. Compared
 * with plain INSERT statements of such rows into the same two tables, links and search texts, with their indexes, but
 * without checks, codes, outcomes and progress. The memory is the maximum of the import process. `--short`: 60,000 rows.
 */
import { readdirSync, readFileSync } from "node:fs";
import { openLinks } from "#lib/links/creating";
import { closePostgres } from "#lib/platform/postgres";
import { stopWorkers } from "#lib/platform/queue";
import { closeRedis } from "#lib/platform/redis";
import { getImport, openResults, startImport, uploadImport } from "#lib/transfer/imports";
import { makeTestScope } from "../test/scope.ts";
import { productUrlOf } from "./calls.ts";
import { cpuOf, postmasterOf } from "./cpu.ts";
import { insertPlainly } from "./plain-sql.ts";
import { reportResult } from "./results.ts";
import { machine, openStage } from "./stage.ts";

const isShort = process.argv.includes("--short");
const rows = Number(process.env["BENCH_ROWS"] ?? (isShort ? 60_000 : 1_000_000));
const plainRows = Math.min(rows, 200_000);
const statementRows = 1_000;
const pollEveryMs = 250;
let peakBytes = 0;

const stage = await openStage();
await openLinks();
const scope = await makeTestScope("bench");
const baseline = await insertPlainly({
  databaseUrl: stage.databaseUrl,
  connections: 1,
  rowsPerStatement: statementRows,
  urlOf: productUrlOf,
  rows: plainRows,
  withSearch: true,
});
const worker = await stage.run("workers/index.ts");

const uploading = performance.now();
const { id, bytes } = await uploadImport(scope, fileOf(), { name: "bench.csv" });
const uploadSeconds = secondsSince(uploading);
const postgres = postmasterOf(stage.dataDir);
const cpuBefore = { worker: cpuOf(worker.pid), postgres: cpuOf(postgres) };
const started = performance.now();
await startImport(scope, id);
const { made } = await ended();
const importSeconds = secondsSince(started);
const perRow = (now: number, before: number) =>
  Number((((now - before) * 1_000) / rows).toFixed(1));
const cpuMicrosecondsPerRow = {
  workerAndImport: perRow(cpuOf(worker.pid), cpuBefore.worker),
  postgres: perRow(cpuOf(postgres), cpuBefore.postgres),
};
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
  cpuMicrosecondsPerRow,
  peakMegabytes: Math.round(peakBytes / 1e6),
  resultsRowsPerSecond: Math.round(rows / resultSeconds),
  resultsMegabytes: Math.round(resultBytes / 1e6),
};
reportResult("imports", result, {
  "CSV against plain INSERT into link and link_search (rate)": result.ratio,
  "memory of an import, in MB": result.peakMegabytes,
});
await stopWorkers();
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

function secondsSince(from: number): number {
  return (performance.now() - from) / 1_000;
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
        text += `${productUrlOf(next)},"Product ${next}, autumn",sent by mail\r\n`;
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
