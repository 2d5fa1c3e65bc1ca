/**
 * A database whose clicks are on the workers of a Citus cluster, one whose links are there too, and one that is not
 * distributed, on the same coordinator, in turns: single and bulk creates, visits that read PostgreSQL, counting, and charts.
 * BENCH_CITUS_URL is a database of the coordinator that lists the workers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { onServer, withClient, withDatabase } from "../scripts/databases.ts";
import { run } from "../scripts/processes.ts";
import { type Distributed, openCitusDatabase } from "../test/citus.ts";
import { openApi } from "../test/http-client.ts";
import { apiKey, createLinks, owner, singleCreates } from "./calls.ts";
import { crowdVisits } from "./crowd.ts";
import { reportResult } from "./results.ts";
import { machine, median, openStage, putLoad, type Running } from "./stage.ts";

const rounds = 3;
const connections = 64;
const seconds = 5;
/** More than are visited in this time, so that each is visited once. */
const visitedLinks = 120_000;
const chartRounds = 20;
const pollEveryMs = 20;
const charts = ["count", "timeseries", "top_links", "referers", "countries", "devices", "hours"];

interface Side {
  name: "one" | Distributed;
  env: { DATABASE_URL: string; REDIS_URL: string };
  api: Running;
}

const citusUrl = process.env["BENCH_CITUS_URL"];
if (!citusUrl) throw new Error("Set BENCH_CITUS_URL to a database of a Citus coordinator.");
const stage = await openStage();
const withClicks = await openCitusDatabase(citusUrl, "clicks");
const withLinks = await openCitusDatabase(citusUrl, "links");
const one = withDatabase(citusUrl, "fuxi_bench_one");
await onServer(one, "DROP DATABASE IF EXISTS fuxi_bench_one WITH (FORCE)");
await onServer(one, "CREATE DATABASE fuxi_bench_one");
const sides = [
  await openSide("one", one, 1),
  await openSide("clicks", withClicks.databaseUrl, 2),
  await openSide("links", withLinks.databaseUrl, 3),
];
const taken: Record<Side["name"], Round[]> = { one: [], clicks: [], links: [] };
for (let round = -1; round < rounds; round++) {
  for (const side of sides) {
    const figures = await measure(side);
    console.log(side.name, figures);
    // The first round of each is a warm-up.
    if (round >= 0) taken[side.name].push(figures);
  }
}
for (const { api } of sides) await api.stop();
await withClicks.drop();
await withLinks.drop();
await onServer(one, "DROP DATABASE fuxi_bench_one WITH (FORCE)");
await stage.close();
const ratios = { ...ratiosOf("clicks"), ...ratiosOf("links") };
reportResult("citus", { machine: machine(), rounds, ...ratios, taken }, ratios);
process.exit(0);

interface Round {
  createsPerSecond: number;
  bulkPerSecond: number;
  missesPerSecond: number;
  countedPerSecond: number;
  chartMs: number;
}

async function openSide(name: Side["name"], url: string, database: number): Promise<Side> {
  const env = { DATABASE_URL: url, REDIS_URL: withDatabase(stage.redisUrl, String(database)) };
  const set = {
    ...stage.env,
    ...env,
    FUXI_OWNER_EMAIL: owner.email,
    FUXI_OWNER_PASSWORD: owner.password,
    FUXI_API_KEY: apiKey,
  };
  for (const args of [["prisma/migrate.ts"], ["prisma/seed.ts"]]) {
    const ended = await run(process.execPath, ["--import", "tsx", ...args], { env: set });
    if (ended.code !== 0) throw new Error(`${args.join(" ")}: ${ended.stdout}${ended.stderr}`);
  }
  return { name, env, api: await stage.run("workers/api.ts", [], env) };
}

async function measure(side: Side): Promise<Round> {
  const { api, env } = side;
  const created = await put(api, singleCreates());
  const counting = await measureVisits(side);
  const call = openApi(`http://localhost:${api.port}`, apiKey);
  const times: number[] = [];
  for (let round = 0; round < chartRounds; round++) {
    for (const groupBy of charts) {
      const startedAt = performance.now();
      const { status } = await call("GET", `/analytics?groupBy=${groupBy}&interval=24h`);
      if (status !== 200) throw new Error(`A chart answered ${status}`);
      times.push(performance.now() - startedAt);
    }
  }
  await onServer(env.DATABASE_URL, "CHECKPOINT");
  return { createsPerSecond: created, ...counting, chartMs: Number(median(times).toFixed(2)) };
}

/** First visits of links that no cache has; then the worker, which was stopped, counts them. */
async function measureVisits({ api, env }: Side) {
  const creatingSince = performance.now();
  const keys = await createLinks(`http://localhost:${api.port}`, visitedLinks);
  const bulkPerSecond = Math.round((visitedLinks * 1_000) / (performance.now() - creatingSince));
  const redis = new Redis(env.REDIS_URL);
  await redis.flushdb();
  redis.disconnect();
  const redirect = await stage.run("workers/redirect.ts", [], {
    ...env,
    FUXI_TRUSTED_PROXIES: "127.0.0.1",
  });
  const before = await clicksIn(env.DATABASE_URL);
  const load = await putLoad(
    `http://127.0.0.1:${redirect.port}`,
    crowdVisits(
      keys.map((key) => ({ key })),
      0,
      1,
    ),
    { connections, seconds },
  );
  if (load.errors > 0) throw new Error(`${load.errors} visits failed`);
  await redirect.stop();
  const visits = Math.round(load.requestsPerSecond * load.seconds);
  if (visits > visitedLinks) throw new Error(`${visits} visits of ${visitedLinks} links`);
  const worker = await stage.run("workers/index.ts", [], env);
  const startedAt = performance.now();
  // Visits of crawlers are no clicks, and the last requests may have been cut off by the load generator.
  const wanted = before + Math.floor(visits * 0.95);
  while ((await clicksIn(env.DATABASE_URL)) < wanted) await sleep(pollEveryMs);
  const countedPerSecond = Math.round((visits * 1_000) / (performance.now() - startedAt));
  await worker.stop();
  return { bulkPerSecond, missesPerSecond: Math.round(load.requestsPerSecond), countedPerSecond };
}

async function clicksIn(url: string): Promise<number> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ clicks: number }>(
      "SELECT coalesce(sum(clicks), 0)::int AS clicks FROM link_stat",
    );
    return rows[0]?.clicks ?? 0;
  });
}

async function put({ port }: Running, script: string): Promise<number> {
  const load = await putLoad(`http://127.0.0.1:${port}`, script, { connections, seconds });
  if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
  return Math.round(load.requestsPerSecond);
}

/** Citus divided by one PostgreSQL. */
function ratiosOf(side: Distributed): Record<string, number> {
  const ratio = (read: (round: Round) => number) =>
    Number((median(taken[side].map(read)) / median(taken.one.map(read))).toFixed(2));
  return {
    [`${side}: single creates (rate)`]: ratio((round) => round.createsPerSecond),
    [`${side}: bulk creates (rate)`]: ratio((round) => round.bulkPerSecond),
    [`${side}: visits that read PostgreSQL (rate)`]: ratio((round) => round.missesPerSecond),
    [`${side}: counting (rate)`]: ratio((round) => round.countedPerSecond),
    [`${side}: charts (time)`]: ratio((round) => round.chartMs),
  };
}
