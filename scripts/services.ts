/** The two stores of Fuxi: those of the environment, otherwise managed ones in the data folder. */
import { mkdirSync } from "node:fs";
import { Redis } from "ioredis";
import pg from "pg";
import { startPostgres, stopOrphanedPostgres } from "./postgres.ts";
import { Advice } from "./processes.ts";
import { startRedis, stopOrphanedRedis } from "./redis.ts";
import { openSecrets } from "./secrets.ts";

const answerTimeoutMs = 10_000;

interface Options {
  dataDir: string;
  report: (line: string) => void;
  /** For tests: additional settings of the managed PostgreSQL. */
  postgresSettings?: Record<string, string>;
}

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Redis first, then PostgreSQL; stores of the environment are left alone. */
  stop: () => Promise<void>;
}

/** Starts the stores that the environment does not provide. They are stopped again when a later step fails. */
export async function startServices(options: Options): Promise<Services> {
  const { dataDir, report } = options;
  mkdirSync(dataDir, { recursive: true });
  const secrets = openSecrets(dataDir);
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    let databaseUrl = process.env["DATABASE_URL"];
    if (!databaseUrl) {
      const password = secrets.databasePassword;
      const extraSettings = options.postgresSettings ?? {};
      const postgres = await startPostgres({ dataDir, password, report, extraSettings });
      stops.push(postgres.stop);
      databaseUrl = postgres.url;
      report("PostgreSQL is running");
    } else await assertPostgres(databaseUrl);
    let redisUrl = process.env["REDIS_URL"];
    if (!redisUrl) {
      const redis = await startRedis({ dataDir, password: secrets.redisPassword, report });
      stops.push(redis.stop);
      redisUrl = redis.url;
      report("Redis is running");
    } else await assertRedis(redisUrl);
    return { databaseUrl, redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops stores of this data folder that outlived a killed supervisor. */
export async function stopOrphanedServices(dataDir: string): Promise<void> {
  await stopOrphanedRedis(dataDir);
  await stopOrphanedPostgres(dataDir);
}

/** A given store that does not answer is reported before anything else starts. Passwords are not shown. */
async function assertPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new Advice(
      `DATABASE_URL, ${host}${pathname}, does not respond: ${explainBriefly(error)}. Check that it is running and that the URL is right.`,
    );
  }
}

async function assertRedis(urls: string): Promise<void> {
  const [url = ""] = urls.split(",");
  const client = new Redis(url, { lazyConnect: true, connectTimeout: answerTimeoutMs });
  // The call itself only reports that the connection is closed; the reason arrives here.
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
