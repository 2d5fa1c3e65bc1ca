/**
 * As many links in the table as the disk carries, and an instance with few, both as `npm start` runs them, in turns:
 * what visits take while the worker counts, one in seven of a link that no cache has, and how fast links are created.
 * `npm run bench many-links -- --millions=100`.
 *
 * `--keep-data`: the filled folder stays for the next run. `--buffers=8GB`: PostgreSQL has this instead of what `npm start`
 * gives it, and writes few checkpoints, as on a server of its own. It has run for a while then: it starts with the indexes in
 * its buffers that visits and creates read at random, and with as much of the table in the memory of the system as fits; links
 * are created for two minutes before creates are measured, so that most pages of these indexes were changed since the last
 * checkpoint.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { closePostgres } from "#lib/platform/postgres";
import { withClient } from "../scripts/databases.ts";
import { openSecrets } from "../scripts/secrets.ts";
import type { Services } from "../scripts/services.ts";
import { bulkCreates, createLinks, singleCreates } from "./calls.ts";
import { crowdVisits, crowdWithMisses, missEvery } from "./crowd.ts";
import { reportResult } from "./results.ts";
import {
  argumentOf,
  counted,
  pause,
  putUnvisited,
  type RunningSide,
  type Side,
  startOwnServices,
  startSide,
} from "./sides.ts";
import { type Load, type LoadOptions, machine, median, openStage, putLoad } from "./stage.ts";
import { firstPk } from "./started.ts";

type Name = "few" | "many";

const million = 1_000_000;
const links = argumentOf("millions", 100) * million;
const rounds = argumentOf("rounds", 3);
const visitsPerSecond = argumentOf("rate", 10_000);
const seconds = 10;
const connections = 64;
/** Of visitors who pause between two visits, so that many slow connections make a rate. */
const visitors = 256;
/** An answer takes about as long. */
const answerMs = 1;
const pauseMs = (visitors * 1_000) / visitsPerSecond - answerMs;
const buffers = process.argv.find((one) => one.startsWith("--buffers="))?.split("=")[1];
const hotLinks = 10_000;
const putAtOnce = 100_000;
const fillers = 2;
const settleSeconds = 30;
const afterPauseMs = 2_000;
const createdBeforeSeconds = 120;

const folder = resolve(".fuxi-bench", "many-links");
const sideOf = (name: Name): Side<Name> => ({
  name,
  checkout: resolve("."),
  dataDir: resolve(folder, name === "many" ? `many-${links}` : name),
});
const [few, many] = [sideOf("few"), sideOf("many")];
// Links that were kept have codes of the key in their folder.
if (existsSync(many.dataDir)) {
  const { codeKey, codeTweak } = openSecrets(many.dataDir);
  Object.assign(process.env, { FUXI_CODE_KEY: codeKey, FUXI_CODE_TWEAK: codeTweak });
}
const stage = await openStage();
const { codeOfPk, isAllowedCode, makeCodes, pksFrom } = await import("#lib/platform/codes");
const codeKey = {
  FUXI_CODE_KEY: String(stage.env["FUXI_CODE_KEY"]),
  FUXI_CODE_TWEAK: String(stage.env["FUXI_CODE_TWEAK"]),
};
rmSync(few.dataDir, { recursive: true, force: true });
if (!existsSync(many.dataDir)) await fill();
const bytesPerLink = await measureSizes();
console.dir(bytesPerLink);

const sides: RunningSide<Name>[] = [];
const stores: Services[] = [];
for (const side of [few, many]) sides.push(await start(side));
const hot = new Map<Name, string[]>();
for (const { name, url } of sides) hot.set(name, await createLinks(url, hotLinks));
const bare = await stage.run("bench/bare.ts");
await sleep(settleSeconds * 1_000);
const visits = { bare: [] as Load[], few: [] as Load[], many: [] as Load[] };
const created = { few: [] as Created[], many: [] as Created[] };
// Visits first: what creates left to write would be written while they read. The first round of each is a warm-up.
for (let round = -1; round < rounds; round++) {
  for (const side of sides) pause(side, true);
  const plain = await putLoadOfVisitors(bare.port, hotVisits("few"));
  const measured = { few: await putVisits("few"), many: await putVisits("many") };
  console.dir({ plain, ...measured }, { depth: 4 });
  if (round < 0) continue;
  visits.bare.push(plain);
  visits.few.push(measured.few);
  visits.many.push(measured.many);
}
if (buffers !== undefined) {
  for (const { name } of sides) {
    const { port } = await takeTurn(name);
    await put(port, bulkCreates(1_000), { connections: 4, seconds: createdBeforeSeconds });
  }
}
for (let round = -1; round < rounds; round++) {
  const measured = { few: await putCreates("few"), many: await putCreates("many") };
  console.dir(measured);
  if (round < 0) continue;
  created.few.push(measured.few);
  created.many.push(measured.many);
}
const creates = (read: (one: Created) => number) =>
  Number((median(created.many.map(read)) / median(created.few.map(read))).toFixed(2));
const result = {
  machine: machine(),
  links,
  buffers: buffers ?? "as npm start",
  bytesPerLink,
  bareVisit: figuresOf(visits.bare),
  visits: figuresOf(visits.many),
  // All of links in memory.
  visitsWithFewLinks: figuresOf(visits.few),
  singleCreatesAgainstFewLinks: creates(({ singlePerSecond }) => singlePerSecond),
  bulkCreatesAgainstFewLinks: creates(({ bulkPerSecond }) => bulkPerSecond),
  rows: { visits, created },
};
reportResult("many-links", result, {
  "single creates against a table with few links (rate)": result.singleCreatesAgainstFewLinks,
});
for (const side of sides) {
  pause(side, false);
  await side.stop();
}
for (const own of stores) await own.stop();
await bare.stop();
if (!process.argv.includes("--keep-data")) rmSync(folder, { recursive: true, force: true });
await closePostgres();
await stage.close();
process.exit(0);

interface Created {
  singlePerSecond: number;
  bulkPerSecond: number;
}

/** Under another name until it is complete. */
async function fill(): Promise<void> {
  const filling = { ...many, dataDir: `${many.dataDir}.new` };
  rmSync(filling.dataDir, { recursive: true, force: true });
  mkdirSync(filling.dataDir, { recursive: true });
  copyFileSync(resolve(stage.dataDir, "secrets.json"), resolve(filling.dataDir, "secrets.json"));
  // Its owner, and the workspace of the links.
  const first = await startSide(filling, { env: codeKey });
  await createLinks(first.url, 1_000);
  await first.stop();
  const services = await startOwnServices(filling.dataDir, {
    max_wal_size: "4GB",
    autovacuum: "off",
  });
  await withClient(services.databaseUrl, (client) => fillTable(client, filling));
  await services.stop();
  renameSync(filling.dataDir, many.dataDir);
}

/** Indexes that hold these links, other than the primary key, are created afterwards, which is faster. */
async function fillTable(client: pg.Client, filling: Side<Name>): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text
    FROM pg_index
    WHERE indrelid = 'link'::regclass AND indpred IS NULL AND NOT indisprimary`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  let next = 0;
  const fillOne = async () => {
    for (let at = next; at < links; at = next) {
      next += putAtOnce;
      await putUnvisited(filling, await makeCodes(pksFrom(firstPk + at, putAtOnce)));
      if (next % (10 * million) === 0) console.log(`${next} links`, new Date().toISOString());
    }
  };
  await Promise.all(Array.from({ length: fillers }, fillOne));
  await client.query("SET maintenance_work_mem = '1GB'");
  for (const { name, text } of indexes) {
    await client.query(text);
    console.log(`index ${name}`, new Date().toISOString());
  }
  await client.query("VACUUM (FREEZE, ANALYZE) link");
  await client.query("CHECKPOINT");
}

/** As `npm start` runs it, or with stores of its own that have these buffers. */
async function start(side: Side<Name>): Promise<RunningSide<Name>> {
  if (buffers === undefined) return await startSide(side, { env: codeKey });
  const own = await startOwnServices(side.dataDir, {
    shared_buffers: buffers,
    max_wal_size: "32GB",
    checkpoint_timeout: "30min",
  });
  stores.push(own);
  const { databaseUrl, redisUrl } = own;
  if (side.name === "many") await withClient(databaseUrl, (client) => fillBuffers(client));
  return await startSide(side, {
    env: { ...codeKey, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
  });
}

/** The system keeps as much of the table as fits, instead of second copies of the indexes. */
async function fillBuffers(client: pg.Client): Promise<void> {
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_prewarm");
  await client.query(
    "SELECT pg_prewarm(index) FROM unnest('{link_pkey,link_url}'::regclass[]) AS index",
  );
  await client.query("SELECT pg_prewarm('link', 'read')");
}

/** Bytes of the table and of each index, for a link. */
async function measureSizes(): Promise<Record<string, number>> {
  const services = await startOwnServices(many.dataDir);
  const sizes: Record<string, number> = {};
  await withClient(services.databaseUrl, async (client) => {
    const { rows: parts } = await client.query<{ name: string; bytes: string }>(
      `SELECT oid::regclass::text AS name, pg_relation_size(oid) AS bytes
      FROM pg_class
      WHERE oid = 'link'::regclass
        OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'link'::regclass)`,
    );
    for (const { name, bytes } of parts) sizes[name] = Number((Number(bytes) / links).toFixed(1));
  });
  await services.stop();
  return sizes;
}

/** Links that nobody visited, anywhere in the table. They are not read before, so that none is in a cache. */
function drawFresh(count: number): string[] {
  const keys: string[] = [];
  while (keys.length < count) {
    const code = codeOfPk(firstPk + Math.floor(Math.random() * links));
    if (isAllowedCode(code)) keys.push(code);
  }
  return keys;
}

async function putVisits(name: Name): Promise<Load> {
  const side = await takeTurn(name);
  const misses = Math.ceil((visitsPerSecond * seconds * 1.2) / missEvery);
  const script =
    side.name === "many"
      ? crowdWithMisses(hotOf("many"), drawFresh(misses), pauseMs)
      : hotVisits("few");
  const load = await putLoadOfVisitors(side.port, script);
  await counted(side);
  return load;
}

async function putCreates(name: Name): Promise<Created> {
  const side = await takeTurn(name);
  const single = await put(side.port, singleCreates());
  const bulk = await put(side.port, bulkCreates(1_000), { connections: 4 });
  return {
    singlePerSecond: single.requestsPerSecond,
    bulkPerSecond: bulk.requestsPerSecond * 1_000,
  };
}

/** Pauses the other instance, which would take part of the cores. */
async function takeTurn(name: Name): Promise<RunningSide<Name>> {
  const side = sides.find((one) => one.name === name);
  if (!side) throw new Error("A side is missing");
  for (const one of sides) pause(one, one !== side);
  // Connections that ended meanwhile are opened again.
  await sleep(afterPauseMs);
  return side;
}

function hotVisits(name: Name): string {
  return crowdVisits(
    hotOf(name).map((key) => ({ key })),
    pauseMs,
  );
}

function hotOf(name: Name): string[] {
  return hot.get(name) ?? [];
}

async function putLoadOfVisitors(port: number, script: string): Promise<Load> {
  return await put(port, script, { connections: visitors, isUrgent: true });
}

async function put(port: number, script: string, options: LoadOptions = {}): Promise<Load> {
  const url = `http://127.0.0.1:${port}`;
  const load = await putLoad(url, script, { connections, seconds, ...options });
  if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
  return load;
}

function figuresOf(loads: readonly Load[]) {
  const of = (name: keyof Load) => Number(median(loads.map((load) => load[name])).toFixed(2));
  return {
    perSecond: Math.round(of("requestsPerSecond")),
    meanMs: of("meanMs"),
    p80Ms: of("p80Ms"),
    p99Ms: of("p99Ms"),
  };
}
