/** The database of this instance, for scripts that run with or without `npm start`. */
import { mkdirSync } from "node:fs";
import { findServerUrl } from "#lib/platform/postgres";
import { withDatabase } from "./databases.ts";
import { describeInstance, setEnvironment } from "./environment.ts";
import { lockDataFolder, peekRunning } from "./lock.ts";
import { peekPort } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import { openSecrets } from "./secrets.ts";

/** If Fuxi is stopped, runs its database during the work. */
export async function withOwnDatabase<T>(
  work: (databaseUrl: string) => Promise<T>,
  report: (line: string) => void,
): Promise<T> {
  // A connection pooler in transaction mode cannot keep a session for a whole backup.
  const given = process.env["DATABASE_DIRECT_URL"] || process.env["DATABASE_URL"];
  if (given) return await work(await findServerUrl(given));
  const { dataDir, url } = describeInstance(process.env);
  mkdirSync(dataDir, { recursive: true });
  if (peekRunning(dataDir) !== undefined) {
    const password = openSecrets(dataDir).databasePassword;
    const port = peekPort(dataDir, "postgres");
    return await work(withDatabase(`postgres://fuxi:${password}@127.0.0.1:${port}/`, "fuxi"));
  }
  const lock = await lockDataFolder(dataDir, url);
  try {
    const password = openSecrets(dataDir).databasePassword;
    const postgres = await startPostgres({ dataDir, password, report });
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

/** Sets the environment of this process, before lib reads it. */
export function setOwnEnvironment(databaseUrl: string): void {
  const { dataDir } = describeInstance(process.env);
  mkdirSync(dataDir, { recursive: true });
  const secrets = openSecrets(dataDir);
  const port = peekRunning(dataDir) === undefined ? undefined : peekPort(dataDir, "redis");
  const redisUrl =
    port === undefined
      ? "redis://127.0.0.1:1"
      : `redis://:${secrets.redisPassword}@127.0.0.1:${port}`;
  setEnvironment(databaseUrl, secrets, redisUrl);
  process.env["FUXI_LOG_LEVEL"] = "silent";
}
