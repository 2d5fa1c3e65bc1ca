/** Several Redis servers for tests: a Cluster with a replica of each primary, and one primary with a replica and Sentinel. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findFreePort } from "../scripts/ports.ts";
import { endChild } from "../scripts/processes.ts";
import { findRedis, startRedis } from "../scripts/redis.ts";

const password = "chaos";
const slots = 16_384;
const sentinels = 3;
/** A server that is silent for so long has failed. Long enough for a busy machine. */
const silenceMs = 3_000;

export interface RedisServers {
  url: string;
  /** Kills the primary that has a key, and resolves when another server has taken over. */
  killPrimaryOf: (key: string) => Promise<void>;
  stop: () => Promise<void>;
}

async function pollUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function tell<T>(url: string, ...command: [string, ...(string | number)[]]): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => null });
  client.on("error", () => undefined); // the command reports it
  try {
    const [name, ...args] = command;
    return (await client.call(name, ...args)) as T;
  } finally {
    client.disconnect();
  }
}

/** Three primaries with a replica each. */
export async function startRedisCluster(dataDir: string): Promise<RedisServers> {
  const primaries = 3;
  const settings = [
    "cluster-enabled yes",
    "cluster-config-file nodes.conf",
    `cluster-node-timeout ${silenceMs}`,
    `masterauth ${password}`,
    // A replica that was cut off for a while may take over too: the test has no other.
    "cluster-replica-validity-factor 0",
  ];
  const servers = await Promise.all(
    Array.from({ length: 2 * primaries }, (_, node) =>
      startRedis({
        dataDir: join(dataDir, `node${node}`),
        password,
        report: () => undefined,
        settings,
      }),
    ),
  );
  const urls = servers.map(({ url }) => url);
  const [first = ""] = urls;
  for (const [node, url] of urls.entries()) {
    await tell(first, "CLUSTER", "MEET", "127.0.0.1", portOf(url));
    if (node >= primaries) continue;
    const bound = (at: number) => Math.floor((slots / primaries) * at);
    await tell(url, "CLUSTER", "ADDSLOTSRANGE", bound(node), bound(node + 1) - 1);
  }
  const isWhole = async () => {
    const infos = await Promise.all(urls.map(infoOf));
    return infos.every(
      (info) =>
        info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${urls.length}`),
    );
  };
  await pollUntil(isWhole);
  for (const [node, url] of urls.slice(primaries).entries()) {
    await tell(
      url,
      "CLUSTER",
      "REPLICATE",
      await tell<string>(urls[node] ?? "", "CLUSTER", "MYID"),
    );
  }
  const isLinked = async (url: string) =>
    (await tell<string>(url, "INFO", "replication")).includes("master_link_status:up");
  await pollUntil(async () =>
    (await Promise.all(urls.slice(primaries).map(isLinked))).every(Boolean),
  );
  return describeCluster(urls, servers);
}

type Server = Awaited<ReturnType<typeof startRedis>>;

function infoOf(url: string): Promise<string> {
  return tell<string>(url, "CLUSTER", "INFO");
}

function describeCluster(urls: readonly string[], servers: readonly Server[]): RedisServers {
  const alive = new Set(urls);
  const primaryOf = async (key: string) => {
    const [any = ""] = alive;
    const slot = await tell<number>(any, "CLUSTER", "KEYSLOT", key);
    const ranges = await tell<[number, number, [string, number]][]>(any, "CLUSTER", "SLOTS");
    const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
    return urls.find((url) => portOf(url) === port) ?? "";
  };
  return {
    url: urls.join(","),
    killPrimaryOf: async (key) => {
      const lost = await primaryOf(key);
      await servers[urls.indexOf(lost)]?.stop("SIGKILL");
      alive.delete(lost);
      await pollUntil(async () => {
        const now = await primaryOf(key);
        return now !== lost && (await infoOf(now)).includes("cluster_state:ok");
      });
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop("SIGKILL")));
    },
  };
}

/** A primary, its replica, and three sentinels. */
export async function startRedisSentinel(dataDir: string): Promise<RedisServers> {
  const options = { password, report: () => undefined };
  const auth = `masterauth ${password}`;
  const primary = await startRedis({
    ...options,
    dataDir: join(dataDir, "first"),
    settings: [auth],
  });
  const replicaOf = `replicaof 127.0.0.1 ${portOf(primary.url)}`;
  const replica = await startRedis({
    ...options,
    dataDir: join(dataDir, "second"),
    settings: [auth, replicaOf],
  });
  await pollUntil(async () =>
    (await tell<string>(replica.url, "INFO", "replication")).includes("master_link_status:up"),
  );
  const { file, env } = await findRedis(options.report);
  const ports: number[] = [];
  const children: ChildProcess[] = [];
  for (let at = 0; at < sentinels; at++) {
    const port = await findFreePort();
    const folder = join(dataDir, `sentinel${at}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "sentinel.conf");
    const lines = [
      "bind 127.0.0.1",
      `port ${port}`,
      `dir ${folder}`,
      `sentinel monitor main 127.0.0.1 ${portOf(primary.url)} 2`,
      `sentinel auth-pass main ${password}`,
      `sentinel down-after-milliseconds main ${silenceMs}`,
      "sentinel failover-timeout main 10000",
    ];
    writeFileSync(path, `${lines.join("\n")}\n`);
    children.push(
      spawn(file, [path, "--sentinel"], { stdio: "ignore", env: { ...process.env, ...env } }),
    );
    ports.push(port);
  }
  const [port] = ports;
  const sentinel = `redis://127.0.0.1:${port}`;
  await pollUntil(async () => {
    const others = await tell<unknown[]>(sentinel, "SENTINEL", "SENTINELS", "main");
    const replicas = await tell<unknown[]>(sentinel, "SENTINEL", "REPLICAS", "main");
    return others.length === sentinels - 1 && replicas.length === 1;
  });
  const addresses = ports.map((one) => `127.0.0.1:${one}`).join(",");
  return {
    url: `sentinel://:${password}@${addresses}/main`,
    killPrimaryOf: async () => {
      await primary.stop("SIGKILL");
      await pollUntil(async () =>
        (await tell<string>(replica.url, "INFO", "replication")).includes("role:master"),
      );
    },
    stop: async () => {
      await Promise.all(children.map((child) => endChild(child, "SIGKILL")));
      await Promise.all([primary.stop("SIGKILL"), replica.stop("SIGKILL")]);
    },
  };
}
