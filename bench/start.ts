/**
 * `npm start` on unchanged sources, after a clean stop, on an instance with 10,000 links: when the three processes are
 * ready, and the CPU time of the whole tree until then. Baseline in turns: the same PostgreSQL and Redis alone, then an
 * empty Node, then `next start` of one empty page. `--starts=5`: as many of each.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildAll } from "../scripts/build.ts";
import { buildEnvironment } from "../scripts/environment.ts";
import { endChild, run } from "../scripts/processes.ts";
import { startServices } from "../scripts/services.ts";
import { buildEmptyPage, serveEmptyPage } from "./empty-page.ts";
import { machine, median } from "./stage.ts";
import { fillInstance, startInstance } from "./started.ts";
import { cpuMsOf } from "./tree.ts";

const links = 10_000;
const folder = join(".fuxi-bench", "start");
const given = process.argv.find((one) => one.startsWith("--starts="))?.split("=")[1];
const starts = Number(given ?? 5);

interface Start {
  frontMs: number;
  workerMs: number;
  webMs: number;
  /** The slowest of the three. */
  readyMs: number;
  cpuMs: number;
}

const { signal } = new AbortController();
await buildAll({ env: buildEnvironment(process.env), report: console.log, signal });
rmSync(folder, { recursive: true, force: true });
await fillInstance(folder, links);
await buildEmptyPage();
// The first start after a build reads every file from disk.
await measureStart();
const measured: Start[] = [];
const bare: Awaited<ReturnType<typeof measureBare>>[] = [];
for (let at = 0; at < starts; at++) {
  measured.push(await measureStart());
  bare.push(await measureBare());
  console.log(measured.at(-1), bare.at(-1));
}
const best = measured.reduce((one, other) => (other.readyMs < one.readyMs ? other : one));
const medianOf = <T extends object>(rows: T[], name: keyof T) =>
  Math.round(median(rows.map((row) => Number(row[name]))));
const result = {
  machine: machine(),
  links,
  starts,
  best,
  medianReadyMs: medianOf(measured, "readyMs"),
  medianCpuMs: medianOf(measured, "cpuMs"),
  baseline: {
    storesMs: medianOf(bare, "storesMs"),
    nodeMs: medianOf(bare, "nodeMs"),
    nextMs: medianOf(bare, "nextMs"),
    nextCpuMs: medianOf(bare, "nextCpuMs"),
  },
};
console.dir(result, { depth: 4 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/start.json", `${JSON.stringify(result, undefined, 2)}\n`);
}
process.exit(0);

async function measureStart(): Promise<Start> {
  const started = await startInstance(folder);
  const cpuMs = cpuMsOf(started.child.pid ?? 0);
  const { front: frontMs, worker: workerMs, web: webMs } = started.readyMs;
  await started.stop();
  return { frontMs, workerMs, webMs, readyMs: Math.max(frontMs, workerMs, webMs), cpuMs };
}

async function measureBare() {
  let from = performance.now();
  const passed = () => Math.round(performance.now() - from);
  const services = await startServices({ dataDir: resolve(folder), report: () => undefined });
  const storesMs = passed();
  await services.stop();
  from = performance.now();
  await run(process.execPath, ["-e", ""]);
  const nodeMs = passed();
  from = performance.now();
  const { child: next } = await serveEmptyPage(process.execPath);
  const nextMs = passed();
  const nextCpuMs = cpuMsOf(next.pid ?? 0);
  await endChild(next, "SIGKILL");
  return { storesMs, nodeMs, nextMs, nextCpuMs };
}
