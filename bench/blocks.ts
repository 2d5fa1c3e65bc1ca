/**
 * Clicks of a year in one workspace, first as rows with the indexes of past days that there were before blocks, then as blocks:
 * bytes, and reports that read single clicks: CPU time of PostgreSQL, and the time of the first answer after a restart, with
 * nothing in memory. `--clicks=2000000`. Needs root, to empty the memory of the operating system.
 */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { attributeNames, attributes } from "#lib/analytics/dimensions/schema";
import { presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { type ApiQuery, ask, askCard } from "./analytics-cards.ts";
import { cpuOf, postmasterOf } from "./cpu.ts";
import { pkOfRank } from "./history.ts";
import { argumentOf } from "./sides.ts";
import { machine, openStage } from "./stage.ts";

const clicks = argumentOf("clicks", 2_000_000);
const weekMs = 7 * dayMs;
const rounds = 3;
const indexed = attributeNames.filter((name) => attributes[name].indexed).join(", ");
const crossed = { country: "AA", device: "Mobile", utm_source: "s16" };

const stage = await openStage();
const week = Math.floor(Date.now() / weekMs) * weekMs;
const databaseUrl = await stage.openFilled(`blocks_${clicks}`, () =>
  runFill({ BENCH_CLICKS: String(clicks), BENCH_WEEK: String(week) }),
);
let client = await connect();
const questions: Record<string, ApiQuery> = {
  "city and device": { city: "City 150 20", device: "Mobile", groupBy: "count" },
  "country, device, UTM source": { ...crossed, groupBy: "count" },
  "the same, by day": { ...crossed, groupBy: "timeseries" },
  "the same, by referrer": { ...crossed, groupBy: "referers" },
  "device, browser, system": {
    ...{ device: "Mobile", browser: "Browser 0", os: "System 0" },
    groupBy: "count",
  },
  device: { device: "Mobile", groupBy: "count" },
  "device, by city": { device: "Mobile", groupBy: "cities" },
  "popular link and device": { linkId: await idOf(1), device: "Mobile", groupBy: "count" },
  "other link and device": { linkId: await idOf(1_000), device: "Mobile", groupBy: "count" },
};
const eventPages: Record<string, readonly [path: string, question: ApiQuery]> = {
  "events, newest": ["/api/events", {}],
  "events, oldest": ["/api/events", { sortOrder: "asc" }],
  "events of country, device, UTM source, oldest": [
    "/api/events",
    { ...crossed, sortOrder: "asc" },
  ],
  "events of another link, oldest": [
    "/api/events",
    { linkId: await idOf(1_000), sortOrder: "asc" },
  ],
  "export of country, device, UTM source": ["/api/events/export", crossed],
  "export of another link": ["/api/events/export", { linkId: await idOf(1_000) }],
};
const asked = [...Object.keys(questions), ...Object.keys(eventPages)];
const old = new Date(Date.now() - 9 * dayMs).toISOString();
const before = await indexPastDays();
const rows = {
  bytes: await bytesOf("click"),
  cpuMs: await measure(),
  firstMs: await measureFirst(),
};
const begin = cpuOf(postmaster());
await runFill({ DATABASE_URL: databaseUrl, BENCH_BLOCKS: "1" });
const moveUs = (1_000 * (cpuOf(postmaster()) - begin)) / before;
await client.query("VACUUM (ANALYZE) analytics.click, analytics.click_block");
const blocks = {
  bytes: await bytesOf("click_block"),
  cpuMs: await measure(),
  firstMs: await measureFirst(),
};
const result = {
  machine: machine(),
  clicks: before,
  bytes: { rows: rows.bytes, blocks: blocks.bytes },
  moveUs: Number(moveUs.toFixed(0)),
  cpu: ratiosOf(rows.cpuMs, blocks.cpuMs),
  first: ratiosOf(rows.firstMs, blocks.firstMs),
};
console.dir(result, { depth: 4 });
if (process.argv.includes("--keep")) {
  writeFileSync("bench/blocks.json", `${JSON.stringify(result, null, 2)}\n`);
}
await client.end();
await stage.close();
process.exit(0);

function postmaster(): number {
  return postmasterOf(stage.dataDir);
}

async function connect(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: databaseUrl });
  opened.on("error", () => undefined); // PostgreSQL restarts
  await opened.connect();
  return opened;
}

function ratiosOf(asRows: Record<string, number>, asBlocks: Record<string, number>) {
  const all = asked.map((name) => {
    const [row = Number.NaN, block = Number.NaN] = [asRows[name], asBlocks[name]];
    return [name, { rowsMs: row, blocksMs: block, ratio: Number((block / row).toFixed(2)) }];
  });
  return Object.fromEntries(all);
}

async function runFill(env: Record<string, string>): Promise<void> {
  const running = await stage.run("bench/fill-clicks.ts", [], env);
  await running.stop();
}

/** Returns how many clicks these days have. */
async function indexPastDays(): Promise<number> {
  const { rows: days } = await client.query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'analytics.click'::regclass AND inhrelid::regclass::text < $1",
    [`analytics.click_${old.slice(0, 10).replaceAll("-", "")}`],
  );
  for (const { name } of days) {
    await client.query(`CREATE INDEX ON ${name} USING gin (workspace_pk, ${indexed})`);
  }
  await client.query("VACUUM (ANALYZE) analytics.click");
  const { rows: counted } = await client.query<{ count: string }>(
    `SELECT sum(reltuples) AS count FROM pg_class WHERE oid = ANY($1::text[]::regclass[])`,
    [days.map(({ name }) => name)],
  );
  return Number(counted[0]?.count);
}

/** Of a click that is old, with indexes. */
async function bytesOf(table: "click" | "click_block"): Promise<number> {
  const { rows: sums } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes
    FROM pg_inherits
    WHERE inhparent = 'analytics.${table}'::regclass
      AND ('${table}' = 'click_block' OR inhrelid::regclass::text < $1)`,
    [`analytics.click_${old.slice(0, 10).replaceAll("-", "")}`],
  );
  return Math.round(Number(sums[0]?.bytes) / before);
}

/** Each question in turn, after a round that warms up. */
async function measure(): Promise<Record<string, number>> {
  const api = await stage.run("workers/api.ts", [], { DATABASE_URL: databaseUrl });
  const sums: Record<string, number> = {};
  for (let round = -1; round < rounds; round++) {
    for (const name of asked) {
      const start = cpuOf(postmaster());
      // Accounts are in steps of ten milliseconds.
      for (let time = 0; time < 3; time++) await askOne(api.port, name);
      const used = (cpuOf(postmaster()) - start) / 3 / rounds;
      if (round >= 0) sums[name] = (sums[name] ?? 0) + used;
    }
  }
  await api.stop();
  return Object.fromEntries(
    Object.entries(sums).map(([name, ms]) => [name, Number(ms.toFixed(1))]),
  );
}

/** Each question after a restart of its own. */
async function measureFirst(): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  await client.end();
  for (const name of asked) {
    await stage.restartCold();
    const api = await stage.run("workers/api.ts", [], { DATABASE_URL: databaseUrl });
    times[name] = Math.round(await askOne(api.port, name));
    await api.stop();
  }
  client = await connect();
  return times;
}

async function askOne(port: number, name: string): Promise<number> {
  const page = eventPages[name];
  if (page) return await ask(port, page[0], { ...page[1], interval: "1y" });
  return await askCard(port, { ...questions[name], interval: "1y" });
}

async function idOf(rank: number): Promise<string> {
  const found = await client.query<{ id: string }>("SELECT id FROM link WHERE pk = $1", [
    pkOfRank(rank),
  ]);
  return presentId("link", found.rows[0]?.id ?? "");
}
