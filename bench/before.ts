/**
 * An earlier commit and the present one in turns, so that a slow minute of the machine affects both: `npm run bench before --
 * <commit>`. Each is what its own `npm start` runs, with stores of its own, at its log level. Bare servers in the same turns.
 *
 * `--links=10000000`: so many in the table, of which one visit in seven meets one that was never visited. `--rounds=3`.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { closePostgres } from "#lib/platform/postgres";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { bulkCreates, owner, singleCreates } from "./calls.ts";
import { openCold, openPage, type Session, signIn } from "./cold-page.ts";
import { costOf, postmasterOf } from "./cpu.ts";
import { crowdVisits } from "./crowd.ts";
import { insertPlainly } from "./plain-sql.ts";
import {
  counted,
  createLinks,
  importRows,
  memoryOf,
  openSides,
  putUnvisited,
  type RunningSide,
  settleTables,
  startSide,
} from "./sides.ts";
import { type Load, machine, median, openStage, putLoad } from "./stage.ts";

const commit = process.argv.slice(2).find((one) => /^[0-9a-f]{7,40}$/.test(one));
if (!commit) throw new Error("Name a commit: npm run bench before -- 516fb402");
const rounds = numberOf("rounds", 3);
const tableLinks = numberOf("links", 1_000_000);
const starts = 3;
const seconds = 8;
const connections = 64;
const visitedLinks = 10_000;
const importedRows = 60_000;
const settleSeconds = 20;
const putAtOnce = 100_000;
/** Outside of the ranges that new links get. */
const firstPk = 2_000_000_000;
/** Half of what one core can answer, so that nothing waits. */
const pauseMs = 10;
const shareOfMost = 0.7;
/** What a visit takes beside the pause, roughly. */
const answerMs = 1;
const coldRounds = 6;
const missEvery = 7;
/** Of visitors with one miss in seven. */
const missingPerSecond = 3_000;

const stage = await openStage();
const { makeCodes } = await import("#lib/platform/codes");
const codeKey = {
  FUXI_CODE_KEY: String(stage.env["FUXI_CODE_KEY"]),
  FUXI_CODE_TWEAK: String(stage.env["FUXI_CODE_TWEAK"]),
};
const sides = openSides(commit);
// The first start of each installs and builds.
for (const side of sides) await (await startSide(side, codeKey)).stop();
const started = { before: [] as Start[], now: [] as Start[] };
for (let at = 0; at < starts; at++) {
  for (const side of sides) {
    const { readyMs, startCpuMs, stop } = await startSide(side, codeKey);
    started[side.name].push({ readyMs, cpuMs: startCpuMs });
    await stop();
  }
}
console.dir(started);

const running: RunningSide[] = [];
for (const side of sides) running.push(await startSide(side, codeKey));
await sleep(settleSeconds * 1_000);
const memory = { before: [] as Memory[], now: [] as Memory[] };
for (const side of running) memory[side.name].push(memoryOf(side));
const scripts = new Map<RunningSide, Scripts>();
for (const side of running) scripts.set(side, await prepare(side));

const bare = await stage.run("bench/bare.ts");
const post = await stage.run("bench/bare-post.ts");
const commits = await stage.run("bench/bare-post.ts", [], {}, ["commit"]);
const postgres = postmasterOf(stage.dataDir);
const rows = { bare: [] as BareRow[], before: [] as SideRow[], now: [] as SideRow[] };
for (let round = -1; round < rounds; round++) {
  const row = await measureBare();
  const measured = [];
  for (const side of running) measured.push(await measureSide(side));
  for (const side of running) memory[side.name].push(memoryOf(side));
  console.dir({ bare: row, measured }, { depth: 6 });
  // The first round of each is a warm-up.
  if (round < 0) continue;
  rows.bare.push(row);
  for (const [at, side] of running.entries()) {
    const own = measured[at];
    if (own) rows[side.name].push(own);
  }
}
const imports = { before: [] as number[], now: [] as number[], plain: [] as number[] };
for (let at = 0; at < rounds; at++) {
  imports.plain.push(
    await insertPlainly({
      databaseUrl: stage.databaseUrl,
      connections: 1,
      rowsPerStatement: 1_000,
      urlOf: (row) => `https://shop.example.com/products/${row % 997}?order=${row}&ref=newsletter`,
      rows: importedRows,
      withSearch: true,
    }),
  );
  for (const side of running) {
    imports[side.name].push(Math.round(importedRows / (await importRows(side, importedRows))));
  }
}
await sleep(settleSeconds * 1_000);
for (const side of running) memory[side.name].push(memoryOf(side));
const pages = await measurePages();

const result = {
  machine: machine(),
  commit,
  rounds,
  tableLinks,
  started,
  memory,
  imports,
  pages,
  bare: mediansOf(rows.bare),
  before: mediansOf(rows.before),
  now: mediansOf(rows.now),
  rows,
};
console.dir(result, { depth: 4 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/before.json", `${JSON.stringify(result, null, 2)}\n`);
}
for (const side of running) await side.stop();
for (const server of [bare, post, commits]) await server.stop();
await closePostgres();
await stage.close();
process.exit(0);

interface Start {
  readyMs: number;
  cpuMs: number;
}

type Memory = ReturnType<typeof memoryOf>;
type BareRow = Awaited<ReturnType<typeof measureBare>>;
type SideRow = Awaited<ReturnType<typeof measureSide>>;

interface Scripts {
  keys: string[];
  /** Unvisited ones, each used once. */
  unvisited: string[];
}

function numberOf(name: string, usual: number): number {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  return Number(given ?? usual);
}

async function prepare(side: RunningSide): Promise<Scripts> {
  const keys = await createLinks(side, visitedLinks);
  const unvisited: string[] = [];
  for (let at = 0; at < tableLinks; at += putAtOnce) {
    const codes = await makeCodes(firstPk + at, putAtOnce);
    await putUnvisited(side, codes);
    // Popular links are not adjacent in the table.
    if (unvisited.length < 400_000)
      unvisited.push(...codes.filter((_, n) => n % 3 === 0).map(({ code }) => code));
  }
  await settleTables(side);
  return { keys, unvisited };
}

async function measureBare() {
  const calm = await costOf(() => put(bare, crowdOf(running[0], pauseMs)), { server: bare.pid });
  const most = await put(bare, crowdOf(running[0]));
  const tail = await put(bare, crowdOf(running[0], pauseFor(most)));
  const posted = await costOf(() => put(post, singleCreates()), { server: post.pid });
  const committed = await costOf(() => put(commits, singleCreates()), {
    server: commits.pid,
    postgres,
  });
  return {
    visit: calm.by,
    mostVisits: most.requestsPerSecond,
    tailP99Ms: tail.p99Ms,
    post: { ...posted.by, perSecond: posted.load.requestsPerSecond },
    committingPost: { ...committed.by, perSecond: committed.load.requestsPerSecond },
  };
}

async function measureSide(side: RunningSide) {
  const { worker } = side.pids;
  process.kill(worker, "SIGSTOP");
  const alone = await put(side, crowdOf(side));
  const aloneTail = await put(side, crowdOf(side, pauseFor(alone)));
  process.kill(worker, "SIGCONT");
  await counted(side);
  const calm = await costOf(async () => {
    const load = await put(side, crowdOf(side, pauseMs));
    await counted(side);
    return load;
  }, side.pids);
  const counting = await put(side, crowdOf(side));
  const countingTail = await put(side, crowdOf(side, pauseFor(counting)));
  await counted(side);
  const missing = await put(side, missingOf(side));
  await counted(side);
  const created = await costOf(() => put(side, singleCreates()), side.pids);
  const bulk = await putLoad(urlOf(side), bulkCreates(1_000), { connections: 4, seconds });
  if (bulk.errors > 0) throw new Error(`${bulk.errors} bulk creates failed`);
  return {
    mostVisits: alone.requestsPerSecond,
    tailP99Ms: aloneTail.p99Ms,
    visit: calm.by,
    mostWhileCounting: counting.requestsPerSecond,
    tailWhileCountingP99Ms: countingTail.p99Ms,
    missing: {
      perSecond: missing.requestsPerSecond,
      meanMs: missing.meanMs,
      p80Ms: missing.p80Ms,
      p99Ms: missing.p99Ms,
    },
    create: { ...created.by, perSecond: created.load.requestsPerSecond, p99Ms: created.load.p99Ms },
    bulkRowsPerSecond: bulk.requestsPerSecond * 1_000,
  };
}

/** The list of all these links in a browser that has nothing of it yet. */
async function measurePages() {
  const path = "/app/my-workspace/links";
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: chromiumFlags(),
  });
  const coldMs = { before: [] as number[], now: [] as number[] };
  const sessions = new Map<RunningSide, Session>();
  for (const side of running) sessions.set(side, await signIn(browser, side.url, path, owner));
  for (let round = 0; round < coldRounds; round++) {
    for (const side of running) {
      const page = await openPage(browser, side.url, sessions.get(side));
      coldMs[side.name].push(Math.round(await openCold(page, path)));
      await page.context().close();
    }
  }
  await browser.close();
  return { coldMs };
}

function crowdOf(side: RunningSide | undefined, pause = 0): string {
  const keys = (side && scripts.get(side)?.keys) ?? [];
  return crowdVisits(
    keys.map((key) => ({ key })),
    pause,
  );
}

/** Most visits are of few links; one in seven of one that no cache has. */
function missingOf(side: RunningSide): string {
  const { keys = [], unvisited = [] } = scripts.get(side) ?? {};
  const fresh = unvisited.splice(0, Math.ceil((missingPerSecond * seconds * 1.2) / missEvery));
  const mixed = fresh.flatMap((key, at) => [
    ...Array.from({ length: missEvery - 1 }, (_, n) => keys[(at * 6 + n) % keys.length] ?? ""),
    key,
  ]);
  const pause = Math.floor((connections * 1_000) / missingPerSecond) - answerMs;
  return crowdVisits(
    mixed.map((key) => ({ key })),
    pause,
    1,
  );
}

function pauseFor({ requestsPerSecond }: Load): number {
  return Math.max(1, (connections * 1_000) / (requestsPerSecond * shareOfMost) - answerMs);
}

function urlOf({ port }: { port: number }): string {
  return `http://127.0.0.1:${port}`;
}

async function put(server: { port: number }, script: string): Promise<Load> {
  const load = await putLoad(urlOf(server), script, { connections, seconds });
  if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
  return load;
}

/** Of every number in rows of one shape. */
function mediansOf(all: object[]): object {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((name) => {
      const values: unknown[] = all.map((row) => Reflect.get(row, name));
      const numbers = values.filter((value) => typeof value === "number");
      const value =
        numbers.length > 0 ? Number(median(numbers).toFixed(1)) : mediansOf(values as object[]);
      return [name, value];
    }),
  );
}
