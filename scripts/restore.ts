/** `npm run restore -- file [--erasures folder]`: restores a backup, then repeats the erasures since. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { replayErasures } from "#lib/outreach/erasing";
import { Connection } from "#lib/platform/postgres";
import { skipAhead } from "#lib/platform/sequences";
import { copyErasures, listErasures } from "#lib/tenancy/erasures";
import { migrate } from "../prisma/migrate.ts";
import { describeInstance } from "./environment.ts";
import { listFilledTables, loadDump, openDump } from "./load.ts";
import { peekRunning } from "./lock.ts";
import { setOwnEnvironment, withOwnDatabase } from "./own-database.ts";
import { Advice, explain } from "./processes.ts";

/** Also repeats slightly older erasures, because the snapshot may be older and clocks differ. Erasing twice is harmless. */
const clocksMs = 600_000;

try {
  const { file, erasures } = readArguments();
  const { dataDir } = describeInstance(process.env);
  const running = peekRunning(dataDir);
  if (running !== undefined) throw new Advice(`Fuxi runs at ${running}. Stop it before restoring.`);
  await withOwnDatabase(
    async (databaseUrl) => {
      const createdAt = await restore(databaseUrl, file);
      await eraseAgain(databaseUrl, new Date(createdAt.getTime() - clocksMs), erasures);
      console.log(
        "Start Fuxi with the code key and the session secret of the original instance: FUXI_CODE_KEY, FUXI_CODE_TWEAK and FUXI_SESSION_SECRET, or its secrets.json.",
      );
    },
    (line) => console.log(line),
  );
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);

function readArguments(): { file: string; erasures: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { erasures: { type: "string" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || !existsSync(file)) {
    throw new Advice("Name the backup to restore: npm run restore -- file.sql.gz");
  }
  const { erasures } = values;
  if (erasures !== undefined && !statSync(erasures, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Advice(
      `${erasures} is not a folder. Name the folder erasures of the former data folder.`,
    );
  }
  return { file, erasures };
}

async function restore(databaseUrl: string, file: string): Promise<Date> {
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
    await skipAhead(new Connection(client));
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows of ${Object.keys(rows).length} tables restored.`);
    return new Date(dump.manifest.createdAt);
  } finally {
    await client.end();
  }
}

async function eraseAgain(
  databaseUrl: string,
  since: Date,
  folder: string | undefined,
): Promise<void> {
  setOwnEnvironment(databaseUrl);
  if (folder !== undefined) await copyErasures(folder);
  const erasures = await listErasures(since);
  if (erasures.length === 0) {
    console.log("No people were erased since the backup, as far as this data folder has it.");
    return;
  }
  // The erasures need the current schema, but the backup may be older.
  await migrate(databaseUrl);
  const { recipients, customers, contacts } = await replayErasures(erasures);
  console.log(
    `${erasures.length} people were erased since the backup: ${recipients} recipients, ${customers} customers and ${contacts} contacts deleted again.`,
  );
}
