/**
 * Redirects per second against bare node:http, in pairs that take turns, so that a machine that slows down slows both.
 *
 * Every visit is counted: it is in the Redis Stream (AOF) before it is answered. Headers are those of a browser.
 */
import { writeFileSync } from "node:fs";
import { closePostgres, query, sql } from "#lib/postgres";
import { machine, median, openStage, putLoad } from "./stage.ts";

const links = 5_000;
const pairs = 5;

const stage = await openStage();
const { makeCodes } = await import("#lib/codes");
const codes = await makeCodes(0, links + 100);
await query(sql`
  INSERT INTO workspace (id, name, slug) VALUES ('ws_bench', 'Bench', 'bench')`);
await query(sql`INSERT INTO domain (id, slug) VALUES ('dom_bench', 'localhost')`);
await query(sql`
  INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
  SELECT pk, gen_random_uuid(), 1, 1, key,
    'https://example.com/a/destination/of/usual/length?with=a&few=' || pk
  FROM unnest(
    ${codes.map(({ pk }) => pk)}::bigint[],
    ${codes.map(({ code }) => code)}::text[]
  ) AS new (pk, key)`);

const keys = codes.slice(0, links).map(({ code }) => code);
const script = `
local keys = {${keys.map((key) => `"/${key}"`).join(",")}}
local at = 0
local headers = {
  ["Host"] = "localhost",
  ["User-Agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
  ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  ["Accept-Language"] = "de-DE,de;q=0.9,en;q=0.8",
  ["Accept-Encoding"] = "gzip, deflate, br",
  ["Referer"] = "https://www.instagram.com/",
  ["Sec-Fetch-Dest"] = "document",
  ["Sec-Fetch-Mode"] = "navigate",
  ["Sec-Fetch-Site"] = "cross-site",
}
function request()
  at = at % #keys + 1
  return wrk.format("GET", keys[at], headers)
end`;

const bare = await stage.run("bench/bare.ts");
const ours = await stage.run("workers/redirect.ts");
const address = (port: number) => `http://127.0.0.1:${port}`;
await putLoad(address(ours.port), script, { seconds: 3 });
await putLoad(address(bare.port), script, { seconds: 2 });

const rows: { bare: number; ours: number; ratio: number; p99: number; errors: number }[] = [];
for (let pair = 0; pair < pairs; pair++) {
  const a = await putLoad(address(bare.port), script);
  const b = await putLoad(address(ours.port), script);
  const ratio = b.requestsPerSecond / a.requestsPerSecond;
  rows.push({
    bare: a.requestsPerSecond,
    ours: b.requestsPerSecond,
    ratio,
    p99: b.p99Ms,
    errors: b.errors,
  });
  console.log(
    `bare ${a.requestsPerSecond.toFixed(0)}/s  redirect ${b.requestsPerSecond.toFixed(0)}/s  ratio ${ratio.toFixed(3)}  p99 ${b.p99Ms} ms  errors ${b.errors}`,
  );
}
await ours.stop();
await bare.stop();
const result = {
  machine: machine(),
  links,
  connections: 64,
  ratio: Number(median(rows.map((row) => row.ratio)).toFixed(3)),
  redirectsPerSecond: Math.round(median(rows.map((row) => row.ours))),
  barePerSecond: Math.round(median(rows.map((row) => row.bare))),
  p99Ms: median(rows.map((row) => row.p99)),
  errors: rows.reduce((total, row) => total + row.errors, 0),
};
console.log(result);
if (process.argv.includes("--keep")) {
  writeFileSync("bench/redirect.json", `${JSON.stringify(result, null, 2)}\n`);
}
await closePostgres();
await stage.close();
process.exit(0);
