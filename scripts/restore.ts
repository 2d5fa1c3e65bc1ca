/** `npm run restore -- file`: restores a backup into an empty database. */
import { createReadStream, existsSync } from "node:fs";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { migrate } from "../prisma/migrate.ts";
import { describeInstance } from "./environment.ts";
import { listFilledTables, loadDump, openDump } from "./load.ts";
import { peekRunning } from "./lock.ts";
import { withOwnDatabase } from "./own-database.ts";
import { Advice, explain } from "./processes.ts";

try {
  const [, , file] = process.argv;
  if (file === undefined || !existsSync(file)) {
    throw new Advice("Name the backup to restore: npm run restore -- file.sql.gz");
  }
  const { dataDir } = describeInstance(process.env);
  const running = peekRunning(dataDir);
  if (running !== undefined) throw new Advice(`Fuxi runs at ${running}. Stop it before restoring.`);
  await withOwnDatabase(
    (databaseUrl) => restore(databaseUrl, file),
    (line) => console.log(line),
  );
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);

async function restore(databaseUrl: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const filled = await listFilledTables(client);
    if (filled.length > 0) {
      throw new Advice(
        `The database is not empty: ${filled.join(", ")}. Set DATABASE_URL to an empty database, or move the data folder away.`,
      );
    }
    const dump = await openDump(createReadStream(file).pipe(createGunzip()));
    await migrate(databaseUrl, dump.manifest.migrations.at(-1));
    const rows = await loadDump(client, dump);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows of ${Object.keys(rows).length} tables restored.`);
    console.log(
      "Start Fuxi with the code key of the original instance: FUXI_CODE_KEY and FUXI_CODE_TWEAK, or its secrets.json.",
    );
  } finally {
    await client.end();
  }
}
