/** Single creates over HTTP with an API key: each answered link is committed in PostgreSQL and findable by its code. */
import { writeFileSync } from "node:fs";
import { closePostgres, query, sql } from "#lib/postgres";
import { machine, median, openStage, putLoad } from "./stage.ts";

const rounds = 5;
const apiKey = "fuxi_benchbenchbenchbenchbenchbench";

const stage = await openStage();
Object.assign(process.env, {
  FUXI_OWNER_EMAIL: "bench@example.com",
  FUXI_OWNER_PASSWORD: "bench bench bench",
});
const { setUpOwner } = await import("#lib/auth");
await setUpOwner({ email: "bench@example.com", password: "bench bench bench", apiKey });

const script = `
local at = 0
local headers = {
  ["Authorization"] = "Bearer ${apiKey}",
  ["Content-Type"] = "application/json",
}
function request()
  at = at + 1
  return wrk.format("POST", "/api/links", headers,
    '{"url":"https://shop.example.com/orders/' .. at .. '?utm_source=sms"}')
end`;

const api = await stage.run("workers/api.ts");
const address = `http://127.0.0.1:${api.port}`;
await putLoad(address, script, { seconds: 4 });
const before = await count();
const started = performance.now();
const rows = [];
for (let round = 0; round < rounds; round++) {
  const load = await putLoad(address, script);
  rows.push(load);
  console.log(
    `${load.requestsPerSecond.toFixed(0)} creates/s  p50 ${load.p50Ms} ms  p99 ${load.p99Ms} ms  errors ${load.errors}`,
  );
}
const made = (await count()) - before;
const seconds = (performance.now() - started) / 1_000;
await api.stop();
const result = {
  machine: machine(),
  connections: 64,
  createsPerSecond: Math.round(median(rows.map((row) => row.requestsPerSecond))),
  p50Ms: median(rows.map((row) => row.p50Ms)),
  p99Ms: median(rows.map((row) => row.p99Ms)),
  errors: rows.reduce((total, row) => total + row.errors, 0),
  rowsInPostgresPerSecond: Math.round(made / seconds),
};
console.log(result);
if (process.argv.includes("--keep")) {
  writeFileSync("bench/create.json", `${JSON.stringify(result, null, 2)}\n`);
}
await closePostgres();
await stage.close();
process.exit(0);

async function count(): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    SELECT count(*) AS n FROM link WHERE workspace_pk IS NOT NULL`);
  return row?.n ?? 0;
}
