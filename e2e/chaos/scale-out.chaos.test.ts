/**
 * Several machines in small: a Redis Cluster with replicas, a PostgreSQL primary with a replica, and two redirects, APIs
 * and workers behind HAProxy. One after the other a primary of Redis, the primary of PostgreSQL, a redirect, an API and a
 * worker are killed while visits and creates go on.
 *
 * Two bare servers behind the same balancer lose one of theirs at the same time as the redirects: what the balancer and
 * the machine take is not the fault of Fuxi.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { migrate } from "../../prisma/migrate.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { endChild } from "../../scripts/processes.ts";
import { type Balancer, startBalancer } from "../../test/balancer.ts";
import { type PostgresPair, startPostgresPair } from "../../test/postgres-pair.ts";
import { type RedisServers, startRedisCluster } from "../../test/redis-servers.ts";
import {
  type Creates,
  startCreates,
  startVisits,
  type Visits,
  visitors,
} from "./report/traffic.ts";
import {
  entries,
  type Kind,
  keepAlive,
  makeLink,
  openStage,
  type Process,
  readMetrics,
  type Stage,
  settledClicks,
  untilReady,
  visitOnce,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const waitMaxMs = 400_000;
/** Visits that each fault lasts at least. */
const stretch = isLong ? 5_000 : 300;
/** Beyond that of a bare server behind the same balancer. */
const visitPauseMaxMs = 250;
const createPauseMaxMs = 10_000;
/** A pause is short when one of so many kills shows it: on a busy machine, others are long for other reasons. */
const kills = isLong ? 20 : 6;
const destination = "https://example.com/many/machines";
/** The stream of the only shard. */
const clicks = "clicks:{0}";

type Kept = Awaited<ReturnType<typeof keepAlive>>;

let pair: PostgresPair;
let servers: RedisServers | undefined;
let stage: Stage;
let balancer: Balancer;
/** The server that has the data now. */
let db: pg.Pool;
const members: Record<Kind, Kept[]> = { redirect: [], api: [], worker: [] };
const bare: { port: string; child: ReturnType<typeof fork> }[] = [];
let key = "";
let visits: Visits;
let bareVisits: Visits;
let creates: Creates;
let killedRedirects = 0;

beforeAll(async () => {
  pair = await startPostgresPair(async (url) => {
    await migrate(url);
  });
  const openDatabase = async () => ({
    databaseUrl: pair.primary.url,
    drop: async () => undefined,
  });
  stage = await openStage(async (dataDir) => {
    servers = await startRedisCluster(dataDir);
    return servers;
  }, openDatabase);
  db = stage.db;
  const { host } = new URL(pair.primary.url);
  const both = pair.primary.url.replace(host, `${host},${new URL(pair.replica.url).host}`);
  const settings = {
    DATABASE_URL: `${both}?target_session_attrs=read-write`,
    DATABASE_READ_URL: pair.replica.url,
    FUXI_TRUSTED_PROXIES: "127.0.0.1",
    FUXI_LOG_LEVEL: "silent",
  };
  const ports: Record<Kind, string[]> = { redirect: [], api: [], worker: [] };
  for (const kind of ["redirect", "api", "worker"] as const) {
    for (let at = 0; at < 2; at++) {
      const PORT = String(await findFreePort());
      ports[kind].push(PORT);
      members[kind].push(await keepAlive(stage, entries[kind], { ...settings, PORT }));
    }
  }
  for (let at = 0; at < 2; at++) await startBare(at, String(await findFreePort()));
  for (const { current } of [...members.redirect, ...members.api]) await untilReady(current.url);
  balancer = await startBalancer(join(stage.redisFolder, "..", "haproxy"), {
    redirect: { ports: ports.redirect, health: ["/readyz", 200] },
    api: { ports: ports.api, health: ["/readyz", 200] },
    bare: { ports: bare.map(({ port }) => port), health: ["/", 302] },
  });
  ({ key } = await makeLink(memberOf("api"), { url: destination }));
});

afterAll(async () => {
  await balancer?.stop();
  for (const { child } of bare) await endChild(child, "SIGKILL");
  if (db !== stage?.db) await db?.end();
  await stage?.close();
  await pair?.stop();
});

function memberOf(kind: Kind): Process {
  const [kept] = members[kind];
  if (!kept) throw new Error(`No ${kind} runs`);
  return kept.current;
}

async function startBare(at: number, port: string): Promise<void> {
  const child = fork("bench/bare.ts", [], {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, PORT: port },
  });
  bare[at] = { port, child };
  await once(child, "message");
}

/** Kills the first process of a kind, and resolves when it is back and has served. */
async function killMember(kind: Kind): Promise<void> {
  const [kept] = members[kind];
  if (!kept) throw new Error(`No ${kind} runs`);
  const lost = kept.current;
  lost.kill("SIGKILL");
  await vi.waitFor(() => expect(kept.current).not.toBe(lost), waitMaxMs);
  if (kind !== "worker") await untilReady(kept.current.url);
  if (kind !== "redirect") return;
  const answered = async () =>
    Number(/^fuxi_visit_seconds_count (\d+)$/m.exec(await readMetrics(kept.current))?.[1] ?? 0);
  await vi.waitFor(async () => expect(await answered()).toBeGreaterThan(10), waitMaxMs);
}

async function killBare(): Promise<void> {
  const [first] = bare;
  if (!first) throw new Error("No bare server runs");
  await endChild(first.child, "SIGKILL");
  await startBare(0, first.port);
}

/** What the bare servers answer is their own. */
async function startBareVisits(): Promise<Visits> {
  const url = balancer.urls["bare"] ?? "";
  const answer = await visitOnce(`${url}/`);
  if (typeof answer !== "object" || !answer.location) throw new Error("No bare server redirects");
  return startVisits(url, new Map([["", answer.location]]));
}

/** Longer than any visit: until `stretch` more were answered. */
async function awhile(): Promise<void> {
  const goal = visits.counts.answered + stretch;
  await vi.waitFor(() => expect(visits.counts.answered).toBeGreaterThanOrEqual(goal), waitMaxMs);
}

/** The longest pauses while something happens, until everything succeeds again. */
async function pausesOf(work: () => Promise<unknown>) {
  await Promise.all([visits.recovered(), bareVisits.recovered(), creates.recovered()]);
  for (const traffic of [visits, bareVisits, creates]) traffic.longestPauseMs = 0;
  await work();
  await awhile();
  await Promise.all([visits.recovered(), bareVisits.recovered(), creates.recovered()]);
  return {
    visitMs: visits.longestPauseMs,
    bareMs: bareVisits.longestPauseMs,
    createMs: creates.longestPauseMs,
  };
}

/** Tries until a pause beyond that of a bare server is short enough. Returns the shortest. */
async function shortestPause(
  work: () => Promise<unknown>,
  beyond: (pauses: Awaited<ReturnType<typeof pausesOf>>) => number,
  maxMs: number,
): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let kill = 0; kill < kills && shortest >= maxMs; kill++) {
    shortest = Math.min(shortest, beyond(await pausesOf(work)));
  }
  return shortest;
}

test("each of them is lost under load: every redirect is right, no acknowledged link is missing, and pauses are short", {
  timeout: 1_500_000,
}, async () => {
  const targets = new Map([[key, destination]]);
  visits = startVisits(balancer.urls["redirect"] ?? "", targets);
  bareVisits = await startBareVisits();
  creates = startCreates(balancer.urls["api"] ?? "", "scaled");
  try {
    await awhile();
    await pausesOf(async () => servers?.killPrimaryOf(clicks));

    // Both have a replica to go to: redirects, which are cached, do not stop.
    const atPromotion = await pausesOf(async () => {
      await pair.primary.stop("SIGKILL");
      await pair.promote();
    });
    expect(atPromotion.createMs - atPromotion.bareMs).toBeLessThan(createPauseMaxMs);

    const atRedirect = await shortestPause(
      async () => {
        killedRedirects += 1;
        await Promise.all([killMember("redirect"), killBare()]);
      },
      ({ visitMs, bareMs }) => visitMs - bareMs,
      visitPauseMaxMs,
    );
    expect(atRedirect).toBeLessThan(visitPauseMaxMs);
    const atApi = await pausesOf(() => killMember("api"));
    expect(atApi.createMs - atApi.bareMs).toBeLessThan(createPauseMaxMs);
    await pausesOf(() => killMember("worker"));
  } finally {
    await Promise.all([visits.stop(), bareVisits.stop(), creates.stop()]);
  }
  const { answered, wrong, later, unanswered } = visits.counts;
  expect({ wrong, later }).toEqual({ wrong: 0, later: 0 });

  db = new pg.Pool({ connectionString: pair.replica.url, max: 2 });
  const { rows } = await db.query(
    "SELECT key, url FROM link WHERE workspace_pk IS NOT NULL AND key = ANY($1::text[])",
    [[...creates.links.keys()]],
  );
  expect(new Map(rows.map((row) => [row.key, row.url]))).toEqual(creates.links);
  expect(rows).toHaveLength(creates.links.size);

  // A redirect that is killed may have counted a visit that the balancer then sends to the other.
  const counted = await settledClicks({ ...stage, db }, key, answered);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + unanswered + killedRedirects * visitors);
});
