/**
 * Redirects compared with plain node:http, in alternating pairs, so that a slow phase of the machine affects both.
 *
 * Every visit is counted: it is in the Redis Stream (AOF) before it is answered. Headers are those of a browser. First
 * 10,000 links, all of them cached; then the other paths to a link: from Redis, from Postgres, through Next.js. Then
 * ten million links in Postgres, the most popular million of them in Redis, visited in Zipf's distribution.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { encodeTarget, targetEntry } from "#lib/links/link-cache";
import { channel, openCoherence, prefill } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { redisKeys } from "#lib/platform/redis";
import { run } from "../scripts/processes.ts";
import { type Load, machine, median, openStage, putLoad, type Running } from "./stage.ts";
import { destinationOf, pathsOf, putLinks, putTenant, visitsOf, ZipfLinks } from "./visits.ts";

const connections = 64;
const pairs = 5;
const hotLinks = 10_000;
/** More than the first visits of one run. */
const coldLinks = 200_000;
const coldStart = 500_000_000;
const largeTable = 10_000_000;
const largeStart = 1_000_000_000;
const putAtOnce = 100_000;
const sharedLinks = 1_000_000;
/** More than the visits of one run. */
const visitsAtOnce = 400_000;
/** Each pauses between two visits, so that many slow connections make a rate instead of a few fast ones. */
const pausingVisitors = 500;
const rates = [10_000, 15_000, 20_000, 25_000, 30_000, 40_000];

const stage = await openStage();
const redis = new Redis(stage.redisUrl);
const small = await stage.openFilled("redirect_small", async () => {
  await putTenant();
  await putLinks(hotLinks);
  await putLinks(coldLinks, coldStart);
});
const large = await stage.openFilled("redirect_ten_million", async () => {
  await putTenant();
  for (let at = 0; at < largeTable; at += putAtOnce) await putLinks(putAtOnce, largeStart + at);
  await query(sql`VACUUM (FREEZE, ANALYZE) link`);
});
const hotPaths = await pathsOf(0, hotLinks);

const baseline = await stage.run("bench/bare.ts");
const result = {
  machine: machine(),
  connections,
  small: await benchSmall(),
  large: await benchLarge(),
};
await baseline.stop();
console.dir(result, { depth: 5 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/redirect.json", `${JSON.stringify(result, null, 2)}\n`);
}
redis.disconnect();
await closeAll();
await stage.close();
process.exit(0);

async function benchSmall() {
  const measured = await stage.run("workers/redirect.ts", [], { DATABASE_URL: small });
  const hotVisits = visitsOf(hotPaths);
  await visit(measured, hotVisits, 3);
  await visit(baseline, hotVisits, 2);
  const hot = await takeTurns("hot", measured, () => hotVisits);
  const cold = await visit(measured, visitsOf(await pathsOf(coldStart, coldLinks)));
  report("first visits, from Postgres", cold);
  const fixed = await holdRates(measured, small, () => hotPaths);
  await measured.stop();

  // A cache so small that every visit queries Redis.
  const smallCache = await stage.run("workers/redirect.ts", [], {
    DATABASE_URL: small,
    FUXI_LINKS_IN_MEMORY: "100",
  });
  await visit(smallCache, hotVisits, 3);
  const shared = await takeTurns("from Redis", smallCache, () => hotVisits);
  await smallCache.stop();

  const next = await benchNext(hotVisits);
  return {
    links: hotLinks,
    hot,
    timesNext: rounded(hot.perSecond / next.requestsPerSecond, 1),
    nextPerSecond: Math.round(next.requestsPerSecond),
    shared,
    cold: figuresOf(cold),
    fixed,
  };
}

/** A route handler that reads Redis, in the production build of Next.js. */
async function benchNext(script: string): Promise<Load> {
  const dir = join(".fuxi-bench", "next");
  rmSync(dir, { recursive: true, force: true });
  cpSync("bench/next", dir, { recursive: true });
  const built = await run("node_modules/.bin/next", ["build", dir], { env: stage.env });
  if (built.code !== 0) throw new Error(built.stdout + built.stderr);
  const values = hotPaths.map((path) => [`next:${path.slice(1)}`, destinationOf(0)]);
  await redis.mset(values.flat());
  const next = await stage.run("bench/next.ts", [], { NEXT_DIR: dir });
  await visit(next, script, 5);
  const load = await visit(next, script);
  report("Next route handler", load);
  await next.stop();
  return load;
}

async function benchLarge() {
  const zipf = new ZipfLinks(largeTable, largeStart);
  await putIntoRedis(zipf);
  const measured = await stage.run("workers/redirect.ts", [], { DATABASE_URL: large });
  // Each run continues after the previous one: no link is cached only because of repeated visits.
  const next = () => zipf.draw(visitsAtOnce);
  await visit(measured, visitsOf(next()), 10);
  const hot = await takeTurns("Zipf", measured, () => visitsOf(next()));
  const fixed = await holdRates(measured, large, next);
  await measured.stop();
  return { links: largeTable, linksInRedis: sharedLinks, hot, fixed };
}

/** The most popular links, as visits would have left them in Redis. */
async function putIntoRedis(zipf: ZipfLinks): Promise<void> {
  openCoherence();
  while (!channel.listening) await sleep(50);
  let entries = new Map<string, string>();
  for (let rank = 0; rank < sharedLinks; rank++) {
    const link = zipf.linkAt(rank);
    if (link) entries.set(targetEntry(1, link.key), lineOf(link.pk));
    if (entries.size < 1_000 && rank < sharedLinks - 1) continue;
    await prefill(entries, 1);
    entries = new Map();
  }
}

function lineOf(pk: number): string {
  return encodeTarget({
    linkPk: pk,
    workspacePk: 1,
    domainPk: 1,
    status: 0,
    startsAt: 0,
    endsAt: 0,
    state: "a",
    url: destinationOf(pk),
    expiredUrl: "",
    extras: undefined,
    indexed: false,
  });
}

/** The median of pairs: node:http, then the redirect, with the same visits. */
async function takeTurns(name: string, measured: Running, script: () => string) {
  const rows: { bare: Load; ours: Load; ratio: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const visits = script();
    const a = await visit(baseline, visits);
    const b = await visit(measured, visits);
    const ratio = b.requestsPerSecond / a.requestsPerSecond;
    rows.push({ bare: a, ours: b, ratio });
    report(`${name}: ${ratio.toFixed(3)} of ${a.requestsPerSecond.toFixed(0)}/s`, b);
  }
  const of = (read: (row: (typeof rows)[number]) => number) => median(rows.map(read));
  return {
    ratio: rounded(
      of((row) => row.ratio),
      3,
    ),
    perSecond: Math.round(of((row) => row.ours.requestsPerSecond)),
    barePerSecond: Math.round(of((row) => row.bare.requestsPerSecond)),
    p99Ms: rounded(
      of((row) => row.ours.p99Ms),
      1,
    ),
    errors: rows.reduce((sum, row) => sum + row.bare.errors + row.ours.errors, 0),
  };
}

/** Visitors who arrive at a fixed rate, while the worker counts; up to the first rate that is not reached. */
async function holdRates(measured: Running, databaseUrl: string, paths: () => string[]) {
  const worker = await stage.run("workers/index.ts", [], { DATABASE_URL: databaseUrl });
  const rows: ({ rate: number; isHeld: boolean } & ReturnType<typeof figuresOf>)[] = [];
  for (const rate of rates) {
    // Responses take time too, so visitors arrive slightly more often than the rate.
    const pauseMs = Math.floor((pausingVisitors * 900) / rate);
    const script = visitsOf(paths(), { pauseMs });
    const load = await putLoad(addressOf(measured), script, {
      connections: pausingVisitors,
      seconds: 10,
    });
    report(`at a rate of ${rate}/s`, load);
    const { p80Ms, meanMs, p99Ms, errors } = load;
    const isHeld = p80Ms < 5 && meanMs < 10 && p99Ms < 20 && errors === 0;
    rows.push({ rate, isHeld, ...figuresOf(load) });
    if (!isHeld) break;
  }
  await worker.stop();
  return rows;
}

/**
 * Clicks of one run are removed before the next, which would otherwise have less memory and a longer append-only file.
 */
async function visit(running: Running, script: string, seconds = 5): Promise<Load> {
  const load = await putLoad(addressOf(running), script, { connections, seconds });
  await redis.del(redisKeys.clickStream(0));
  return load;
}

function addressOf(running: Running): string {
  return `http://127.0.0.1:${running.port}`;
}

function report(what: string, load: Load): void {
  const { perSecond, p80Ms, p99Ms, errors } = figuresOf(load);
  console.log(`${what}: ${perSecond}/s, p80 ${p80Ms} ms, p99 ${p99Ms} ms, ${errors} errors`);
}

function figuresOf(load: Load) {
  return {
    perSecond: Math.round(load.requestsPerSecond),
    meanMs: rounded(load.meanMs, 2),
    p80Ms: rounded(load.p80Ms, 2),
    p99Ms: rounded(load.p99Ms, 2),
    errors: load.errors,
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
