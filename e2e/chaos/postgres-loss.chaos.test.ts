/**
 * The primary of PostgreSQL is killed under load, and its synchronous replica promoted.
 *
 * Three ways to the new primary: an address with both servers, PgBouncer in transaction mode, whose clients keep their
 * connections while its servers change, and HAProxy, which asks Patroni. Patroni promotes the replica by itself.
 */
import { Redis } from "ioredis";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { migrate } from "../../prisma/migrate.ts";
import { type PatroniCluster, startPatroni } from "../../test/patroni.ts";
import { type Pgbouncer, startPgbouncer } from "../../test/pgbouncer.ts";
import { type PostgresPair, startPostgresPair } from "../../test/postgres-pair.ts";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  readMetrics,
  type Stage,
  visitOnce,
} from "./stage.ts";

const creators = 4;
/** Links created before the loss, and after it. */
const stretch = process.env["TEST_LONG"] ? 3_000 : 150;
/** Every refused create is an error. */
const quiet = { FUXI_LOG_LEVEL: "silent" };
const waitMaxMs = 300_000;
let pair: PostgresPair | undefined;
let cluster: PatroniCluster | undefined;
let stage: Stage;
/** The server that has the data now. */
let db: pg.Pool;
let bouncer: Pgbouncer | undefined;

async function startPair(): Promise<PostgresPair> {
  pair = await startPostgresPair(async (url) => {
    await migrate(url);
  });
  return pair;
}

afterEach(async () => {
  if (db !== stage?.db) await db?.end();
  await stage?.close();
  await bouncer?.stop();
  bouncer = undefined;
  await pair?.stop();
  pair = undefined;
  await cluster?.stop();
  cluster = undefined;
});

/** The stage itself writes through the same address as its processes. */
async function openStageAt(databaseUrl: string): Promise<void> {
  stage = await openStage(undefined, async () => ({ databaseUrl, drop: async () => undefined }));
  db = stage.db;
}

async function startProcesses(settings: Record<string, string>): Promise<[Process, Process]> {
  const [api, front] = await Promise.all([
    stage.start("workers/api.ts", settings),
    stage.start("workers/redirect.ts", settings),
    stage.start("workers/index.ts", settings),
  ]);
  return [api, front];
}

interface Creators {
  created: Map<string, string>;
  twice: string[];
  /** Answers to creates by status; 0: none. */
  statuses: Map<number, number>;
  /** Responses with 503 that do not say when to try again. */
  silent: number;
  stop: () => Promise<void>;
}

function startCreators(api: Process): Creators {
  let isRunning = true;
  const state = {
    created: new Map<string, string>(),
    twice: [] as string[],
    statuses: new Map<number, number>(),
    silent: 0,
  };
  const createOne = async (url: string) => {
    const answer = await api.call("POST", "/links", { url }).catch(() => undefined);
    const status = answer?.status ?? 0;
    state.statuses.set(status, (state.statuses.get(status) ?? 0) + 1);
    if (status === 503 && !answer?.headers["retry-after"]) state.silent += 1;
    if (status !== 200) {
      await pause(20);
      return;
    }
    const { key } = answer?.body ?? {};
    if (state.created.has(key)) state.twice.push(key);
    state.created.set(key, url);
  };
  const all = Array.from({ length: creators }, async (_, creator) => {
    for (let number = 0; isRunning; number++) {
      await createOne(`https://example.com/${creator}/${number}`);
    }
  });
  return Object.assign(state, {
    stop: async () => {
      isRunning = false;
      await Promise.all(all);
    },
  });
}

async function moreMade({ created }: Creators): Promise<void> {
  const goal = created.size + stretch;
  await vi.waitFor(() => expect(created.size).toBeGreaterThanOrEqual(goal), waitMaxMs);
}

async function isRefused(api: Process): Promise<boolean> {
  const answer = await api.call("POST", "/links", { url: "https://example.com/refused" });
  return answer.status === 503;
}

/** Links that were just created are cached for their first visit. */
async function emptyCache(): Promise<void> {
  const redis = new Redis(stage.redisUrl);
  await redis.flushall();
  redis.disconnect();
}

/** Every acknowledged link exists once, unchanged. */
async function expectAllSaved({ created, twice, statuses, silent }: Creators): Promise<void> {
  expect(twice).toEqual([]);
  expect(silent).toBe(0);
  expect([...statuses.keys()].filter((status) => ![0, 200, 503].includes(status))).toEqual([]);
  const { rows } = await db.query(
    "SELECT key, url FROM link WHERE workspace_pk IS NOT NULL AND key = ANY($1::text[])",
    [[...created.keys()]],
  );
  const saved = new Map(rows.map((row) => [row.key, row.url]));
  expect([...created].filter(([key, url]) => saved.get(key) !== url)).toEqual([]);
  expect(rows).toHaveLength(created.size);
}

async function revisionNow(): Promise<number> {
  const { rows } = await db.query("SELECT last_value::float8 AS revision FROM revision");
  return rows[0].revision;
}

test("nothing acknowledged is lost, no code is issued twice, and links that are not cached redirect meanwhile", async () => {
  const pair = await startPair();
  const { host } = new URL(pair.primary.url);
  const both = pair.primary.url.replace(host, `${host},${new URL(pair.replica.url).host}`);
  await openStageAt(pair.primary.url);
  const settings = {
    DATABASE_URL: `${both}?target_session_attrs=read-write`,
    DATABASE_READ_URL: pair.replica.url,
    DATABASE_READ_LAG_MAX_MS: "1000",
    ...quiet,
  };
  const [api, front] = await startProcesses(settings);
  const alias = await makeLink(api, { url: "https://example.com/before", key: "changes" });
  const creating = startCreators(api);
  await moreMade(creating);
  const [known] = [...creating.created];
  await visitOnce(`${front.url}/${known?.[0]}`);
  const revisionBefore = await revisionNow();

  await pair.primary.stop("SIGKILL");
  await vi.waitFor(async () => expect(await isRefused(api)).toBe(true), waitMaxMs);
  await emptyCache();
  const uncached = [...creating.created].slice(1, 40);
  for (const [key, url] of uncached) {
    await vi.waitFor(
      async () =>
        expect(await visitOnce(`${front.url}/${key}`)).toMatchObject({
          status: 302,
          location: url,
        }),
      waitMaxMs,
    );
  }
  const reads = /replica_total\{what="reads"\} (\d+)/.exec(await readMetrics(front))?.[1];
  expect(Number(reads)).toBeGreaterThanOrEqual(uncached.length);
  // Nobody knows whether it exists.
  expect(await visitOnce(`${front.url}/no-such-link`)).toMatchObject({ status: 503 });

  await pair.promote();
  await moreMade(creating);
  await creating.stop();
  db = new pg.Pool({ connectionString: pair.replica.url, max: 2 });
  await expectAllSaved(creating);

  await api.call("PATCH", `/links/${alias.id}`, { url: "https://example.com/after" });
  expect(await revisionNow()).toBeGreaterThan(revisionBefore + 1e9);
  await vi.waitFor(
    async () =>
      expect(await visitOnce(`${front.url}/changes`)).toMatchObject({
        location: "https://example.com/after",
      }),
    waitMaxMs,
  );
});

test("through PgBouncer in transaction mode, everything works, and the loss of the primary is survived as well", async () => {
  const pair = await startPair();
  bouncer = await startPgbouncer(pair.primary.url);
  await openStageAt(pair.primary.url);
  const settings = { DATABASE_URL: bouncer.url, DATABASE_POOLER: "transaction", ...quiet };
  const [api, front] = await startProcesses(settings);
  const creating = startCreators(api);
  await moreMade(creating);
  for (const [key, url] of [...creating.created].slice(0, 40)) {
    expect(await visitOnce(`${front.url}/${key}`)).toMatchObject({ status: 302, location: url });
  }
  await pair.primary.stop("SIGKILL");
  await vi.waitFor(async () => expect(await isRefused(api)).toBe(true), waitMaxMs);
  await pair.promote();
  await bouncer.pointTo(pair.replica.url);
  await moreMade(creating);
  await creating.stop();
  db = new pg.Pool({ connectionString: pair.replica.url, max: 2 });
  await expectAllSaved(creating);
  // Clicks of both times are counted, by statements of every kind.
  await vi.waitFor(async () => {
    const { rows } = await db.query("SELECT sum(clicks)::int AS clicks FROM link_stat");
    expect(rows[0].clicks).toBe(40);
  }, waitMaxMs);
});

test("Patroni replaces a lost primary, and everything goes on without a restart", async () => {
  cluster = await startPatroni();
  await migrate(await cluster.urlOfPrimary());
  await openStageAt(cluster.primaryUrl);
  const settings = {
    DATABASE_URL: cluster.primaryUrl,
    DATABASE_READ_URL: cluster.replicasUrl,
    ...quiet,
  };
  const [api, front] = await startProcesses(settings);
  const alias = await makeLink(api, { url: "https://example.com/before", key: "changes" });
  const creating = startCreators(api);
  await moreMade(creating);
  const known = [...creating.created].slice(0, 40);
  for (const [key, url] of known) {
    expect(await visitOnce(`${front.url}/${key}`)).toMatchObject({ status: 302, location: url });
  }
  const revisionBefore = await revisionNow();

  await cluster.killPrimary();
  await vi.waitFor(async () => expect(await isRefused(api)).toBe(true), waitMaxMs);
  expect(await visitOnce(`${front.url}/${known[0]?.[0]}`)).toMatchObject({ status: 302 });
  await cluster.untilPrimary();
  await moreMade(creating);
  await creating.stop();
  db = new pg.Pool({ connectionString: await cluster.urlOfPrimary(), max: 2 });
  await expectAllSaved(creating);
  await api.call("PATCH", `/links/${alias.id}`, { url: "https://example.com/after" });
  expect(await revisionNow()).toBeGreaterThan(revisionBefore + 1e9);
  await vi.waitFor(async () => {
    const { rows } = await db.query("SELECT sum(clicks)::int AS clicks FROM link_stat");
    expect(rows[0].clicks).toBe(known.length + 1);
  }, waitMaxMs);
  await expectReports(api);
});

/** Debian’s PostgreSQL is the oldest version that works. */
async function expectReports(api: Process): Promise<void> {
  for (const interval of ["24h", "7d", "90d", "1y", "mtd", "all"]) {
    const path = `/analytics?interval=${interval}&groupBy=timeseries&timezone=Europe/Berlin`;
    const { status, body } = await api.call("GET", path);
    expect([status, body.length > 0], path).toEqual([200, true]);
  }
}
