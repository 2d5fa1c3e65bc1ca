/**
 * Redirects per second against bare node:http, in pairs that take turns, so that a machine that slows down slows both.
 *
 * Every visit is counted: it is in the Redis Stream (AOF) before it is answered. Headers are those of a browser.
 */
import { writeFileSync } from "node:fs";
import { closePostgres } from "#lib/postgres";
import { machine, median, openStage, putLoad } from "./stage.ts";
import { putLinks, visitsOf } from "./visits.ts";

const links = 5_000;
const pairs = 5;

const stage = await openStage();
const keys = await putLinks(links);
const script = visitsOf(keys.map((key) => `/${key}`));

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
