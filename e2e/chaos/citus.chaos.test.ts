/**
 * Clicks on the workers of Citus: one of them is cut off between PREPARE and COMMIT, the coordinator vanishes for a while, and
 * shards move, all while visitors come. Needs a cluster: TEST_CITUS_URL (`npm run test:citus`).
 */
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { listWorkers, type Node, onNode } from "../../test/citus.ts";
import { TcpProxy } from "../../test/tcp-proxy.ts";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  type Stage,
  sendVisitors,
  settledClicks,
  type VisitCounts,
} from "./stage.ts";

const visitsAround = 1_000;
/** Between PREPARE and COMMIT a batch is for a short time only. */
const triesMax = 2_000;
const awayMs = 5_000;
const coordinatorLosses = 3;

interface Worker extends Node {
  id: number;
  proxy: TcpProxy;
  proxyPort: number;
}

let stage: Stage;
const workers: Worker[] = [];

const isCitus = process.env["TEST_CITUS_URL"] !== undefined;

beforeAll(async () => {
  if (!isCitus) return;
  stage = await openStage();
  // One after the other: each locks what Citus knows about nodes.
  for (const worker of await listWorkers(databaseUrl())) workers.push(await putProxy(worker));
  // Until the servers know of each other’s new addresses, Citus refuses to change tables.
  await vi.waitFor(async () => expect(await areSynced()).toBe(true), 120_000);
});

afterEach(async () => {
  if (isCitus) await stage.clear();
});

afterAll(async () => {
  if (!isCitus) return;
  // Other tests use the database, too.
  for (const { id, host, port, proxy } of workers) {
    await stage.db.query("SELECT citus_update_node($1, $2, $3)", [id, host, port]);
    await proxy.close();
  }
  await stage.close();
});

function databaseUrl(): string {
  return String(stage.env["DATABASE_URL"]);
}

/** The coordinator reaches the worker through a proxy. */
async function putProxy(worker: Node & { id: number }): Promise<Worker> {
  const proxy = new TcpProxy();
  const opened = new URL(await proxy.open(`postgres://${worker.host}:${worker.port}`));
  const proxyPort = Number(opened.port);
  await stage.db.query("SELECT citus_update_node($1, $2, $3)", [
    worker.id,
    opened.hostname,
    proxyPort,
  ]);
  return { ...worker, proxy, proxyPort };
}

async function areSynced(): Promise<boolean> {
  const { rows } = await stage.db.query<{ synced: boolean }>(
    "SELECT bool_and(metadatasynced) AS synced FROM pg_dist_node WHERE hasmetadata",
  );
  return rows[0]?.synced === true;
}

async function startAll(
  more: Record<string, string> = {},
): Promise<{ key: string; front: Process; api: Process }> {
  const [front, api] = await Promise.all([
    stage.start("workers/redirect.ts", more),
    stage.start("workers/api.ts", more),
    stage.start("workers/index.ts", more),
  ]);
  const { key } = await makeLink(api, { url: "https://example.com/target" });
  return { key, front, api };
}

/** Counters of the link, raw rows on the workers, and nothing that waits for a decision. */
async function expectCounted(key: string, { answered, lost, other }: VisitCounts): Promise<void> {
  expect({ lost, other }).toEqual({ lost: 0, other: 0 });
  expect(await settledClicks(stage, key, answered)).toBe(answered);
  // A connection between the servers that was cut is noticed by the first statement that uses it.
  await vi.waitFor(async () => expect(await rawClicks(key)).toBe(answered), 300_000);
  for (const worker of workers) {
    await vi.waitFor(async () => expect(await preparedOn(worker)).toEqual([]), 300_000);
  }
}

interface Keys {
  pk: string;
  workspace_pk: number;
}

async function keysOf(key: string): Promise<Keys> {
  const { rows } = await stage.db.query<Keys>("SELECT pk, workspace_pk FROM link WHERE key = $1", [
    key,
  ]);
  const [found] = rows;
  if (!found) throw new Error(`${key} was not made`);
  return found;
}

async function rawClicks(key: string): Promise<number> {
  const { pk, workspace_pk: workspacePk } = await keysOf(key);
  const { rows } = await stage.db.query<{ clicks: number }>(
    `SELECT count(*)::int AS clicks
     FROM analytics.click
     WHERE workspace_pk = $1
       AND link_pk = $2`,
    [workspacePk, pk],
  );
  return rows[0]?.clicks ?? 0;
}

async function preparedOn(worker: Node): Promise<string[]> {
  return await onNode(databaseUrl(), worker, async (client) => namesOfPrepared(client));
}

async function namesOfPrepared(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ gid: string }>(
    "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()",
  );
  return rows.map(({ gid }) => gid);
}

type Sharded = [table: "analytics.click" | "link", value: string | number];

/** The shards of a link and of the clicks of its workspace. */
async function shardsOf(key: string): Promise<Sharded[]> {
  const { pk, workspace_pk: workspacePk } = await keysOf(key);
  return [
    ["analytics.click", workspacePk],
    ["link", pk],
  ];
}

/** The one that has the rows. */
async function workerOf([table, value]: Sharded): Promise<Worker> {
  const { rows } = await stage.db.query<{ port: number }>(
    `SELECT nodeport AS port
     FROM pg_dist_shard_placement
     WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2::text)`,
    [table, String(value)],
  );
  const found = workers.find(({ proxyPort }) => proxyPort === rows[0]?.port);
  if (!found) throw new Error(`No worker has ${table}`);
  return found;
}

/** With the tables that share their shards. */
async function move([table, value]: Sharded, from: Worker): Promise<void> {
  const to = workers.find((one) => one !== from);
  if (!to) throw new Error("Moving needs two workers");
  await stage.db.query(
    `SELECT citus_move_shard_placement(
       get_shard_id_for_distribution_column($1::regclass, $2::text), $3, $4, $5, $6)`,
    [table, String(value), "127.0.0.1", from.proxyPort, "127.0.0.1", to.proxyPort],
  );
}

/** Creates links one after the other until it is stopped, which returns those that were acknowledged. */
function startCreating(api: Process): { stop: () => Promise<string[]> } {
  const made: string[] = [];
  let isOver = false;
  const running = (async () => {
    for (let number = 0; !isOver; number++) {
      const { status, body } = await api.call("POST", "/links", {
        url: `https://example.com/${number}`,
        externalId: `made-${number}-${Math.random()}`,
      });
      if (status === 200) made.push(body.key);
      else expect(status).toBe(503);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await running;
      return made;
    },
  };
}

/** A link whose COMMIT PREPARED was lost is there once the coordinator has sent it again. */
async function expectMade(made: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await stage.db.query<{ links: number; ids: number }>(
      `SELECT (SELECT count(*)::int FROM link WHERE key = ANY($1)) AS links,
         (SELECT count(*)::int
          FROM link_external_id
          WHERE link_pk IN (SELECT pk FROM link WHERE key = ANY($1))) AS ids`,
      [made],
    );
    expect(rows).toEqual([{ links: made.length, ids: made.length }]);
  }, 300_000);
}

/**
 * Holds back what the coordinator sends, or what the worker answers, until a transaction is prepared: then the connections are
 * cut, and the worker is unreachable for a while.
 */
async function cutBetween(worker: Worker, held: "requests" | "answers"): Promise<string[]> {
  return await onNode(databaseUrl(), worker, async (client) => {
    for (let tries = 0; tries < triesMax; tries++) {
      worker.proxy.hold(held);
      const prepared = await namesOfPrepared(client);
      if (prepared.length === 0) {
        worker.proxy.resume();
        await pause(1 + Math.random() * 20);
        continue;
      }
      await worker.proxy.close();
      return prepared;
    }
    throw new Error("No transaction was found between PREPARE and COMMIT");
  });
}

test.runIf(isCitus).each(["requests", "answers"] as const)(
  "answered = counted and acknowledged = made when a Citus worker is cut off between PREPARE and COMMIT: %s are lost",
  async (held) => {
    const { key, front, api } = await startAll();
    const visitors = sendVisitors(() => `${front.url}/${key}`);
    const creating = startCreating(api);
    await visitors.answered(visitsAround);
    const [clicks] = await shardsOf(key);
    if (!clicks) throw new Error("Clicks have no shard");
    const worker = await workerOf(clicks);
    expect(await cutBetween(worker, held)).not.toEqual([]);
    await pause(awayMs);
    await worker.proxy.reopen();
    await visitors.answered(visitors.tally.answered + visitsAround);
    await expectMade(await creating.stop());
    await expectCounted(key, await visitors.stop());
  },
);

test.runIf(isCitus)(
  "while the coordinator is away, a cached link redirects, and its clicks count once when it is back",
  async () => {
    const coordinator = new TcpProxy();
    onTestFinished(() => coordinator.close());
    const { key, front, api } = await startAll({
      DATABASE_URL: await coordinator.open(databaseUrl()),
    });
    const visitors = sendVisitors(() => `${front.url}/${key}`);
    await visitors.answered(visitsAround);
    for (let losses = 0; losses < coordinatorLosses; losses++) {
      // At another moment of a batch each time.
      await pause(Math.random() * 500);
      await coordinator.close();
      await visitors.answered(visitors.tally.answered + visitsAround);
      const { status } = await api.call("POST", "/links", { url: "https://example.com/away" });
      expect(status).toBe(503);
      await coordinator.reopen();
      await vi.waitFor(() => makeLink(api, { url: "https://example.com/back" }), 60_000);
    }
    await expectCounted(key, await visitors.stop());
  },
);

test.runIf(isCitus)("shards move while visitors come and links are created", async () => {
  const { key, front, api } = await startAll();
  const visitors = sendVisitors(() => `${front.url}/${key}`);
  await visitors.answered(visitsAround);
  const creating = startCreating(api);
  for (const shard of [...(await shardsOf(key)), ...(await shardsOf(key))]) {
    const from = await workerOf(shard);
    await move(shard, from);
    expect(await workerOf(shard)).not.toBe(from);
    await visitors.answered(visitors.tally.answered + visitsAround);
  }
  const made = await creating.stop();
  expect(made.length).toBeGreaterThan(0);
  await expectMade(made);
  await expectCounted(key, await visitors.stop());
});
