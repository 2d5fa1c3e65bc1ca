/**
 * The same search in two workspaces with a million links each: one made them in the dashboard, the other with an API key, whose
 * texts a job adds later. Searches take turns, so that the machine is the same for both.
 */
import { writeFileSync } from "node:fs";
import { createLinks, openLinks } from "#lib/links/creating";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { closePostgres, query } from "#lib/platform/postgres";
import { closeRedis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { settleIndexing } from "../test/indexing.ts";
import { keyTestScope, makeTestScope } from "../test/scope.ts";
import { p95Of } from "./analytics-cards.ts";
import { machine, median, openStage } from "./stage.ts";

const links = 1_000_000;
const sliceLinks = 1_000;
const searches = 400;

const stage = await openStage();
await openLinks();
const dashboard = await makeTestScope("dashboard");
const api = await makeTestScope("api");
const key = await keyTestScope(api);
await settleIndexing();
await fill(dashboard, "dashboard");
const created = performance.now();
await fill(key, "api");
const indexed = performance.now();
await settleIndexing();
const indexSeconds = (performance.now() - indexed) / 1_000;
await query({ text: "VACUUM ANALYZE link_search", values: [] });

const times = { dashboard: [] as number[], api: [] as number[] };
for (let at = 0; at < searches; at++) {
  const number = Math.floor(Math.random() * links);
  times.dashboard.push(await search(dashboard, number));
  times.api.push(await search(api, number));
}
const percentilesOf = (ms: number[]) => ({
  p50Ms: Number(median(ms).toFixed(1)),
  p95Ms: Number(p95Of(ms).toFixed(1)),
});
const result = {
  machine: machine(),
  links,
  dashboard: percentilesOf(times.dashboard),
  api: percentilesOf(times.api),
  p95Ratio: Number((p95Of(times.api) / p95Of(times.dashboard)).toFixed(2)),
  createSeconds: Math.round((indexed - created) / 1_000),
  indexSeconds: Math.round(indexSeconds),
};
console.log(JSON.stringify(result, null, 2));
if (process.argv.includes("--keep"))
  writeFileSync("bench/search-api.json", `${JSON.stringify(result, null, 2)}\n`);
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

async function fill(scope: WorkspaceScope, source: "dashboard" | "api"): Promise<void> {
  for (let first = 0; first < links; first += sliceLinks) {
    const bodies = Array.from({ length: sliceLinks }, (_, at) => ({
      url: `https://shop.example.com/products/${first + at}-autumn?utm_source=newsletter`,
    }));
    await createLinks(scope, bodies, { source, prefill: false });
    if (first % 100_000 === 0) console.log(`${source}: ${first} links`);
  }
}

async function search(scope: WorkspaceScope, number: number): Promise<number> {
  const started = performance.now();
  const found = await listLinks(scope, listLinksQuery.parse({ search: `ducts/${number}-aut` }));
  if (found.length === 0) throw new Error(`Product ${number} is not found`);
  return performance.now() - started;
}
