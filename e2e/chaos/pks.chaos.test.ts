import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  describeOwnPostgres,
  openStage,
  type Process,
  pause,
  readMetrics,
  type Stage,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const processes = isLong ? 8 : 4;
const creatorsEach = 4;
/** Links created between two faults. */
const stretch = isLong ? 5_000 : 100;
const stretchMaxMs = 600_000;
const rangesWaitMaxMs = 6_000;
const ownBlockWaitMaxMs = 120_000;
let stage: Stage;
const postgres = describeOwnPostgres();
let created: Map<string, string>;
let twice: string[];

beforeEach(async () => {
  created = new Map();
  twice = [];
  stage = await openStage(undefined, postgres.open);
});

afterEach(() => stage.close());

interface Creators {
  api: Process;
  stop: () => Promise<void>;
}

/** Starts a process and sends it creates until it is stopped; records the acknowledged ones. */
async function startCreators(): Promise<Creators> {
  const api = await stage.start("workers/api.ts");
  let isRunning = true;
  const creators = Array.from({ length: creatorsEach }, (_, at) =>
    createWhile(api, at, () => isRunning),
  );
  const stop = async () => {
    isRunning = false;
    await Promise.all(creators);
  };
  return { api, stop };
}

async function createWhile(api: Process, creator: number, isRunning: () => boolean): Promise<void> {
  for (let number = 1; isRunning(); number++) {
    const url = `https://example.com/${new URL(api.url).port}/${creator}/${number}`;
    const answer = await api.call("POST", "/links", { url }).catch(() => undefined);
    if (answer?.status !== 200) {
      await pause(20);
      continue;
    }
    const { key } = answer.body;
    if (created.has(key)) twice.push(key);
    created.set(key, url);
  }
}

/** Waits until this many more links were acknowledged, however slow the machine is. */
async function moreMade(more = stretch): Promise<void> {
  const goal = created.size + more;
  const deadline = Date.now() + stretchMaxMs;
  while (created.size < goal && Date.now() < deadline) await pause(10);
  expect(created.size).toBeGreaterThanOrEqual(goal);
}

/** Every acknowledged link exists exactly once, unchanged. */
async function expectAllSaved(): Promise<void> {
  expect(twice).toEqual([]);
  const { rows } = await stage.db.query(
    "SELECT key, url FROM link WHERE workspace_pk IS NOT NULL AND key = ANY($1::text[])",
    [[...created.keys()]],
  );
  const saved = new Map(rows.map((row) => [row.key, row.url]));
  const wrong = [...created].filter(([key, url]) => saved.get(key) !== url);
  expect(wrong).toEqual([]);
  expect(rows).toHaveLength(created.size);
}

/** Metrics of the layers that provided pks, and of pks that the database refused. */
async function readCounters(apis: readonly Process[]): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const api of apis) {
    const text = await readMetrics(api);
    for (const [, what = "", value] of text.matchAll(
      /^fuxi_(?:pk_ranges|link_commits)_total\{what="(\w+)"\} (\d+)/gm,
    )) {
      total[what] = (total[what] ?? 0) + Number(value);
    }
  }
  return total;
}

/** Waits until a counter reaches `count`, and gives up after `maxMs`. */
async function untilCounted(
  apis: readonly Process[],
  what: "redis" | "postgres" | "redisErrors",
  { count, maxMs }: { count: number; maxMs: number },
): Promise<void> {
  const deadline = Date.now() + maxMs;
  while (Date.now() < deadline) {
    if (((await readCounters(apis))[what] ?? 0) >= count) return;
    await pause(50);
  }
}

/** Gives up after a while, because a process that found Redis dead keeps using its own block. */
async function moreFromRedis(apis: readonly Process[], more: number): Promise<void> {
  const before = (await readCounters(apis))["redis"] ?? 0;
  await untilCounted(apis, "redis", { count: before + more, maxMs: rangesWaitMaxMs });
}

type Fault = (redis: Redis, apis: readonly Process[]) => Promise<unknown>;

/** Redis restarts with an older append-only file, in which ranges are free that were given since. */
const rollBack: Fault = async (redis, apis) => {
  const files = join(stage.redisFolder, "appendonlydir");
  const older = `${files}.older`;
  cpSync(files, older, { recursive: true });
  await moreFromRedis(apis, 2 * processes);
  process.kill(stage.redisPid(), "SIGKILL");
  rmSync(files, { recursive: true });
  cpSync(older, files, { recursive: true });
  await vi.waitFor(() => redis.ping(), 300_000);
  await moreFromRedis(apis, processes);
};

const flush: Fault = (redis) => redis.flushall();

/** Redis hangs until a process gives up on it and leases a block of its own. */
const stopRedis: Fault = async (_redis, apis) => {
  const pid = stage.redisPid();
  process.kill(pid, "SIGSTOP");
  for (const what of ["redisErrors", "postgres"] as const) {
    await untilCounted(apis, what, { count: 1, maxMs: ownBlockWaitMaxMs });
  }
  process.kill(pid, "SIGCONT");
};

/** PostgreSQL ends without a checkpoint, and recovers. */
const crashPostgres: Fault = () => {
  process.kill(postgres.pid(), "SIGQUIT");
  return Promise.resolve();
};

test("no code is assigned twice and no acknowledged link is lost, whatever fails under several creating processes", {
  timeout: 2 * stretchMaxMs,
}, async () => {
  const all = await Promise.all(Array.from({ length: processes }, startCreators));
  const redis = new Redis(stage.redisUrl, { maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  const apis = all.map(({ api }) => api);
  // The older file first: after the other faults processes lease their own blocks, and skip Redis for a while.
  for (const strike of [rollBack, flush, stopRedis, crashPostgres]) {
    await moreMade();
    await strike(redis, apis);
  }
  await moreMade();
  // Half of them are killed; their successors share neither ranges nor codes with them.
  const killed = all.splice(0, processes / 2);
  const ofKilled = await readCounters(killed.map(({ api }) => api));
  for (const { api } of killed) api.kill("SIGKILL");
  await Promise.all(killed.map(({ stop }) => stop()));
  all.push(...(await Promise.all([startCreators(), startCreators()])));
  await moreMade();
  const ofOthers = await readCounters(all.map(({ api }) => api));
  const count = (what: string) => (ofKilled[what] ?? 0) + (ofOthers[what] ?? 0);
  await Promise.all(all.map(({ stop }) => stop()));
  redis.disconnect();
  await expectAllSaved();
  // The primary key would have refused a pk leased twice; it never had to.
  expect([ofKilled["pksRefused"], ofOthers["pksRefused"]]).toEqual([0, 0]);
  // Each layer was used: Redis, and own blocks while it was unavailable.
  for (const what of ["redis", "postgres", "blocks", "redisErrors"]) {
    expect([what, count(what) > 0]).toEqual([what, true]);
  }
});
