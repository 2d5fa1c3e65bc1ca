/**
 * Counting: how many clicks a second go from the stream to committed raw rows, counters and closed slots, and whether a
 * backlog grows while 8,000 visits a second are answered, written to the stream and counted on the same two cores.
 * Baseline: one COPY of the same rows into a table of the same shape and indexes. `--short`: fewer clicks, no backlog.
 */
import { randomUUID } from "node:crypto";
import { readLag } from "#lib/analytics/ingest";
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { closeRedis, redis, redisKeys, redisReady } from "#lib/platform/redis";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import { eventEnd, fieldEnd, formatVersion, sealAddresses } from "#lib/redirect/clicks";
import {
  addressOf,
  crowdVisits,
  languages,
  putLinksOf,
  referers,
  userAgents,
  type VisitedLink,
} from "./crowd.ts";
import { copyPlainly } from "./plain-sql.ts";
import { reportResult } from "./results.ts";
import { machine, openStage, putLoad, type Running } from "./stage.ts";

const workspaces = 8;
const links = 10_000;
const isShort = process.argv.includes("--short");
const clicks = isShort ? 100_000 : 300_000;
/** As written by a front with 64 connections. */
const clicksPerGroup = 40;
const spreadMs = 1_800_000;
const visitsPerSecond = 8_000;
const steadySeconds = 20;
const connections = 96;
const paceRounds = 4;

const stage = await openStage();
await redisReady(redis(), 5_000);
const visited = await putLinksOf(workspaces, links);

const drained = await measureDrain();
console.table(drained);
const steady = isShort ? undefined : await measureSteady();
console.table(steady);

const result = { machine: machine(), clicks, links, workspaces, drained, steady };
reportResult("ingest", result, {
  "clicks to rows and counters against COPY of the rows (rate)": drained.ofCopy,
});
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

interface CountResult {
  ingestMs: number;
  rollMs: number;
  slots: number;
  cpuMs: number;
}

/** Sound because bench/count.ts sends only this. */
async function count(worker: Running): Promise<CountResult> {
  return (await worker.ask("count")) as CountResult;
}

async function measureDrain() {
  const worker = await stage.run("bench/count.ts");
  await fillStream(20_000);
  await count(worker);
  await fillStream(clicks);
  const { ingestMs, rollMs, slots, cpuMs } = await count(worker);
  await worker.stop();
  const [row] = await query<{ rows: number; counted: number; rolled: number }>(sql`
    SELECT
      (SELECT count(*) FROM analytics.click) AS rows,
      (SELECT sum(clicks + bots) FROM link_stat)::bigint AS counted,
      (SELECT sum(clicks + bots) FROM analytics.value_slot WHERE dimension = 'total')::bigint AS rolled`);
  if (row?.rows !== clicks + 20_000 || row.counted !== row.rows || row.rolled !== row.rows) {
    throw new Error(`Counted wrongly: ${JSON.stringify(row)}`);
  }
  const copiedPerSecond = await copyPlainly(stage.databaseUrl, "analytics.click");
  return {
    copiedPerSecond,
    ofCopy: Number((clicks / (ingestMs / 1_000) / copiedPerSecond).toFixed(3)),
    clicksPerSecond: Math.round(clicks / ((ingestMs + rollMs) / 1_000)),
    rawPerSecond: Math.round(clicks / (ingestMs / 1_000)),
    rollMs: Math.round(rollMs),
    slots,
    workerCpuMicrosecondsPerClick: Number(((cpuMs * 1_000) / clicks).toFixed(1)),
  };
}

/** Clicks of the last half hour, in groups. */
async function fillStream(total: number): Promise<void> {
  const now = Date.now();
  const day = dayOf(now);
  const secret = await loadDaySecret(day);
  if (!secret) throw new Error("Today has no secret");
  const producer = randomUUID();
  let pipeline = redis().pipeline();
  for (let from = 0, number = 1; from < total; from += clicksPerGroup, number++) {
    const size = Math.min(clicksPerGroup, total - from);
    const at = now - spreadMs + Math.floor((from / total) * spreadMs);
    const numbers = Array.from({ length: size }, (_, n) => from + n);
    const events = numbers.map((n) => eventOf(n, at)).join("");
    const addresses = numbers.map((n) => addressOf(n % 200_000)).join(fieldEnd);
    pipeline.xadd(
      redisKeys.clickStream(0),
      "*",
      "v",
      formatVersion,
      "g",
      `${producer}:${number}`,
      "d",
      day,
      "a",
      sealAddresses(addresses, secret.key),
      "e",
      Buffer.from(events, "latin1"),
    );
    if (number % 500 === 0) {
      await pipeline.exec();
      pipeline = redis().pipeline();
    }
  }
  await pipeline.exec();
}

function eventOf(number: number, at: number): string {
  const spread = Math.imul(number, 40_503) >>> 0;
  const link: VisitedLink | undefined = visited[spread % visited.length];
  const fields = [
    at,
    link?.pk,
    link?.workspacePk,
    link?.domainPk,
    number % 10 === 0 ? "q" : "",
    userAgents[number % userAgents.length],
    referers[spread % referers.length],
    languages[number % languages.length],
    number % 12 === 0 ? `utm_source=post&utm_medium=social&utm_content=v${number % 5}` : "",
    "",
  ];
  return fields.join(fieldEnd) + eventEnd;
}

async function measureSteady() {
  await query(sql`TRUNCATE analytics.click, analytics.visitor, link_stat`);
  const front = await stage.run("workers/redirect.ts", [], { FUXI_TRUSTED_PROXIES: "127.0.0.1" });
  const worker = await stage.run("workers/index.ts", [], { PORT: "0" });
  const url = `http://127.0.0.1:${front.port}`;
  const script = await paceScript(url);
  const samples: { entries: number; seconds: number }[] = [];
  const sampling = setInterval(() => {
    readLag().then((lag) => samples.push(lag), console.error);
  }, 1_000);
  const load = await putLoad(url, script, { connections, seconds: steadySeconds });
  clearInterval(sampling);
  const end = await readLag();
  await front.stop();
  await worker.stop();
  const seconds = samples.map((sample) => sample.seconds);
  const half = seconds.length >> 1;
  const mean = (part: number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
  return {
    visitsPerSecond: Math.round(load.requestsPerSecond),
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    errors: load.errors,
    secondsBehindFirstHalf: Number(mean(seconds.slice(0, half)).toFixed(2)),
    secondsBehindSecondHalf: Number(mean(seconds.slice(half)).toFixed(2)),
    secondsBehindMax: Number(Math.max(...seconds).toFixed(2)),
    entriesLeft: end.entries,
  };
}

/** Each connection waits for its response and then pauses; the pause is adjusted until the rate is right. */
async function paceScript(url: string): Promise<string> {
  let pauseMs = (connections / visitsPerSecond) * 1_000;
  for (let round = 0; round < paceRounds; round++) {
    const load = await putLoad(url, crowdVisits(visited, pauseMs), { connections, seconds: 3 });
    const missing = connections / load.requestsPerSecond - connections / visitsPerSecond;
    // Half of it: other load on the machine changes from second to second.
    pauseMs = Math.max(0, pauseMs - missing * 500);
  }
  return crowdVisits(visited, pauseMs);
}
