/**
 * The CPU time of an idle instance with 10,000 links, by process, stores included: as `npm start` runs it, over five minutes.
 * With a commit, an instance of that commit idles at the same time: `npm run bench idle -- <commit>`. `--minutes=1`: shorter.
 */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLinks } from "./calls.ts";
import { pssMbOf } from "./pss.ts";
import { reportResult } from "./results.ts";
import {
  argumentOf,
  launcherOf,
  memoryOf,
  openSides,
  type RunningSide,
  type Side,
  startSide,
} from "./sides.ts";
import { machine } from "./stage.ts";
import { cpuMsOf, ownCpuMsOf } from "./tree.ts";

const links = 10_000;
const settleSeconds = 60;
const minutes = argumentOf("minutes", 5);
const commit = process.argv.slice(2).find((one) => /^[0-9a-f]{7,40}$/.test(one));

const running: RunningSide[] = [];
for (const side of commit ? openSides(commit) : [openOwnSide()])
  running.push(await startSide(side));
for (const { url } of running) await createLinks(url, links);
await sleep(settleSeconds * 1_000);
const before = running.map(cpuOfParts);
const startedAt = performance.now();
await sleep(minutes * 60_000);
const wallMs = performance.now() - startedAt;
const sides = running.map((side, at) => [side.name, summarize(side, before[at] ?? {})] as const);
for (const { stop } of running) await stop();
const result = { machine: machine(), links, minutes, commit, ...Object.fromEntries(sides) };
reportResult(
  "idle",
  result,
  Object.fromEntries(
    sides.map(([name, { percent }]) => [`percent of a core, idle, ${name}`, percent["all"] ?? 0]),
  ),
);
process.exit(0);

function openOwnSide(): Side {
  const dataDir = resolve(".fuxi-bench", "idle");
  rmSync(dataDir, { recursive: true, force: true });
  return { name: "now", checkout: resolve("."), dataDir };
}

function cpuOfParts(side: RunningSide): Record<string, number> {
  const parts = Object.entries(side.pids).map(([name, pid]) => [name, cpuMsOf(pid)]);
  return { launcher: ownCpuMsOf(launcherOf(side)), ...Object.fromEntries(parts) };
}

/** Percent of a core, and memory. */
function summarize(side: RunningSide, earlier: Record<string, number>) {
  const parts = Object.entries(cpuOfParts(side)).map(
    ([name, ms]) => [name, ((ms - (earlier[name] ?? 0)) / wallMs) * 100] as const,
  );
  const all = parts.reduce((sum, [, percent]) => sum + percent, 0);
  const percent = Object.fromEntries(
    [...parts, ["all", all] as const].map(([name, value]) => [name, Number(value.toFixed(2))]),
  );
  return {
    percent,
    memoryMb: { launcher: Math.round(pssMbOf(launcherOf(side))), ...memoryOf(side) },
  };
}
