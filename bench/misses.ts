/**
 * A flood of names that no link has, and the visits beside it: the front’s memory, and the p99 of visits at a fixed rate alone,
 * beside a flood of a domain of the instance, whose misses are not counted, and beside one of a workspace’s domain.
 */
import { writeFileSync } from "node:fs";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { pssMbOf } from "./pss.ts";
import { type Load, machine, median, openStage, putLoad } from "./stage.ts";
import { pathsOf, putLinks, visitsOf } from "./visits.ts";

const rounds = 10;
const seconds = 10;
const visitors = 500;
/** Together 2,000 visits a second. */
const pauseMs = 250;
const floodConnections = 50;
/** 2,000 a second for ten seconds, ten times. */
const floodPauseMs = 25;
const hosts = { shared: "localhost", own: "go.bench.example" };

const stage = await openStage();
await putLinks(1_000);
await query(sql`
  INSERT INTO domain (id, workspace_pk, slug, verified_at)
  SELECT 'dom_own', pk, ${hosts.own}, now()
  FROM workspace
  WHERE slug = 'bench'`);
// A front counts the misses of an address, and refuses too many.
const front = await stage.run("workers/redirect.ts", [], { FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const url = `http://127.0.0.1:${front.port}`;
const visits = visitsOf(await pathsOf(0, 1_000), { pauseMs });

/** Every name is asked once, and every request comes from another address. */
function floodOf(host: string, round: number): string {
  return `
local at = 0
function delay() return ${floodPauseMs} end
function request()
  at = at + 1
  return wrk.format("GET", "/none-${round}-" .. at, {
    ["Host"] = "${host}",
    ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    ["X-Forwarded-For"] = string.format("%d.%d.%d.%d", 11 + ${round}, at / 65536 % 256, at / 256 % 256, at % 256),
  })
end`;
}

const visit = () => putLoad(url, visits, { connections: visitors, seconds });

async function beside(host: string, round: number): Promise<{ visits: Load; misses: number }> {
  const flood = floodOf(host, round);
  const [own, other] = await Promise.all([
    visit(),
    putLoad(url, flood, { connections: floodConnections, seconds }),
  ]);
  return { visits: own, misses: Math.round(other.requestsPerSecond * seconds) };
}

await visit();
await beside(hosts.shared, 100);
const pssBefore = pssMbOf(front.pid);
const runs = [];
for (let round = 0; round < rounds; round++) {
  const alone = await visit();
  const shared = await beside(hosts.shared, round);
  const own = await beside(hosts.own, round + rounds);
  runs.push({ alone, shared, own, pssMb: pssMbOf(front.pid) });
  console.log(runs.at(-1));
}
const [counted] = await query<{ names: number; visits: number; bytes: number }>(sql`
  SELECT count(*)::int AS names, coalesce(sum(visits), 0)::int AS visits,
    pg_total_relation_size('missed_link')::int AS bytes
  FROM missed_link`);
const p99 = (loads: Load[]) => median(loads.map(({ p99Ms }) => p99Ms));
const result = {
  machine: machine(),
  misses: runs.reduce((sum, { own }) => sum + own.misses, 0),
  p99AloneMs: p99(runs.map(({ alone }) => alone)),
  p99UncountedMs: p99(runs.map(({ shared }) => shared.visits)),
  p99CountedMs: p99(runs.map(({ own }) => own.visits)),
  pssMb: { before: pssBefore, after: runs.at(-1)?.pssMb },
  counted,
};
console.log(JSON.stringify(result, undefined, 2));
if (process.argv.includes("--keep")) {
  writeFileSync("bench/misses.json", `${JSON.stringify(result, undefined, 2)}\n`);
}
await front.stop();
await closeAll();
await stage.close();
process.exit();
