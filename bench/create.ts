/**
 * Creating links over HTTP with an API key, first with an empty table and then with ten million links in it: each
 * returned link is committed in PostgreSQL. The two tables alternate, so that a slow minute of the machine affects
 * both. Baselines in turns: bare node:http with the same POST, and for bulk creates plain INSERT statements of as many
 * rows over as many connections. `--short`: only an empty table.
 */
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { withDatabase } from "../scripts/databases.ts";
import { apiKey, bulkCreates, owner, singleCreates } from "./calls.ts";
import { insertPlainly } from "./plain-sql.ts";
import { reportResult } from "./results.ts";
import {
  type Delay,
  type Load,
  machine,
  median,
  openStage,
  putLoad,
  type Running,
} from "./stage.ts";

const connections = 64;
const bulkConnections = 4;
const bulkRows = 1_000;
const largestBulkRows = 10_000;
const largeTable = 10_000_000;
const isShort = process.argv.includes("--short");
const rounds = isShort ? 1 : 3;
const seconds = isShort ? 3 : 5;
const tables = isShort ? (["empty"] as const) : (["empty", "large"] as const);

const stage = await openStage();
const { setUpOwner } = await import("#lib/identity/auth");
const { openDomains } = await import("#lib/links/hosts");
const empty = await stage.openFilled("links_none", setUp);
const large = isShort
  ? empty
  : await stage.openFilled("links_ten_million", async () => {
      await setUp();
      await fillTable(largeTable);
    });
const delayModule = ["./bench/delay.ts"];
// Each with its own Redis database: ranges of pks belong to one PostgreSQL.
const redisOf = (database: number) => withDatabase(stage.redisUrl, String(database));
const apis = {
  empty: await stage.run("workers/api.ts", delayModule, {
    DATABASE_URL: empty,
    REDIS_URL: redisOf(1),
  }),
  large: await stage.run("workers/api.ts", delayModule, {
    DATABASE_URL: large,
    REDIS_URL: redisOf(2),
  }),
};
const bare = await stage.run("bench/bare-post.ts");
const databases = { empty, large };
const taken: { empty: Round[]; large: Round[] } = { empty: [], large: [] };
for (let round = -1; round < rounds; round++) {
  for (const table of tables) {
    const figures = await measure(apis[table], databases[table]);
    // The first round of each is a warm-up.
    if (round >= 0) taken[table].push(figures);
    console.log(table, describeRound(figures));
  }
}
await apis.empty.stop();
await apis.large.stop();
await bare.stop();
const result = {
  machine: machine(),
  connections,
  empty: mediansOf(taken.empty),
  ...(isShort ? {} : { tenMillionLinks: mediansOf(taken.large) }),
};
reportResult("create", result, {
  "bulk creates against plain multi-row INSERT (rate)": result.empty.bulkOfPlainInsert,
  "single creates of the API process against a bare POST (rate)": result.empty.createsOfBarePost,
});
await closePostgres();
await stage.close();
process.exit(0);

interface Round {
  single: Load;
  half: Load;
  bulk: Load;
  barePost: Load;
  plainRowsPerSecond: number;
  largestBulk: Delay;
}

async function setUp(): Promise<void> {
  await setUpOwner(owner);
  await openDomains();
}

/** One round on the present links. */
async function measure(api: Running, databaseUrl: string): Promise<Round> {
  const address = `http://127.0.0.1:${api.port}`;
  const single = await putLoad(address, singleCreates(), { connections, seconds });
  // Sixty-four connections with this pause create half as many.
  const pauseMs = Math.round((2_000 * connections) / single.requestsPerSecond - single.p50Ms / 2);
  const half = await putLoad(address, singleCreates(pauseMs), { connections, seconds });
  const bulk = await putLoad(address, bulkCreates(bulkRows), {
    connections: bulkConnections,
    seconds,
  });
  const plainRowsPerSecond = await insertPlainly({
    databaseUrl,
    connections: bulkConnections,
    rowsPerStatement: bulkRows,
    urlOf: (row) => `https://shop.example.com/orders/plain-${row}?utm_source=sms`,
    seconds,
  });
  const barePost = await putLoad(`http://127.0.0.1:${bare.port}`, singleCreates(), {
    connections,
    seconds: 2,
  });
  return {
    single,
    half,
    bulk,
    barePost,
    plainRowsPerSecond,
    largestBulk: await delayOfLargestBulk(api, address),
  };
}

/** The event-loop delay while one call creates ten thousand links. */
async function delayOfLargestBulk(api: Running, address: string): Promise<Delay> {
  await api.askDelay();
  const rows = Array.from({ length: largestBulkRows }, (_, at) => ({
    url: `https://shop.example.com/bulk/${Date.now()}/${at}?utm_source=sms`,
  }));
  const response = await fetch(`${address}/api/links/bulk`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(rows),
  });
  const links: unknown = await response.json();
  if (!Array.isArray(links) || links.length !== largestBulkRows) {
    throw new Error(`A bulk call answered ${response.status}`);
  }
  return await api.askDelay();
}

/** Links of another workspace on pks outside of every sequence, half of them with a URL of their own. */
async function fillTable(rows: number): Promise<void> {
  const step = 500_000;
  const first = 30_000_000_000;
  const started = performance.now();
  for (let at = 0; at < rows; at += step) {
    await query(sql`
      INSERT INTO link (pk, id, workspace_pk, domain_pk, user_pk, key, url, created_at, updated_at)
      SELECT
        ${first}::bigint + n,
        ('0190' || lpad(to_hex(n), 28, '0'))::uuid,
        workspace.pk,
        domain.pk,
        1,
        substr(md5(n::text), 1, 6),
        'https://shop.example.com/loaded/' || CASE WHEN n % 2 = 0 THEN md5(n::text) ELSE 'sale' END,
        now(),
        now()
      FROM generate_series(${at}::bigint, ${at + step - 1}::bigint) AS n,
        (SELECT pk FROM workspace ORDER BY pk LIMIT 1) AS workspace,
        (SELECT pk FROM domain ORDER BY pk LIMIT 1) AS domain`);
  }
  // A long-running server has done this by itself; here it would run during the first minutes of the measurement.
  await query(sql`VACUUM (FREEZE, ANALYZE) link`);
  console.log(
    `${rows} links were loaded in ${Math.round((performance.now() - started) / 1_000)} s`,
  );
}

function describeRound({ single, half, bulk, largestBulk }: Round): string {
  return [
    `${single.requestsPerSecond.toFixed(0)} creates/s (p99 ${single.p99Ms} ms)`,
    `at ${half.requestsPerSecond.toFixed(0)}/s p99 ${half.p99Ms} ms`,
    `${(bulk.requestsPerSecond * bulkRows).toFixed(0)} links/s in bulk`,
    `${largestBulkRows} in one call delay others by ${largestBulk.delayMaxMs} ms at most`,
    `${single.errors + half.errors + bulk.errors} errors`,
  ].join(", ");
}

function mediansOf(same: Round[]) {
  const of = (read: (round: Round) => number) => median(same.map(read));
  return {
    createsPerSecond: Math.round(of(({ single }) => single.requestsPerSecond)),
    p50Ms: of(({ single }) => single.p50Ms),
    p99Ms: of(({ single }) => single.p99Ms),
    halfLoadPerSecond: Math.round(of(({ half }) => half.requestsPerSecond)),
    halfLoadP99Ms: of(({ half }) => half.p99Ms),
    bulkLinksPerSecond: Math.round(of(({ bulk }) => bulk.requestsPerSecond * bulkRows)),
    bulkOfPlainInsert: rounded(
      of(
        ({ bulk, plainRowsPerSecond }) => (bulk.requestsPerSecond * bulkRows) / plainRowsPerSecond,
      ),
    ),
    createsOfBarePost: rounded(
      of(({ single, barePost }) => single.requestsPerSecond / barePost.requestsPerSecond),
    ),
    largestBulkDelayP99Ms: of(({ largestBulk }) => largestBulk.delayP99Ms),
    largestBulkDelayMaxMs: of(({ largestBulk }) => largestBulk.delayMaxMs),
    errors: same.reduce(
      (total, { single, half, bulk }) => total + single.errors + half.errors + bulk.errors,
      0,
    ),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
