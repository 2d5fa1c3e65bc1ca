/**
 * The analytics of one large workspace: 20 million clicks of a year on 100,000 links, queried over HTTP with an API key
 * as by the page, all of its cards at once. Every answer is computed again: answers are not cached.
 *
 * In alternation with the same queries over a tenth of the clicks, for what charts must not depend on. `cpuMs` is the
 * CPU time of PostgreSQL's processes, which other work on the machine distorts less than wall time.
 */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { withDatabase } from "../scripts/databases.ts";
import { type ApiQuery, askCard, askPage, intervals, p95Of, pageCards } from "./analytics-cards.ts";
import { cpuOf, postmasterOf } from "./cpu.ts";
import { pkOfRank } from "./history.ts";
import { machine, median, openStage, type Running } from "./stage.ts";

/** Another number recreates the data. */
const shape = 2;
const weekMs = 7 * dayMs;
const clicks = { large: 20_000_000, small: 2_000_000 };
const pageRounds = 8;
const cardRounds = 5;
/** The queries of its other tabs. */
const tabs = [
  "top_urls",
  "top_domains",
  "top_tags",
  "top_folders",
  "referer_urls",
  "utm_campaigns",
  "utm_sources",
  "utm_mediums",
  "utm_terms",
  "utm_contents",
  "regions",
  "cities",
  "continents",
  "browsers",
  "os",
  "languages",
].map((groupBy) => ({ groupBy }));
const independent = ["timeseries", "countries", "devices", "browsers", "referers"];
const crossed = { country: "AA", device: "Mobile", utm_source: "s1", interval: "30d" };
const ranks = [1, 10, 100, 1_000];

const stage = await openStage();
const databases = {
  large: await openHistory("analytics_large", clicks.large),
  small: await openHistory("analytics_small", clicks.small),
};
const postmaster = postmasterOf(stage.dataDir);
const apis = {
  large: await openApi(databases.large, 1),
  small: await openApi(databases.small, 2),
};
const result = {
  machine: machine(),
  clicks: clicks.large,
  cards: await measureCards(pageCards),
  tabs: await measureCards(tabs),
  page: await measurePages({}),
  links: await measureLinks(),
  crossed: await measureCrossed(),
  independent: await measureIndependent(),
};
console.dir(result, { depth: 6 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/analytics.json", `${JSON.stringify(result, null, 2)}\n`);
}
await apis.large.stop();
await apis.small.stop();
await stage.close();
process.exit(0);

/** Created once a week, and rolled up to now. */
async function openHistory(stem: string, count: number): Promise<string> {
  const week = Math.floor(Date.now() / weekMs);
  const kept = await stage.openKept(stem, `${shape}_${week}`, async () => {
    await fillClicks({ BENCH_CLICKS: String(count), BENCH_WEEK: String(week * weekMs) });
  });
  await fillClicks({ DATABASE_URL: kept });
  return kept;
}

async function fillClicks(env: Record<string, string>): Promise<void> {
  const running = await stage.run("bench/fill-clicks.ts", [], env);
  await running.stop();
}

async function openApi(databaseUrl: string, database: number): Promise<Running> {
  return await stage.run("workers/api.ts", [], {
    DATABASE_URL: databaseUrl,
    REDIS_URL: withDatabase(stage.redisUrl, String(database)),
  });
}

interface Figures {
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
  /** CPU time of PostgreSQL per item. */
  cpuMs: number;
}

async function measure(name: string, times: () => Promise<number[]>): Promise<Figures> {
  const before = cpuOf(postmaster);
  const sorted = (await times()).sort((a, b) => a - b);
  const figures = {
    p50Ms: rounded(median(sorted)),
    p95Ms: rounded(p95Of(sorted)),
    maxMs: rounded(sorted.at(-1)),
    cpuMs: rounded((cpuOf(postmaster) - before) / sorted.length),
  };
  console.log(name.padEnd(32), JSON.stringify(figures));
  return figures;
}

/** Each card alone, in every interval. */
async function measureCards(queries: readonly ApiQuery[]) {
  const figures: Record<string, Record<string, Figures>> = {};
  for (const cardQuery of queries) {
    const name = cardQuery["groupBy"] ?? "";
    const ofCard: Record<string, Figures> = {};
    for (const interval of intervals) {
      ofCard[interval] = await measure(`${name} ${interval}`, () =>
        repeat(cardRounds, () => askCard(apis.large.port, { ...cardQuery, interval })),
      );
    }
    figures[name] = ofCard;
  }
  return figures;
}

async function measurePages(about: ApiQuery) {
  const figures: Record<string, Figures> = {};
  const all: number[] = [];
  const name = Object.values(about).join();
  for (const interval of intervals) {
    figures[interval] = await measure(`page ${name} ${interval}`, async () => {
      const times = await repeat(pageRounds, () =>
        askPage(apis.large.port, { ...about, interval }),
      );
      all.push(...times);
      return times;
    });
  }
  return { p95Ms: rounded(p95Of(all)), intervals: figures };
}

async function measureLinks() {
  const figures: Record<string, Awaited<ReturnType<typeof measurePages>>> = {};
  for (const rank of ranks) {
    figures[`rank ${rank}`] = await measurePages({ linkId: await idOf(pkOfRank(rank)) });
  }
  return figures;
}

async function idOf(pk: number): Promise<string> {
  const client = new pg.Client({ connectionString: databases.large });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("SELECT id FROM link WHERE pk = $1", [pk]);
  await client.end();
  return presentId("link", rows[0]?.id ?? "");
}

async function measureCrossed() {
  const figures: Record<string, Figures> = {};
  for (const groupBy of ["count", "timeseries", "referers"]) {
    figures[groupBy] = await measure(`crossed ${groupBy}`, () =>
      repeat(pageRounds, () => askCard(apis.large.port, { ...crossed, groupBy })),
    );
  }
  return figures;
}

/** Queries whose cost must not depend on the number of clicks, in alternation. */
async function measureIndependent() {
  const figures: Record<string, Record<string, unknown>> = {};
  for (const groupBy of independent) {
    for (const interval of ["30d", "1y"]) {
      const times: Record<keyof typeof apis, number[]> = { large: [], small: [] };
      for (let round = 0; round < pageRounds * 2; round++) {
        for (const size of ["large", "small"] as const) {
          times[size].push(await askCard(apis[size].port, { groupBy, interval }));
        }
      }
      const [large, small] = [median(times.large), median(times.small)];
      const name = `${groupBy} ${interval}`;
      figures[name] = {
        largeMs: rounded(large),
        smallMs: rounded(small),
        ratio: Number((large / small).toFixed(2)),
      };
      console.log(name, figures[name]);
    }
  }
  return figures;
}

async function repeat(rounds: number, work: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++) {
    const ms = await work();
    if (round >= 0) times.push(ms);
  }
  return times;
}

function rounded(ms: number | undefined): number {
  return Number((ms ?? Number.NaN).toFixed(1));
}
