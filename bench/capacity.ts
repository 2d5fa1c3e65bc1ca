/**
 * What a link and a click take on disk and in memory, written by the product itself: links by bulk creates, clicks by
 * visits that the worker counts. `--millions=1,10`: as many links, measured each time; more than a million are copies
 * with codes, ids and URLs of their own. Sizes, not times: the load of the machine does not matter.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readLag } from "#lib/analytics/ingest";
import { createLinksInBulk, openLinks } from "#lib/links/creating";
import { targetEntry } from "#lib/links/link-cache";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { redis, redisKeys, redisReady } from "#lib/platform/redis";
import { makeTestScope } from "../test/scope.ts";
import { crowdVisits, type VisitedLink } from "./crowd.ts";
import { reportResult } from "./results.ts";
import { machine, openStage, putLoad } from "./stage.ts";

const million = 1_000_000;
/** Links that an API key creates; the rest is copied. */
const createdMax = million;
/** Between the pks of created links and those of copies, so that links can still be created. */
const pksApart = 1_000_000_000;
const rowsAtOnce = 1_000;
const callsAtOnce = 4;
const searchedLinks = 100_000;
/** Each several times. */
const visitedLinks = 10_000;
const visitSeconds = 20;
const entriesMeasured = 1_000;
/** Relations with less than this are not a part of the size. */
const bytesMin = 1;

const given = process.argv.find((one) => one.startsWith("--millions="))?.split("=")[1];
const steps = (given ?? "1").split(",").map((text) => Number(text) * million);

const stage = await openStage();
openCoherence();
await redisReady(redis(), 60_000);
await openLinks();
const scope = await makeTestScope("capacity");

let made = 0;
const linkSizes: Record<string, Record<string, number>> = {};
for (const goal of steps) {
  await makeLinks(Math.min(goal, Math.max(made, createdMax)), "api");
  await copyLinks(goal);
  await vacuum();
  linkSizes[goal] = await sizesOf("public", made);
  console.log(goal, linkSizes[goal]);
}
const visits = await measureVisits();
await makeLinks(made + searchedLinks, "dashboard");
await vacuum();
const searched = Object.entries(await sizesOf("public", searchedLinks));
const result = {
  machine: machine(),
  bytesPerLink: linkSizes,
  // In addition, for links that the search of the dashboard finds.
  bytesPerSearchedLink: Object.fromEntries(searched.filter(([name]) => name.includes("search"))),
  ...visits,
};
reportResult("capacity", result, {});
await closeAll();
await stage.close();
process.exit(0);

async function makeLinks(goal: number, source: "api" | "dashboard"): Promise<void> {
  const rowOf = (number: number) => ({
    url: `https://shop.example.com/products/${number % 997}?utm_source=newsletter&order=${number}`,
  });
  const call = async () => {
    while (made < goal) {
      const from = made;
      made += rowsAtOnce;
      const rows = Array.from({ length: rowsAtOnce }, (_, at) => rowOf(from + at));
      const outcomes = await createLinksInBulk(scope, rows, { source, prefill: false });
      if (!outcomes.every((outcome) => "ok" in outcome && outcome.ok))
        throw new Error("A link was refused");
      if (made % 100_000 === 0) console.log(`${made} links are there`);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, call));
}

async function copyLinks(goal: number): Promise<void> {
  const copied = ["pk", "id", "key", "url"];
  const columns = await query<{ name: string }>(sql`
    SELECT column_name AS name
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'link' AND column_name <> ALL (${copied})`);
  const others = columns.map(({ name }) => name).join(", ");
  while (made < goal) {
    const count = Math.min(createdMax, goal - made);
    const first = made > createdMax ? 0 : pksApart;
    // Ascending pks and ids, and codes and URLs in no order, as those of the product.
    await inOwnConnection(`
      INSERT INTO link (pk, id, key, url, ${others})
      SELECT
        last.pk + ${first} + n,
        ('fffffff0-0000-7000-8000-' || lpad(to_hex(${made} + n), 12, '0'))::uuid,
        left(md5((${made} + n)::text), 6),
        regexp_replace(url, '[0-9]+$', (${made} + n)::text),
        ${others}
      FROM (SELECT *, row_number() OVER (ORDER BY pk) AS n FROM link ORDER BY pk LIMIT ${count}) AS link,
        (SELECT max(pk) AS pk FROM link) AS last`);
    made += count;
    console.log(`${made} links are there`);
  }
}

async function vacuum(): Promise<void> {
  await inOwnConnection("VACUUM (FREEZE, ANALYZE)");
}

/** Without the pool, whose statements are limited to half a minute. */
async function inOwnConnection(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Bytes of each table and index of a schema for one of `count`. Partitions count for their table. */
async function sizesOf(schema: string, count: number): Promise<Record<string, number>> {
  const rows = await query<{ name: string; bytes: number }>(sql`
    WITH part AS (
      SELECT class.oid, coalesce(tree.relid, class.oid) AS root, class.relname
      FROM pg_class AS class
      JOIN pg_namespace AS space ON space.oid = class.relnamespace
      LEFT JOIN LATERAL (
        SELECT relid FROM pg_partition_ancestors(class.oid) WITH ORDINALITY AS tree (relid, level)
        ORDER BY level DESC LIMIT 1
      ) AS tree ON true
      WHERE space.nspname = ${schema} AND class.relkind IN ('r', 'i')
    )
    SELECT root.relname AS name, sum(pg_relation_size(part.oid)
      + coalesce(pg_relation_size(nullif(own.reltoastrelid, 0)), 0))::bigint AS bytes
    FROM part
    JOIN pg_class AS own ON own.oid = part.oid
    JOIN pg_class AS root ON root.oid = part.root
    GROUP BY root.relname
    ORDER BY bytes DESC`);
  const sizes = rows.map(({ name, bytes }) => [name, Number((bytes / count).toFixed(1))] as const);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    all: Number((total / count).toFixed(1)),
    ...Object.fromEntries(sizes.filter(([, bytes]) => bytes >= bytesMin)),
  };
}

async function measureVisits() {
  const visited = await query<VisitedLink>(sql`
    SELECT pk, key, workspace_pk AS "workspacePk", domain_pk AS "domainPk"
    FROM link
    WHERE workspace_pk = ${scope.workspacePk}
    ORDER BY pk
    LIMIT ${visitedLinks}`);
  await redis().flushdb();
  const redirect = await stage.run("workers/redirect.ts");
  const url = `http://localhost:${redirect.port}`;
  const [first] = visited;
  const responseBytes = await responseSize(redirect.port, first?.key ?? "");
  await putLoad(url, crowdVisits(visited), { connections: 32, seconds: visitSeconds });
  const stream = redisKeys.clickStream(0);
  const streamBytes = Number(await redis().call("MEMORY", "USAGE", stream, "SAMPLES", "0"));
  const entryBytes = await entrySize(visited);
  const worker = await stage.run("workers/index.ts");
  for (let left = await readLag(); left.entries + left.slots > 0; left = await readLag()) {
    await sleep(1_000);
  }
  await redirect.stop();
  await worker.stop();
  await vacuum();
  const [row] = await query<{ clicks: number }>(
    sql`SELECT count(*) AS clicks FROM analytics.click`,
  );
  const clicks = row?.clicks ?? 0;
  return {
    clicks,
    linksVisited: visited.length,
    bytesPerResponse: responseBytes,
    bytesPerCacheEntry: entryBytes,
    bytesPerWaitingClick: Number((streamBytes / clicks).toFixed(1)),
    bytesPerClick: await sizesOf("analytics", clicks),
  };
}

/** The mean of the entries that the visits left in Redis. */
async function entrySize(visited: readonly VisitedLink[]): Promise<number> {
  const sizes: number[] = [];
  for (const { domainPk, key } of visited.slice(0, entriesMeasured)) {
    const size = await redis().call("MEMORY", "USAGE", targetEntry(domainPk, key));
    if (typeof size === "number") sizes.push(size);
  }
  if (sizes.length === 0) throw new Error("No visited link is in Redis");
  return Number((sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(1));
}

/** Bytes of the status line, the headers and the body. */
async function responseSize(port: number, key: string): Promise<number> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write(`GET /${key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  let bytes = 0;
  socket.on("data", (part) => {
    bytes += part.length;
  });
  await once(socket, "close");
  return bytes;
}
