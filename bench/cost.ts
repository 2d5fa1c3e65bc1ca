/**
 * What a visit and a created link cost: CPU time of every process, against bare servers in the same run. Rates depend on the
 * machine and its load; these costs hardly do. The tail is measured at a fixed share of the most that each server answers.
 *
 * The processes are those of `npm start`, with its log level. Visits are of many browsers, addresses and links.
 * `--short`: once, with short phases.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readLag } from "#lib/analytics/ingest";
import { closePostgres } from "#lib/platform/postgres";
import { closeRedis, redis, redisReady } from "#lib/platform/redis";
import { owner, singleCreates } from "./calls.ts";
import { type Cost, costOf, postmasterOf } from "./cpu.ts";
import { calmPauseMs, crowdVisits, pauseAtShare, putLinksOf } from "./crowd.ts";
import { startNginxLua } from "./nginx-lua.ts";
import { reportResult } from "./results.ts";
import { type Load, machine, median, openStage, putLoad, type Running } from "./stage.ts";

const isShort = process.argv.includes("--short");
const rounds = isShort ? 1 : 3;
const seconds = isShort ? 4 : 8;
const connections = 64;
const links = 10_000;
const workspaces = 8;

const stage = await openStage();
await redisReady(redis(), 5_000);
const { setUpOwner } = await import("#lib/identity/auth");
const { openDomains } = await import("#lib/links/hosts");
await setUpOwner(owner);
await openDomains();
const visited = await putLinksOf(workspaces, links);
const postgres = postmasterOf(stage.dataDir);
const redisPid = Number(/process_id:(\d+)/.exec(await redis().info("server"))?.[1]);

const bare = await stage.run("bench/bare.ts");
const nginx = await startNginxLua(stage.dataDir, stage.redisUrl, visited);
const front = await stage.run("server.ts", [], { FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const visits = { bare: [] as Cost[], nginx: [] as Cost[], counted: [] as Cost[] };
const most = loads();
/** At a share of the most. */
const tails = loads();
const calm = crowdVisits(visited, calmPauseMs);
const eager = crowdVisits(visited);
await visit(front, eager, 3);
await visit(bare, eager, 2);
await visit(nginx, eager, 2);
for (let round = 0; round < rounds; round++) {
  visits.bare.push(await costOf(() => visit(bare, calm), { server: bare.pid }));
  visits.nginx.push(await costOf(() => visit(nginx, calm), { server: nginx.pid, redis: redisPid }));
  await press("bare", bare);
  await press("nginx", nginx);
  await press("alone", front);
  const worker = await stage.run("workers/index.ts");
  await counted();
  visits.counted.push(
    await costOf(
      async () => {
        const load = await visit(front, calm);
        await counted();
        return load;
      },
      { server: front.pid, redis: redisPid, worker: worker.pid, postgres },
    ),
  );
  await press("counted", front);
  await counted();
  await worker.stop();
}
await bare.stop();
await nginx.stop();
console.dir(summarizeVisits());
const creates = await measureCreates();
console.table(creates);

const result = {
  machine: machine(),
  fdatasyncMs: fdatasyncMs(),
  visits: summarizeVisits(),
  creates,
};
reportResult("cost", result, {
  "hot redirects, worker stopped, against bare node:http (rate)": result.visits.mostOfBare,
  "the same while counting (rate)": result.visits.mostOfBareWhileCounting,
  "hot redirects against nginx + Lua + Redis without counting (rate)": result.visits.mostOfNginx,
  "p99 at 70 % of the most, worker stopped, against bare": result.visits.tailOfBare,
  "the same while counting (p99)": result.visits.tailOfBareWhileCounting,
  "CPU of a counted visit in all processes, against a bare one": result.visits.timesBare,
  "single creates against a bare POST (rate)": creates.ofBarePost,
  "the same against one that commits in groups (rate)": creates.ofCommittingPost,
});
await front.stop();
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

function loads(): Record<"alone" | "bare" | "counted" | "nginx", Load[]> {
  return { alone: [], bare: [], counted: [], nginx: [] };
}

/** The most that it answers, then the tail at a share of that. */
async function press(name: keyof typeof most, server: { port: number }): Promise<void> {
  const load = await visit(server, eager);
  most[name].push(load);
  const calmer = crowdVisits(visited, pauseAtShare(load.requestsPerSecond, connections));
  tails[name].push(await visit(server, calmer));
}

function visit(running: { port: number }, script: string, forSeconds = seconds): Promise<Load> {
  return putLoad(`http://127.0.0.1:${running.port}`, script, { connections, seconds: forSeconds });
}

/** Until the worker has counted everything. */
async function counted(): Promise<void> {
  while ((await readLag()).entries > 0) await sleep(50);
}

function summarizeVisits() {
  const cost = (name: string) => rounded(median(visits.counted.map(({ by }) => by[name] ?? 0)));
  const bareCost = median(visits.bare.map(({ total }) => total));
  const rate = (of: Load[]) => median(of.map((load) => load.requestsPerSecond));
  const p99 = (of: Load[]) => median(of.map((load) => load.p99Ms));
  return {
    visitsPerSecond: Math.round(median(visits.counted.map(({ load }) => load.requestsPerSecond))),
    bareMicroseconds: rounded(bareCost),
    frontMicroseconds: cost("server"),
    redisMicroseconds: cost("redis"),
    workerMicroseconds: cost("worker"),
    postgresMicroseconds: cost("postgres"),
    timesBare: rounded(median(visits.counted.map(({ total }) => total)) / bareCost, 2),
    countingTimesBare: rounded(
      median(visits.counted.map(({ by }) => (by["worker"] ?? 0) + (by["postgres"] ?? 0))) /
        bareCost,
      2,
    ),
    mostOfBare: rounded(rate(most.alone) / rate(most.bare), 2),
    mostOfBareWhileCounting: rounded(rate(most.counted) / rate(most.bare), 2),
    mostOfNginx: rounded(rate(most.alone) / rate(most.nginx), 2),
    nginxMicroseconds: rounded(median(visits.nginx.map(({ by }) => by["server"] ?? 0))),
    nginxRedisMicroseconds: rounded(median(visits.nginx.map(({ by }) => by["redis"] ?? 0))),
    most: Object.fromEntries(
      Object.entries(most).map(([name, of]) => [name, Math.round(rate(of))]),
    ),
    tails: Object.fromEntries(
      Object.entries(tails).map(([name, of]) => [
        name,
        { perSecond: Math.round(rate(of)), p99Ms: p99(of) },
      ]),
    ),
    tailOfBare: rounded(p99(tails.alone) / p99(tails.bare), 2),
    tailOfBareWhileCounting: rounded(p99(tails.counted) / p99(tails.bare), 2),
  };
}

async function measureCreates() {
  const post = await stage.run("bench/bare-post.ts");
  const commit = await stage.run("bench/bare-post.ts", [], {}, ["commit"]);
  const rows: { bare: Cost; commit: Cost; ours: Cost }[] = [];
  const create = (running: Running) => visit(running, singleCreates());
  await create(front);
  await create(commit);
  for (let round = 0; round < rounds; round++) {
    const bareCost = await costOf(() => create(post), { server: post.pid });
    const commitCost = await costOf(() => create(commit), { server: commit.pid, postgres });
    const ours = await costOf(() => create(front), {
      server: front.pid,
      postgres,
      redis: redisPid,
    });
    rows.push({ bare: bareCost, commit: commitCost, ours });
  }
  await post.stop();
  await commit.stop();
  const failed = rows.reduce((sum, row) => sum + row.ours.load.errors + row.commit.load.errors, 0);
  if (failed > 0) throw new Error(`${failed} creates failed`);
  const of = (read: (row: (typeof rows)[number]) => number) => median(rows.map(read));
  return {
    createsPerSecond: Math.round(of(({ ours }) => ours.load.requestsPerSecond)),
    ofCommittingPost: rounded(
      of(({ ours, commit: one }) => ours.load.requestsPerSecond / one.load.requestsPerSecond),
      2,
    ),
    ofBarePost: rounded(
      of(({ ours, bare: one }) => ours.load.requestsPerSecond / one.load.requestsPerSecond),
      2,
    ),
    bareMicroseconds: rounded(of((row) => row.bare.total)),
    committingMicroseconds: rounded(of(({ commit: one }) => one.by["server"] ?? 0)),
    committingPostgresMicroseconds: rounded(of(({ commit: one }) => one.by["postgres"] ?? 0)),
    frontMicroseconds: rounded(of(({ ours }) => ours.by["server"] ?? 0)),
    postgresMicroseconds: rounded(of(({ ours }) => ours.by["postgres"] ?? 0)),
    redisMicroseconds: rounded(of(({ ours }) => ours.by["redis"] ?? 0)),
    p99Ms: of(({ ours }) => ours.load.p99Ms),
  };
}

/** What the disk takes to make a write durable, which every committed create waits for. */
function fdatasyncMs(): number {
  const file = join(stage.dataDir, "fdatasync");
  const handle = openSync(file, "w");
  const times = Array.from({ length: 50 }, () => {
    const begin = performance.now();
    writeSync(handle, Buffer.alloc(4_096));
    fdatasyncSync(handle);
    return performance.now() - begin;
  });
  closeSync(handle);
  rmSync(file);
  return rounded(median(times), 2);
}

function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
