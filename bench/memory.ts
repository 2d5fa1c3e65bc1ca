/**
 * The memory of the processes that `npm start` runs, as Linux accounts it: when nothing happens, at most under mixed load,
 * and after it. Visits, creates and pages at once, first at a fixed rate, then visits as fast as they are answered.
 *
 * Baselines of the same run: an empty Node, and `next start` of one empty page. With `--small`, everything, stores
 * included, runs with FUXI_PROFILE=small in a control group of 1 GB, and only at the fixed rate. With `--hour`, an hour at
 * the fixed rate, read every five minutes.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildAll } from "../scripts/build.ts";
import { buildEnvironment } from "../scripts/environment.ts";
import { endChild } from "../scripts/processes.ts";
import { apiKey } from "./calls.ts";
import { buildEmptyPage, serveEmptyPage } from "./empty-page.ts";
import { limitMemory } from "./memory-group.ts";
import { findPages, type Memory, putMixedLoad, sampleMemory, visitors } from "./mixed-load.ts";
import { processesOf, pssMbOf } from "./pss.ts";
import { machine, openLoads, putLoad } from "./stage.ts";
import { fillInstance, firstPk, startInstance } from "./started.ts";
import { pathsOf } from "./visits.ts";

const isSmall = process.argv.includes("--small");
const isShort = process.argv.includes("--short");
const isHour = process.argv.includes("--hour");
const links = isShort ? 20_000 : 200_000;
const groupMb = 1_024;
const settleSeconds = isShort ? 5 : 20;
const calmSeconds = isHour ? 3_600 : isShort ? 10 : 60;
const eagerSeconds = isShort ? 3 : 10;
const folder = resolve(".fuxi-bench", "memory");
const node = resolve(".fuxi-bench", "node", "node");

const { signal } = new AbortController();
await buildAll({ env: buildEnvironment(process.env), report: console.log, signal });
rmSync(folder, { recursive: true, force: true });
await fillInstance(folder, links, apiKey);
openLoads();
copyNode();
const measured = await measureInstance();
const baseline = await measureBaselines();
const result = { machine: machine(), links, baseline, ...measured };
console.dir(result, { depth: 4 });
mkdirSync(".fuxi-bench/results", { recursive: true });
writeFileSync(
  ".fuxi-bench/results/memory.json",
  JSON.stringify({
    "memory of the three processes, idle, in MB": measured.idle.all,
    "the same after mixed load, in MB": measured.after.all,
    "pages, idle, against next start of an empty page": Number(
      (measured.idle.web / baseline.nextMb).toFixed(2),
    ),
  }),
);
if (process.argv.includes("--keep")) {
  const file = "bench/memory.json";
  const kept: object = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const name = isSmall ? "small" : isHour ? "hour" : "usual";
  writeFileSync(file, `${JSON.stringify({ ...kept, [name]: result }, undefined, 2)}\n`);
}
process.exit(0);

/**
 * A copy of Node for the processes of this bench: pages of a file are divided among all processes of the machine that run
 * it, so other programs would make the figures smaller.
 */
function copyNode(): void {
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
}

async function measureBaselines() {
  const empty = spawn(node, ["-e", "setInterval(() => 0, 1e6)"], { stdio: "ignore" });
  await sleep(1_000);
  const nodeMb = Math.round(pssMbOf(empty.pid ?? 0));
  await endChild(empty, "SIGKILL");
  await buildEmptyPage();
  const { child: next, port } = await serveEmptyPage(node);
  const load = await putLoad(`http://127.0.0.1:${port}`, "", { connections: 2, seconds: 3 });
  const nextMb = Math.round(pssMbOf(next.pid ?? 0));
  await endChild(next, "SIGKILL");
  return { nodeMb, nextMb, errors: load.errors };
}

async function measureInstance() {
  const group = isSmall ? limitMemory("fuxi-bench", groupMb * 1_024 ** 2) : undefined;
  const started = await startInstance(folder, {
    ...(group ? { prefix: group.prefix } : {}),
    env: {
      PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}`,
      ...(isSmall ? { FUXI_PROFILE: "small" } : {}),
    },
  });
  const url = `http://localhost:${started.port}`;
  const pids = processesOf(folder);
  await sleep(settleSeconds * 1_000);
  const idle = readMemory(pids);
  console.log("idle", idle);
  const pages = await findPages(url);
  const sampling = sampleMemory(() => readMemory(pids), idle);
  const visited = await pathsOf(firstPk, links);
  const calm = await putMixedLoad(url, pages, { visited, seconds: calmSeconds, ...visitors });
  const eager =
    isSmall || isHour
      ? undefined
      : await putMixedLoad(url, pages, {
          visited,
          seconds: eagerSeconds,
          connections: 64,
          pauseMs: 0,
        });
  const { most, later } = await sampling.stop();
  await sleep(settleSeconds * 1_000);
  const after = readMemory(pids);
  const restarted = Object.entries(processesOf(folder)).filter(([name, pid]) => pids[name] !== pid);
  const used = group?.read();
  await started.stop();
  await group?.close();
  return {
    idle,
    most,
    ...(isHour ? { later } : {}),
    after,
    calm,
    eager,
    restarted: restarted.map(([name]) => name),
    group: used,
  };
}

function readMemory(pids: Record<string, number>): Memory {
  const of = (name: string) => Math.round(pssMbOf(pids[name] ?? 0));
  const memory = { front: of("front"), worker: of("worker"), web: of("web") };
  return { ...memory, all: memory.front + memory.worker + memory.web };
}
