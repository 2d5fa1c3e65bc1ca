/**
 * The cost of pages for redirects: the event-loop delay of the front while Next.js renders behind its proxy. The run
 * without pages is the baseline.
 */
import { writeFileSync } from "node:fs";
import { closePostgres } from "#lib/platform/postgres";
import { buildAll } from "../scripts/build.ts";
import { type Delay, type Load, machine, median, openStage, putLoad } from "./stage.ts";
import { putLinks, visitsOf } from "./visits.ts";

const links = 5_000;
const connections = 16;
const rounds = 3;
const seconds = 5;
/** Sixteen connections with this pause between two visits make about a thousand a second. */
const pauseMs = 15;

interface Phase {
  load: string;
  visit: () => Promise<Load>;
  page?: () => Promise<Load>;
}

interface Row extends Delay {
  load: string;
  visitsPerSecond: number;
  visitP99Ms: number;
  pagesPerSecond: number;
  errors: number;
}

const stage = await openStage();
const { signal } = new AbortController();
await buildAll({ env: stage.env, report: console.log, signal });
const { setUpOwner } = await import("#lib/identity/auth");
await setUpOwner({ email: "bench@example.com", password: "bench bench bench", apiKey: undefined });
const paths = (await putLinks(links)).map(({ key }) => `/${key}`);

const web = await stage.run("workers/web.ts");
const front = await stage.run("server.ts", ["./bench/delay.ts"]);
const address = `http://127.0.0.1:${front.port}`;
const put = (script: string) => putLoad(address, script, { connections, seconds });
const visits = () => put(visitsOf(paths, { pauseMs }));
const mostVisits = () => put(visitsOf(paths));
const pages = () => put(visitsOf(["/signin"]));

await mostVisits();
await pages();
const phases = [
  { load: "visits", visit: visits },
  { load: "visits and pages", visit: visits, page: pages },
  { load: "as many visits as possible", visit: mostVisits },
  { load: "as many visits as possible, and pages", visit: mostVisits, page: pages },
];
const rows: Row[] = [];
for (let round = 0; round < rounds; round++) {
  for (const phase of phases) rows.push(await measure(phase));
}
await front.stop();
await web.stop();
const medians = phases.map(({ load }) => medianOf(rows.filter((row) => row.load === load)));
console.table(medians);
if (process.argv.includes("--keep")) {
  const result = { machine: machine(), links, connections, rounds, seconds, phases: medians };
  writeFileSync("bench/front.json", `${JSON.stringify(result, null, 2)}\n`);
}
await closePostgres();
await stage.close();
process.exit(0);

async function measure({ load, visit, page }: Phase): Promise<Row> {
  await front.askDelay();
  const [visited, paged] = await Promise.all([visit(), page?.()]);
  return {
    load,
    ...(await front.askDelay()),
    visitsPerSecond: Math.round(visited.requestsPerSecond),
    visitP99Ms: visited.p99Ms,
    pagesPerSecond: Math.round(paged?.requestsPerSecond ?? 0),
    errors: visited.errors + (paged?.errors ?? 0),
  };
}

function medianOf(same: Row[]): Row {
  const of = (name: Exclude<keyof Row, "load">) => median(same.map((row) => row[name]));
  return {
    load: same[0]?.load ?? "",
    delayP50Ms: of("delayP50Ms"),
    delayP99Ms: of("delayP99Ms"),
    delayMaxMs: of("delayMaxMs"),
    busy: of("busy"),
    visitsPerSecond: of("visitsPerSecond"),
    visitP99Ms: of("visitP99Ms"),
    pagesPerSecond: of("pagesPerSecond"),
    errors: same.reduce((total, row) => total + row.errors, 0),
  };
}
