/**
 * Connections to Redis: one URL is a server, several (comma) are a Cluster, sentinel:// is the
 * primary that Sentinel names. Each purpose may have its own Redis.
 *
 * Commands fail fast, because every caller has a fallback (Postgres, the spool, a limit per
 * process). Only subscribers and queues wait.
 */
import { Cluster, Redis } from "ioredis";
import { withTimeout } from "#lib/basics/bounds";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { sentinelOptions } from "./sentinel.ts";

export type { Redis };
export type RedisClient = Redis | Cluster;

export const redisKeys = {
  clickStream: (shard: number) => `clicks:{${shard}}`,
  open: (workspacePk: number, digest: string) => `open:${workspacePk}:${digest}`,
  pkBlock: "pk:block",
  coherenceChannel: "coherence",
  calls: (caller: string) => `calls:${caller}`,
  limit: (name: string, subject: string) => `limit:${name}:${subject}`,
  /** A sealed WeChat token, or its lock while one process fetches it. */
  wechat: (name: string, digest: string) => `wechat:{${digest}}:${name}`,
  /** A logout token of an OpenID provider, which counts once. */
  logoutToken: (provider: string, jti: string) => `logout:${provider}:${jti}`,
  /** Held by the process that sends a request to this host. */
  hostTurn: (host: string) => `host-turn:${host}`,
  queuePrefix: "{queue}",
  queueNames: "queue-names",
  /** Held for a period by the worker that ran a scheduled job last. */
  turn: (job: string) => `{queue}:turn:${job}`,
  processes: "processes",
};

const connectTimeoutMs = 2_000;
const commandTimeoutMs = 2_000;
const reconnectDelayMaxMs = 500;
/** Redis may have lost its end of a silent connection, which TCP reports after minutes. */
const silenceMaxMs = 3_000;
const patientSilenceMaxMs = 15_000; // BullMQ waits up to 10 seconds for a job

const failFast = {
  connectTimeout: connectTimeoutMs,
  commandTimeout: commandTimeoutMs,
  socketTimeout: silenceMaxMs,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // A command without an answer may have run. Only its caller can decide whether to repeat it.
  autoResendUnfulfilledCommands: false,
  retryStrategy: reconnectDelay,
};

/** Waits through outages, for subscribers and for BullMQ, which requires it. */
const patient = {
  connectTimeout: connectTimeoutMs,
  socketTimeout: patientSilenceMaxMs,
  maxRetriesPerRequest: null,
  retryStrategy: reconnectDelay,
};

function reconnectDelay(attempt: number): number {
  return Math.min(20 * 2 ** Math.min(attempt, 8), reconnectDelayMaxMs);
}

export function openRedis(
  name: string,
  mode: "failFast" | "patient" = "failFast",
  purpose: RedisPurpose = "main",
): RedisClient {
  const client = openClient(redisUrlOf(purpose), mode === "failFast" ? failFast : patient);
  let reported = false;
  client.on("error", (error: Error) => {
    if (reported) return;
    reported = true;
    log.warn({ event: "redis.lost", connection: name, error: error.message });
  });
  client.on("ready", () => {
    if (reported) log.info({ event: "redis.returned", connection: name });
    reported = false;
  });
  return client;
}

export type RedisPurpose = "main" | "cache" | "clicks" | "queue" | "limits";

function redisUrlOf(purpose: RedisPurpose): string {
  const settings = config();
  const own = {
    main: undefined,
    cache: settings.REDIS_CACHE_URL,
    clicks: settings.REDIS_CLICKS_URL,
    queue: settings.REDIS_QUEUE_URL,
    limits: settings.REDIS_LIMITS_URL,
  }[purpose];
  return own ?? settings.REDIS_URL;
}

function openClient(url: string, options: typeof failFast | typeof patient): RedisClient {
  if (/^sentinels?:/.test(url)) return new Redis({ ...options, ...sentinelOptions(url) });
  const addresses = url.split(",").map((address) => address.trim());
  return addresses.length === 1 ? new Redis(url, options) : openCluster(addresses, options);
}

function openCluster(addresses: string[], options: typeof failFast | typeof patient): Cluster {
  // The other nodes are found through the first and share its credentials.
  const { username, password, protocol } = new URL(addresses[0] ?? "");
  return new Cluster(addresses, {
    redisOptions: {
      ...options,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(protocol === "rediss:" ? { tls: {} } : {}),
    },
    enableOfflineQueue: options === patient,
    clusterRetryStrategy: reconnectDelay,
  });
}

const shared = new Map<string, RedisClient>();

/** The shared connection for short commands. Purposes with the same Redis share one. */
export function redis(purpose: RedisPurpose = "main"): RedisClient {
  const url = redisUrlOf(purpose);
  const open = shared.get(url) ?? openRedis("shared", "failFast", purpose);
  shared.set(url, open);
  return open;
}

/** Its replica may lack the last writes. Called at once for a Cluster, otherwise on reconnection. */
export function onServerLost(client: RedisClient, listener: () => void): void {
  if (client instanceof Cluster) {
    client.on("-node", listener);
    return;
  }
  let connected = client.status === "ready";
  client.on("ready", () => {
    if (connected) listener();
    connected = true;
  });
}

const purposes: readonly RedisPurpose[] = ["main", "cache", "clicks", "queue", "limits"];

export function allRedis(): RedisClient[] {
  return [...new Set(purposes.map((purpose) => redis(purpose)))];
}

export function redisReady(client: RedisClient, timeoutMs: number): Promise<boolean> {
  if (client.status === "ready") return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      client.off("ready", onReady);
      resolve(ready);
    };
    const onReady = () => settle(true);
    client.once("ready", onReady);
  });
}

interface Script {
  name: string;
  lua: string;
  keys?: number;
  purpose?: RedisPurpose;
}

/** Makes a function of a Lua script, which Redis runs atomically. The caller declares its types. */
export function defineScript<Args extends (string | number)[], Reply>(
  script: Script,
): (...args: Args) => Promise<Reply> {
  const defined = new WeakMap<RedisClient, (...args: Args) => Promise<Reply>>();
  return (...args) => {
    const client = redis(script.purpose);
    const command = defined.get(client) ?? commandOf<Args, Reply>(client, script);
    defined.set(client, command);
    return command(...args);
  };
}

function commandOf<Args extends (string | number)[], Reply>(client: RedisClient, script: Script) {
  const { name, lua, keys } = script;
  client.defineCommand(name, { lua, ...(keys === undefined ? {} : { numberOfKeys: keys }) });
  // Sound because the command was just defined.
  return Reflect.get(client, name).bind(client) as (...args: Args) => Promise<Reply>;
}

export async function closeRedis(given?: RedisClient): Promise<void> {
  const closing = given ? [given] : [...shared.values()];
  if (!given) shared.clear();
  await Promise.all(
    closing.map(async (client) => {
      await withTimeout(commandTimeoutMs, () => client.quit()).catch(() => undefined);
      client.disconnect();
    }),
  );
}

/** Returns problems of the server's settings. A server that hides them counts as correct. */
export async function checkRedis(client: RedisClient = redis()): Promise<string[]> {
  const problems: string[] = [];
  const setting = async (name: string): Promise<string | undefined> => {
    const reply = await client.config("GET", name).catch(() => undefined);
    return Array.isArray(reply) && typeof reply[1] === "string" ? reply[1] : undefined;
  };
  const policy = await setting("maxmemory-policy");
  if (policy !== undefined && policy !== "noeviction") {
    problems.push(
      `Redis can evict keys (maxmemory-policy ${policy}), so clicks could be lost. Set it to noeviction.`,
    );
  }
  const appendOnly = await setting("appendonly");
  if (appendOnly !== undefined && appendOnly !== "yes") {
    problems.push(
      "Redis has no append-only file, so a restart loses clicks. Set appendonly to yes.",
    );
  }
  return problems;
}

export interface RedisMemory {
  usedBytes: number;
  maxBytes: number | null; // null: no limit
}

export async function readRedisMemory(): Promise<RedisMemory> {
  const nodes = allRedis().flatMap((client) =>
    client instanceof Cluster ? client.nodes("master") : [client],
  );
  const texts = await Promise.all(nodes.map((node) => node.info("memory")));
  const sum = (field: RegExp) =>
    texts.reduce((total, text) => total + Number(field.exec(text)?.[1] ?? 0), 0);
  const max = sum(/^maxmemory:(\d+)/m);
  return { usedBytes: sum(/^used_memory:(\d+)/m), maxBytes: max === 0 ? null : max };
}
