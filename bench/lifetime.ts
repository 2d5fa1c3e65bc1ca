/**
 * Redirects at a fixed rate, alternately alone and while links retire, in pairs, so that a slow phase of the machine
 * affects both. `--links=100000`: as many retire in all, instead of a million.
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
const pairs = 5;
const warmUpPairs = 1;
const seconds = 10;
const rate = 2_000;
const visitors = 500;
const ratioMax = 1.3;

const given = process.argv.find((one) => one.startsWith("--links="))?.split("=")[1];
const links = Number(given ?? 1_000_000);
const stage = await openStage();
const hot = await putLinks(hotLinks);
openCoherence();
await putRetiring();
const redirect = await stage.run("workers/redirect.ts");
const url = `http://localhost:${redirect.port}`;
const script = visitsOf(
  hot.map(({ key }) => `/${key}`),
  { pauseMs: Math.floor((visitors * 900) / rate) },
);

try {
  const result = { machine: machine(), links, rate, ...(await measure()) };
  console.dir(result, { depth: 4 });
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/lifetime.json", `${JSON.stringify(result, undefined, 2)}\n`);
  }
} finally {
  await redirect.stop();
  await closeAll();
  await stage.close();
}
process.exit(0);

/** Links that nobody visits, with a date of their own that no round has reached. */
async function putRetiring(): Promise<void> {
  for (let at = 0; at < links; at += putAtOnce) {
    await putLinks(Math.min(putAtOnce, links - at), retiringStart + at);
  }
  await query(sql`
    UPDATE link
    SET retires_own = true,
      retires_at = now() + (link.pk - ${retiringStart}) * interval '1 second'
    WHERE link.pk >= ${retiringStart}`);
  await query(sql`VACUUM (ANALYZE) link`);
}

async function visit() {
  const { p99Ms, errors, requestsPerSecond } = await putLoad(url, script, {
    connections: visitors,
    seconds,
  });
  return { p99Ms, errors, requestsPerSecond };
}

/** Retires the next part of the links while visits arrive. */
async function visitWhileRetiring(part: number) {
  const share = Math.ceil(links / (pairs + warmUpPairs));
  const until = new Date(Date.now() + (part + 1) * share * 1_000);
  const from = performance.now();
  await query(sql`UPDATE retirement_round SET next_at = '-infinity'`);
  const [visits, retired] = await Promise.all([
    visit(),
    runRounds(until).then((counts) => ({
      retired: counts.retired,
      retiringSeconds: (performance.now() - from) / 1_000,
    })),
  ]);
  return { ...visits, ...retired };
}

async function measure() {
  const alone: Awaited<ReturnType<typeof visit>>[] = [];
  const retiring: Awaited<ReturnType<typeof visitWhileRetiring>>[] = [];
  // The first pairs do not count: what runs for the first times is still being compiled.
  for (let pair = 0; pair < warmUpPairs + pairs; pair++) {
    const calm = await visit();
    const busy = await visitWhileRetiring(pair);
    if (pair < warmUpPairs) continue;
    alone.push(calm);
    retiring.push(busy);
  }
  const p99 = (rounds: readonly { p99Ms: number }[]) => median(rounds.map(({ p99Ms }) => p99Ms));
  const p99Ratio = p99(retiring) / p99(alone);
  return { alone, retiring, p99Ratio, isHeld: p99Ratio <= ratioMax };
}
