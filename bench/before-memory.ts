/**
 * The memory of an earlier commit and the present one under the same mixed load: `npm run bench before-memory -- <commit>`. Each
 * is what its own `npm start` runs, with stores of its own and 200,000 links. First both at once for an hour
 * (`--minutes=60`), read every five minutes; then each alone in a control group of 1 GB for as long as a minute, stores
 * included, the present one with FUXI_PROFILE=small, which the earlier one does not have.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLinks } from "./calls.ts";
import { limitMemory } from "./memory-group.ts";
import { findPages, putMixedLoad, sampleMemory, visitors } from "./mixed-load.ts";
import {
  argumentOf,
  commitOfArguments,
  memoryOf,
  openSides,
  type RunningSide,
  type Side,
  startSide,
} from "./sides.ts";
import { machine, openLoads } from "./stage.ts";

const commit = commitOfArguments("before-memory");
const minutes = argumentOf("minutes", 60);
const links = argumentOf("links", 200_000);
const smallSeconds = argumentOf("small-seconds", 60);
const settleSeconds = 20;
const groupMb = 1_024;

openLoads();
const sides = openSides(commit);
// The first start of each installs and builds.
for (const side of sides) await (await startSide(side)).stop();
const visited = new Map<Side["name"], string[]>();
const running: RunningSide[] = [];
for (const side of sides) running.push(await startSide(side, { env: nodeOf(side) }));
for (const { name, url } of running) {
  visited.set(
    name,
    (await createLinks(url, links)).map((key) => `/${key}`),
  );
}
// Without what the creates left behind.
for (const side of running) await side.stop();
running.length = 0;
for (const side of sides) running.push(await startSide(side, { env: nodeOf(side) }));
const hour = Object.fromEntries(
  await Promise.all(running.map(async (side) => [side.name, await load(side, minutes * 60)])),
);
for (const side of running) await side.stop();
const small: Record<string, object> = {};
for (const side of sides) small[side.name] = await loadInGroup(side);

const result = { machine: machine(), commit, minutes, links, hour, small };
console.dir(result, { depth: 5 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/before-memory.json", `${JSON.stringify(result, null, 2)}\n`);
}
process.exit(0);

/** A Node of its own for each: pages of a file are divided among all processes of the machine that run it. */
function nodeOf({ name }: Side): Record<string, string> {
  const node = resolve(".fuxi-bench", `node-${name}`, "node");
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
  return { PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` };
}

async function load(side: RunningSide, seconds: number) {
  await sleep(settleSeconds * 1_000);
  const idle = memoryOf(side);
  const pages = await findPages(side.url);
  const sampling = sampleMemory(() => memoryOf(side), idle);
  const paths = visited.get(side.name) ?? [];
  const answered = await putMixedLoad(side.url, pages, { visited: paths, seconds, ...visitors });
  const { most, later } = await sampling.stop();
  await sleep(settleSeconds * 1_000);
  return { idle, most, later, after: memoryOf(side), answered };
}

/** As on a machine of 1 GB; what fails there is part of the result. */
async function loadInGroup(side: Side): Promise<object> {
  const group = limitMemory(`fuxi-bench-${side.name}`, groupMb * 1_024 ** 2);
  const env = side.name === "now" ? { ...nodeOf(side), FUXI_PROFILE: "small" } : nodeOf(side);
  let started: RunningSide | undefined;
  try {
    started = await startSide(side, { env, prefix: group.prefix });
    const measured = await load(started, smallSeconds);
    return { ...measured, group: group.read() };
  } catch (error) {
    return { error: String(error), group: group.read() };
  } finally {
    await started?.stop();
    await group.close();
  }
}
