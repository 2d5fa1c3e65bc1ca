/**
 * An earlier commit and the present one in turns, so that a slow minute of the machine affects both: `npm run bench before --
 * <commit>`. Each is what its own `npm start` runs, with stores of its own, at its log level. Bare servers in the same turns.
 *
 * `--links=10000000`: so many in the table, of which one visit in seven meets one that was never visited, `--rate=10000` visits
 * a second. `--rounds=3`. Plain INSERT statements go into the tables of the side that they are compared with.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { closePostgres } from "#lib/platform/postgres";
import { bulkCreates, createLinks, owner, productUrlOf, singleCreates } from "./calls.ts";
import { openColdInTurns } from "./cold-page.ts";
import { costOf, postmasterOf } from "./cpu.ts";
import { calmPauseMs, crowdVisits, crowdWithMisses, missEvery, pauseAtShare } from "./crowd.ts";
import { insertPlainly } from "./plain-sql.ts";
import {
  argumentOf,
  commitOfArguments,
  counted,
  databaseOfSide,
  importRows,
  memoryOf,
  openSides,
  putUnvisited,
  type RunningSide,
  settleTables,
  startSide,
} from "./sides.ts";
import { type Load, machine, median, openStage, putLoad } from "./stage.ts";
import { firstPk } from "./started.ts";

const commit = commitOfArguments("before");
const rounds = argumentOf("rounds", 3);
const usualLinks = 1_000_000;
const tableLinks = argumentOf("links", usualLinks);
const starts = 3;
const seconds = 8;
const connections = 64;
const visitedLinks = 10_000;
const importedRows = 60_000;
const settleSeconds = 20;
const putAtOnce = 100_000;
const bulk = { connections: 4, rows: 1_000 };
/** One link in three stays unvisited, which is more than all rounds visit. */
const unvisitedEvery = 3;
/** Visits a second when one in seven misses the caches. */
const missingPerSecond = argumentOf("rate", 3_000);

const stage = await openStage();
const { makeCodes, pksFrom } = await import("#lib/platform/codes");
const codeKey = {
  FUXI_CODE_KEY: String(stage.env["FUXI_CODE_KEY"]),
  FUXI_CODE_TWEAK: String(stage.env["FUXI_CODE_TWEAK"]),
};
const sides = openSides(commit);
// The first start of each installs and builds.
for (const side of sides) await (await startSide(side, { env: codeKey })).stop();
const started = { before: [] as Start[], now: [] as Start[] };
for (let at = 0; at < starts; at++) {
  for (const side of sides) {
    const { readyMs, startCpuMs, stop } = await startSide(side, { env: codeKey });
    started[side.name].push({ readyMs, cpuMs: startCpuMs });
    await stop();
  }
}
console.dir(started);

const running: RunningSide[] = [];
for (const side of sides) running.push(await startSide(side, { env: codeKey }));
await sleep(settleSeconds * 1_000);
const memory = { before: [] as Memory[], now: [] as Memory[] };
for (const side of running) memory[side.name].push(memoryOf(side));
const prepared = await prepare();

/** What a visit with misses took last time beside its pause: the next pause is shorter by it, so that visits come as often as asked. */
const busyMsOf = new Map<RunningSide, number>();
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
const imports = { before: [] as Import[], now: [] as Import[] };
for (let at = 0; at < rounds; at++) {
  for (const side of running) imports[side.name].push(await measureImport(side));
}
await sleep(settleSeconds * 1_000);
for (const side of running) memory[side.name].push(memoryOf(side));
// The list of all these links.
const [coldBefore, coldNow] = await openColdInTurns(
  running.map(({ url }) => url),
  "/app/my-workspace/links",
  owner,
);

const result = {
  machine: machine(),
  commit,
  rounds,
  tableLinks,
  started,
  memory,
  imports,
  pages: { coldMs: { before: coldBefore, now: coldNow } },
  bare: mediansOf(rows.bare),
  before: mediansOf(rows.before),
  now: mediansOf(rows.now),
  rows,
};
console.dir(result, { depth: 4 });
if (process.argv.includes("--keep")) {
  const file = tableLinks === usualLinks ? "before" : "before-many";
  writeFileSync(`bench/${file}.json`, `${JSON.stringify(result, null, 2)}\n`);
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
type Import = Awaited<ReturnType<typeof measureImport>>;
type BareRow = Awaited<ReturnType<typeof measureBare>>;
type SideRow = Awaited<ReturnType<typeof measureSide>>;

interface Keys {
  /** Keys of links that are visited again and again. */
  keys: string[];
  /** Keys of other links, each used once. */
  unvisited: string[];
}

async function prepare(): Promise<Map<RunningSide, Keys>> {
  const all = new Map<RunningSide, Keys>();
  for (const side of running) {
    all.set(side, { keys: await createLinks(side.url, visitedLinks), unvisited: [] });
  }
  for (let at = 0; at < tableLinks; at += putAtOnce) {
    const codes = await makeCodes(pksFrom(firstPk + at, putAtOnce));
    await Promise.all(running.map((side) => putUnvisited(side, codes)));
    // Not neighbours in the table.
    const unvisited = codes.filter((_, n) => n % unvisitedEvery === 0).map(({ code }) => code);
    for (const side of running) all.get(side)?.unvisited.push(...unvisited);
  }
  for (const side of running) await settleTables(side);
  return all;
}

async function measureBare() {
  const calm = await costOf(() => put(bare, crowdOf(running[0], calmPauseMs)), {
    server: bare.pid,
  });
  const most = await put(bare, crowdOf(running[0]));
  const tail = await put(
    bare,
    crowdOf(running[0], pauseAtShare(most.requestsPerSecond, connections)),
  );
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
  const aloneTail = await put(
    side,
    crowdOf(side, pauseAtShare(alone.requestsPerSecond, connections)),
  );
  process.kill(worker, "SIGCONT");
  await counted(side);
  const calm = await costOf(async () => {
    const load = await put(side, crowdOf(side, calmPauseMs));
    await counted(side);
    return load;
  }, side.pids);
  const counting = await put(side, crowdOf(side));
  const countingTail = await put(
    side,
    crowdOf(side, pauseAtShare(counting.requestsPerSecond, connections)),
  );
  await counted(side);
  const missing = await putMissing(side);
  await counted(side);
  const created = await costOf(() => put(side, singleCreates()), side.pids);
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
    bulk: await measureBulk(side),
  };
}

/** Links a second of calls of a thousand each, against plain INSERT statements of as many over as many connections. */
async function measureBulk(side: RunningSide) {
  const { connections, rows } = bulk;
  const load = await putLoad(urlOf(side), bulkCreates(rows), { connections, seconds });
  if (load.errors > 0) throw new Error(`${load.errors} bulk creates failed`);
  const rate = Math.round(load.requestsPerSecond * rows);
  const plain = await insertPlainly({
    databaseUrl: databaseOfSide(side),
    connections,
    rowsPerStatement: rows,
    urlOf: (row) => `https://shop.example.com/orders/plain-${row}?utm_source=sms`,
    seconds,
  });
  return { rate, plain, ratio: Number((rate / plain).toFixed(2)) };
}

/** Rows a second of a CSV file, against plain INSERT statements into the same two tables. */
async function measureImport(side: RunningSide) {
  const plain = await insertPlainly({
    databaseUrl: databaseOfSide(side),
    connections: 1,
    rowsPerStatement: bulk.rows,
    urlOf: productUrlOf,
    rows: importedRows,
    withSearch: true,
  });
  const rate = Math.round(importedRows / (await importRows(side, importedRows)));
  return { rate, plain, ratio: Number((rate / plain).toFixed(2)) };
}

function crowdOf(side: RunningSide | undefined, pause = 0): string {
  const keys = (side && prepared.get(side)?.keys) ?? [];
  return crowdVisits(
    keys.map((key) => ({ key })),
    pause,
  );
}

/** Most visits are of few links; one in seven of one that no cache has. */
async function putMissing(side: RunningSide): Promise<Load> {
  const { keys = [], unvisited = [] } = prepared.get(side) ?? {};
  const fresh = unvisited.splice(0, Math.ceil((missingPerSecond * seconds * 1.2) / missEvery));
  const everyMs = (connections * 1_000) / missingPerSecond;
  const pauseMs = Math.max(0, everyMs - (busyMsOf.get(side) ?? 2));
  const load = await put(side, crowdWithMisses(keys, fresh, pauseMs));
  busyMsOf.set(side, (connections * 1_000) / load.requestsPerSecond - pauseMs);
  return load;
}

function urlOf({ port }: { port: number }): string {
  return `http://127.0.0.1:${port}`;
}

async function put(server: { port: number }, script: string): Promise<Load> {
  const load = await putLoad(urlOf(server), script, { connections, seconds });
  if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
  return load;
}

/** The median of every number in rows of one shape. */
function mediansOf(all: object[]): object {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((name) => {
      const values: unknown[] = all.map((row) => Reflect.get(row, name));
      const numbers = values.filter((value) => typeof value === "number");
      const value =
        numbers.length > 0 ? Number(median(numbers).toFixed(2)) : mediansOf(values as object[]);
      return [name, value];
    }),
  );
}
