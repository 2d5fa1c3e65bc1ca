/** The two stores that Fuxi stands on: those of the environment, else our own in the data folder. */
import { mkdirSync } from "node:fs";
import { reapPostgres, startPostgres } from "./postgres.ts";
import { reapRedis, startRedis } from "./redis.ts";
import { openSecrets } from "./secrets.ts";

interface Options {
  dataDir: string;
  report: (line: string) => void;
  /** For tests: settings of our own PostgreSQL beyond the usual ones. */
  postgresSettings?: Record<string, string>;
}

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Redis first, then PostgreSQL; stores of the environment are left alone. */
  stop: () => Promise<void>;
}

/** Starts what the environment does not bring. Whatever was started is stopped again when a later step fails. */
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
      report("PostgreSQL runs");
    }
    let redisUrl = process.env["REDIS_URL"];
    if (!redisUrl) {
      const redis = await startRedis({ dataDir, password: secrets.redisPassword, report });
      stops.push(redis.stop);
      redisUrl = redis.url;
      report("Redis runs");
    }
    return { databaseUrl, redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops stores of this data folder that outlived a killed supervisor. */
export async function reapServices(dataDir: string): Promise<void> {
  await reapRedis(dataDir);
  await reapPostgres(dataDir);
}
