/**
 * `npm start` on unchanged sources, after a clean stop, on an instance with 10,000 links: when the three processes are
 * ready, and the CPU time of the whole tree until then. Baseline in turns: the same PostgreSQL and Redis alone, then an
 * empty Node, then `next start` of one empty page. `--starts=5`: as many of each.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildAll } from "../scripts/build.ts";
import { buildEnvironment } from "../scripts/environment.ts";
import { findFreePort } from "../scripts/ports.ts";
import { endChild, run } from "../scripts/processes.ts";
import { startServices } from "../scripts/services.ts";
import { machine, median } from "./stage.ts";
import { fillInstance, startInstance } from "./started.ts";
import { cpuMsOf } from "./tree.ts";

const links = 10_000;
const folder = join(".fuxi-bench", "start");
const nextFolder = join(".fuxi-bench", "next-empty");
const nextProgram = join("node_modules", "next", "dist", "bin", "next");
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
  const port = await findFreePort();
  from = performance.now();
  const next = spawn(process.execPath, [nextProgram, "start", nextFolder, "-p", String(port)], {
    stdio: "ignore",
  });
  while (!(await answers(port))) await sleep(10);
  const nextMs = passed();
  const nextCpuMs = cpuMsOf(next.pid ?? 0);
  await endChild(next, "SIGKILL");
  return { storesMs, nodeMs, nextMs, nextCpuMs };
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function buildEmptyPage(): Promise<void> {
  rmSync(nextFolder, { recursive: true, force: true });
  cpSync("bench/next", nextFolder, { recursive: true });
  rmSync(join(nextFolder, "app"), { recursive: true });
  mkdirSync(join(nextFolder, "app"));
  const layout =
    "export default function Layout({ children }) { return <html lang='en'><body>{children}</body></html>; }\n";
  writeFileSync(join(nextFolder, "app", "layout.jsx"), layout);
  writeFileSync(
    join(nextFolder, "app", "page.jsx"),
    "export default function Page() { return <p>Empty</p>; }\n",
  );
  const built = await run(process.execPath, [nextProgram, "build", nextFolder], {
    env: { NODE_ENV: "production" },
  });
  if (built.code !== 0) throw new Error(built.stdout + built.stderr);
}
