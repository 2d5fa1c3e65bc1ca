/** The database of this instance for a script that runs with or without `npm start`. */
import { mkdirSync } from "node:fs";
import { findServerUrl } from "#lib/platform/postgres";
import { withDatabase } from "./databases.ts";
import { describeInstance } from "./environment.ts";
import { lockDataFolder, peekRunning } from "./lock.ts";
import { peekPort } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import { openSecrets } from "./secrets.ts";

/** Runs the work with the URL of the database; when Fuxi is stopped, its database is started for the duration. */
export async function withOwnDatabase<T>(
  work: (databaseUrl: string) => Promise<T>,
  report: (line: string) => void,
): Promise<T> {
  // A pooler in transaction mode has no session for a whole backup.
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
