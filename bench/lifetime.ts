/**
 * Redirects at a fixed rate, alternately alone and while links retire as a worker does it. The two phases of a pair
 * follow each other, in changing order, so that a slow phase of the machine affects both.
 * `--links=100000`: as many are due, instead of a million. `--pairs=30`: as many pairs, unless no link is left before.
 */
import { writeFileSync } from "node:fs";
import { runRounds } from "#lib/links/lifetime";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/shutdown";
import { machine, median, openStage, putLoad } from "./stage.ts";
import { putLinks, visitsOf } from "./visits.ts";

const hotLinks = 1_000;
const retiringStart = 2_000_000_000;
const putAtOnce = 50_000;
const warmUpPairs = 1;
/** Many batches and pauses. */
const seconds = 20;
/** Retired by one round: another follows at once. */
const linksPerRound = 100;
const rate = 2_000;
const visitors = 500;
const ratioMax = 1.3;

const links = numberOf("links", 1_000_000);
const pairsMax = numberOf("pairs", 12);
/** The first link retires then, and the others a second after each other. */
const startedAt = Date.now();
const stage = await openStage();
const hot = await putLinks(hotLinks);
openCoherence();
/** Without those whose code is blocked. */
const dated = await putRetiring();
let roundsRun = 0;
let retired = 0;
const redirect = await stage.run("workers/redirect.ts");
const url = `http://localhost:${redirect.port}`;
const script = visitsOf(
  hot.map(({ key }) => `/${key}`),
  { pauseMs: Math.floor((visitors * 900) / rate) },
);

try {
  const result = { machine: machine(), links: dated, rate, ...(await measure()) };
  console.dir(result, { depth: 4, maxArrayLength: 200 });
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/lifetime.json", `${JSON.stringify(result, undefined, 2)}\n`);
  }
} finally {
  await redirect.stop();
  await closeAll();
  await stage.close();
}
process.exit(0);

function numberOf(name: string, otherwise: number): number {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  return Number(given ?? otherwise);
}

/** Links that nobody visits, with a date of their own that no round has reached. */
async function putRetiring(): Promise<number> {
  let put = 0;
  for (let at = 0; at < links; at += putAtOnce) {
    put += (await putLinks(Math.min(putAtOnce, links - at), retiringStart + at)).length;
  }
  await query(sql`
    UPDATE link
    SET retires_own = true,
      retires_at = ${new Date(startedAt)}::timestamptz + (link.pk - ${retiringStart}) * interval '1 second'
    WHERE link.pk >= ${retiringStart}`);
  await query(sql`VACUUM (ANALYZE) link`);
  return put;
}

async function visit() {
  const { p99Ms, errors, requestsPerSecond } = await putLoad(url, script, {
    connections: visitors,
    seconds,
  });
  return { p99Ms, errors, requestsPerSecond };
}

/** Retires links in one round after the other, until the visits end or no link is left. */
async function retireWhile(isVisited: () => boolean): Promise<number> {
  const before = retired;
  while (isVisited() && retired < dated) {
    roundsRun += 1;
    const until = new Date(startedAt + roundsRun * linksPerRound * 1_000);
    await query(sql`UPDATE retirement_round SET next_at = '-infinity'`);
    retired += (await runRounds(until)).retired;
  }
  return retired - before;
}

async function visitWhileRetiring() {
  let isVisited = true;
  const retiring = retireWhile(() => isVisited);
  const visits = await visit();
  isVisited = false;
  return { ...visits, retired: await retiring };
}

/** Two phases next to each other in time; the order changes with every pair. */
async function measurePair(pair: number) {
  if (pair % 2 === 0) {
    const alone = await visit();
    return { alone, retiring: await visitWhileRetiring() };
  }
  const retiring = await visitWhileRetiring();
  return { alone: await visit(), retiring };
}

async function measure() {
  const pairs: Awaited<ReturnType<typeof measurePair>>[] = [];
  // The first pairs do not count: what runs for the first times is still being compiled. Neither does one in which no
  // link was left to retire.
  for (let pair = 0; retired < dated && pairs.length < pairsMax; pair++) {
    const measured = await measurePair(pair);
    if (pair < warmUpPairs || retired >= dated) continue;
    pairs.push(measured);
  }
  const p99Ratio = median(pairs.map(({ alone, retiring }) => retiring.p99Ms / alone.p99Ms));
  const aloneP99Ms = median(pairs.map(({ alone }) => alone.p99Ms));
  const retiringP99Ms = median(pairs.map(({ retiring }) => retiring.p99Ms));
  const retiredPerSecond = median(pairs.map(({ retiring }) => retiring.retired / seconds));
  const errors = pairs.reduce(
    (sum, { alone, retiring }) => sum + alone.errors + retiring.errors,
    0,
  );
  const isHeld = p99Ratio <= ratioMax && errors === 0;
  return { pairs, retired, retiredPerSecond, aloneP99Ms, retiringP99Ms, errors, p99Ratio, isHeld };
}
