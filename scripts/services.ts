/** The two stores: from the environment, or else managed ones in the data folder. */
import { mkdirSync } from "node:fs";
import { Redis } from "ioredis";
import pg from "pg";
import { findServerUrl } from "#lib/platform/postgres";
import { startPostgres, stopOrphanedPostgres } from "./postgres.ts";
import { Advice } from "./processes.ts";
import { startRedis, stopOrphanedRedis } from "./redis.ts";
import { openSecrets } from "./secrets.ts";

const answerTimeoutMs = 10_000;

interface Options {
  dataDir: string;
  report: (line: string) => void;
  signal?: AbortSignal;
  postgresSettings?: Record<string, string>;
}

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Stops Redis, then PostgreSQL. Leaves stores of the environment alone. */
  stop: () => Promise<void>;
}

/** Starts missing stores. If a later step fails, stops them again. */
export async function startServices(options: Options): Promise<Services> {
  const { dataDir, report, signal, postgresSettings: extraSettings = {} } = options;
  mkdirSync(dataDir, { recursive: true });
  const secrets = openSecrets(dataDir);
  const { DATABASE_URL, REDIS_URL } = process.env;
  const [database, redis] = await Promise.allSettled([
    DATABASE_URL
      ? checkGiven(DATABASE_URL, assertPostgres)
      : startPostgres({ ...options, password: secrets.databasePassword, extraSettings }),
    REDIS_URL
      ? checkGiven(REDIS_URL, assertRedis)
      : startRedis({
          dataDir,
          password: secrets.redisPassword,
          report,
          ...(signal ? { signal } : {}),
        }),
  ]);
  const stop = async () => {
    if (redis.status === "fulfilled") await redis.value.stop();
    if (database.status === "fulfilled") await database.value.stop();
  };
  try {
    const { url: databaseUrl } = started(database);
    const { url: redisUrl } = started(redis);
    report("PostgreSQL and Redis are running");
    return { databaseUrl, redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Store {
  url: string;
  stop: () => Promise<void>;
}

async function checkGiven(
  url: string,
  assertReady: (url: string) => Promise<void>,
): Promise<Store> {
  await assertReady(url);
  return { url, stop: async () => undefined };
}

function started<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "fulfilled") return settled.value;
  throw settled.reason;
}

export async function stopOrphanedServices(dataDir: string): Promise<void> {
  await stopOrphanedRedis(dataDir);
  await stopOrphanedPostgres(dataDir);
}

/** Reports a store that does not answer before anything else starts, without showing passwords. */
async function assertPostgres(url: string): Promise<void> {
  try {
    const connectionString = await findServerUrl(url);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerTimeoutMs });
    await client.connect();
    await client.end();
  } catch (error) {
    const where = url.replace(/^\w+:\/\/(?:[^/?#]*@)?/, "").replace(/[?#].*/, "");
    throw new Advice(
      `DATABASE_URL, ${where}, does not respond: ${explainBriefly(error)}. Check that it is running and that the URL is right.`,
    );
  }
}

async function assertRedis(urls: string): Promise<void> {
  // Not checked here, because the processes ask the sentinels.
  if (/^sentinels?:/.test(urls)) return;
  const [url = ""] = urls.split(",");
  const client = new Redis(url, { lazyConnect: true, connectTimeout: answerTimeoutMs });
  // The call only says that the connection is closed. The event has the reason.
  let reason: unknown;
  client.on("error", (error: Error) => {
    reason = error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const why = explainBriefly(reason ?? error);
    throw new Advice(
      `REDIS_URL, ${new URL(url).host}, does not respond: ${why}. Check that it is running and that the URL is right.`,
    );
  } finally {
    client.disconnect();
  }
}

function explainBriefly(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
