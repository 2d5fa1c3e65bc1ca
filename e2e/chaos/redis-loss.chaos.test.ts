/**
 * A primary of Redis is killed under load, and its replica takes over: of a Cluster that of the clicks, with Sentinel the
 * only one. The replica is asynchronous and may lack the last writes.
 */
import { afterEach, expect, test, vi } from "vitest";
import { startRedis } from "../../scripts/redis.ts";
import { timeBound } from "../../test/bounds.ts";
import {
  type RedisServers,
  startRedisCluster,
  startRedisSentinel,
} from "../../test/redis-servers.ts";
import {
  makeLink,
  openStage,
  type Stage,
  sendVisitors,
  settledClicks,
  visitOnce,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
/** Visits before the loss, while the server is away, and after it. */
const stretch = isLong ? 5_000 : 150;
const waitMaxMs = 300_000;
/** The stream of the only shard. */
const clicks = "clicks:{0}";
const quiet = { FUXI_LOG_LEVEL: "silent" };
let stage: Stage;

afterEach(() => stage?.close());

async function open(start: (dataDir: string) => Promise<RedisServers>): Promise<RedisServers> {
  let servers: RedisServers | undefined;
  stage = await openStage(async (dataDir) => {
    servers = await start(dataDir);
    return servers;
  });
  if (!servers) throw new Error("The stage started no Redis");
  return servers;
}

const kinds = [{ name: "a Cluster with replicas", start: startRedisCluster }];
if (isLong) kinds.push({ name: "Sentinel", start: startRedisSentinel });

test.each(kinds)(
  "with $name, clicks are counted exactly and changes are seen, also after the loss of a primary",
  async ({ start }) => {
    const servers = await open(start);
    const [api, front] = await Promise.all([
      stage.start("workers/api.ts", quiet),
      stage.start("workers/redirect.ts", quiet),
      stage.start("workers/index.ts", quiet),
    ]);
    const link = await makeLink(api, { url: "https://example.com/one" });
    const alias = await makeLink(api, { url: "https://example.com/two", key: "changed" });
    await visitOnce(`${front.url}/changed`);
    await api.call("PATCH", `/links/${alias.id}`, { url: "https://example.com/earlier" });
    await vi.waitFor(
      async () =>
        expect(await visitOnce(`${front.url}/changed`)).toMatchObject({
          location: "https://example.com/earlier",
        }),
      timeBound(1_000),
    );
    const visitors = sendVisitors(() => `${front.url}/${link.key}`, isLong ? 16 : 4);
    await visitors.answered(stretch);
    const taken = servers.killPrimaryOf(clicks);
    await visitors.answered(2 * stretch);
    await api.call("PATCH", `/links/${alias.id}`, { url: "https://example.com/three" });
    await taken;
    await visitors.answered(visitors.tally.answered + stretch);
    const counts = await visitors.stop();
    expect(counts).toMatchObject({ lost: 0, other: 0 });
    expect(await settledClicks(stage, link.key, counts.answered)).toBe(counts.answered);
    await vi.waitFor(
      async () =>
        expect(await visitOnce(`${front.url}/changed`)).toMatchObject({
          location: "https://example.com/three",
        }),
      waitMaxMs,
    );
    // Jobs and caches work again, for links of before and after the loss.
    const later = await makeLink(api, { url: "https://example.com/later" });
    expect(await visitOnce(`${front.url}/${later.key}`)).toMatchObject({ status: 302 });
  },
);

test.runIf(isLong)(
  "each purpose uses its own Redis, and works without those of the others",
  async () => {
    const own = new Map<string, Awaited<ReturnType<typeof startRedis>>>();
    stage = await openStage(async (dataDir) => {
      for (const name of ["main", "CACHE", "CLICKS", "QUEUE", "LIMITS"]) {
        const folder = `${dataDir}/${name}`;
        own.set(
          name,
          await startRedis({ dataDir: folder, password: "chaos", report: () => undefined }),
        );
      }
      const stop = async () => {
        await Promise.all([...own.values()].map((server) => server.stop("SIGKILL")));
      };
      return { url: own.get("main")?.url ?? "", stop };
    });
    const urls = Object.fromEntries(
      [...own].flatMap(([name, { url }]) => (name === "main" ? [] : [[`REDIS_${name}_URL`, url]])),
    );
    const settings = { ...urls, ...quiet };
    const [api, front] = await Promise.all([
      stage.start("workers/api.ts", settings),
      stage.start("workers/redirect.ts", settings),
      stage.start("workers/index.ts", settings),
    ]);
    // Neither limits nor the rest keep clicks from being counted.
    await own.get("LIMITS")?.stop("SIGKILL");
    await own.get("main")?.stop("SIGKILL");
    const link = await makeLink(api, { url: "https://example.com/own" });
    const visitors = sendVisitors(() => `${front.url}/${link.key}`, 8);
    await visitors.answered(100);
    const counts = await visitors.stop();
    expect(counts).toMatchObject({ lost: 0, other: 0 });
    expect(await settledClicks(stage, link.key, counts.answered)).toBe(counts.answered);
  },
);
